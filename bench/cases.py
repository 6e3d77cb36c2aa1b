# SPDX-License-Identifier: Apache-2.0
"""The cases of a suite (bench/suites/*.json), what each costs at the least, and candidates of configs."""
from __future__ import annotations

import dataclasses
import fnmatch
import json
from typing import Any, Iterable, Optional

BYTES = {"bf16": 2, "fp16": 2, "fp32": 4, "tf32": 4, "fp8": 1, "fp8_row": 1, "fp8_block": 1, "int8": 1,
         "int32": 4}

#: Epilogue ops by the operand that they read: one value per column, per row, per element of D.
COLUMN_OPS = ("bias", "scale_col")
ROW_OPS = ("bias_row", "scale_row")
MATRIX_OPS = ("residual", "gate")
PAIRED_OPS = ("swiglu", "geglu")


@dataclasses.dataclass(frozen=True)
class Case:
    """One case of a suite in one element type."""

    name: str
    dtype: str
    m: int
    n: int
    k: int
    layout: str = "nt"
    #: The type of D.
    d: str = "bf16"
    epilogue: str = ""
    batch: int = 1
    grouped: Optional[dict[str, Any]] = dataclasses.field(default=None, hash=False)
    origin: str = ""
    #: The peer that the suite names.
    peer: str = ""

    @property
    def label(self) -> str:
        return f"{self.name} {self.dtype}"

    @property
    def ops(self) -> list[str]:
        """Names of the epilogue ops, in order."""
        return [op.partition(":")[0] for op in self.epilogue.split(",") if op]

    @property
    def d_columns(self) -> int:
        return self.n // 2 if set(self.ops) & set(PAIRED_OPS) else self.n

    @property
    def flops(self) -> float:
        return 2.0 * self.m * self.n * self.k * self.batch

    @property
    def compulsory_bytes(self) -> int:
        """What has to move through device memory: each input read once, the output written once."""
        size, d_size = BYTES[self.dtype], BYTES[self.d]
        total = size * (self.m * self.k + self.n * self.k) + d_size * self.m * self.d_columns
        for op in self.ops:
            total += (self.n * (4 if op == "scale_col" else d_size) if op in COLUMN_OPS else
                      self.m * (4 if op == "scale_row" else d_size) if op in ROW_OPS else
                      self.m * self.d_columns * d_size if op in (*MATRIX_OPS, "accumulate") else 0)
        return total * self.batch


def load_suite(path: str) -> list[Case]:
    """Every case in every element type that it names, in the order of the file."""
    with open(path, encoding="utf-8") as file:
        suite = json.load(file)
    cases = []
    for entry in suite["cases"]:
        for dtype in entry["dtypes"]:
            result = entry.get("d") or (dtype if dtype in ("bf16", "fp16") else
                                        "fp32" if dtype in ("tf32", "fp32") else
                                        "int32" if dtype == "int8" else "bf16")
            cases.append(Case(name=entry["name"], dtype=dtype, m=entry["m"], n=entry["n"], k=entry["k"],
                              layout=entry["layout"], d=result, epilogue=entry.get("epilogue", ""),
                              batch=entry.get("batch", 1), grouped=entry.get("grouped"),
                              origin=entry.get("origin", ""), peer=entry.get("peer", "")))
    return cases


def select(cases: Iterable[Case], names: str = "", dtypes: str = "") -> list[Case]:
    """The cases whose name and element type fit one of the patterns of each list ("sq*,l8b-down");
    an empty list is every one. ValueError names a pattern that nothing fits."""
    cases = list(cases)
    for patterns, field in ((names, "name"), (dtypes, "dtype")):
        wanted = [pattern.strip() for pattern in patterns.split(",") if pattern.strip()]
        for pattern in wanted:
            if not any(fnmatch.fnmatchcase(getattr(case, field), pattern) for case in cases):
                raise ValueError(f"no case has the {field} '{pattern}'; there are "
                                 f"{', '.join(dict.fromkeys(getattr(case, field) for case in cases))}")
        if wanted:
            cases = [case for case in cases
                     if any(fnmatch.fnmatchcase(getattr(case, field), pattern) for pattern in wanted)]
    return cases


def obstacle(case: Case) -> Optional[str]:
    """Why no request can say this case; None where the library itself decides."""
    if case.grouped:
        return f"grouped problems ({case.grouped['kind']}) are not built yet"
    if case.dtype.startswith("fp8"):
        scales = {"fp8": "one scale per tensor", "fp8_row": "scales of rows and columns",
                  "fp8_block": "scales of blocks"}[case.dtype]
        return f"fp8 with {scales} is not built yet"
    return None


@dataclasses.dataclass(frozen=True)
class Card:
    """Datasheet rates of a card."""

    flops: dict[str, float]
    bytes_per_second: float

    def bound_us(self, case: Case) -> float:
        """No kernel of this case is faster on this card."""
        return 1e6 * max(case.flops / self.flops[case.dtype], case.compulsory_bytes / self.bytes_per_second)


# 4096 dense bf16 FLOP per clock and SM, 132 SMs at 1830 MHz; the other types are fixed multiples.
_SXM5 = {"bf16": 989.4e12, "fp16": 989.4e12, "tf32": 494.7e12, "fp32": 66.9e12, "int8": 1978.9e12,
         "fp8": 1978.9e12, "fp8_row": 1978.9e12, "fp8_block": 1978.9e12}
CARDS = {"h200": Card(_SXM5, 4.8e12), "h100": Card(_SXM5, 3.35e12)}


def load_configs(paths: Iterable[str]) -> dict[str, list[str]]:
    """Candidates by case: {"sq4k": ["bm=128,...", ...]}; a key "sq4k/fp16" is for one type only. Lists of
    several files are joined."""
    found: dict[str, list[str]] = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for key, texts in json.load(file)["cases"].items():
                found.setdefault(key, []).extend(texts)
    return found


def candidates(configs: dict[str, list[str]], case: Case) -> list[str]:
    """Those of the case; "sq4k+bias,gelu" (a case with another epilogue) may have its own, or has those of sq4k."""
    for name in (case.name, case.name.partition("+")[0]):
        for key in (f"{name}/{case.dtype}", name):
            if key in configs:
                return configs[key]
    return []
