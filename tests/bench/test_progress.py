# SPDX-License-Identifier: Apache-2.0
"""bench/progress.py where no person looks: plain lines with the time left."""
import io
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402,F401

import progress  # noqa: E402


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Lines(unittest.TestCase):
    def test_counts_and_says_what_is_left(self):
        stream = io.StringIO()
        with mock.patch("time.monotonic", side_effect=[0, 10, 20]):
            shown = progress.Progress(4, stream)
            shown.done("sq4k")
            shown.note("a remark")
            shown.done("sq8k")
        shown.close()
        self.assertEqual(stream.getvalue(), "[1/4, 0:30 left] sq4k\na remark\n[2/4, 0:20 left] sq8k\n")

    def test_a_terminal_without_tqdm(self):
        stream = Terminal()
        with mock.patch.dict(sys.modules, {"tqdm": None}):
            shown = progress.Progress(1, stream)
        shown.done("sq4k")
        shown.close()
        self.assertIn("[1/1, 0:00 left] sq4k", stream.getvalue())

    def test_clock(self):
        self.assertEqual([progress.clock(s) for s in (5, 65, 7209)], ["0:05", "1:05", "2:00:09"])


if __name__ == "__main__":
    unittest.main()
