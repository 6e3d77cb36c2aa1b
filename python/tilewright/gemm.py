# SPDX-License-Identifier: Apache-2.0
"""A request for a GEMM: the problem, its epilogue, and the operands that follow from them."""
from __future__ import annotations

import ctypes
import dataclasses
import operator
from typing import Any, Optional, Sequence, Union

from . import library
from .errors import InvalidArgumentError
from .operands import Slot, dtype_name

#: What an op of the epilogue reads, by name; ops that are not here read nothing.
COLUMN_OPS = ("bias", "scale_col")
ROW_OPS = ("bias_row", "scale_row")
MATRIX_OPS = ("residual", "gate")
PAIRED_OPS = ("swiglu", "geglu")


def integer(name: str, value: Any, bits: int) -> int:
    """`value` as an integer of so many bits; ctypes would cut off what does not fit, silently."""
    # bool is an int.
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InvalidArgumentError(f"{name} is {value!r}; pass an integer")
    value = operator.index(value)
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise InvalidArgumentError(f"{name} is {value}; it has to fit into {bits} bits")
    return value


@dataclasses.dataclass(frozen=True)
class EpilogueOp:
    """One op: its name, and type and pitch of its operand where the request says them."""

    name: str
    dtype: Optional[str] = None
    ld: int = 0


def parse_epilogue(epilogue: Union[str, Sequence[str]]) -> tuple[EpilogueOp, ...]:
    """The ops of "bias:fp32,gelu,residual:ld8192", or of a sequence of such entries."""
    entries = [entry for entry in epilogue.split(",")] if isinstance(epilogue, str) else list(epilogue)
    if entries == [""]:
        return ()
    ops = []
    for entry in entries:
        name, *suffixes = entry.strip().split(":")
        dtype, ld = None, 0
        for suffix in suffixes:
            if suffix.startswith("ld"):
                if not suffix[2:].isdecimal() or int(suffix[2:]) == 0:
                    raise InvalidArgumentError(f"epilogue: '{suffix}' in '{entry}': ld takes a positive number")
                ld = integer("ld", int(suffix[2:]), 64)
            else:
                dtype = dtype_name(suffix)
        ops.append(EpilogueOp(name, dtype, ld))
    return tuple(ops)


@dataclasses.dataclass(frozen=True)
class Gemm:
    """D[M, N] = epilogue(alpha * A.B + beta * C). Types by name; pitches in elements, 0 for rows without gaps."""

    m: int
    n: int
    k: int
    a: str = "bf16"
    b: str = "bf16"
    c: str = "bf16"
    d: str = "bf16"
    layout: str = "nt"
    alpha: float = 1.0
    beta: float = 0.0
    batch: int = 1
    lda: int = 0
    ldb: int = 0
    ldc: int = 0
    ldd: int = 0
    epilogue: tuple[EpilogueOp, ...] = ()

    def __post_init__(self) -> None:
        if self.layout not in library.LAYOUTS:
            raise InvalidArgumentError(f"'{self.layout}' is no layout; use nt, nn, tn or tt (first letter A, second B)")
        for name in ("m", "n", "k", "batch", "lda", "ldb", "ldc", "ldd"):
            object.__setattr__(self, name, integer(name, getattr(self, name), 64))
        for name in ("alpha", "beta"):
            try:
                object.__setattr__(self, name, float(getattr(self, name)))
            except (TypeError, ValueError):
                raise InvalidArgumentError(f"{name} is {getattr(self, name)!r}; pass a number") from None

    def to_c(self) -> library.GemmProblem:
        """The struct of the C interface. It owns the list of ops."""
        ops = (library.EpilogueOp * max(1, len(self.epilogue)))()
        for target, op in zip(ops, self.epilogue):
            target.structSize = ctypes.sizeof(library.EpilogueOp)
            target.name = op.name.encode()
            target.dtype = library.DTYPES[op.dtype] if op.dtype else 0
            target.ld = op.ld
        problem = library.GemmProblem(
            m=self.m, n=self.n, k=self.k, a=library.DTYPES[self.a], b=library.DTYPES[self.b],
            c=library.DTYPES[self.c], d=library.DTYPES[self.d], layout=library.LAYOUTS[self.layout],
            alpha=self.alpha, beta=self.beta, batch=self.batch, lda=self.lda, ldb=self.ldb, ldc=self.ldc,
            ldd=self.ldd, epilogueCount=len(self.epilogue))
        problem.epilogue = ops
        return problem

    def slots(self) -> dict[str, Slot]:
        """The operands by role, as they are stored."""
        m, n, k = self.m, self.n, self.k
        columns = n // 2 if any(op.name in PAIRED_OPS for op in self.epilogue) else n
        a_shape = (k, m) if self.layout[0] == "t" else (m, k)
        b_shape = (n, k) if self.layout[1] == "t" else (k, n)
        found = {"a": Slot("a", self.a, a_shape, self.lda or a_shape[1], "lda={}"),
                 "b": Slot("b", self.b, b_shape, self.ldb or b_shape[1], "ldb={}")}
        if self.beta != 0:
            found["c"] = Slot("c", self.c, (m, n), self.ldc or n, "ldc={}", may_be_result=True)
        found["d"] = Slot("d", self.d, (m, columns), self.ldd or columns, "ldd={}", is_written=True)
        for op in self.epilogue:
            dtype = op.dtype or ("fp32" if op.name.startswith("scale_") else self.d)
            if op.name in COLUMN_OPS:
                found[op.name] = Slot(op.name, dtype, (n,))
            elif op.name in ROW_OPS:
                found[op.name] = Slot(op.name, dtype, (m,))
            elif op.name in MATRIX_OPS:
                found[op.name] = Slot(op.name, dtype, (m, columns), op.ld or columns,
                                      f"the epilogue op {op.name}:ld{{}}", may_be_result=True)
        return found
