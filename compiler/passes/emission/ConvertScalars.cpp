// SPDX-License-Identifier: Apache-2.0
//
// arith and math to EmitC. Integers are signed and do not overflow, so each op is the operator that
// a person would write. Upstream's patterns keep wrap-around by casts through unsigned types, do
// not know math on a GPU, and leave ops unconverted without a word.
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Conversion.h"
#include "compiler/passes/emission/Text.h"

#include "compiler/sm90/Names.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;

namespace {

// An op that is converted to several gives its name to the last one: the others go by this.
Value literal(OpBuilder &builder, Location loc, TypedAttr value) {
  return emitc::LiteralOp::create(builder, sm90::withoutName(loc), value.getType(),
                                  emission::literalText(value));
}

Value integer(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return literal(builder, loc, builder.getIntegerAttr(type, value));
}

Value compare(OpBuilder &builder, Location loc, emitc::CmpPredicate predicate, Value lhs,
              Value rhs) {
  return emitc::CmpOp::create(builder, sm90::withoutName(loc), builder.getI1Type(), predicate, lhs,
                              rhs);
}

struct ConvertConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<IntegerAttr, FloatAttr>(op.getValue()))
      return failure();
    rewriter.replaceOp(op, literal(rewriter, op.getLoc(), op.getValue()));
    return success();
  }
};

// One operator, operands in order.
template <typename From, typename To>
struct ConvertOperator : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getType(), adaptor.getOperands());
    return success();
  }
};

// Operators on integers that are logical ones on i1.
template <typename From, typename Bits, typename Logical>
struct ConvertBitwise : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getType().isInteger(1))
      rewriter.replaceOpWithNewOp<Logical>(op, op.getType(), adaptor.getOperands());
    else
      rewriter.replaceOpWithNewOp<Bits>(op, op.getType(), adaptor.getOperands());
    return success();
  }
};

// a + -1 is written a - 1.
struct ConvertAdd : OpConversionPattern<arith::AddIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::AddIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    APInt right;
    if (matchPattern(op.getRhs(), m_ConstantInt(&right)) && right.isNegative() &&
        !right.isMinSignedValue()) {
      Value less = integer(rewriter, op.getLoc(), op.getType(), -right.getSExtValue());
      rewriter.replaceOpWithNewOp<emitc::SubOp>(op, op.getType(), adaptor.getLhs(), less);
      return success();
    }
    rewriter.replaceOpWithNewOp<emitc::AddOp>(op, op.getType(), adaptor.getOperands());
    return success();
  }
};

struct ConvertXor : OpConversionPattern<arith::XOrIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::XOrIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(1))
      rewriter.replaceOpWithNewOp<emitc::BitwiseXorOp>(op, op.getType(), adaptor.getOperands());
    else if (matchPattern(op.getRhs(), m_One()))
      rewriter.replaceOpWithNewOp<emitc::LogicalNotOp>(op, op.getType(), adaptor.getLhs());
    else
      rewriter.replaceOpWithNewOp<emitc::CmpOp>(op, op.getType(), emitc::CmpPredicate::ne,
                                                adaptor.getLhs(), adaptor.getRhs());
    return success();
  }
};

struct ConvertCmpI : OpConversionPattern<arith::CmpIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::CmpIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    emitc::CmpPredicate predicate;
    switch (op.getPredicate()) {
    case arith::CmpIPredicate::eq:
      predicate = emitc::CmpPredicate::eq;
      break;
    case arith::CmpIPredicate::ne:
      predicate = emitc::CmpPredicate::ne;
      break;
    case arith::CmpIPredicate::slt:
      predicate = emitc::CmpPredicate::lt;
      break;
    case arith::CmpIPredicate::sle:
      predicate = emitc::CmpPredicate::le;
      break;
    case arith::CmpIPredicate::sgt:
      predicate = emitc::CmpPredicate::gt;
      break;
    case arith::CmpIPredicate::sge:
      predicate = emitc::CmpPredicate::ge;
      break;
    default:
      return rewriter.notifyMatchFailure(op, "integers are signed");
    }
    rewriter.replaceOp(
        op, compare(rewriter, op.getLoc(), predicate, adaptor.getLhs(), adaptor.getRhs()));
    return success();
  }
};

