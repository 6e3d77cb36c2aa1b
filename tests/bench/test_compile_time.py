# SPDX-License-Identifier: Apache-2.0
"""bench/compile_time.py with a program that answers as tilewright does."""
import contextlib
import io
import json
import os
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402,F401

import compile_time  # noqa: E402

PROGRAM = """#!{python}
import json, os, sys
split = dict(template=1.5, passes=2, emission=3, nvrtc=200, ptxas=150, mlir=6.5, total=356.5)
print(json.dumps(dict(config=" ".join(sys.argv[1:]) + " on " + str(len(os.sched_getaffinity(0))), nvrtc="13.0",
                      repetitions=int(sys.argv[sys.argv.index("--time") + 1]), first_ms=split, median_ms=split)))
"""


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def program(self, text):
        path = os.path.join(self.folder, "tilewright")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def run_main(self, program, *arguments):
        out = os.path.join(self.folder, "out.json")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = compile_time.main(["--program", program, "--repetitions", "4", "--out", out, *arguments])
        if not os.path.exists(out):
            return code, printed.getvalue(), None
        with open(out, encoding="utf-8") as file:
            return code, printed.getvalue(), json.load(file)

    def test_both_problems_on_one_core(self):
        code, text, document = self.run_main(self.program(PROGRAM.format(python=sys.executable)), "--commit", "abc")
        self.assertEqual(code, 0, text)
        plain, fused = document["rows"]
        self.assertIn("emit gemm -m 8192 -n 28672 -k 4096 --target h200 --time 4 --json on 1", plain["config"])
        self.assertIn("--epilogue bias,gelu,residual on 1", fused["config"])
        self.assertEqual((plain["commit"], plain["repetitions"], plain["median_ms"]["total"]), ("abc", 4, 356.5))
        self.assertRegex(plain["date"], r"^\d{4}-\d\d-\d\dT")
        self.assertIn("plain: median 356 ms (limit 450), MLIR's share 6.5 ms", text)

    def test_a_failing_program_is_an_error_with_its_words(self):
        code, text, document = self.run_main(self.program("#!/bin/sh\necho no NVRTC >&2\nexit 4\n"))
        self.assertEqual((code, document), (2, None))
        self.assertIn("failed with 4: no NVRTC", text)
        self.assertEqual(self.run_main("/nowhere/tilewright")[0], 2)

    def test_folder_of_a_cpu(self):
        self.assertEqual(compile_time.folder_name("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz"),
                         "intel-xeon-platinum-8481c")


if __name__ == "__main__":
    unittest.main()
