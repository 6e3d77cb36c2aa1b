// SPDX-License-Identifier: Apache-2.0

#include "tests/emulator/mutants/Subject.h"

#include "compiler/Compiler.h"
#include "compiler/mutation/Mutation.h"
#include "runtime/check/Elements.h"
#include "templates/gemm/Arguments.h"
#include "templates/gemm/Gemm.h"
#include "tilewright/DeviceInfo.h"

#include "mlir/IR/MLIRContext.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>

namespace tilewright::mutants {

namespace {

/// Sizes that a kernel may be built for: only their alignment stays in it.
constexpr int64_t kBuildSize = 1024;

DeviceInfo device() { return *DeviceInfo::forTarget("h200"); }

std::string readFile(const std::string &name) {
  std::ifstream file(std::string(TW_SOURCE_DIR "/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Hook = std::function<Status(mlir::ModuleOp)>;

Expected<Plan> compileWith(const Case &subject, const Hook &hook) {
  const std::unique_ptr<mlir::MLIRContext> context = makeCompilerContext();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      subject.program.empty()
          ? buildGemm(*context, subject.at({"build", kBuildSize, kBuildSize, kBuildSize}),
                      subject.config, device())
          : parseModule(*context, readFile(subject.program), subject.program);
  if (!module)
    return module.status();
  return compileToPlan(**module, hook);
}

/// Memory of one operand, aligned as a device allocates.
class Operand {
public:
  explicit Operand(size_t bytes) : bytes_(bytes), memory_(allocate(bytes), Free()) {}
  [[nodiscard]] uint8_t *data() const { return memory_.get(); }
  [[nodiscard]] size_t bytes() const { return bytes_; }

private:
  static constexpr std::align_val_t kAlignment{256};
  struct Free {
    void operator()(uint8_t *memory) const { ::operator delete(memory, kAlignment); }
  };
  static uint8_t *allocate(size_t bytes) {
    return static_cast<uint8_t *>(::operator new(bytes ? bytes : 1, kAlignment));
  }

  size_t bytes_;
  std::unique_ptr<uint8_t, Free> memory_;
};

/// Numbers in [-1, 1] that 8 bits of significand hold, so that sums in fp32 depend little on order.
void fill(const Operand &operand, DType type, uint64_t seed) {
  const size_t size = dtypeBytes(type);
  uint64_t state = seed * 0x9e3779b97f4a7c15ULL + 1;
  for (size_t i = 0; i + size <= operand.bytes(); i += size) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double value = static_cast<double>(static_cast<int64_t>(state >> 56) - 128) / 128.0;
    encodeElement(type, value, operand.data() + i);
  }
}

} // namespace

Expected<Plan> compileCase(const Case &subject, const Mutation &mutation, std::string &where) {
  return compileWith(subject, [&](mlir::ModuleOp module) {
    if (mutation.kind.empty())
      return Status::ok();
    mlir::FailureOr<std::string> site = mutation::mutate(module, mutation.kind, mutation.site);
    if (mlir::failed(site))
      return Status::invalidArgument("no such mutation: " + mutation.kind);
    where = *site;
    return Status::ok();
  });
}

Expected<std::map<std::string, unsigned>> countSites(const Case &subject) {
  std::map<std::string, unsigned> sites;
  Expected<Plan> plan = compileWith(subject, [&](mlir::ModuleOp module) {
    for (const mutation::Kind *kind : mutation::allKinds())
      if (const size_t found = mutation::findSites(*kind, module).size())
        sites[kind->name.str()] = static_cast<unsigned>(found);
    return Status::ok();
  });
  if (!plan)
    return plan.status();
  return sites;
}

Outcome runCase(const emulator::Emulator &emulator, const Plan &plan, const Case &subject,
                const Shape &shape, const emulator::RunOptions &options) {
  Outcome outcome;
  std::vector<ArgumentValue> scalars;
  std::vector<Operand> operands;
  std::vector<emulator::HostMemory> memory;
  std::vector<size_t> results;
  for (const GemmArgument &argument : subject.arguments(shape)) {
    if (argument.kind == ArgumentKind::f32) {
      scalars.emplace_back(argument.number);
      continue;
    }
    if (argument.kind != ArgumentKind::pointer) {
      scalars.emplace_back(argument.integer);
      continue;
    }
    Operand &operand =
        operands.emplace_back(static_cast<size_t>(argument.elements) * dtypeBytes(argument.dtype));
    if (argument.access == Access::write) {
      results.push_back(operands.size() - 1);
      std::memset(operand.data(), kPoisonByte, operand.bytes());
    } else {
      fill(operand, argument.dtype, operands.size());
    }
    memory.push_back({operand.data(), operand.bytes()});
  }

  Expected<std::shared_ptr<const emulator::EmulatedPlan>> prepared =
      emulator.prepare(plan, device(), scalars, {.smCap = shape.sms});
  if (!prepared) {
    outcome.status = prepared.status();
    return outcome;
  }
  Expected<emulator::EmulationReport> report = (*prepared)->run(memory, options);
  if (!report) {
    outcome.status = report.status();
    return outcome;
  }
  outcome.report = *std::move(report);
  for (size_t result : results)
    outcome.result.insert(outcome.result.end(), operands[result].data(),
                          operands[result].data() + operands[result].bytes());
  return outcome;
}

} // namespace tilewright::mutants
