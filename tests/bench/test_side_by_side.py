# SPDX-License-Identifier: Apache-2.0
"""bench/side_by_side.py from the command line to the file, with a GPU, PyTorch and library that only look so."""
import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402,F401

import records  # noqa: E402
import side_by_side  # noqa: E402
import tilewright  # noqa: E402
from measure import CaseFailed  # noqa: E402


class FakeOutOfMemory(RuntimeError):
    pass


def fake_torch(available=True):
    cuda = types.SimpleNamespace(
        is_available=lambda: available, init=lambda: None, current_device=lambda: 0,
        get_device_name=lambda: "NVIDIA H200", get_device_properties=lambda _: types.SimpleNamespace(uuid="0"))
    return types.SimpleNamespace(cuda=cuda, __version__="2.11", version=types.SimpleNamespace(cuda="13.0"),
                                 OutOfMemoryError=FakeOutOfMemory)


class FakeEngine:
    library_version = "0.1.0 (0123)"

    epilogues: list = []

    def __init__(self, device):
        FakeEngine.epilogues = []

    def gemm(self, m, n, k, dtype, **options):
        FakeEngine.epilogues.append(options["epilogue"])
        if options["layout"] != "nt":
            raise tilewright.UnsupportedError(f"layout is {options['layout']}")
        if options["config"] == "bm=1":
            raise tilewright.InvalidArgumentError("config: bm is 1\nmore")
        return types.SimpleNamespace(info=types.SimpleNamespace(config=options["config"] or "default"))


class FakeMonitor:
    source, facts = "none", {"driver": "580"}

    def __init__(self, uuid):
        pass

    def close(self):
        pass


