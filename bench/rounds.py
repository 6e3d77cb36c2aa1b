# SPDX-License-Identifier: Apache-2.0
"""The order of turns, and what is made of their times. Free of any GPU, so that it can be tested."""
from __future__ import annotations

import random
import statistics
from typing import Callable, Hashable, Mapping, Optional, TypeVar

#: What names a side.
Name = TypeVar("Name", bound=Hashable)
#: Runs one turn of a side and returns microseconds per launch.
Turn = Callable[[], float]


def orders(names: list[Name], rounds: int, seed: int) -> list[list[Name]]:
    """The order of sides in each round: drawn, and every second one the reverse of that before, so that
    no side has the better place on average."""
    generator = random.Random(seed)
    found: list[list[Name]] = []
    for index in range(rounds):
        if index % 2:
            found.append(found[-1][::-1])
        else:
            found.append(generator.sample(names, len(names)))
    return found


def interleave(turns: Mapping[Name, Turn], rounds: int, seed: int,
               on_round: Optional[Callable[[int], None]] = None) -> dict[Name, list[float]]:
    """Runs every side once per round. Entry i of each side's list is of the same round."""
    times: dict[Name, list[float]] = {name: [] for name in turns}
    for index, order in enumerate(orders(list(turns), rounds, seed)):
        for name in order:
            times[name].append(turns[name]())
        if on_round:
            on_round(index)
    return times


def paired_ratios(times: list[float], others: list[float]) -> list[float]:
    """others / times, round by round: above 1 where `times` are the shorter ones."""
    return [other / time for time, other in zip(times, others)]


def median(values: list[float]) -> float:
    return statistics.median(values)


def spread(values: list[float]) -> list[float]:
    """The quartiles."""
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def launches_per_graph(launch_us: float, graph_ms: float, sets: int, most: int = 4000) -> int:
    """How many launches make a graph of about `graph_ms`: whole turns through the sets of buffers, so that
    every launch finds its operands equally cold."""
    turns = max(1, round(graph_ms * 1000 / launch_us / sets))
    return sets * min(turns, max(1, most // sets))


def sets_needed(bytes_per_set: int, l2_bytes: int, cold_below: int = 300_000_000) -> int:
    """Sets of buffers to rotate through: together beyond three times the L2, for problems under 300 MB."""
    if bytes_per_set >= cold_below:
        return 1
    return max(2, 3 * l2_bytes // bytes_per_set + 1)
