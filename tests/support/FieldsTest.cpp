// SPDX-License-Identifier: Apache-2.0
#include "support/Fields.h"

#include <gtest/gtest.h>

#include <array>

using namespace tilewright;

namespace {

enum class Colour : uint8_t { red, green };
constexpr std::array<std::string_view, 2> fieldNames(Colour) { return {"red", "green"}; }

struct Paint {
  int32_t coats = 1;
  Colour colour = Colour::red;

  template <typename Visitor>
  static void forEachField(Visitor &&visit) {
    visit("coats", &Paint::coats);
    visit("colour", &Paint::colour);
  }
};

TEST(Fields, PrintsInTheOrderOfTheList) {
  EXPECT_EQ(printFields(Paint{3, Colour::green}), "coats=3,colour=green");
}

TEST(Fields, ParsesInAnyOrderOverABase) {
  Expected<Paint> paint = parseFields<Paint>("colour=green,coats=-2");
  ASSERT_TRUE(paint);
  EXPECT_TRUE(equalFields(*paint, Paint{-2, Colour::green}));
  paint = parseFields("coats=5", Paint{1, Colour::green});
  ASSERT_TRUE(paint);
  EXPECT_TRUE(equalFields(*paint, Paint{5, Colour::green}));
  paint = parseFields("", Paint{7, Colour::green});
  ASSERT_TRUE(paint);
  EXPECT_EQ(paint->coats, 7);
}

TEST(Fields, MalformedTextNamesThePart) {
  struct Case {
    std::string_view text;
    std::string_view fault;
  };
  for (auto [text, fault] :
       {Case{"coats", "'coats' is not of the form name=value"},
        Case{"coat=1", "'coat' is no field; use coats, colour"},
        Case{"coats=1,coats=2", "'coats' is given twice"},
        Case{"coats=one", "coats: 'one' is no whole number"},
        Case{"coats=1.5", "coats: '1.5' is no whole number"},
        Case{"coats=99999999999", "is no whole number"}, Case{"coats=", "'' is no whole number"},
        Case{"colour=blue", "colour: 'blue' is not one of red, green"},
        Case{"coats=1,,colour=red", "'' is not of the form"}, Case{"=1", "'' is no field"}}) {
    Expected<Paint> paint = parseFields<Paint>(text);
    ASSERT_FALSE(paint) << text;
    EXPECT_EQ(paint.status().code(), StatusCode::invalidArgument);
    EXPECT_NE(paint.status().message().find(fault), std::string::npos)
        << text << ": " << paint.status().message();
  }
}

TEST(Fields, HashFollowsEachField) {
  Hash128 base = hashFields(Paint{});
  EXPECT_EQ(hashFields(Paint{}), base);
  EXPECT_NE(hashFields(Paint{2, Colour::red}), base);
  EXPECT_NE(hashFields(Paint{1, Colour::green}), base);
}

} // namespace
