# SPDX-License-Identifier: Apache-2.0
"""bench/measure.py with sides whose times are given: what is chosen, what counts, what a row says."""
import contextlib
import os
import sys
import types
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402,F401

import measure  # noqa: E402
import records  # noqa: E402
from cases import Case  # noqa: E402
from operands import OperandSet, Verdict  # noqa: E402
from peers import Peer, PeerUnavailable  # noqa: E402

CASE = Case("sq4k", "bf16", 4096, 4096, 4096)


class FakeTensor:
    """A result: what was written to it last."""

    def __init__(self, value=None):
        self.value = value

    def fill_(self, value):
        self.value = None

    def clone(self):
        return FakeTensor(self.value)

    def isnan(self):
        return self

    def any(self):
        return self.value is None


class FakeTorch:
    """As much of torch as Bench itself touches."""

    class cuda:
        current_device = staticmethod(lambda: 0)
        synchronize = staticmethod(lambda: None)
        get_device_properties = staticmethod(
            lambda _: types.SimpleNamespace(name="NVIDIA H200", L2_cache_size=60 << 20))

    class Generator:
        def __init__(self, device):
            pass

        def manual_seed(self, seed):
            return self


class FakeReference:
    """A result is right if it is called so."""

    def __init__(self, torch, case, operands):
        pass

    def judge(self, results):
        return [Verdict(0.0016, 0.0017, None) if str(result.value).startswith("right") else
                Verdict(0.5, 0.9, "the relative error is 0.5") for result in results]


class FakeSide:
    """Its launch says by name how long it takes: TIMES[name], one time per turn."""

    TIMES: dict = {}

    def __init__(self, torch, launch, sets):
        self.launch, self.sets, self.is_open = launch, sets, True
        probe = OperandSet(None, None, FakeTensor(), {})
        launch(probe)
        self.name = probe.d.value

    def estimate_us(self):
        return 100.0

    def capture(self, launches, launch_us, timing):
        self.launches = launches

    def turn(self, timing):
        for operands in self.sets:
            self.launch(operands)
        times = self.TIMES[self.name]
        return times.pop(0) if isinstance(times, list) else times

    def close(self):
        self.is_open = False


def candidate(name, fault=""):
    if fault:
        return measure.Candidate(name, None, fault)

    def kernel(a, b, d):
        d.value = name
    return measure.Candidate(name, with_info(kernel, f"config of {name}"))


def with_info(kernel, config):
    kernel.operands = ("a", "b", "d")
    kernel.info = types.SimpleNamespace(config=config, source="config", registers=168)
    return kernel


