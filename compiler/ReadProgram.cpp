// SPDX-License-Identifier: Apache-2.0

#include "compiler/ReadProgram.h"

#include "compiler/Place.h"
#include "compiler/sm90/Sm90Ops.h"
#include "compiler/tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright {

namespace {

/// What a plan holds of the program's values: integers as expressions, pointers as memory.
struct ProgramValues {
  llvm::DenseMap<Value, Expr> integers;
  llvm::DenseMap<Value, MemoryRef> memory;
};

std::optional<DType> dtypeOf(Type type) {
  if (type.isBF16())
    return DType::bf16;
  if (type.isF16())
    return DType::fp16;
  if (type.isF32())
    return DType::fp32;
  if (type.isInteger(32))
    return DType::int32;
  if (type.isInteger(8))
    return DType::int8;
  if (isa<Float8E4M3FNType>(type))
    return DType::e4m3;
  if (isa<Float8E5M2Type>(type))
    return DType::e5m2;
  return std::nullopt;
}

/// `operation` on expressions, or nothing if a plan cannot hold it.
std::optional<Expr> combine(StringRef operation, const Expr &a, const Expr &b) {
  if (operation == "add")
    return a + b;
  if (operation == "sub")
    return a - b;
  if (operation == "mul")
    return a * b;
  if (operation == "div")
    return Expr::floorDiv(a, b);
  if (operation == "ceildiv")
    return Expr::ceilDiv(a, b);
  if (operation == "mod")
    return Expr::mod(a, b);
  if (operation == "min")
    return Expr::min(a, b);
  if (operation == "max")
    return Expr::max(a, b);
  return std::nullopt;
}

StringRef operationOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](arith::AddIOp) { return "add"; })
      .Case([](arith::SubIOp) { return "sub"; })
      .Case([](arith::MulIOp) { return "mul"; })
      .Case<arith::DivSIOp, arith::FloorDivSIOp>([](auto) { return "div"; })
      .Case([](arith::CeilDivSIOp) { return "ceildiv"; })
      .Case([](arith::RemSIOp) { return "mod"; })
      .Case([](arith::MinSIOp) { return "min"; })
      .Case([](arith::MaxSIOp) { return "max"; })
      .Default([](Operation *) { return ""; });
}

/// How the kernels of a launch treat the memory behind one of their arguments.
struct Use {
  int64_t align = 1;
  bool read = false;
  bool written = false;
};

Use useOf(BlockArgument argument) {
  Use use;
  for (Operation *user : argument.getUsers()) {
    auto view = dyn_cast<tile::ViewOp>(user);
    if (!view) {
      use.read = true;
      use.written |= isa<tile::AtomicAddOp, tile::SemaphorePostOp>(user);
      continue;
    }
    use.align = std::max(use.align, view.getType().getAlign());
    for (Operation *access : view->getUsers()) {
      if (isa<tile::ExtentOp>(access))
        continue;
      auto store = dyn_cast<tile::StoreOp>(access);
      auto copyOut = dyn_cast<tile::CopyOutOp>(access);
      bool adds =
          (store && store.getVia() == tile::Via::ReduceAdd) || (copyOut && copyOut.getReduce());
      use.written |= store || copyOut;
      use.read |= (!store && !copyOut) || adds;
    }
  }
  return use;
}

} // namespace

