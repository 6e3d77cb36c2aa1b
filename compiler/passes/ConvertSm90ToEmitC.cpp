// SPDX-License-Identifier: Apache-2.0
//
// Pass sm90-to-emitc: the last step of lowering. What the text must include and define is collected
// first, while ops still know it; then everything is converted, or the pass fails naming what
// isn't.
#include "compiler/passes/Passes.h"
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Conversion.h"

#include "compiler/sm90/Sm90Ops.h"

#include "mlir/Conversion/SCFToEmitC/SCFToEmitC.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "llvm/ADT/MapVector.h"

#include <set>

using namespace mlir;

namespace tilewright {
#define GEN_PASS_DEF_SM90TOEMITC
#include "compiler/passes/Passes.h.inc"
} // namespace tilewright

using namespace tilewright;

// Values that the text cannot hold are named before any pattern sees them.
static LogicalResult checkValues(sm90::KernelOp kernel) {
  auto check = [](Operation *op, Type type) -> LogicalResult {
    if (isa<sm90::FragType>(type) && !isa<sm90::FragOp>(op))
      return op->emitOpError("carries a register array, expected values: an array is a place that "
                             "sm90.frag declares and ops take by reference");
    if (isa<IndexType>(type))
      return op->emitOpError("has a value of type index, which would become an unsigned size_t: "
                             "use i32, or i64 for element offsets");
    bool isScalar = type.isIntOrFloat();
    bool isKnown = type.isSignlessInteger(1) || type.isSignlessInteger(32) ||
                   type.isSignlessInteger(64) || type.isF32();
    if (isScalar && !isKnown)
      return op->emitOpError() << "has a value of type " << type
                               << ", expected i1, i32, i64 or f32: narrower types live in memory "
                                  "and in packed registers only";
    return success();
  };
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(check(op, type)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(check(op, type)))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

// Leaves the kernel's headers and named constants as attributes on it.
static LogicalResult collectDefinitions(sm90::KernelOp kernel) {
  std::set<std::string> headers = {"tilewright/types.cuh"};
  llvm::MapVector<StringAttr, TypedAttr> constants;
  Builder builder(kernel.getContext());
  auto define = [&](Operation *op, StringAttr name, TypedAttr value) -> LogicalResult {
    TypedAttr &known = constants[name];
    if (known && known != value)
      return op->emitOpError() << "expected constant " << name.getValue() << " to be " << known
                               << " as elsewhere in this kernel, found " << value;
    known = value;
    return success();
  };
  WalkResult result = kernel.walk([&](Operation *op) {
    if (emission::callsMathHeader(op))
      headers.insert("tilewright/math.cuh");
    if (auto frag = dyn_cast<sm90::FragOp>(op); frag && frag.getInit())
      headers.insert("tilewright/fragment.cuh");
    if (auto constant = dyn_cast<sm90::NamedConstantOp>(op))
      if (failed(define(op, constant.getNameAttr(), constant.getValue())))
        return WalkResult::interrupt();
    auto call = dyn_cast<sm90::DeviceCallOpInterface>(op);
    if (!call)
      return WalkResult::advance();
    headers.insert(call.getDeviceHeader());
    for (Attribute argument : call.getDeviceTemplateArgs())
      if (auto number = dyn_cast<sm90::ConstAttr>(argument); number && number.getName())
        if (failed(define(op, number.getName(), builder.getI32IntegerAttr(number.getValue()))))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();

  SmallVector<Attribute> definitions;
  for (auto &[name, value] : constants)
    definitions.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("name", name), builder.getNamedAttr("value", value)}));
  SmallVector<StringRef> includes(headers.begin(), headers.end());
  kernel->setAttr(emission::kIncludes, builder.getStrArrayAttr(includes));
  kernel->setAttr(emission::kConstants, builder.getArrayAttr(definitions));
  return success();
}

// A parameter of a kernel is a size, which is not negative: its quotients are simpler to write.
static void markSizes(sm90::KernelOp kernel) {
  kernel.walk([&](arith::CeilDivSIOp op) {
    if (auto argument = dyn_cast<BlockArgument>(op.getLhs()))
      if (argument.getOwner() == &kernel.getBody().front())
        op->setAttr(emission::kNotNegative, UnitAttr::get(op.getContext()));
  });
}

namespace {

struct ConvertSm90ToEmitC : tilewright::impl::Sm90ToEmitcBase<ConvertSm90ToEmitC> {
  void runOnOperation() override {
    for (Operation &op : *getOperation().getBody())
      if (!isa<sm90::KernelOp>(op)) {
        op.emitOpError("has no form in EmitC outside of a kernel");
        return signalPassFailure();
      }
    WalkResult prepared = getOperation().walk([](sm90::KernelOp kernel) {
      markSizes(kernel);
      return WalkResult(
          success(succeeded(checkValues(kernel)) && succeeded(collectDefinitions(kernel))));
    });
    if (prepared.wasInterrupted())
      return signalPassFailure();

    emission::EmitcTypeConverter converter;
    RewritePatternSet patterns(&getContext());
    emission::populateScalarPatterns(converter, patterns);
    emission::populateLoopPatterns(converter, patterns);
    emission::populateSm90Patterns(converter, patterns);
    populateSCFToEmitCConversionPatterns(patterns, converter);
    ConversionTarget target(getContext());
    target.addLegalDialect<emitc::EmitCDialect>();
    target.addLegalOp<ModuleOp>();
    // Conversion itself tolerates what it does not know; the check below does not.
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();

    getOperation().walk([&](Operation *op) {
      if (target.isLegal(op))
        return;
      op->emitOpError("has no form in EmitC: lower it before sm90-to-emitc");
      signalPassFailure();
    });
  }
};

} // namespace