class Cases(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.peer = Peer("torch.mm", lambda operands: setattr(operands.d, "value", "right peer"))
        for name, value in {"Side": FakeSide, "Reference": FakeReference,
                            "make_set": lambda *_: OperandSet(None, None, FakeTensor(), {}),
                            "make_peer": lambda torch, case, sample: self._make_peer(sample)}.items():
            stack.enter_context(mock.patch.object(measure, name, value))
        monitor = types.SimpleNamespace(between=lambda begin, end: [])
        self.notes = []
        self.bench = measure.Bench(FakeTorch, measure.Options(rounds=5, commit="abc"), monitor, self.notes.append)

    def _make_peer(self, sample):
        if isinstance(self.peer, Exception):
            raise self.peer
        self.peer.launch(sample)
        return self.peer

    def run_case(self, times, *candidates):
        FakeSide.TIMES = times
        return self.bench.run(CASE, list(candidates))

    def test_a_row(self):
        row, details = self.run_case({"right": 160.0, "right peer": 176.0}, candidate("right"))
        self.assertEqual(tuple(row), records.COLUMNS)
        self.assertEqual((row["ours_us"], row["peer_us"], row["ratio"]), (160.0, 176.0, 1.1))
        self.assertEqual(row["ours_tflops"], round(2 * 4096**3 / 160e6, 1))
        self.assertEqual(row["bound_share"], round(2 * 4096**3 / 989.4e6 / 160, 4))
        self.assertEqual((row["config"], row["commit"], row["peer"]), ("config of right", "abc", "torch.mm"))
        self.assertEqual((row["l2"], row["regime"]), ("cold", "sustained"))
        self.assertEqual((details["rounds"], details["sets"]), (5, 2))

    def test_the_ratio_is_the_median_of_pairs(self):
        # Warm-up, then five rounds: the machine slows down by half in the last three.
        row, _ = self.run_case({"right": [1.0, 100.0, 100.0, 200.0, 200.0, 200.0, 1.0],
                                "right peer": [1.0, 110.0, 110.0, 220.0, 220.0, 220.0]}, candidate("right"))
        self.assertEqual((row["ours_us"], row["ratio"]), (200.0, 1.1))

    def test_the_best_candidate_is_measured_afresh(self):
        lucky = {"right a": 105.0, "right b": [100.0, 100.0, 100.0, 104.0, 110.0, 110.0, 110.0, 110.0, 110.0, 1.0],
                 "right peer": 110.0}
        row, details = self.run_case(lucky, candidate("right a"), candidate("right b"))
        self.assertEqual((row["config"], row["ours_us"], row["ratio"]), ("config of right b", 110.0, 1.0))
        self.assertEqual(details["tried"], [{"side": "ours", "config": "config of right a", "us": 105.0},
                                            {"side": "ours", "config": "config of right b", "us": 100.0}])

    def test_equal_configs_are_tried_once(self):
        same = candidate("right")
        _, details = self.run_case({"right": 100.0, "right peer": 100.0}, candidate("right"), same)
        self.assertNotIn("tried", details)

    def test_a_wrong_kernel_has_no_time(self):
        row, details = self.run_case({"right": 100.0, "wrong": 1.0, "right peer": 100.0}, candidate("wrong"),
                                     candidate("right"), candidate("late", "unsupported: why"))
        self.assertEqual(row["config"], "config of right")
        self.assertEqual(details["rejected"],
                         [{"config": "late", "fault": "unsupported: why"},
                          {"config": "config of wrong", "fault": "wrong result: the relative error is 0.5"}])
        self.assertTrue(self.bench.has_wrong_results)
        self.assertEqual(len(self.notes), 2)

    def test_no_right_kernel_is_a_failure(self):
        with self.assertRaisesRegex(measure.CaseFailed, "config of wrong: wrong result"):
            self.run_case({}, candidate("wrong"))
        with self.assertRaisesRegex(measure.CaseFailed, "the library's choice: compile_failed: spills"):
            self.run_case({}, measure.Candidate("", None, "compile_failed: spills"))

    def test_a_kernel_that_is_right_only_outside_of_graphs(self):
        launched = []

        def kernel(a, b, d):
            launched.append(d)
            d.value = "right" if len(launched) < 5 else "late"
        with self.assertRaisesRegex(measure.CaseFailed, "wrong when launched as a graph"):
            self.run_case({"right": 1.0, "right peer": 1.0}, measure.Candidate("", with_info(kernel, "config")))
        self.assertTrue(self.bench.has_wrong_results)

    def test_without_a_peer_the_row_says_why(self):
        self.peer = PeerUnavailable("Inductor does not run here")
        row, _ = self.run_case({"right": 100.0}, candidate("right"))
        self.assertEqual((row["peer"], row["peer_us"], row["ratio"]), ("Inductor does not run here", None, None))
        self.assertEqual(row["ours_us"], 100.0)

    def test_a_peer_that_computes_something_else(self):
        self.peer = Peer("torch.mm", lambda operands: setattr(operands.d, "value", "transposed"))
        row, _ = self.run_case({"right": 100.0}, candidate("right"))
        self.assertIn("torch.mm computes something else", row["peer"])
        self.assertIsNone(row["ratio"])

    def test_the_cost_of_an_epilogue_is_against_the_best_plain_kernel(self):
        FakeSide.TIMES = {"right": 104.0, "right plain a": 101.0, "right plain b": 100.0}
        row, details = self.bench.run(CASE, [candidate("right")],
                                      [candidate("right plain a"), candidate("right plain b"), candidate("wrong plain")])
        self.assertEqual((row["peer"], row["peer_us"], row["ratio"]),
                         ("ours without the epilogue", 100.0, round(100 / 104, 4)))
        self.assertEqual(details["peer_config"], "config of right plain b")
        self.assertTrue(self.bench.has_wrong_results)


if __name__ == "__main__":
    unittest.main()
