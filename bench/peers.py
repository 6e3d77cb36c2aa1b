# SPDX-License-Identifier: Apache-2.0
"""What each case is measured against: PyTorch's own call for it, as the suite names it. Needs torch."""
from __future__ import annotations

import dataclasses
import importlib
from typing import Any, Callable

from cases import Case
from operands import OperandSet, apply_epilogue, matrices, torch_dtype


class PeerUnavailable(Exception):
    """No peer runs; the text says why."""


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    #: Puts one launch for a set of operands on torch's current stream; the result is in its D.
    launch: Callable[[OperandSet], None]


def make_peer(torch: Any, case: Case, sample: OperandSet) -> Peer:
    """The peer that the suite names for `case`, tried once on `sample`."""
    if case.grouped or case.batch != 1:
        raise PeerUnavailable("no peer is written for grouped and batched problems")
    if "Inductor" in case.peer:
        peer = _mm_then_inductor(torch, case, sample)
    elif "_addmm_activation" in case.peer and case.ops in (["bias", "gelu"], ["bias", "relu"]):
        peer = _addmm_activation(torch, case)
    elif case.ops == ["bias"]:
        peer = _addmm(torch, case)
    elif not case.ops:
        peer = _mm(torch, case)
    else:
        raise PeerUnavailable(f"no peer is written for the epilogue {case.epilogue} by {case.peer}")
    try:
        peer.launch(sample)
        torch.cuda.synchronize()
    except Exception as error:  # whatever torch and its compilers raise: the case has no peer here
        raise PeerUnavailable(f"{peer.name} does not run: {_first_line(error)}") from error
    return peer


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200] if lines else ''}"


def _mm(torch: Any, case: Case) -> Peer:
    if case.d == case.dtype:
        def launch(operands: OperandSet) -> None:
            torch.mm(*matrices(case, operands), out=operands.d)
        return Peer("torch.mm", launch)

    result = torch_dtype(torch, case.d)

    def launch_wide(operands: OperandSet) -> None:
        torch.mm(*matrices(case, operands), out_dtype=result, out=operands.d)
    return Peer(f"torch.mm(out_dtype={str(result).rpartition('.')[2]})", launch_wide)


def _addmm(torch: Any, case: Case) -> Peer:
    def launch(operands: OperandSet) -> None:
        torch.addmm(operands.extra["bias"], *matrices(case, operands), out=operands.d)
    return Peer("torch.addmm", launch)


def _addmm_activation(torch: Any, case: Case) -> Peer:
    use_gelu = case.ops[1] == "gelu"

    def launch(operands: OperandSet) -> None:
        torch._addmm_activation(operands.extra["bias"], *matrices(case, operands), use_gelu=use_gelu, out=operands.d)
    return Peer("torch._addmm_activation", launch)


def _mm_then_inductor(torch: Any, case: Case, sample: OperandSet) -> Peer:
    try:
        importlib.import_module("triton")
    except ImportError as error:
        raise PeerUnavailable(f"Inductor does not run here: {error}") from error
    product = torch.empty((case.m, case.n), dtype=sample.d.dtype, device="cuda")
    roles = list(sample.extra)

    def epilogue(d: Any, x: Any, *extra: Any) -> None:
        d.copy_(apply_epilogue(torch, case, x.float(), dict(zip(roles, extra))))

    compiled = torch.compile(epilogue, dynamic=False)

    def launch(operands: OperandSet) -> None:
        torch.mm(*matrices(case, operands), out=product)
        compiled(operands.d, product, *(operands.extra[role] for role in roles))
    return Peer("torch.mm + Inductor", launch)
