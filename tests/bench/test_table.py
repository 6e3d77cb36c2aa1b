# SPDX-License-Identifier: Apache-2.0
"""bench/table.py: the table of results, and that the docs' tables are what the files say."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402

import records  # noqa: E402
import table  # noqa: E402


def row(**fields):
    found = dict.fromkeys(records.COLUMNS)
    found.update(case="sq4k", dtype="bf16", ours_us=170.04, ours_tflops=808.2, ours_gbs=592.0, bound_share=0.817,
                 peer="torch.mm", peer_us=169.2, peer_tflops=812.0, ratio=0.9951, rel_error=0.00166, l2="cold",
                 regime="sustained", config="bm=128,bn=256", commit="abc", date="2026-01-01")
    found.update(fields)
    return found


DOCUMENT = {"head": {"card": "NVIDIA H200", "driver": "580", "torch": "2.11",
                     "protocol": {"regime": "sustained", "rounds": 11}},
            "rows": [row(ratio=0.5), row(date="2026-01-02"),
                     row(case="x", peer="no peer: why", peer_us=None, peer_tflops=None, ratio=None, bound_share=None)],
            "skipped": [{"case": "moe", "dtype": "bf16", "reason": "not built yet", "date": "2026-01-01"},
                        {"case": "moe", "dtype": "fp8", "reason": "not built yet", "date": "2026-01-01"}],
            "measurements": []}
PAGE = "# Notes\n\n<!-- table: bench/results/h200/gemm.json -->\nold\n<!-- end of table -->\n\nMore.\n"


class Rendering(unittest.TestCase):
    def test_the_newest_row_of_each_case(self):
        lines = table.render(DOCUMENT).splitlines()
        self.assertIn("| sq4k | bf16 | sustained | 170.0 | 808 | 592 | 82 % | torch.mm | 169.2 | 0.995 | 1.7e-03 | bm=128,bn=256 |",
                      lines)
        self.assertNotIn("0.500", table.render(DOCUMENT))

    def test_configs_are_short(self):
        config = "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=2x1,group=8,along=m,store=tma,split=1"
        self.assertEqual(table.short_config(config), "128x256x64 s4 c2 2x1 g8m")
        self.assertEqual(table.short_config(config.replace("split=1", "split=4,schedule=pingpong")),
                         "128x256x64 s4 c2 2x1 g8m split=4 schedule=pingpong")
        self.assertEqual(table.short_config("stub"), "stub")

    def test_a_case_without_a_peer_says_why(self):
        self.assertIn("| x | bf16 | sustained | 170.0 | 808 | 592 |  | no peer: why |  |  | 1.7e-03 |", table.render(DOCUMENT))

    def test_what_was_skipped_is_listed_with_the_reason(self):
        self.assertIn("Not run: moe bf16, moe fp8. Not built yet.", table.render(DOCUMENT))

    def test_nothing_yet(self):
        self.assertEqual(table.render(records.empty()), "Nothing is measured yet.\n")


class Pages(unittest.TestCase):
    def run_main(self, *arguments):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            return table.main(list(arguments)), printed.getvalue()

    def test_update_makes_check_pass(self):
        with tempfile.TemporaryDirectory() as root:
            records.save(os.path.join(root, "bench/results/h200/gemm.json"), DOCUMENT)
            page = os.path.join(root, "notes.md")
            with open(page, "w", encoding="utf-8") as file:
                file.write(PAGE)
            code, text = self.run_main("--check", page, "--root", root)
            self.assertEqual(code, 1)
            self.assertIn("--update", text)
            self.assertEqual(self.run_main("--update", page, "--root", root)[0], 0)
            self.assertEqual(self.run_main("--check", page, "--root", root)[0], 0)
            with open(page, encoding="utf-8") as file:
                text = file.read()
            self.assertIn("| sq4k |", text)
            self.assertTrue(text.startswith("# Notes\n") and text.endswith("\n\nMore.\n"))

    def test_a_page_without_a_table_and_a_missing_file_are_errors(self):
        code, text = self.run_main("--check", os.path.join(paths.ROOT, "LICENSE"))
        self.assertEqual(code, 2)
        self.assertIn("expected the lines <!-- table: PATH -->", text)
        self.assertEqual(self.run_main("/nowhere/gemm.json")[0], 2)

    def test_the_pages_of_this_tree_are_current(self):
        for folder, _, names in os.walk(os.path.join(paths.ROOT, "docs")):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    if "<!-- table: bench/" not in file.read():
                        continue
                code, text = self.run_main("--check", path)
                self.assertEqual(code, 0, text)


if __name__ == "__main__":
    unittest.main()