// C++ compares are ordered (!= is unordered); the unordered ones are their negations.
struct ConvertCmpF : OpConversionPattern<arith::CmpFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::CmpFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    using P = arith::CmpFPredicate;
    using C = emitc::CmpPredicate;
    Location loc = sm90::withoutName(op.getLoc());
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    auto plain = [&](C predicate) { return compare(rewriter, loc, predicate, lhs, rhs); };
    auto negated = [&](Value value) -> Value {
      return emitc::LogicalNotOp::create(rewriter, loc, value.getType(), value);
    };
    auto either = [&](Value a, Value b) -> Value {
      return emitc::LogicalOrOp::create(rewriter, loc, a.getType(), a, b);
    };
    auto isNan = [&] {
      return either(compare(rewriter, loc, C::ne, lhs, lhs),
                    compare(rewriter, loc, C::ne, rhs, rhs));
    };
    auto convert = [&]() -> Value {
      switch (op.getPredicate()) {
      case P::OEQ:
        return plain(C::eq);
      case P::OGT:
        return plain(C::gt);
      case P::OGE:
        return plain(C::ge);
      case P::OLT:
        return plain(C::lt);
      case P::OLE:
        return plain(C::le);
      case P::UNE:
        return plain(C::ne);
      case P::ULE:
        return negated(plain(C::gt));
      case P::ULT:
        return negated(plain(C::ge));
      case P::UGE:
        return negated(plain(C::lt));
      case P::UGT:
        return negated(plain(C::le));
      case P::ONE:
        return either(plain(C::lt), plain(C::gt));
      case P::UEQ:
        return negated(either(plain(C::lt), plain(C::gt)));
      case P::UNO:
        return isNan();
      case P::ORD:
        return negated(isNan());
      case P::AlwaysTrue:
        return integer(rewriter, loc, rewriter.getI1Type(), 1);
      case P::AlwaysFalse:
        return integer(rewriter, loc, rewriter.getI1Type(), 0);
      }
      llvm_unreachable("every predicate is listed");
    };
    Value result = convert();
    result.getDefiningOp()->setLoc(op.getLoc());
    rewriter.replaceOp(op, result);
    return success();
  }
};

// A function of tilewright/math.cuh.
template <typename From>
struct ConvertToCall : OpConversionPattern<From> {
  ConvertToCall(const TypeConverter &converter, MLIRContext *context, StringRef function)
      : OpConversionPattern<From>(converter, context), function(function) {}
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF32() && !type.isInteger(32))
      return rewriter.notifyMatchFailure(op, "the device library computes on f32 and i32");
    auto call =
        rewriter.replaceOpWithNewOp<emitc::CallOpaqueOp>(op, type, function, adaptor.getOperands());
    call->setAttr(emission::kPure, rewriter.getUnitAttr());
    return success();
  }
  StringRef function;
};

// max and min of i64 have no function: a > b ? a : b.
template <typename From>
struct ConvertLongExtremum : OpConversionPattern<From> {
  ConvertLongExtremum(const TypeConverter &converter, MLIRContext *context,
                      emitc::CmpPredicate predicate)
      : OpConversionPattern<From>(converter, context), predicate(predicate) {}
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(64))
      return failure();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    Value wins = compare(rewriter, op.getLoc(), predicate, lhs, rhs);
    rewriter.replaceOpWithNewOp<emitc::ConditionalOp>(op, op.getType(), wins, lhs, rhs);
    return success();
  }
  emitc::CmpPredicate predicate;
};

// C++ division truncates. For a positive divisor the ceiling is one more where something is left
// above, the floor one less where something is left below; both hold for negative dividends.
// Divisors are extents: positive.
template <typename From, typename Correct>
struct ConvertRoundedDiv : OpConversionPattern<From> {
  ConvertRoundedDiv(const TypeConverter &converter, MLIRContext *context, emitc::CmpPredicate left)
      : OpConversionPattern<From>(converter, context), left(left) {}
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = sm90::withoutName(op.getLoc());
    Type type = op.getType();
    APInt divisor;
    bool isKnown = matchPattern(op.getRhs(), m_ConstantInt(&divisor));
    if (isKnown && !divisor.isStrictlyPositive())
      return rewriter.notifyMatchFailure(op, "the divisor is not positive");
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    if (std::is_same_v<From, arith::CeilDivSIOp> && op->hasAttr(emission::kNotNegative)) {
      // (m + 127) / 128
      Value sum;
      if (isKnown) {
        Value less = integer(rewriter, loc, type, divisor.getSExtValue() - 1);
        sum = emitc::AddOp::create(rewriter, loc, type, lhs, less);
      } else {
        sum = emitc::AddOp::create(rewriter, loc, type, lhs, rhs);
        sum = emitc::SubOp::create(rewriter, loc, type, sum, integer(rewriter, loc, type, 1));
      }
      rewriter.replaceOpWithNewOp<emitc::DivOp>(op, type, sum, rhs);
      return success();
    }
    Value quotient = emitc::DivOp::create(rewriter, loc, type, lhs, rhs);
    Value rest = emitc::RemOp::create(rewriter, loc, type, lhs, rhs);
    Value uneven = compare(rewriter, loc, left, rest, integer(rewriter, loc, type, 0));
    Value correction = emitc::CastOp::create(rewriter, loc, type, uneven);
    rewriter.replaceOpWithNewOp<Correct>(op, type, quotient, correction);
    return success();
  }

private:
  emitc::CmpPredicate left;
};

// A conversion that C++ spells as a cast: int64_t(x).
template <typename From>
struct ConvertCast : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getIn().getType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "i1 is unsigned in C++");
    if (op.getType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "C++ tests for zero where this takes the low bit");
    rewriter.replaceOpWithNewOp<emitc::CastOp>(op, op.getType(), adaptor.getIn());
    return success();
  }
};