ProgramReader::ProgramReader(ModuleOp module) {
  auto programs = module.getOps<tile::ProgramOp>();
  if (programs.empty())
    return;
  tile::ProgramOp program = *programs.begin();
  plan.name = program.getSymName().str();

  ProgramValues values;
  for (BlockArgument argument : program.getBody().getArguments()) {
    auto index = static_cast<int32_t>(argument.getArgNumber());
    PlanArgument planned;
    planned.name = program.argumentName(argument.getArgNumber());
    if (auto pointer = dyn_cast<tile::PtrType>(argument.getType())) {
      planned.kind = ArgumentKind::pointer;
      std::optional<DType> dtype = dtypeOf(pointer.getElementType());
      if (!dtype)
        refuse(program, "argument " + planned.name + ": a plan has no type for these elements");
      planned.dtype = dtype.value_or(DType::bf16);
      values.memory[argument] = {MemoryRef::Source::argument, index};
    } else {
      planned.kind = argument.getType().isF32()         ? ArgumentKind::f32
                     : argument.getType().isInteger(64) ? ArgumentKind::i64
                                                        : ArgumentKind::i32;
      values.integers[argument] = Expr::argument(index);
    }
    plan.arguments.push_back(planned);
  }

  llvm::DenseMap<int32_t, Use> uses;
  for (Operation &op : program.getBody().front().without_terminator()) {
    auto exprOf = [&](Value value) {
      auto found = values.integers.find(value);
      if (found != values.integers.end())
        return found->second;
      refuse(&op, "takes a number that a plan cannot hold; use constants, arguments, "
                  "tile.sm_count and arith add, sub, mul, div, ceildiv, rem, min, max");
      return Expr();
    };
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
        values.integers[constant.getResult()] = Expr(integer.getInt());
    } else if (isa<arith::ExtSIOp, arith::TruncIOp>(op)) {
      values.integers[op.getResult(0)] = exprOf(op.getOperand(0));
    } else if (auto sms = dyn_cast<tile::SmCountOp>(op)) {
      values.integers[sms.getResult()] = Expr::smCount();
    } else if (auto buffer = dyn_cast<tile::BufferOp>(op)) {
      values.memory[buffer.getResult()] = {MemoryRef::Source::buffer,
                                           static_cast<int32_t>(plan.buffers.size())};
      plan.buffers.push_back(
          {buffer.getName().str(), exprOf(buffer.getBytes()), 256, buffer.getZeroed()});
    } else if (auto require = dyn_cast<tile::RequireOp>(op)) {
      plan.preconditions.push_back({exprOf(require.getLhs()),
                                    static_cast<Precondition::Comparison>(require.getComparison()),
                                    exprOf(require.getRhs()), require.getMessage().str()});
    } else if (auto launchOp = dyn_cast<tile::LaunchOp>(op)) {
      Launch launch;
      launch.kernel = launchOp.getKernel().str();
      launch.pdl = launchOp.getPdl();
      for (auto [dim, extent] : llvm::enumerate(launchOp.getGrid()))
        launch.grid[dim] = exprOf(extent);
      auto kernel = module.lookupSymbol<tile::KernelOp>(launchOp.getKernel());
      for (auto [index, value] : llvm::enumerate(launchOp.getArgs())) {
        MemoryRef memory = values.memory.lookup(value);
        bool isFloat = value.getType().isF32();
        auto argument = dyn_cast<BlockArgument>(value);
        launch.memory.push_back(memory);
        launch.programArgs.push_back(
            isFloat && argument ? static_cast<int32_t>(argument.getArgNumber()) : -1);
        launch.values.push_back(isFloat || isa<tile::PtrType>(value.getType()) ? Expr()
                                                                               : exprOf(value));
        if (isa<tile::PtrType>(value.getType()) && memory.source == MemoryRef::Source::argument) {
          Use use = useOf(kernel.getBody().getArgument(index));
          Use &total = uses[memory.index];
          total.align = std::max(total.align, use.align);
          total.read |= use.read;
          total.written |= use.written;
        }
      }
      launches.push_back(std::move(launch));
    } else if (StringRef name = operationOf(&op); !name.empty()) {
      values.integers[op.getResult(0)] =
          *combine(name, exprOf(op.getOperand(0)), exprOf(op.getOperand(1)));
    } else {
      refuse(&op, "in a tile.program has no place in a plan");
    }
  }
  for (auto &[index, use] : uses) {
    plan.arguments[index].alignment = static_cast<int32_t>(use.align);
    plan.arguments[index].access = !use.written ? Access::read
                                   : use.read   ? Access::readWrite
                                                : Access::write;
  }
}

