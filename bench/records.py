# SPDX-License-Identifier: Apache-2.0
"""Files of results, bench/results/<card>/<suite>.json:

    {"head":         how the newest run measured: card, driver, protocol, clocks
     "rows":         one per measurement, with exactly the columns below
     "skipped":      {case, dtype, reason, date} of cases that cannot be run yet, or failed
     "measurements": per row what its columns have no place for: spread, clocks, power, candidates}

Of several rows of one case, dtype, peer and regime the newest counts.
"""
from __future__ import annotations

import datetime
import json
import os
import re
import subprocess
import tempfile
from typing import Any, Optional

COLUMNS = ("case", "dtype", "ours_us", "ours_tflops", "ours_gbs", "bound_share", "peer", "peer_us", "peer_tflops",
           "ratio", "rel_error", "l2", "regime", "config", "commit", "date")
LISTS = ("rows", "skipped", "measurements")

Document = dict[str, Any]


def now() -> str:
    """The time in ISO 8601, UTC."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def card_name(device: str) -> str:
    """The folder of a card's results: "h200" for "NVIDIA H200"."""
    words = [word for word in re.split(r"[^a-z0-9]+", device.lower())
             if word and word not in ("nvidia", "hbm3e", "hbm3", "sxm", "sxm5", "80gb")]
    return "-".join(words) or "unknown"


def commit(root: str) -> Optional[str]:
    """The commit of a checkout, with "+" where tracked files differ from it; None without git."""
    def git(*arguments: str) -> Optional[str]:
        try:
            done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
        except OSError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    name = git("rev-parse", "--short=12", "HEAD")
    return name and name + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def empty() -> Document:
    return {"head": {}, **{name: [] for name in LISTS}}


def load(path: str) -> Document:
    """The document, or an empty one where there is no file. ValueError says what is wrong in it."""
    if not os.path.exists(path):
        return empty()
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    check(document, path)
    return document


def check(document: Document, path: str = "results") -> None:
    """ValueError if the document is not of the format above."""
    for name in ("head", *LISTS):
        if name not in document:
            raise ValueError(f"{path}: expected the member '{name}', found {', '.join(document) or 'none'}")
    for row in document["rows"]:
        if tuple(row) != COLUMNS:
            raise ValueError(f"{path}: expected rows with the columns {', '.join(COLUMNS)}; found {', '.join(row)}")


def newest(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that count, in the order in which their cases first appear."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        key = (row["case"], row["dtype"], row["peer"], row["regime"])
        if key not in found or found[key]["date"] <= row["date"]:
            found[key] = row
    return list(found.values())


def merge(old: Document, new: Document) -> Document:
    """The rows of both; of the skipped ones the newest per case and dtype, unless there is a row since."""
    skipped = {(entry["case"], entry["dtype"]): entry for entry in [*old["skipped"], *new["skipped"]]}
    rows = [*old["rows"], *new["rows"]]
    measured: dict[tuple[str, str], str] = {}
    for row in rows:
        key = (row["case"], row["dtype"])
        measured[key] = max(row["date"], measured.get(key, ""))
    return {"head": new["head"] or old["head"], "rows": rows,
            "skipped": [entry for key, entry in skipped.items() if measured.get(key, "") < entry["date"]],
            "measurements": [*old["measurements"], *new["measurements"]]}


def dumps(document: Document) -> str:
    """Text with one entry of a list per line, so that differences are readable."""
    parts = []
    for name, value in document.items():
        if isinstance(value, list):
            lines = ",\n".join("  " + json.dumps(entry, ensure_ascii=False) for entry in value)
            parts.append(f' "{name}": [' + (f"\n{lines}\n ]" if lines else "]"))
        else:
            text = json.dumps(value, ensure_ascii=False, indent=1).replace("\n", "\n ")
            parts.append(f' "{name}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def save(path: str, document: Document) -> None:
    """Writes the whole file or nothing."""
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=folder, prefix=".results-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(dumps(document))
        os.chmod(scratch, 0o644)
        os.replace(scratch, path)
    except BaseException:
        os.unlink(scratch)
        raise
