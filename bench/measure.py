# SPDX-License-Identifier: Apache-2.0
"""One case, measured: operands, kernels, check, rounds, and the row that comes of it. Needs torch."""
from __future__ import annotations

import dataclasses
import functools
import time
from typing import Any, Callable, Optional, Sequence

import records
import rounds
from cases import CARDS, Case
from graphs import Launch, Side, Timing
from monitor import Monitor, summarise
from operands import OperandSet, Reference, Verdict, make_set
from peers import PeerUnavailable, make_peer

OURS = "ours"
PLAIN = "ours without the epilogue"
#: A peer further off than this computes something else than the case.
PEER_LIMIT = 1e-2


class CaseFailed(Exception):
    """A case gave no number that could count; the text says why."""


@dataclasses.dataclass(frozen=True)
class Options:
    rounds: int = 11
    #: Rounds of the first pass, which chooses among candidates.
    choosing_rounds: int = 3
    seed: int = 1
    timing: Timing = Timing()
    commit: str = ""


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A kernel of ours for the case; `kernel` is None where it could not be built, and `fault` says why."""

    wish: str
    kernel: Any
    fault: str = ""


@dataclasses.dataclass(frozen=True)
class Rejected:
    """A candidate that is not measured."""

    config: str
    fault: str
    is_wrong: bool = False


@dataclasses.dataclass(frozen=True, eq=False)
class Contestant:
    """What takes turns: a kernel of ours, or a peer. Equal to itself only."""

    name: str
    launch: Launch
    verdict: Verdict
    config: str = ""
    kernel: Any = None


def describe(config: Optional[str]) -> str:
    return config or "the library's choice"


def launcher(kernel: Any) -> Launch:
    """Launches of a kernel on what it takes of a set."""
    def launch(operands: OperandSet) -> None:
        everything = {**operands.inputs(), "d": operands.d}
        kernel(**{role: everything[role] for role in kernel.operands})
    return launch


class Bench:
    """Measures cases on torch's current device."""

    def __init__(self, torch: Any, options: Options, monitor: Monitor, note: Callable[[str], None]) -> None:
        self.torch, self._options, self._monitor, self._note = torch, options, monitor, note
        properties = torch.cuda.get_device_properties(torch.cuda.current_device())
        self._card = CARDS.get(records.card_name(properties.name))
        self._l2_bytes = int(properties.L2_cache_size)
        #: Whether a kernel of ours computed something wrong.
        self.has_wrong_results = False

    def run(self, case: Case, candidates: list[Candidate],
            plain: Sequence[Candidate] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
        """A row of results, and what it has no place for. CaseFailed if ours is wrong or does not run.
        `plain`: kernels of ours for the case without its epilogue, the best of which is the peer then."""
        torch = self.torch
        if not any(candidate.kernel for candidate in candidates):
            raise CaseFailed("; ".join(f"{describe(c.wish)}: {c.fault}" for c in candidates))
        count = rounds.sets_needed(case.compulsory_bytes, self._l2_bytes)
        generator = torch.Generator(device="cuda").manual_seed(self._options.seed)
        sets = [make_set(torch, case, generator) for _ in range(count)]
        # First the numbers: a wrong kernel has no time.
        reference = Reference(torch, case, sets[0])
        ours, rejected = self._right_ones(case, candidates, reference, sets[0])
        if not ours:
            raise CaseFailed("; ".join(f"{entry.config}: {entry.fault}" for entry in rejected))
        if plain:
            bare = dataclasses.replace(case, epilogue="")
            peers, _ = self._right_ones(bare, plain, Reference(torch, bare, sets[0]), sets[0], PLAIN)
            no_peer = "" if peers else "no plain kernel is right"
        else:
            peers, no_peer = self._peer(case, sets, reference)
        sides = {entry: Side(torch, entry.launch, sets) for entry in [*ours, *peers]}
        try:
            return self._contest(case, ours, peers, no_peer, rejected, sides, sets, reference)
        finally:
            for side in sides.values():
                side.close()

    def _contest(self, case: Case, ours: list[Contestant], peers: list[Contestant], no_peer: str,
                 rejected: list[Rejected], sides: dict[Contestant, Side], sets: list[OperandSet],
                 reference: Reference) -> tuple[dict[str, Any], dict[str, Any]]:
        options = self._options
        estimates = {entry: side.estimate_us() for entry, side in sides.items()}
        launches = rounds.launches_per_graph(min(estimates.values()), options.timing.graph_ms, len(sets))
        for entry, side in sides.items():
            side.capture(launches, estimates[entry], options.timing)

        def turns(entries: list[Contestant]) -> dict[Contestant, rounds.Turn]:
            return {entry: functools.partial(sides[entry].turn, options.timing) for entry in entries}

        crowded = [entry for group in (ours, peers) if len(group) > 1 for entry in group]
        tried = {entry: rounds.median(times) for entry, times in rounds.interleave(
            turns(crowded), options.choosing_rounds, options.seed).items()}
        best = min(ours, key=lambda entry: tried.get(entry, 0.0))
        peer = min(peers, key=lambda entry: tried.get(entry, 0.0)) if peers else None

        # A fresh pass: the one that chose favours what was lucky.
        pair = turns([best, peer] if peer else [best])
        for turn in pair.values():
            turn()
        began = time.monotonic()
        times = rounds.interleave(pair, options.rounds, options.seed + 1)
        samples = self._monitor.between(began, time.monotonic())
        self._check_afterwards(best, sides[best], sets, reference)

        row = self._row(case, best, times[best], peer.name if peer else no_peer)
        details: dict[str, Any] = {
            "case": case.name, "dtype": case.dtype, "date": row["date"], "rounds": options.rounds, "sets": len(sets),
            "launches_per_graph": launches, "ours_us_quartiles": _rounded(rounds.spread(times[best])),
            "worst_row_error": _short(best.verdict.worst_row)}
        if best.kernel:
            details.update(source=best.kernel.info.source, registers=best.kernel.info.registers)
        if peer:
            ratios = rounds.paired_ratios(times[best], times[peer])
            peer_us = rounds.median(times[peer])
            row.update(peer_us=round(peer_us, 3), peer_tflops=round(case.flops / peer_us / 1e6, 1),
                       ratio=round(rounds.median(ratios), 4))
            details.update(peer_us_quartiles=_rounded(rounds.spread(times[peer])),
                           ratio_quartiles=_rounded(rounds.spread(ratios)),
                           peer_rel_error=_short(peer.verdict.rel_error))
            if peer.config:
                details["peer_config"] = peer.config
        if tried:
            details["tried"] = [{"side": entry.name, "config": entry.config, "us": round(tried[entry], 3)}
                                for entry in crowded]
        if rejected:
            details["rejected"] = [{"config": entry.config, "fault": entry.fault} for entry in rejected]
        details["gpu"] = summarise(samples)
        return row, details

    def _row(self, case: Case, best: Contestant, times: list[float], peer: str) -> dict[str, Any]:
        """The columns that are about ours, and the peer's name."""
        us = rounds.median(times)
        row: dict[str, Any] = dict.fromkeys(records.COLUMNS)
        row.update(case=case.name, dtype=case.dtype, ours_us=round(us, 3), ours_tflops=round(case.flops / us / 1e6, 1),
                   ours_gbs=round(case.compulsory_bytes / us / 1e3, 1),
                   bound_share=round(self._card.bound_us(case) / us, 4) if self._card else None, peer=peer,
                   rel_error=_short(best.verdict.rel_error), l2="cold", regime=self._options.timing.regime,
                   config=best.config, commit=self._options.commit, date=records.now())
        return row

    def _right_ones(self, case: Case, candidates: Sequence[Candidate], reference: Reference, operands: OperandSet,
                    name: str = OURS) -> tuple[list[Contestant], list[Rejected]]:
        """The kernels that compute what the reference does, each once, and the rest."""
        # The library's choice may be among the hand-picked ones.
        built = list({c.kernel.info.config: c.kernel for c in candidates if c.kernel is not None}.values())
        rejected = [Rejected(describe(c.wish), c.fault) for c in candidates if c.kernel is None]
        results, right = [], []
        for kernel in built:
            operands.d.fill_(float("nan"))
            launcher(kernel)(operands)
            results.append(operands.d.clone())
        self.torch.cuda.synchronize()
        for kernel, verdict in zip(built, reference.judge(results)):
            if verdict.fault:
                rejected.append(Rejected(kernel.info.config, f"wrong result: {verdict.fault}", True))
            else:
                right.append(Contestant(name, launcher(kernel), verdict, kernel.info.config, kernel))
        for entry in rejected:
            self._note(f"{case.label}: {entry.config}: {entry.fault}")
            self.has_wrong_results |= entry.is_wrong
        return right, rejected

    def _peer(self, case: Case, sets: list[OperandSet], reference: Reference) -> tuple[list[Contestant], str]:
        """The peer, or none and the reason."""
        sets[0].d.fill_(float("nan"))
        try:
            peer = make_peer(self.torch, case, sets[0])
        except PeerUnavailable as error:
            self._note(f"{case.label}: {error}")
            return [], str(error)
        (verdict,) = reference.judge([sets[0].d])
        if not verdict.rel_error <= PEER_LIMIT:
            why = f"{peer.name} computes something else: its relative error is {verdict.rel_error:.3g}"
            self._note(f"{case.label}: {why}")
            return [], why
        return [Contestant(peer.name, peer.launch, verdict)], ""

    def _check_afterwards(self, best: Contestant, side: Side, sets: list[OperandSet],
                          reference: Reference) -> None:
        """What was timed is what was checked: the captured launches write every set, and the first is right."""
        for operands in sets:
            operands.d.fill_(float("nan"))
        side.turn(self._options.timing)
        if any(bool(operands.d.isnan().any()) for operands in sets):
            self.has_wrong_results = True
            raise CaseFailed(f"{best.config}: elements of D are not written when launched as a graph")
        (verdict,) = reference.judge([sets[0].d])
        if verdict.fault:
            self.has_wrong_results = True
            raise CaseFailed(f"{best.config}: wrong when launched as a graph: {verdict.fault}")


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _rounded(values: list[float]) -> list[float]:
    return [round(value, 4) for value in values]
