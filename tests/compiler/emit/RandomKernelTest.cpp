// SPDX-License-Identifier: Apache-2.0
// Preparation and printing keep the meaning: random kernels (loops that carry values, branches with
// results, register arrays, memory) are printed by us from the prepared module and by upstream's
// printer from the module before preparation, and both texts are compiled for the host and run on
// the same memory.
#include "compiler/CudaPrinter.h"
#include "compiler/Registration.h"
#include "compiler/passes/Passes.h"
#include "compiler/sm90/Names.h"
#include "compiler/sm90/Sm90Ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/Cpp/CppEmitter.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace mlir;
using namespace tilewright;

namespace {

constexpr int kKernels = 100;

// The device functions that the kernels call, for the host. Memory is 64 words.
constexpr const char *kPrelude = R"(
#include <cstdint>
#include <cstdio>
#include <cstring>
namespace tw {
struct cursor { int32_t stage, phase; };
inline cursor consumer_cursor() { return {0, 0}; }
template <int N> cursor advance(cursor c) { return c.stage + 1 == N ? cursor{0, c.phase ^ 1} : cursor{c.stage + 1, c.phase}; }
inline int32_t stage(cursor c) { return c.stage; }
inline int32_t phase(cursor c) { return c.phase; }
inline int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }
inline int32_t ld_global(int32_t *p, int64_t i) { return p[i & 63]; }
inline void st_global(int32_t *p, int64_t i, int32_t v) { p[i & 63] = v; }
inline int32_t atomic_add(int32_t *p, int32_t v) { int32_t old = *p; *p += v; return old; }
template <int N> void bump(uint32_t (&x)[N]) { for (uint32_t &v : x) v += 3; }
template <int N> void copy(uint32_t (&d)[N], uint32_t (&s)[N]) { std::memcpy(d, s, sizeof d); }
}
)";

// Builds one kernel @k(p, a, b) from a seed.
class Generator {
public:
  Generator(OpBuilder &builder, unsigned seed) : builder(builder), random(seed) {}

