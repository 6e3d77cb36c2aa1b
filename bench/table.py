#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table that the docs show, from a file of results:

    python3 bench/table.py bench/results/h200/gemm.json           print it, as Markdown
    python3 bench/table.py --check docs/performance-notes.md      is each table of a page what its file says?
    python3 bench/table.py --update docs/performance-notes.md     make it so

A page marks a table by the lines <!-- table: PATH --> and <!-- end of table -->, PATH from the top of the tree.
"""
from __future__ import annotations

import argparse
import os
import re
import sys
from typing import Any, Optional

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import records  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOTHING = "Nothing is measured yet."
REGION = re.compile(r"(?P<begin><!-- table: (?P<path>\S+) -->\n)(?P<body>.*?)(?P<end><!-- end of table -->)", re.S)


def number(value: Optional[float], digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def render(document: records.Document) -> str:
    """Markdown: a line on how it was measured, a row per case that counts, and what was left out and why."""
    rows = records.newest(document["rows"])
    if not rows and not document["skipped"]:
        return NOTHING + "\n"
    head = document["head"]
    lines = [f"{head.get('card', '')}, driver {head.get('driver', '?')}, PyTorch {head.get('torch', '?')}. Ratio: the "
             "peer's time / ours, above 1 where ours is faster. Bound: share of what the datasheet's rates allow. "
             "Config: tile, stages, consumer warpgroups, cluster, tiles of a raster group and its axis, and what is "
             "unusual.", ""]
    if rows:
        lines += ["| case | type | regime | us | TFLOP/s | GB/s | bound | peer | peer us | ratio | error | config |",
                  "|---|---|---|--:|--:|--:|--:|---|--:|--:|--:|---|"]
        lines += [_line(row) for row in rows]
    for reason, names in _skipped(document["skipped"]).items():
        lines += ["", f"Not run: {', '.join(names)}. {_sentence(reason)}"]
    return "\n".join(lines) + "\n"


def _line(row: dict[str, Any]) -> str:
    share = "" if row["bound_share"] is None else f"{100 * row['bound_share']:.0f} %"
    cells = [row["case"], row["dtype"], row["regime"], number(row["ours_us"], 1), number(row["ours_tflops"], 0),
             number(row["ours_gbs"], 0), share, row["peer"].replace("|", "/"), number(row["peer_us"], 1),
             number(row["ratio"], 3), f"{row['rel_error']:.1e}", short_config(row["config"])]
    return "| " + " | ".join(cells) + " |"


#: Knobs that are shown where they have another value.
USUAL = {"store": "tma", "split": "1", "schedule": "cooperative"}


def short_config(config: str) -> str:
    """"128x256x64 s4 c2 2x1 g8m" for "bm=128,bn=256,bk=64,stages=4,consumers=2,cluster=2x1,group=8,along=m"."""
    knobs = dict(part.partition("=")[::2] for part in config.split(","))
    names = ("bm", "bn", "bk", "stages", "consumers", "cluster", "group", "along")
    if not all(name in knobs for name in names):
        return config
    bm, bn, bk, stages, consumers, cluster, group, along = (knobs.pop(name) for name in names)
    rest = [f"{name}={value}" for name, value in knobs.items() if USUAL.get(name) != value]
    return " ".join([f"{bm}x{bn}x{bk} s{stages} c{consumers} {cluster} g{group}{along}", *rest])


def _skipped(entries: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Cases by reason."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        found.setdefault(entry["reason"], []).append(f"{entry['case']} {entry['dtype']}")
    return found


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def updated(page: str, root: str) -> str:
    """The page with each of its tables as its file says. ValueError if the page has none."""
    if not REGION.search(page):
        raise ValueError("no table: expected the lines <!-- table: PATH --> and <!-- end of table -->")
    return REGION.sub(lambda match: match["begin"] + render(records.load(os.path.join(root, match["path"]))) +
                      match["end"], page)


def main(arguments: Optional[list[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="?", help="a file of results")
    parser.add_argument("--check", metavar="PAGE")
    parser.add_argument("--update", metavar="PAGE")
    parser.add_argument("--root", default=ROOT, help=argparse.SUPPRESS)
    parsed = parser.parse_args(arguments)
    if sum(value is not None for value in (parsed.results, parsed.check, parsed.update)) != 1:
        parser.error("expected a file of results, --check PAGE or --update PAGE")
    try:
        if parsed.results:
            if not os.path.exists(parsed.results):
                raise ValueError(f"{parsed.results}: no such file")
            print(render(records.load(parsed.results)), end="")
            return 0
        path = parsed.check or parsed.update
        with open(path, encoding="utf-8") as file:
            page = file.read()
        wanted = updated(page, parsed.root)
    except (OSError, ValueError) as error:
        print(f"table: error: {error}", file=sys.stderr)
        return 2
    if parsed.check:
        if page != wanted:
            print(f"{path}: a table is not what its results say; run: python3 bench/table.py --update {path}")
            return 1
        return 0
    with open(path, "w", encoding="utf-8") as file:
        file.write(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