void ProgramReader::refuse(Operation *op, const std::string &reason) {
  if (problem.isOk())
    problem = Status::unsupported(placeOf(op->getLoc()) + op->getName().getStringRef().str() + " " +
                                  reason);
}

void ProgramReader::readParameters(ModuleOp module) {
  for (auto kernel : module.getOps<sm90::KernelOp>())
    parameters[kernel.getSymName()] = kernel->getAttrOfType<ArrayAttr>("parameters");
}

/// An expression of compiler/passes/tosm90/Parameters.cpp over kernel arguments, in terms of the
/// program's.
static std::optional<Expr> readExpression(Attribute attribute, const std::vector<Expr> &arguments) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return Expr(integer.getInt());
  auto list = cast<ArrayAttr>(attribute);
  StringRef operation = cast<StringAttr>(list[0]).getValue();
  if (operation == "arg")
    return arguments[cast<IntegerAttr>(list[1]).getInt()];
  std::optional<Expr> a = readExpression(list[1], arguments),
                      b = readExpression(list[2], arguments);
  return a && b ? combine(operation, *a, *b) : std::nullopt;
}

Expected<Plan> ProgramReader::finish(std::vector<PlanKernel> kernels) {
  if (!problem.isOk())
    return problem;
  plan.kernels = std::move(kernels);
  for (const Launch &launch : launches) {
    PlanLaunch planned;
    planned.grid = launch.grid;
    planned.pdl = launch.pdl;
    auto kernel = llvm::find_if(plan.kernels, [&](const PlanKernel &candidate) {
      return candidate.entry == launch.kernel;
    });
    if (kernel == plan.kernels.end() || !parameters.lookup(launch.kernel))
      return Status::internal("the program launches @" + launch.kernel +
                              ", which did not come out of the compiler");
    planned.kernel = static_cast<int32_t>(kernel - plan.kernels.begin());
    for (auto contract : parameters.lookup(launch.kernel).getAsRange<DictionaryAttr>()) {
      int64_t argument = cast<IntegerAttr>(contract.get("argument")).getInt();
      StringRef kind = cast<StringAttr>(contract.get("kind")).getValue();
      if (kind == "pointer") {
        planned.parameters.push_back(PointerParameter{launch.memory[argument], Expr()});
      } else if (kind == "scalar") {
        Type type = cast<TypeAttr>(contract.get("type")).getValue();
        if (type.isF32() && launch.programArgs[argument] < 0)
          return Status::unsupported("an f32 parameter of @" + launch.kernel +
                                     " must be an argument of the program");
        if (type.isF32())
          planned.parameters.push_back(FloatParameter{launch.programArgs[argument]});
        else
          planned.parameters.push_back(ScalarParameter{
              type.isInteger(64) ? ScalarParameter::Width::i64 : ScalarParameter::Width::i32,
              launch.values[argument]});
      } else {
        TensorMapRecipe map;
        map.base = launch.memory[argument];
        map.dtype = *dtypeOf(cast<TypeAttr>(contract.get("element")).getValue());
        for (Attribute dim : cast<ArrayAttr>(contract.get("dims")))
          map.dims.push_back(*readExpression(dim, launch.values));
        for (Attribute stride : cast<ArrayAttr>(contract.get("strides")))
          map.strides.push_back(*readExpression(stride, launch.values));
        for (int64_t extent : cast<DenseI64ArrayAttr>(contract.get("box")).asArrayRef())
          map.box.push_back(static_cast<int32_t>(extent));
        map.swizzle = static_cast<int32_t>(cast<IntegerAttr>(contract.get("swizzle")).getInt());
        planned.parameters.push_back(std::move(map));
      }
    }
    plan.launches.push_back(std::move(planned));
  }
  return plan;
}

} // namespace tilewright