// The same for unsigned sources: i1 is one already, i32 goes through uint32_t.
template <typename From>
struct ConvertUnsignedCast : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value in = adaptor.getIn();
    unsigned width = in.getType().getIntOrFloatBitWidth();
    if (width != 1)
      in = emitc::CastOp::create(rewriter, sm90::withoutName(op.getLoc()),
                                 rewriter.getIntegerType(width, /*isSigned=*/false), in);
    rewriter.replaceOpWithNewOp<emitc::CastOp>(op, op.getType(), in);
    return success();
  }
};

struct ConvertBitcast : OpConversionPattern<arith::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::BitcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::string type = emission::elementName(op.getType());
    auto arguments = rewriter.getArrayAttr(
        {emitc::OpaqueAttr::get(getContext(), type), rewriter.getIndexAttr(0)});
    auto call = rewriter.replaceOpWithNewOp<emitc::CallOpaqueOp>(
        op, op.getType(), "__builtin_bit_cast", adaptor.getIn(), arguments);
    call->setAttr(emission::kPure, rewriter.getUnitAttr());
    return success();
  }
};

// The functions of tilewright/math.cuh by op: the one list for the patterns and for the include.
template <typename Visitor>
void forEachMathFunction(Visitor visit) {
  visit.template operator()<arith::MaxNumFOp>("tw::max");
  visit.template operator()<arith::MinNumFOp>("tw::min");
  visit.template operator()<arith::MaximumFOp>("tw::max_nan");
  visit.template operator()<arith::MinimumFOp>("tw::min_nan");
  visit.template operator()<arith::MaxSIOp>("tw::max");
  visit.template operator()<arith::MinSIOp>("tw::min");
  visit.template operator()<math::AbsFOp>("tw::abs");
  visit.template operator()<math::CeilOp>("tw::ceil");
  visit.template operator()<math::CosOp>("tw::cos");
  visit.template operator()<math::ErfOp>("tw::erf");
  visit.template operator()<math::Exp2Op>("tw::exp2");
  visit.template operator()<math::ExpOp>("tw::exp");
  visit.template operator()<math::FloorOp>("tw::floor");
  visit.template operator()<math::FmaOp>("tw::fma");
  visit.template operator()<math::Log2Op>("tw::log2");
  visit.template operator()<math::LogOp>("tw::log");
  visit.template operator()<math::RsqrtOp>("tw::rsqrt");
  visit.template operator()<math::SinOp>("tw::sin");
  visit.template operator()<math::SqrtOp>("tw::sqrt");
  visit.template operator()<math::TanhOp>("tw::tanh");
}

} // namespace

bool emission::callsMathHeader(Operation *op) {
  bool calls = false;
  forEachMathFunction([&]<typename Op>(StringRef) { calls |= isa<Op>(op); });
  return calls;
}

void emission::populateScalarPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  forEachMathFunction([&]<typename Op>(StringRef function) {
    patterns.add<ConvertToCall<Op>>(converter, context, function);
  });
  patterns.add<ConvertLongExtremum<arith::MaxSIOp>>(converter, context, emitc::CmpPredicate::gt);
  patterns.add<ConvertLongExtremum<arith::MinSIOp>>(converter, context, emitc::CmpPredicate::lt);
  patterns.add<ConvertRoundedDiv<arith::CeilDivSIOp, emitc::AddOp>>(converter, context,
                                                                    emitc::CmpPredicate::gt);
  patterns.add<ConvertRoundedDiv<arith::FloorDivSIOp, emitc::SubOp>>(converter, context,
                                                                     emitc::CmpPredicate::lt);
  patterns.add<
      ConvertConstant, ConvertAdd, ConvertXor, ConvertCmpI, ConvertCmpF, ConvertBitcast,
      ConvertOperator<arith::SubIOp, emitc::SubOp>, ConvertOperator<arith::MulIOp, emitc::MulOp>,
      ConvertOperator<arith::DivSIOp, emitc::DivOp>, ConvertOperator<arith::RemSIOp, emitc::RemOp>,
      ConvertOperator<arith::ShLIOp, emitc::BitwiseLeftShiftOp>,
      ConvertOperator<arith::ShRSIOp, emitc::BitwiseRightShiftOp>,
      ConvertBitwise<arith::AndIOp, emitc::BitwiseAndOp, emitc::LogicalAndOp>,
      ConvertBitwise<arith::OrIOp, emitc::BitwiseOrOp, emitc::LogicalOrOp>,
      ConvertOperator<arith::AddFOp, emitc::AddOp>, ConvertOperator<arith::SubFOp, emitc::SubOp>,
      ConvertOperator<arith::MulFOp, emitc::MulOp>, ConvertOperator<arith::DivFOp, emitc::DivOp>,
      ConvertOperator<arith::NegFOp, emitc::UnaryMinusOp>,
      ConvertOperator<arith::SelectOp, emitc::ConditionalOp>, ConvertCast<arith::ExtSIOp>,
      ConvertCast<arith::TruncIOp>, ConvertCast<arith::SIToFPOp>, ConvertCast<arith::FPToSIOp>,
      ConvertUnsignedCast<arith::ExtUIOp>, ConvertUnsignedCast<arith::UIToFPOp>>(converter,
                                                                                 context);
}