class FakeBench:
    """Answers by case name."""

    has_wrong_results = False
    answers: dict = {}
    seen: list = []

    def __init__(self, torch, options, monitor, note):
        self.torch, self.options = torch, options
        FakeBench.seen = []

    def run(self, case, candidates, plain):
        FakeBench.seen.append((case.label, [c.wish for c in candidates], [c.fault for c in candidates]))
        FakeBench.plain = [c.wish for c in plain]
        answer = self.answers.get(case.name)
        if isinstance(answer, BaseException):
            raise answer
        row = dict.fromkeys(records.COLUMNS)
        row.update(case=case.name, dtype=case.dtype, ours_us=1.0, ours_tflops=2.0, ratio=1.0, peer="torch.mm",
                   peer_us=1.0, config="c", commit=self.options.commit, date=records.now())
        return row, {"case": case.name}


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = os.path.join(folder.name, "gemm.json")
        self.folder = folder.name
        FakeBench.answers, FakeBench.has_wrong_results = {}, False
        self.torch = fake_torch()

    def run_main(self, *arguments):
        printed, errors = io.StringIO(), io.StringIO()
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.dict(sys.modules, {"torch": self.torch}))
            for name, value in (("Bench", FakeBench), ("Monitor", FakeMonitor)):
                stack.enter_context(mock.patch.object(side_by_side, name, value))
            stack.enter_context(mock.patch.object(tilewright, "Engine", FakeEngine))
            stack.enter_context(contextlib.redirect_stdout(printed))
            stack.enter_context(contextlib.redirect_stderr(errors))
            code = side_by_side.main(["--out", self.out, "--commit", "abc", *arguments])
        return code, printed.getvalue(), errors.getvalue()

    def test_rows_and_skipped_cases_together_are_all_that_was_asked_for(self):
        code, text, errors = self.run_main("--cases", "sq4k*,moe-contig", "--dtypes", "bf16,fp8", "--json")
        self.assertEqual(code, 0, errors)
        document = records.load(self.out)
        self.assertEqual(json.loads(text), document)
        self.assertEqual([row["case"] for row in document["rows"]], ["sq4k"])
        self.assertEqual({(s["case"], s["dtype"]): s["reason"] for s in document["skipped"]}, {
            ("sq4k", "fp8"): "fp8 with one scale per tensor is not built yet",
            ("sq4k-nn", "bf16"): "layout is nn", ("sq4k-nt", "bf16"): "layout is tn",
            ("moe-contig", "bf16"): "grouped problems (contiguous) are not built yet",
            ("moe-contig", "fp8"): "grouped problems (contiguous) are not built yet"})
        head = document["head"]
        self.assertEqual((head["card"], head["driver"], head["protocol"]["regime"]), ("NVIDIA H200", "580", "sustained"))
        self.assertIn("clocks", head)
        self.assertEqual(document["rows"][0]["commit"], "abc")

    def test_candidates_and_the_librarys_choice(self):
        configs = os.path.join(self.folder, "configs.json")
        with open(configs, "w", encoding="utf-8") as file:
            json.dump({"cases": {"sq4k": ["bm=128", "bm=1"]}}, file)
        code, _, errors = self.run_main("--cases", "sq4k", "--dtypes", "bf16", "--configs", configs)
        self.assertEqual(code, 0, errors)
        self.assertEqual(FakeBench.seen, [("sq4k bf16", ["", "bm=128", "bm=1"],
                                           ["", "", "invalid_argument: config: bm is 1"])])

    def test_the_cost_of_an_epilogue(self):
        code, _, errors = self.run_main("--cases", "sq4k", "--dtypes", "bf16", "--epilogue-cost", "bias,gelu")
        self.assertEqual(code, 0, errors)
        self.assertEqual(FakeBench.seen, [("sq4k+bias,gelu bf16", [""], [""])])
        self.assertEqual((FakeBench.plain, FakeEngine.epilogues), ([""], ["", "bias,gelu"]))
        self.assertEqual([row["case"] for row in records.load(self.out)["rows"]], ["sq4k+bias,gelu"])

    def test_failures_are_listed_and_do_not_stop_the_rest(self):
        FakeBench.answers = {"sq1k": CaseFailed("wrong result"), "sq2k": FakeOutOfMemory("CUDA out of memory\n..."),
                             "sq4k": tilewright.UnavailableError("no NVRTC")}
        code, _, errors = self.run_main("--cases", "sq?k", "--dtypes", "bf16")
        self.assertEqual(code, 0)
        document = records.load(self.out)
        self.assertEqual([row["case"] for row in document["rows"]], ["sq8k"])
        self.assertEqual([s["reason"] for s in document["skipped"]],
                         ["failed: wrong result", "failed: CUDA out of memory", "failed: no NVRTC"])
        self.assertIn("[4/4, 0:00 left]", errors)

    def test_a_wrong_result_is_exit_code_5(self):
        FakeBench.has_wrong_results = True
        self.assertEqual(self.run_main("--cases", "sq4k", "--dtypes", "bf16")[0], 5)

    def test_an_interrupt_keeps_what_is_measured(self):
        FakeBench.answers = {"sq4k": KeyboardInterrupt()}
        code, _, errors = self.run_main("--cases", "sq2k,sq4k,sq8k", "--dtypes", "bf16")
        self.assertEqual(code, 130)
        self.assertEqual([row["case"] for row in records.load(self.out)["rows"]], ["sq2k"])
        self.assertIn("what was measured is kept", errors)

    def test_a_crash_of_a_kernel_ends_the_run_and_keeps_what_is_measured(self):
        FakeBench.answers = {"sq4k": tilewright.DeviceFaultError("illegal address")}
        code, _, errors = self.run_main("--cases", "sq2k,sq4k,sq8k", "--dtypes", "bf16")
        self.assertEqual(code, 1)
        self.assertEqual([row["case"] for row in records.load(self.out)["rows"]], ["sq2k"])
        self.assertIn("illegal address", errors)

    def test_results_are_added_to_the_file(self):
        self.run_main("--cases", "sq2k", "--dtypes", "bf16")
        self.run_main("--cases", "sq4k", "--dtypes", "bf16")
        self.assertEqual([row["case"] for row in records.load(self.out)["rows"]], ["sq2k", "sq4k"])

    def test_wrong_usage(self):
        self.assertEqual(self.run_main("--cases", "sq3k")[0], 2)
        self.assertEqual(self.run_main("--suite", "/nowhere.json")[0], 2)
        self.assertEqual(self.run_main("--configs", "/nowhere.json")[0], 2)
        with self.assertRaises(SystemExit) as exited:
            self.run_main("--rounds", "0")
        self.assertEqual(exited.exception.code, 2)

    def test_no_torch_no_device_no_library(self):
        self.torch = None
        self.assertEqual(self.run_main("--cases", "sq4k")[0], 4)
        self.torch = fake_torch(available=False)
        code, _, errors = self.run_main("--cases", "sq4k")
        self.assertEqual(code, 4)
        self.assertIn("PyTorch sees no CUDA device", errors)
        self.torch = fake_torch()
        with mock.patch.object(FakeEngine, "__init__", side_effect=tilewright.UnavailableError("no library")):
            self.assertEqual(self.run_main("--cases", "sq4k")[0], 4)
        self.assertFalse(os.path.exists(self.out))


if __name__ == "__main__":
    unittest.main()
