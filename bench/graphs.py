# SPDX-License-Identifier: Apache-2.0
"""Turns on a GPU: a captured graph of launches, replayed and timed by events. Needs torch."""
from __future__ import annotations

import dataclasses
import math
import time
from typing import Any, Callable

from operands import OperandSet

Launch = Callable[[OperandSet], None]


@dataclasses.dataclass(frozen=True)
class Timing:
    """How a turn is measured.

    sustained: turns follow each other without a pause; each first runs its own launches for warm_ms, so that
               clocks and power are those of its own work, then the measured ones for turn_ms.
    burst:     each turn rests for rest_ms, runs its graph once, and measures the second run."""

    regime: str = "sustained"
    graph_ms: float = 5.0
    turn_ms: float = 60.0
    warm_ms: float = 40.0
    rest_ms: float = 100.0


class Side:
    """One of the sides that are compared: its launches, captured."""

    def __init__(self, torch: Any, launch: Launch, sets: list[OperandSet]) -> None:
        self._torch, self._launch, self._sets = torch, launch, sets
        self._graph: Any = None
        self._launches = self._replays = self._warm_replays = 0

    def estimate_us(self) -> float:
        """Microseconds per launch, roughly: for sizing graphs. Graphs here too, as launching may take longer
        than running."""
        count = max(3, len(self._sets))
        self._record(count)
        best = min(self._replay(1) for _ in range(3))
        return best * 1000 / count

    def capture(self, launches: int, launch_us: float, timing: Timing) -> None:
        """Captures `launches` launches, which go through the sets in turn."""
        self._record(launches)
        graph_ms = launches * launch_us / 1000
        self._launches = launches
        self._replays = max(1, math.ceil(timing.turn_ms / graph_ms)) if timing.regime == "sustained" else 1
        self._warm_replays = max(1, math.ceil(timing.warm_ms / graph_ms)) if timing.regime == "sustained" else 1

    def turn(self, timing: Timing) -> float:
        """Microseconds per launch."""
        if timing.regime == "burst":
            self._torch.cuda.synchronize()
            time.sleep(timing.rest_ms / 1000)
        for _ in range(self._warm_replays):
            self._graph.replay()
        return self._replay(self._replays) * 1000 / (self._replays * self._launches)

    def _record(self, launches: int) -> None:
        torch = self._torch
        self.close()
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, capture_error_mode="thread_local"):
            for index in range(launches):
                self._launch(self._sets[index % len(self._sets)])

    def _replay(self, times: int) -> float:
        """Milliseconds of so many replays, behind what is already in the stream."""
        torch = self._torch
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(times):
            self._graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)

    def close(self) -> None:
        if self._graph is not None:
            self._torch.cuda.synchronize()
            self._graph.reset()
            self._graph = None
