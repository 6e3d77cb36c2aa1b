// SPDX-License-Identifier: Apache-2.0
#include "compiler/CudaExpression.h"

#include "compiler/passes/emission/Attributes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;

namespace {

// The precedence levels of C++, tightest first.
enum Level : uint8_t {
  primary,
  unary,
  multiplicative,
  additive,
  shift,
  relational,
  equality,
  bitAnd,
  bitXor,
  bitOr,
  logicalAnd,
  logicalOr,
  conditional,
};

struct Expression {
  std::string text;
  Level level = primary;
};

struct Operator {
  StringRef text;
  Level level;
};

Expression expression(Value value);
Expression computed(Operation *op);

} // namespace

static std::string typeText(Type type) {
  if (auto opaque = dyn_cast<emitc::OpaqueType>(type))
    return opaque.getValue().str();
  if (auto pointer = dyn_cast<emitc::PointerType>(type))
    return typeText(pointer.getPointee()) + " *";
  if (auto place = dyn_cast<emitc::LValueType>(type))
    return typeText(place.getValueType());
  if (type.isF32())
    return "float";
  auto integer = cast<IntegerType>(type);
  if (integer.getWidth() == 1)
    return "bool";
  return (integer.isUnsigned() ? "uint" : "int") + std::to_string(integer.getWidth()) + "_t";
}

// The infix operator of a binary op.
static std::optional<Operator> infix(Operation *op) {
  if (auto compare = dyn_cast<emitc::CmpOp>(op)) {
    switch (compare.getPredicate()) {
    case emitc::CmpPredicate::eq:
      return Operator{"==", equality};
    case emitc::CmpPredicate::ne:
      return Operator{"!=", equality};
    case emitc::CmpPredicate::lt:
      return Operator{"<", relational};
    case emitc::CmpPredicate::le:
      return Operator{"<=", relational};
    case emitc::CmpPredicate::gt:
      return Operator{">", relational};
    case emitc::CmpPredicate::ge:
      return Operator{">=", relational};
    case emitc::CmpPredicate::three_way:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Operation *, std::optional<Operator>>(op)
      .Case<emitc::AddOp>([](auto) {
        return Operator{"+", additive};
      })
      .Case<emitc::SubOp>([](auto) {
        return Operator{"-", additive};
      })
      .Case<emitc::MulOp>([](auto) {
        return Operator{"*", multiplicative};
      })
      .Case<emitc::DivOp>([](auto) {
        return Operator{"/", multiplicative};
      })
      .Case<emitc::RemOp>([](auto) {
        return Operator{"%", multiplicative};
      })
      .Case<emitc::BitwiseLeftShiftOp>([](auto) {
        return Operator{"<<", shift};
      })
      .Case<emitc::BitwiseRightShiftOp>([](auto) {
        return Operator{">>", shift};
      })
      .Case<emitc::BitwiseAndOp>([](auto) {
        return Operator{"&", bitAnd};
      })
      .Case<emitc::BitwiseXorOp>([](auto) {
        return Operator{"^", bitXor};
      })
      .Case<emitc::BitwiseOrOp>([](auto) {
        return Operator{"|", bitOr};
      })
      .Case<emitc::LogicalAndOp>([](auto) {
        return Operator{"&&", logicalAnd};
      })
      .Case<emitc::LogicalOrOp>([](auto) {
        return Operator{"||", logicalOr};
      })
      .Default([](auto) { return std::nullopt; });
}

// Whether `a op (b op c)` may be written `a op b op c`.
static bool isAssociative(Operation *op) {
  bool isInteger = op->getResult(0).getType().isSignlessInteger();
  return isa<emitc::LogicalAndOp, emitc::LogicalOrOp>(op) ||
         (isInteger &&
          isa<emitc::AddOp, emitc::MulOp, emitc::BitwiseAndOp, emitc::BitwiseOrOp>(op));
}

// Levels whose precedence few readers know by heart: written with parentheses.
static bool isEasilyMisread(Level inner, Level outer) {
  if (inner == outer || inner <= unary)
    return false;
  bool isBitwise = outer == shift || outer == bitAnd || outer == bitXor || outer == bitOr;
  return isBitwise || (outer == logicalOr && inner == logicalAnd);
}

static std::string inParentheses(const Expression &inner, bool needed) {
  return needed ? "(" + inner.text + ")" : inner.text;
}

static Expression binary(Operation *op, Operator sign) {
  Expression lhs = expression(op->getOperand(0)), rhs = expression(op->getOperand(1));
  auto isSameOperator = [&](Value operand) {
    Operation *inner = operand.getDefiningOp();
    return inner && inner->getName() == op->getName();
  };
  // (lane % 4) * 2
  bool isMixed = sign.level == multiplicative && lhs.level == multiplicative &&
                 !isSameOperator(op->getOperand(0));
  bool left = lhs.level > sign.level || isMixed || isEasilyMisread(lhs.level, sign.level);
  bool sameSign = isSameOperator(op->getOperand(1)) && isAssociative(op);
  bool right = rhs.level > sign.level || (rhs.level == sign.level && !sameSign) ||
               isEasilyMisread(rhs.level, sign.level);
  return {inParentheses(lhs, left) + " " + sign.text.str() + " " + inParentheses(rhs, right),
          sign.level};
}

static Expression prefixed(StringRef sign, Value operand) {
  Expression inner = expression(operand);
  return {sign.str() + inParentheses(inner, inner.level >= unary), unary};
}

static std::string attributeText(Attribute attribute) {
  if (auto opaque = dyn_cast<emitc::OpaqueAttr>(attribute))
    return opaque.getValue().str();
  if (auto type = dyn_cast<TypeAttr>(attribute))
    return typeText(type.getValue());
  return std::to_string(cast<IntegerAttr>(attribute).getInt());
}

static std::string callText(emitc::CallOpaqueOp call) {
  std::string text = call.getCallee().str();
  if (ArrayAttr arguments = call.getTemplateArgsAttr())
    text += "<" + llvm::join(llvm::map_range(arguments, attributeText), ", ") + ">";
  SmallVector<std::string> arguments;
  if (ArrayAttr given = call.getArgsAttr()) {
    for (Attribute argument : given) {
      auto position = dyn_cast<IntegerAttr>(argument);
      bool isOperand = position && isa<IndexType>(position.getType());
      arguments.push_back(isOperand ? expressionText(call.getOperand(position.getInt()))
                                    : attributeText(argument));
    }
  } else {
    for (Value operand : call.getOperands())
      arguments.push_back(expressionText(operand));
  }
  return text + "(" + llvm::join(arguments, ", ") + ")";
}

// The name of a block argument: a loop's counter or a function's parameter.
static std::string argumentName(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  StringAttr name;
  if (auto function = dyn_cast<emitc::FuncOp>(parent))
    name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), emission::kName);
  else if (auto whole = dyn_cast<emitc::ExpressionOp>(parent))
    return expressionText(whole->getOperand(argument.getArgNumber()));
  else
    name = parent->getAttrOfType<StringAttr>(emission::kName);
  return name ? name.getValue().str() : "arg" + std::to_string(argument.getArgNumber());
}

