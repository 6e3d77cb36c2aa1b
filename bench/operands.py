# SPDX-License-Identifier: Apache-2.0
"""Operands of a case in device memory, and the fp64 reference that results are held against. Needs torch."""
from __future__ import annotations

import dataclasses
from typing import Any, Optional

from cases import COLUMN_OPS, MATRIX_OPS, ROW_OPS, Case

#: The most that ||result - reference|| / ||reference|| may be, over all of D.
LIMITS = {"bf16": 2.5e-3, "fp16": 4e-4}
#: A single row may be off by this much more: rounding cannot reach it.
ROW_FACTOR = 1.6
CHUNK_ROWS = 2048


@dataclasses.dataclass
class OperandSet:
    """One set of buffers. `extra` holds what the epilogue reads, by role."""

    a: Any
    b: Any
    d: Any
    extra: dict[str, Any]

    def inputs(self) -> dict[str, Any]:
        return {"a": self.a, "b": self.b, **self.extra}


def torch_dtype(torch: Any, name: str) -> Any:
    return {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}[name]


def make_set(torch: Any, case: Case, generator: Any) -> OperandSet:
    """N(0,1) data; D is NaN, so that an element that nobody writes shows."""
    def normal(*shape: int, dtype: str) -> Any:
        # Drawn in fp32 a piece at a time: large matrices need no second copy of themselves.
        result = torch.empty(shape, dtype=torch_dtype(torch, dtype), device="cuda")
        flat = result.view(-1)
        for begin in range(0, flat.numel(), 1 << 26):
            piece = flat[begin: begin + (1 << 26)]
            piece.copy_(torch.randn(piece.numel(), generator=generator, device="cuda"))
        return result

    a = normal(*((case.k, case.m) if case.layout[0] == "t" else (case.m, case.k)), dtype=case.dtype)
    b = normal(*((case.n, case.k) if case.layout[1] == "t" else (case.k, case.n)), dtype=case.dtype)
    extra = {}
    for op in case.ops:
        dtype = "fp32" if op.startswith("scale") else case.d
        if op in COLUMN_OPS:
            extra[op] = normal(case.n, dtype=dtype)
        elif op in ROW_OPS:
            extra[op] = normal(case.m, dtype=dtype)
        elif op in MATRIX_OPS:
            extra[op] = normal(case.m, case.d_columns, dtype=dtype)
    d = torch.full((case.m, case.d_columns), float("nan"), dtype=torch_dtype(torch, case.d), device="cuda")
    return OperandSet(a, b, d, extra)


def matrices(case: Case, operands: OperandSet) -> tuple[Any, Any]:
    """A as M x K and B as K x N: views, whatever the storage."""
    return (operands.a.t() if case.layout[0] == "t" else operands.a,
            operands.b.t() if case.layout[1] == "t" else operands.b)


def apply_epilogue(torch: Any, case: Case, x: Any, extra: dict[str, Any], rows: slice = slice(None)) -> Any:
    """The epilogue in the type of x. `rows`: which rows of D x holds."""
    functional = torch.nn.functional
    for op in case.ops:
        if op in ("bias", "scale_col"):
            other = extra[op].to(x.dtype)[None, :]
        elif op in ("bias_row", "scale_row"):
            other = extra[op].to(x.dtype)[rows, None]
        elif op in MATRIX_OPS:
            other = extra[op][rows].to(x.dtype)
        if op in ("bias", "bias_row", "residual"):
            x = x + other
        elif op in ("scale_row", "scale_col", "gate"):
            x = x * other
        elif op == "relu":
            x = functional.relu(x)
        elif op == "gelu":
            x = functional.gelu(x, approximate="tanh")
        elif op == "gelu_erf":
            x = functional.gelu(x)
        elif op == "silu":
            x = functional.silu(x)
        elif op == "swiglu":
            x = functional.silu(x[:, 0::2]) * x[:, 1::2]
        elif op == "geglu":
            x = functional.gelu(x[:, 0::2], approximate="tanh") * x[:, 1::2]
        else:
            raise ValueError(f"the epilogue op '{op}' has no reference here")
    return x


@dataclasses.dataclass(frozen=True)
class Verdict:
    """How far a result is from the reference."""

    rel_error: float
    worst_row: float
    #: What is wrong; None if nothing is.
    fault: Optional[str]


class Reference:
    """The result of a case in fp64. It is computed a block of rows at a time, for every result anew: no
    matrix of fp64 results is kept."""

    def __init__(self, torch: Any, case: Case, operands: OperandSet) -> None:
        self._torch, self._case, self._operands = torch, case, operands
        self.limit = LIMITS.get(case.d, 2e-5 + case.k * 2.0**-25)

    def judge(self, results: list[Any]) -> list[Verdict]:
        """A verdict for each of `results`, which are all of this case and these operands."""
        torch, case = self._torch, self._case
        a, b = matrices(case, self._operands)
        b = b.double()
        errors: list[list[Any]] = [[] for _ in results]
        norms = []
        for begin in range(0, case.m, CHUNK_ROWS):
            rows = slice(begin, min(begin + CHUNK_ROWS, case.m))
            expected = apply_epilogue(torch, case, a[rows].double() @ b, self._operands.extra, rows)
            norms.append(expected.square().sum(dim=1))
            for index, result in enumerate(results):
                errors[index].append((result[rows].double() - expected).square().sum(dim=1))
        norm = torch.cat(norms)
        return [self._verdict(torch.cat(error), norm) for error in errors]

    def _verdict(self, error: Any, norm: Any) -> Verdict:
        whole = float((error.sum() / norm.sum()).sqrt())
        worst = float((error / norm).max().sqrt())
        row_limit = ROW_FACTOR * self.limit
        fault = None
        if not whole <= self.limit:  # NaN is not
            fault = f"the relative error is {whole:.3g}; expected at most {self.limit:.3g}"
        elif self._case.d_columns >= 64 and not worst <= row_limit:
            row = int((error / norm).argmax())
            fault = f"row {row} has a relative error of {worst:.3g}; expected at most {row_limit:.3g}"
        return Verdict(whole, worst, fault)
