# SPDX-License-Identifier: Apache-2.0
"""bench/rounds.py: order of turns, paired ratios, sizes of graphs and sets."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402,F401

import rounds  # noqa: E402


class Orders(unittest.TestCase):
    def test_every_side_once_a_round_and_every_second_round_reversed(self):
        found = rounds.orders(["a", "b", "c"], 8, seed=3)
        for first, second in zip(found[::2], found[1::2]):
            self.assertEqual(sorted(first), ["a", "b", "c"])
            self.assertEqual(second, first[::-1])
        self.assertGreater(len({tuple(order) for order in found}), 2)

    def test_a_seed_gives_the_same_orders(self):
        self.assertEqual(rounds.orders(["a", "b"], 6, 1), rounds.orders(["a", "b"], 6, 1))

    def test_a_drift_cancels_out(self):
        clock = iter(range(1000))
        turn = lambda: 100.0 + next(clock)  # noqa: E731
        times = rounds.interleave({"a": turn, "b": turn}, 20, seed=1)
        ratios = rounds.paired_ratios(times["a"], times["b"])
        self.assertAlmostEqual(rounds.median(ratios), 1.0, 2)

    def test_pairs_are_of_the_same_round(self):
        calls = []
        times = rounds.interleave({"a": lambda: calls.append("a") or len(calls),
                                   "b": lambda: calls.append("b") or len(calls)}, 4, seed=2)
        for a, b in zip(times["a"], times["b"]):
            self.assertEqual(abs(a - b), 1)
        seen = []
        rounds.interleave({"a": lambda: 1.0}, 3, 1, seen.append)
        self.assertEqual(seen, [0, 1, 2])


class Statistics(unittest.TestCase):
    def test_a_ratio_above_one_means_ours_is_faster(self):
        self.assertEqual(rounds.paired_ratios([2.0, 4.0], [4.0, 4.0]), [2.0, 1.0])

    def test_spread(self):
        self.assertEqual(rounds.spread([1.0, 2.0, 3.0, 4.0, 5.0]), [2.0, 3.0, 4.0])
        self.assertEqual(rounds.spread([7.0]), [7.0, 7.0, 7.0])


class Sizes(unittest.TestCase):
    def test_sets_go_beyond_three_times_the_l2(self):
        l2 = 60 << 20
        for size in (1 << 20, 6 << 20, 100 << 20, 250 << 20):
            self.assertGreater(rounds.sets_needed(size, l2) * size, 3 * l2)
        self.assertEqual(rounds.sets_needed(250 << 20, l2), 2)
        self.assertEqual(rounds.sets_needed(300_000_000, l2), 1)

    def test_graphs_are_whole_turns_through_the_sets(self):
        self.assertEqual(rounds.launches_per_graph(10.0, 5, 30), 510)
        self.assertEqual(rounds.launches_per_graph(1e6, 5, 3), 3)
        self.assertEqual(rounds.launches_per_graph(0.1, 5, 30) % 30, 0)
        self.assertLessEqual(rounds.launches_per_graph(0.1, 5, 30), 4000)


if __name__ == "__main__":
    unittest.main()
