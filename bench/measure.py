# SPDX-License-Identifier: Apache-2.0
"""One case, measured: operands, kernels, check, rounds, and the row that comes of it. Needs torch."""
from __future__ import annotations

import dataclasses
import time
from typing import Any, Callable, Optional

import records
import rounds
from cases import CARDS, Case
from graphs import Side, Timing
from monitor import Monitor, summarise
from operands import OperandSet, Reference, make_set
from peers import Peer, PeerUnavailable, make_peer

OURS, PEER = "ours", "peer"
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


def describe(config: Optional[str]) -> str:
    return config or "the library's choice"


def launcher(kernel: Any) -> Callable[[OperandSet], None]:
    def launch(operands: OperandSet) -> None:
        kernel(**operands.inputs(), d=operands.d)
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

    def run(self, case: Case, candidates: list[Candidate]) -> tuple[dict[str, Any], dict[str, Any]]:
        """A row of results, and what it has no place for. CaseFailed if ours is wrong or does not run."""
        torch = self.torch
        # The library's choice may be among the hand-picked ones: one of each is enough.
        built = list({c.kernel.info.config: c for c in candidates if c.kernel is not None}.values())
        if not built:
            raise CaseFailed("; ".join(f"{describe(c.wish)}: {c.fault}" for c in candidates))
        count = rounds.sets_needed(case.compulsory_bytes, self._l2_bytes)
        generator = torch.Generator(device="cuda").manual_seed(self._options.seed)
        sets = [make_set(torch, case, generator) for _ in range(count)]
        sides: dict[str, Side] = {}
        try:
            return self._measure(case, candidates, built, sets, sides)
        finally:
            for side in sides.values():
                side.close()

    def _measure(self, case: Case, candidates: list[Candidate], built: list[Candidate], sets: list[OperandSet],
                 sides: dict[str, Side]) -> tuple[dict[str, Any], dict[str, Any]]:
        torch, options = self.torch, self._options
        reference = Reference(torch, case, sets[0])
        # First the numbers: a wrong kernel has no time.
        results = []
        for candidate in built:
            sets[0].d.fill_(float("nan"))
            launcher(candidate.kernel)(sets[0])
            results.append(sets[0].d.clone())
        torch.cuda.synchronize()
        right, rejected = [], [Rejected(describe(c.wish), c.fault) for c in candidates if c.kernel is None]
        for candidate, verdict in zip(built, reference.judge(results)):
            if verdict.fault:
                rejected.append(Rejected(candidate.kernel.info.config, f"wrong result: {verdict.fault}", True))
            else:
                right.append((candidate, verdict))
        del results
        for entry in rejected:
            self._note(f"{case.label}: {entry.config}: {entry.fault}")
            self.has_wrong_results |= entry.is_wrong
        if not right:
            raise CaseFailed("; ".join(f"{entry.config}: {entry.fault}" for entry in rejected))

        for index, (candidate, _) in enumerate(right):
            sides[f"{OURS}{index}"] = Side(torch, launcher(candidate.kernel), sets)
        peer, peer_error, no_peer = self._peer(case, sets, reference)
        if peer:
            sides[PEER] = Side(torch, peer.launch, sets)

        estimates = {name: side.estimate_us() for name, side in sides.items()}
        graph_ms = options.timing.graph_ms
        launches = rounds.launches_per_graph(min(estimates.values()), graph_ms, len(sets))
        for name, side in sides.items():
            side.capture(launches, estimates[name], options.timing)

        def turns(names: list[str]) -> dict[str, rounds.Turn]:
            return {name: (lambda side=sides[name]: side.turn(options.timing)) for name in names}

        chosen, tried = 0, []
        if len(right) > 1:
            names = [name for name in sides if name != PEER]
            times = rounds.interleave(turns(names), options.choosing_rounds, options.seed)
            chosen = min(range(len(right)), key=lambda index: rounds.median(times[f"{OURS}{index}"]))
            tried = [{"config": candidate.kernel.info.config, "us": round(rounds.median(times[f"{OURS}{index}"]), 3)}
                     for index, (candidate, _) in enumerate(right)]
        candidate, verdict = right[chosen]
        ours = f"{OURS}{chosen}"

        # A fresh pass: the one that chose favours what was lucky.
        pair = turns([ours, PEER] if peer else [ours])
        for turn in pair.values():
            turn()
        began = time.monotonic()
        times = rounds.interleave(pair, options.rounds, options.seed + 1)
        samples = self._monitor.between(began, time.monotonic())
        self._check_afterwards(candidate, sides[ours], sets, reference)

        ours_us = rounds.median(times[ours])
        row: dict[str, Any] = dict.fromkeys(records.COLUMNS)
        row.update(case=case.name, dtype=case.dtype, ours_us=round(ours_us, 3),
                   ours_tflops=round(case.flops / ours_us / 1e6, 1),
                   ours_gbs=round(case.compulsory_bytes / ours_us / 1e3, 1),
                   bound_share=round(self._card.bound_us(case) / ours_us, 4) if self._card else None,
                   peer=peer.name if peer else no_peer, rel_error=float(f"{verdict.rel_error:.4g}"),
                   l2="cold", regime=options.timing.regime, config=candidate.kernel.info.config, commit=options.commit,
                   date=records.now())
        details: dict[str, Any] = {
            "case": case.name, "dtype": case.dtype, "date": row["date"], "rounds": options.rounds, "sets": len(sets),
            "launches_per_graph": launches, "ours_us_quartiles": _rounded(rounds.spread(times[ours])),
            "worst_row_error": float(f"{verdict.worst_row:.4g}"), "source": candidate.kernel.info.source,
            "registers": candidate.kernel.info.registers}
        if peer:
            peer_us = rounds.median(times[PEER])
            ratios = rounds.paired_ratios(times[ours], times[PEER])
            row.update(peer_us=round(peer_us, 3), peer_tflops=round(case.flops / peer_us / 1e6, 1),
                       ratio=round(rounds.median(ratios), 4))
            details.update(peer_us_quartiles=_rounded(rounds.spread(times[PEER])),
                           ratio_quartiles=_rounded(rounds.spread(ratios)), peer_rel_error=float(f"{peer_error:.4g}"))
        if tried:
            details["tried"] = tried
        if rejected:
            details["rejected"] = [{"config": entry.config, "fault": entry.fault} for entry in rejected]
        details["gpu"] = summarise(samples)
        return row, details

    def _peer(self, case: Case, sets: list[OperandSet],
              reference: Reference) -> tuple[Optional[Peer], float, str]:
        """The peer with its relative error, or why there is none."""
        sets[0].d.fill_(float("nan"))
        try:
            peer = make_peer(self.torch, case, sets[0])
        except PeerUnavailable as error:
            self._note(f"{case.label}: {error}")
            return None, 0.0, str(error)
        (verdict,) = reference.judge([sets[0].d])
        if not verdict.rel_error <= PEER_LIMIT:
            why = f"{peer.name} computes something else: its relative error is {verdict.rel_error:.3g}"
            self._note(f"{case.label}: {why}")
            return None, 0.0, why
        return peer, verdict.rel_error, ""

    def _check_afterwards(self, candidate: Candidate, side: Side, sets: list[OperandSet],
                          reference: Reference) -> None:
        """What was timed is what was checked: the captured launches write every set, and the first is right."""
        for operands in sets:
            operands.d.fill_(float("nan"))
        side.turn(self._options.timing)
        if any(bool(operands.d.isnan().any()) for operands in sets):
            self.has_wrong_results = True
            raise CaseFailed(f"{candidate.kernel.info.config}: elements of D are not written when launched as a graph")
        (verdict,) = reference.judge([sets[0].d])
        if verdict.fault:
            self.has_wrong_results = True
            raise CaseFailed(f"{candidate.kernel.info.config}: wrong when launched as a graph: {verdict.fault}")


def _rounded(values: list[float]) -> list[float]:
    return [round(value, 4) for value in values]