  void kernel() {
    Type i32 = builder.getI32Type();
    Location loc = builder.getUnknownLoc();
    auto op = sm90::KernelOp::create(builder, loc, "k",
                                     TypeRange{sm90::PtrType::get(i32, false), i32, i32}, 128);
    OpBuilder::InsertionGuard guard(builder);
    Block &body = op.getBody().front();
    builder.setInsertionPointToStart(&body);
    pointer = body.getArgument(0);
    numbers = {body.getArgument(1), body.getArgument(2)};
    cursors = {sm90::ConsumerCursorOp::create(builder, place())};
    for (int i = 0; i < 2; ++i) {
      arrays.push_back(sm90::FragOp::create(builder, place(),
                                            sm90::FragType::get(builder.getContext(), 8, i32)));
      Value zero = constant(0), one = constant(1), eight = constant(8);
      scf::ForOp::create(builder, loc, zero, eight, one, ValueRange(),
                         [&](OpBuilder &inner, Location, Value index, ValueRange) {
                           sm90::FragSetOp::create(inner, loc, arrays.back(), index, index);
                           scf::YieldOp::create(inner, loc);
                         });
    }
    statements(24, 0);
    // Not all: what is used once is folded.
    for (Value number : numbers)
      if (below(3) == 0)
        store(constant(below(64)), number);
    sm90::ReturnOp::create(builder, loc);
  }

private:
  int below(int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); }

  // Sometimes a name, from few: they collide and lead to merged variables.
  Location place() {
    static constexpr const char *kNames[] = {"x", "y", "slot", "row"};
    Location loc = builder.getUnknownLoc();
    return below(3) == 0 ? sm90::withName(loc, kNames[below(4)]) : loc;
  }

  Value constant(int value) {
    return arith::ConstantOp::create(builder, builder.getUnknownLoc(),
                                     builder.getI32IntegerAttr(value));
  }
  // Rather a recent one: that is where order matters.
  Value number() {
    if (below(6) == 0)
      return constant(below(9) - 2);
    size_t recent = std::min<size_t>(numbers.size(), 6);
    return numbers[numbers.size() - 1 - below(below(2) == 0 ? recent : numbers.size())];
  }
  Value index() { return arith::AndIOp::create(builder, place(), number(), constant(7)); }
  Value condition() {
    auto predicate = static_cast<arith::CmpIPredicate>(below(6));
    Value left = below(4) == 0 ? call() : number();
    return arith::CmpIOp::create(builder, place(), predicate, left, number());
  }
  void store(Value at, Value value) {
    Value wide = arith::ExtSIOp::create(builder, place(), builder.getI64Type(), at);
    sm90::StGlobalOp::create(builder, place(), pointer, wide, value);
  }

  Value load() {
    Value wide = arith::ExtSIOp::create(builder, place(), builder.getI64Type(), number());
    return sm90::LdGlobalOp::create(builder, place(), pointer, wide);
  }

  // A number from a call, of which the order matters.
  Value call() {
    if (below(2) == 0)
      return load();
    return sm90::AtomicAddOp::create(builder, place(), pointer, number());
  }

  // A new number, by one op.
  Value compute() {
    switch (below(13)) {
    case 0:
      return arith::AddIOp::create(builder, place(), number(), number());
    case 1:
      return arith::SubIOp::create(builder, place(), number(), number());
    case 2:
      return arith::MulIOp::create(builder, place(), number(), number());
    case 3:
      return arith::XOrIOp::create(builder, place(), number(), number());
    case 4:
      return arith::MaxSIOp::create(builder, place(), number(), number());
    case 5:
      return arith::SelectOp::create(builder, place(), condition(), number(), number());
    case 6: {
      Value both = arith::AndIOp::create(builder, place(), condition(), condition());
      return arith::ExtUIOp::create(builder, place(), builder.getI32Type(), both);
    }
    case 7:
      return sm90::StageOp::create(builder, place(), cursors[below(cursors.size())]);
    case 8:
      return sm90::PhaseOp::create(builder, place(), cursors[below(cursors.size())]);
    case 9:
      return sm90::FragGetOp::create(builder, place(), arrays[below(2)], index());
    default:
      return call();
    }
  }

  void statement(int depth) {
    switch (below(depth < 3 ? 10 : 7)) {
    case 0: {
      Value at = below(2) == 0 ? call() : number();
      store(at, below(2) == 0 ? call() : number());
      return;
    }
    case 1:
      sm90::FragSetOp::create(builder, place(), arrays[below(2)], index(), number());
      return;
    case 2:
      sm90::FragCopyOp::create(builder, place(), arrays[0], arrays[1]);
      return;
    case 3:
      cursors.push_back(sm90::AdvanceOp::create(builder, place(), cursors[below(cursors.size())],
                                                sm90::ConstAttr::get(builder.getContext(), 3)));
      return;
    case 7:
    case 8:
      loop(depth);
      return;
    case 9:
      branch(depth);
      return;
    default:
      numbers.push_back(compute());
      return;
    }
  }

  void statements(int count, int depth) {
    for (int i = 0; i < count; ++i)
      statement(depth);
  }

  void loop(int depth) {
    SmallVector<Value> initial;
    int carriedNumbers = 1 + below(4);
    bool carriesCursor = below(2) == 0;
    for (int i = 0; i < carriedNumbers; ++i)
      initial.push_back(number());
    if (carriesCursor)
      initial.push_back(cursors[below(cursors.size())]);
    Value lower = constant(below(2)), step = constant(1 + below(2));
    Value upper = below(2) == 0
                      ? arith::AndIOp::create(builder, place(), number(), constant(3)).getResult()
                      : constant(1 + below(5));
    size_t knownNumbers = numbers.size(), knownCursors = cursors.size();
    auto op = scf::ForOp::create(builder, place(), lower, upper, step, initial);
    for (Value argument : op.getBody()->getArguments())
      argument.setLoc(place());
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(op.getBody());
      numbers.push_back(op.getInductionVar());
      for (int i = 0; i < carriedNumbers; ++i)
        numbers.push_back(op.getRegionIterArg(i));
      if (carriesCursor)
        cursors.push_back(op.getRegionIterArg(carriedNumbers));
      statements(1 + below(5), depth + 1);
      SmallVector<Value> next;
      // Often another carried value: a shift or a swap.
      for (int i = 0; i < carriedNumbers; ++i)
        next.push_back(below(2) == 0 ? op.getRegionIterArg(below(carriedNumbers)) : number());
      if (carriesCursor)
        next.push_back(cursors[below(cursors.size())]);
      if (op.getBody()->mightHaveTerminator())
        op.getBody()->getTerminator()->erase();
      builder.setInsertionPointToEnd(op.getBody());
      scf::YieldOp::create(builder, builder.getUnknownLoc(), next);
    }
    numbers.resize(knownNumbers);
    cursors.resize(knownCursors);
    for (int i = 0; i < carriedNumbers; ++i)
      numbers.push_back(op.getResult(i));
    if (carriesCursor)
      cursors.push_back(op.getResult(carriedNumbers));
  }

  void branch(int depth) {
    Type i32 = builder.getI32Type();
    SmallVector<Type> results(below(3), i32);
    auto op = scf::IfOp::create(builder, place(), results, condition(), /*withElseRegion=*/true);
    for (Block *block : {op.thenBlock(), op.elseBlock()}) {
      OpBuilder::InsertionGuard guard(builder);
      size_t knownNumbers = numbers.size(), knownCursors = cursors.size();
      if (block->mightHaveTerminator())
        block->getTerminator()->erase();
      builder.setInsertionPointToEnd(block);
      statements(below(4), depth + 1);
      SmallVector<Value> yielded;
      for (size_t i = 0; i < results.size(); ++i)
        yielded.push_back(number());
      scf::YieldOp::create(builder, builder.getUnknownLoc(), yielded);
      numbers.resize(knownNumbers);
      cursors.resize(knownCursors);
    }
    for (Value result : op.getResults())
      numbers.push_back(result);
  }

  OpBuilder &builder;
  std::mt19937 random;
  Value pointer;
  SmallVector<Value> numbers;
  SmallVector<Value> cursors;
  SmallVector<Value> arrays;
};

