// SPDX-License-Identifier: Apache-2.0
//
// sm90 ops to EmitC: one pattern for every device function, and the few ops that are not calls.
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Conversion.h"
#include "compiler/passes/emission/Text.h"

#include "compiler/sm90/Names.h"
#include "compiler/sm90/Sm90Ops.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

using namespace mlir;
using namespace tilewright;

namespace {

// Every op that is a device function: a call with its operands in order.
struct ConvertDeviceCall : OpInterfaceConversionPattern<sm90::DeviceCallOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(sm90::DeviceCallOpInterface op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "no type for a result");
    SmallVector<Attribute> templateArguments;
    for (Attribute argument : op.getDeviceTemplateArgs())
      templateArguments.push_back(templateArgument(argument));
    ArrayAttr arguments;
    if (!templateArguments.empty())
      arguments = rewriter.getArrayAttr(templateArguments);
    auto call = emitc::CallOpaqueOp::create(rewriter, op.getLoc(), results, op.getDeviceFunction(),
                                            operands, /*args=*/ArrayAttr(), arguments);
    if (isPure(op))
      call->setAttr(emission::kPure, rewriter.getUnitAttr());
    if (StringRef hint = op.getResultHint(); !hint.empty())
      call->setAttr(emission::kHint, rewriter.getStringAttr(hint));
    rewriter.replaceOp(op, call);
    return success();
  }

private:
  Attribute templateArgument(Attribute argument) const {
    auto text = [&](const Twine &value) {
      return emitc::OpaqueAttr::get(getContext(), value.str());
    };
    if (auto number = dyn_cast<sm90::ConstAttr>(argument))
      return number.getName() ? text(number.getName().getValue()) : text(Twine(number.getValue()));
    if (auto flag = dyn_cast<BoolAttr>(argument))
      return text(flag.getValue() ? "true" : "false");
    if (auto type = dyn_cast<TypeAttr>(argument))
      return text(emission::elementName(type.getValue()));
    return text(cast<StringAttr>(argument).getValue());
  }
};

struct ConvertKernel : OpConversionPattern<sm90::KernelOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(sm90::KernelOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(), signature)))
      return failure();
    auto function =
        emitc::FuncOp::create(rewriter, op.getLoc(), op.getSymName(),
                              rewriter.getFunctionType(signature.getConvertedTypes(), {}));
    std::string bounds = "__launch_bounds__(" + std::to_string(op.getThreads()) + ", " +
                         std::to_string(op.getMinCtas()) + ")";
    function.setSpecifiersAttr(rewriter.getStrArrayAttr({"extern \"C\"", "__global__", bounds}));
    function->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    function->setAttr(emission::kThreads, op.getThreadsAttr());
    if (op.getClusterAttr())
      function->setAttr(emission::kCluster, op.getClusterAttr());
    if (op.getSharedBytesAttr())
      function->setAttr(emission::kSharedBytes, op.getSharedBytesAttr());

    SmallVector<Location> parameters;
    for (Value argument : op.getArguments())
      parameters.push_back(argument.getLoc());
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *getTypeConverter(), &signature)))
      return failure();
    for (auto [argument, location] : llvm::zip_equal(function.getArguments(), parameters))
      argument.setLoc(location);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertReturn : OpConversionPattern<sm90::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(sm90::ReturnOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<emitc::ReturnOp>(op, Value());
    return success();
  }
};

struct ConvertNamedConstant : OpConversionPattern<sm90::NamedConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(sm90::NamedConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<emitc::LiteralOp>(op, op.getType(), op.getName());
    return success();
  }
};

struct ConvertComment : OpConversionPattern<sm90::CommentOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(sm90::CommentOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<StringRef> lines;
    op.getText().split(lines, '\n');
    for (StringRef line : lines)
      emitc::VerbatimOp::create(rewriter, op.getLoc(), ("// " + line).str());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertFrag : OpConversionPattern<sm90::FragOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(sm90::FragOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value array = emitc::VariableOp::create(rewriter, op.getLoc(),
                                            getTypeConverter()->convertType(op.getType()),
                                            emitc::OpaqueAttr::get(getContext(), ""));
    if (Value init = adaptor.getInit())
      emitc::CallOpaqueOp::create(rewriter, sm90::withoutName(op.getLoc()), TypeRange(), "tw::fill",
                                  ValueRange{array, init});
    rewriter.replaceOp(op, array);
    return success();
  }
};

// The place `array[index]`.
Value element(OpBuilder &builder, Location loc, Value array, Value index) {
  return emitc::SubscriptOp::create(builder, sm90::withoutName(loc),
                                    cast<TypedValue<emitc::ArrayType>>(array), index);
}

// Array elements of packed registers are uint32_t, scalars are int32_t.
struct ConvertFragGet : OpConversionPattern<sm90::FragGetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(sm90::FragGetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value place = element(rewriter, op.getLoc(), adaptor.getFrag(), adaptor.getIndex());
    Type held = cast<emitc::LValueType>(place.getType()).getValueType();
    if (held == op.getType()) {
      rewriter.replaceOpWithNewOp<emitc::LoadOp>(op, held, place);
      return success();
    }
    Value value = emitc::LoadOp::create(rewriter, sm90::withoutName(op.getLoc()), held, place);
    rewriter.replaceOpWithNewOp<emitc::CastOp>(op, op.getType(), value);
    return success();
  }
};

struct ConvertFragSet : OpConversionPattern<sm90::FragSetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(sm90::FragSetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value place = element(rewriter, op.getLoc(), adaptor.getFrag(), adaptor.getIndex());
    Type held = cast<emitc::LValueType>(place.getType()).getValueType();
    Value value = adaptor.getValue();
    if (value.getType() != held)
      value = emitc::CastOp::create(rewriter, sm90::withoutName(op.getLoc()), held, value);
    rewriter.replaceOpWithNewOp<emitc::AssignOp>(op, place, value);
    return success();
  }
};

struct ConvertPtrOffset : OpConversionPattern<sm90::PtrOffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(sm90::PtrOffsetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value pointer = adaptor.getPointer();
    rewriter.replaceOpWithNewOp<emitc::AddOp>(op, pointer.getType(), pointer, adaptor.getIndex());
    return success();
  }
};

} // namespace

void emission::populateSm90Patterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertDeviceCall, ConvertKernel, ConvertReturn, ConvertNamedConstant,
               ConvertComment, ConvertFrag, ConvertFragGet, ConvertFragSet, ConvertPtrOffset>(
      converter, patterns.getContext());
}
