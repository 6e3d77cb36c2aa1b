# SPDX-License-Identifier: Apache-2.0
"""scripts/sum_results.py on written result files: its last line and its exit code."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
import sum_results  # noqa: E402

PASSED = '<testcase name="a" classname="tilewright.tile" time="0.5"/>'
FAILED = '<testcase name="b" classname="tilewright.tile" time="0.1"><failure>why it failed</failure></testcase>'
SKIPPED = '<testcase name="c" classname="c" time="0"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>'
NOT_RUN = '<testcase name="d" classname="d" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>'


class Summary(unittest.TestCase):
    def summarise(self, **results):
        """(exit code, printed text) for result files given as runner=testcases."""
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "results"))
            for runner, cases in results.items():
                with open(os.path.join(folder, "results", f"{runner}.xml"), "w", encoding="utf-8") as file:
                    file.write(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                code = sum_results.main([folder])
            return code, printed.getvalue()

    def test_sums_both_runners(self):
        code, text = self.summarise(ctest=PASSED + SKIPPED, lit=PASSED + PASSED)
        self.assertEqual(code, 0)
        self.assertEqual(text.splitlines()[-1], "3 passed, 0 failed, 1 skipped")
        self.assertIn("lit tile", text)

    def test_a_failure_is_shown_and_decides(self):
        code, text = self.summarise(ctest=PASSED, lit=FAILED)
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines()[-1], "1 passed, 1 failed, 0 skipped")
        self.assertIn("why it failed", text)

    def test_a_program_that_is_missing_is_a_failure(self):
        code, text = self.summarise(ctest=PASSED + NOT_RUN, lit=PASSED)
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines()[-1], "2 passed, 1 failed, 0 skipped")

    def test_a_missing_result_file_is_an_error(self):
        code, text = self.summarise(ctest=PASSED)
        self.assertEqual(code, 1)
        self.assertIn("no results", text)

    def test_nothing_ran_is_an_error(self):
        self.assertEqual(self.summarise(ctest="", lit=SKIPPED)[0], 1)


if __name__ == "__main__":
    unittest.main()