// A text as one function in a namespace, without what only a GPU has.
std::string inNamespace(const std::string &name, const std::string &text) {
  std::string result = "namespace " + name + " {\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("#include", 0) != 0 && line.rfind("#pragma", 0) != 0)
      result += line + "\n";
  return result + "}\n";
}

LogicalResult run(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager passes(module.getContext());
  passes.addPass(std::move(pass));
  return passes.run(module);
}

TEST(RandomKernels, MeanTheSameBeforeAndAfterPreparation) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  std::string program = kPrelude;
  std::string calls;
  for (int seed = 0; seed < kKernels; ++seed) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    Generator(builder, static_cast<unsigned>(seed)).kernel();
    ASSERT_TRUE(succeeded(verify(*module))) << seed;
    ASSERT_TRUE(succeeded(run(*module, createSm90ToEmitc()))) << seed;
    emitc::FuncOp function = *module->getOps<emitc::FuncOp>().begin();
    function.removeSpecifiersAttr();

    std::string reference;
    llvm::raw_string_ostream out(reference);
    ASSERT_TRUE(succeeded(emitc::translateToCpp(*module, out))) << seed;
    ASSERT_TRUE(succeeded(run(*module, createEmitcPrepare()))) << seed;
    FailureOr<std::string> text = printCuda(function);
    ASSERT_TRUE(succeeded(text)) << seed;

    const std::string number = std::to_string(seed);
    program += inNamespace("reference" + number, reference) + inNamespace("ours" + number, *text);
    calls +=
        "  same &= compare(" + number + ", reference" + number + "::k, ours" + number + "::k);\n";
  }
  program += R"(
bool compare(int seed, void (*f)(int32_t *, int32_t, int32_t), void (*g)(int32_t *, int32_t, int32_t)) {
  int32_t a[64], b[64];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 64; ++i)
      a[i] = b[i] = i * (round + 1) % 7;
    f(a, round, 5 - round);
    g(b, round, 5 - round);
    if (std::memcmp(a, b, sizeof a) != 0) {
      std::printf("kernel %d differs\n", seed);
      return false;
    }
  }
  return true;
}
int main() {
  bool same = true;
)" + calls + "  return same ? 0 : 1;\n}\n";

  std::string pattern = (std::filesystem::temp_directory_path() / "tilewright-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr) << pattern;
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / "program.cpp") << program;
  const std::string base = (folder / "program").string();
  const std::string compile = "c++ -std=c++20 -O0 -fwrapv -w " + base + ".cpp -o " + base;
  ASSERT_EQ(std::system(compile.c_str()), 0) << "see " << base << ".cpp";
  ASSERT_EQ(std::system(base.c_str()), 0) << "see " << base << ".cpp";
  std::filesystem::remove_all(folder);
}

} // namespace