namespace {

Expression expression(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return {argumentName(argument), primary};
  Operation *op = value.getDefiningOp();
  if (op->hasAttr(emission::kInline) || isa<emitc::LiteralOp, emitc::SubscriptOp>(op) ||
      op->getParentOfType<emitc::ExpressionOp>())
    return computed(op);
  if (auto name = op->getAttrOfType<StringAttr>(emission::kName))
    return {name.getValue().str(), primary};
  // Only in a module that emitc-prepare has not seen.
  return {"unnamed", primary};
}

Expression computed(Operation *op) {
  if (std::optional<Operator> sign = infix(op))
    return binary(op, *sign);
  return llvm::TypeSwitch<Operation *, Expression>(op)
      .Case<emitc::LiteralOp>([](auto literal) {
        StringRef text = literal.getValue();
        return Expression{text.str(), text.starts_with("-") ? unary : primary};
      })
      .Case<emitc::CallOpaqueOp>([](auto call) {
        return Expression{callText(call), primary};
      })
      .Case<emitc::LoadOp>([](auto load) { return expression(load.getOperand()); })
      .Case<emitc::SubscriptOp>([](auto subscript) {
        std::string text = expressionText(subscript.getValue());
        for (Value index : subscript.getIndices())
          text += "[" + expressionText(index) + "]";
        return Expression{text, primary};
      })
      .Case<emitc::CastOp>([](auto cast) {
        return Expression{typeText(cast.getType()) + "(" + expressionText(cast.getSource()) + ")",
                          primary};
      })
      .Case<emitc::UnaryMinusOp>([](auto op) { return prefixed("-", op.getOperand()); })
      .Case<emitc::LogicalNotOp>([](auto op) { return prefixed("!", op.getOperand()); })
      .Case<emitc::BitwiseNotOp>([](auto op) { return prefixed("~", op.getOperand()); })
      .Case<emitc::ConditionalOp>([](auto op) {
        Expression test = expression(op.getCondition());
        Expression yes = expression(op.getTrueValue()), no = expression(op.getFalseValue());
        return Expression{inParentheses(test, test.level >= conditional) + " ? " +
                              inParentheses(yes, yes.level >= conditional) + " : " +
                              inParentheses(no, no.level >= conditional),
                          conditional};
      })
      .Case<emitc::ExpressionOp>([](auto whole) { return computed(whole.getRootOp()); });
}

} // namespace

bool tilewright::isExpression(Operation *op) {
  return infix(op) || isa<emitc::LiteralOp, emitc::CallOpaqueOp, emitc::LoadOp, emitc::SubscriptOp,
                          emitc::CastOp, emitc::UnaryMinusOp, emitc::LogicalNotOp,
                          emitc::BitwiseNotOp, emitc::ConditionalOp, emitc::ExpressionOp>(op);
}

std::string tilewright::expressionText(Value value) { return expression(value).text; }

std::string tilewright::comparedText(Value value) {
  Expression inner = expression(value);
  return inParentheses(inner, inner.level >= relational);
}

std::string tilewright::valueText(Operation *op) { return computed(op).text; }

std::string tilewright::assignmentText(emitc::AssignOp op) {
  std::string place = expressionText(op.getVar());
  Operation *value = op.getValue().getDefiningOp();
  if (value && value->hasAttr(emission::kInline) &&
      isa<emitc::AddOp, emitc::SubOp, emitc::MulOp>(value) &&
      expressionText(value->getOperand(0)) == place) {
    return place + " " + infix(value)->text.str() + "= " + expressionText(value->getOperand(1));
  }
  return place + " = " + expressionText(op.getValue());
}

std::string tilewright::declarationText(Type type, StringRef name) {
  if (auto array = dyn_cast<emitc::ArrayType>(type)) {
    std::string text = typeText(array.getElementType()) + " " + name.str();
    for (int64_t size : array.getShape())
      text += "[" + std::to_string(size) + "]";
    return text;
  }
  std::string text = typeText(type);
  return text + (text.back() == '*' ? "" : " ") + name.str();
}
