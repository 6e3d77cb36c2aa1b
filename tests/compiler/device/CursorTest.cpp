// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#undef INFINITY
#undef NAN
#include "tilewright/cursor.cuh"

namespace {

TEST(Cursor, ProducerStartsOnPassingParityAndConsumerOnBlocking) {
  EXPECT_EQ(tw::stage(tw::producer_cursor()), 0);
  EXPECT_EQ(tw::phase(tw::producer_cursor()), 1);
  EXPECT_EQ(tw::stage(tw::consumer_cursor()), 0);
  EXPECT_EQ(tw::phase(tw::consumer_cursor()), 0);
}

template <int Stages>
void walk() {
  tw::cursor c = tw::consumer_cursor();
  for (int step = 0; step < 5 * Stages; ++step) {
    EXPECT_EQ(tw::stage(c), step % Stages);
    EXPECT_EQ(tw::phase(c), step / Stages % 2);
    c = tw::advance<Stages>(c);
  }
}

TEST(Cursor, WrapsAndFlips) {
  walk<1>();
  walk<2>();
  walk<3>();
  walk<8>();
}

TEST(Cursor, PicksBarriersAndSlotsByStage) {
  const tw::cursor c = tw::advance<4>(tw::consumer_cursor(), 3);
  EXPECT_EQ(tw::barrier_at(1000, c), 1024);
  EXPECT_EQ(tw::slot_at<512>(1024, c), 1024 + 3 * 512);
}

TEST(Cursor, AdvanceByIsManyAdvances) {
  tw::cursor start = tw::producer_cursor();
  for (int first = 0; first < 6; ++first, start = tw::advance<3>(start)) {
    tw::cursor expected = start;
    for (int n = 0; n < 20; ++n, expected = tw::advance<3>(expected)) {
      const tw::cursor found = tw::advance<3>(start, n);
      EXPECT_EQ(tw::stage(found), tw::stage(expected));
      EXPECT_EQ(tw::phase(found), tw::phase(expected));
    }
  }
}

} // namespace
