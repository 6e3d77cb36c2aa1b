// SPDX-License-Identifier: Apache-2.0
#include "tilewright/Epilogue.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

TEST(Epilogue, TableIsInTheOrderOfTheEnum) {
  for (size_t i = 0; i < kEpilogueOps.size(); ++i)
    EXPECT_EQ(static_cast<size_t>(kEpilogueOps[i].kind), i);
}

TEST(Epilogue, BuilderKeepsTheOrder) {
  Epilogue epilogue;
  epilogue.bias().gelu().residual(DType::fp32, 128).scaleRow();
  ASSERT_EQ(epilogue.ops().size(), 4U);
  EXPECT_EQ(epilogue.ops()[0].kind, EpilogueKind::bias);
  EXPECT_EQ(epilogue.ops()[1].kind, EpilogueKind::gelu);
  EXPECT_EQ(epilogue.ops()[2].kind, EpilogueKind::residual);
  EXPECT_EQ(epilogue.ops()[2].ld, 128);
  EXPECT_EQ(epilogue.toString(), "bias,gelu,residual:fp32:ld128,scale_row");
  EXPECT_TRUE(epilogue.has(EpilogueKind::gelu));
  EXPECT_FALSE(epilogue.has(EpilogueKind::relu));
}

TEST(Epilogue, EveryBuilderMakesTheOpOfItsName) {
  Epilogue epilogue;
  epilogue.bias().biasRow().relu().gelu().geluErf().silu().swiglu().geglu();
  epilogue.residual().gate().scaleRow().scaleCol().accumulate();
  EXPECT_EQ(epilogue.toString(), "bias,bias_row,relu,gelu,gelu_erf,silu,swiglu,geglu,residual,"
                                 "gate,scale_row,scale_col,accumulate");
}

TEST(Epilogue, TextReadsBackEqual) {
  for (std::string_view text : {"", "bias", "bias,gelu", "relu,relu", "residual:bf16:ld8192",
                                "gate:ld64,scale_col:bf16,accumulate"}) {
    Expected<Epilogue> parsed = Epilogue::parse(text);
    ASSERT_TRUE(parsed) << text << ": " << parsed.status().message();
    EXPECT_EQ(parsed->toString(), text);
    EXPECT_EQ(*Epilogue::parse(parsed->toString()), *parsed);
  }
}

TEST(Epilogue, OrderMatters) {
  EXPECT_NE(*Epilogue::parse("bias,gelu"), *Epilogue::parse("gelu,bias"));
}

TEST(Epilogue, MalformedListsNameTheEntry) {
  struct Case {
    std::string_view text;
    std::string_view fault;
  };
  for (auto [text, fault] :
       {Case{"bias,gelo", "'gelo' is no op"}, Case{"bias,", "'' is no op"},
        Case{",bias", "'' is no op"}, Case{"Bias", "'Bias' is no op"},
        Case{"bias, gelu", "' gelu' is no op"}, Case{"gelu:fp32", "reads no operand"},
        Case{"bias:float", "'float' is no element type"}, Case{"bias:", "'' is no element type"},
        Case{"residual:ld", "ld takes a positive number"},
        Case{"residual:ld-4", "ld takes a positive number"},
        Case{"residual:ld4x", "ld takes a positive number"}}) {
    Expected<Epilogue> parsed = Epilogue::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.status().code(), StatusCode::invalidArgument);
    EXPECT_NE(parsed.status().message().find(fault), std::string::npos)
        << text << ": " << parsed.status().message();
  }
}

TEST(Epilogue, OperandTypesFollowTheResult) {
  EXPECT_EQ(EpilogueOp{EpilogueKind::bias}.operandType(DType::fp16), DType::fp16);
  EXPECT_EQ(EpilogueOp{EpilogueKind::residual}.operandType(DType::fp32), DType::fp32);
  EXPECT_EQ(EpilogueOp{EpilogueKind::scaleRow}.operandType(DType::bf16), DType::fp32);
  EXPECT_EQ((EpilogueOp{EpilogueKind::bias, DType::fp32}.operandType(DType::bf16)), DType::fp32);
}

} // namespace
