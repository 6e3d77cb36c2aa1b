# SPDX-License-Identifier: Apache-2.0
"""bench/records.py: the format of results, what counts, and that a file is whole or not written."""
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402,F401

import records  # noqa: E402


def row(case="sq4k", dtype="bf16", peer="torch.mm", date="2026-01-01T00:00:00+00:00", **fields):
    found = dict.fromkeys(records.COLUMNS)
    found.update(case=case, dtype=dtype, peer=peer, date=date, **fields)
    return found


def skipped(case="moe", dtype="bf16", date="2026-01-01T00:00:00+00:00", reason="not yet"):
    return {"case": case, "dtype": dtype, "reason": reason, "date": date}


def document(rows=(), left_out=(), head=None):
    return {"head": head or {}, "rows": list(rows), "skipped": list(left_out), "measurements": []}


class Format(unittest.TestCase):
    def test_the_columns_are_those_of_the_format(self):
        self.assertEqual(" ".join(records.COLUMNS),
                         "case dtype ours_us ours_tflops ours_gbs bound_share peer peer_us peer_tflops ratio rel_error "
                         "l2 regime config commit date")

    def test_reads_back_what_it_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "h200", "gemm.json")
            written = document([row(ours_us=1.5), row("sq8k")], [skipped()], {"card": "NVIDIA H200"})
            records.save(path, written)
            self.assertEqual(records.load(path), written)
            self.assertEqual(os.listdir(os.path.dirname(path)), ["gemm.json"])
            with open(path, encoding="utf-8") as file:
                self.assertEqual(sum('"case": "sq' in line for line in file), 2)  # one row, one line

    def test_no_file_is_an_empty_document(self):
        self.assertEqual(records.load("/nowhere/gemm.json"), records.empty())

    def test_other_columns_are_refused(self):
        wrong = row()
        del wrong["l2"]
        with self.assertRaisesRegex(ValueError, "expected rows with the columns case, dtype"):
            records.check(document([wrong]))
        with self.assertRaisesRegex(ValueError, "expected the member 'skipped'"):
            records.check({"head": {}, "rows": []})

    def test_a_failed_write_leaves_the_old_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gemm.json")
            records.save(path, document([row()]))
            with mock.patch("os.replace", side_effect=OSError("full")):
                with self.assertRaises(OSError):
                    records.save(path, document())
            self.assertEqual(len(records.load(path)["rows"]), 1)
            self.assertEqual(os.listdir(folder), ["gemm.json"])


class WhatCounts(unittest.TestCase):
    def test_a_regime_keeps_its_own_newest_row(self):
        rows = [row(regime="burst", date="2026-01-01"), row(regime="sustained", date="2026-01-02")]
        self.assertEqual([r["regime"] for r in records.newest(rows)], ["burst", "sustained"])

    def test_the_newest_row_per_case_type_and_peer(self):
        rows = [row(date="2026-01-02", ratio=1), row(date="2026-01-01", ratio=2), row(date="2026-01-03", ratio=3),
                row(dtype="fp16"), row(peer="torch.addmm")]
        self.assertEqual([(r["dtype"], r["peer"], r["ratio"]) for r in records.newest(rows)],
                         [("bf16", "torch.mm", 3), ("fp16", "torch.mm", None), ("bf16", "torch.addmm", None)])

    def test_merge_keeps_rows_and_the_newest_head(self):
        merged = records.merge(document([row()], head={"driver": "1"}), document([row("sq8k")], head={"driver": "2"}))
        self.assertEqual([r["case"] for r in merged["rows"]], ["sq4k", "sq8k"])
        self.assertEqual(merged["head"], {"driver": "2"})

    def test_a_case_is_skipped_until_it_is_measured(self):
        old = document(left_out=[skipped(reason="old"), skipped("other")])
        again = records.merge(old, document(left_out=[skipped(reason="new", date="2026-01-02")]))
        self.assertEqual([(s["case"], s["reason"]) for s in again["skipped"]], [("moe", "new"), ("other", "not yet")])
        measured = records.merge(again, document([row("moe", date="2026-01-03")]))
        self.assertEqual([s["case"] for s in measured["skipped"]], ["other"])

    def test_a_later_failure_shows_beside_an_earlier_row(self):
        merged = records.merge(document([row(date="2026-01-01")]),
                               document(left_out=[skipped("sq4k", date="2026-01-02")]))
        self.assertEqual([s["case"] for s in merged["skipped"]], ["sq4k"])


class Names(unittest.TestCase):
    def test_cards(self):
        self.assertEqual(records.card_name("NVIDIA H200"), "h200")
        self.assertEqual(records.card_name("NVIDIA H100 80GB HBM3"), "h100")

    def test_a_checkout_names_its_commit(self):
        self.assertIsNone(records.commit("/"))
        with mock.patch("subprocess.run", side_effect=OSError("no git")):
            self.assertIsNone(records.commit(paths.ROOT))

    def test_dates_are_iso_8601_with_time(self):
        self.assertRegex(records.now(), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$")


class Committed(unittest.TestCase):
    def test_results_in_the_tree_are_of_the_format(self):
        for folder, _, names in os.walk(os.path.join(paths.ROOT, "bench/results")):
            for name in names:
                if name in ("gemm.json", "attention.json"):
                    records.load(os.path.join(folder, name))
                elif name.endswith(".json"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        json.load(file)


if __name__ == "__main__":
    unittest.main()
