# SPDX-License-Identifier: Apache-2.0
"""Progress on stderr with the time left: a bar by tqdm where that is installed and a person looks, else lines."""
from __future__ import annotations

import sys
import time
from typing import Any, Optional, TextIO


def clock(seconds: float) -> str:
    """"1:05", "2:00:09"."""
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """Counts cases. What a case takes is taken from those before."""

    def __init__(self, total: int, stream: Optional[TextIO] = None) -> None:
        self._total, self._done = total, 0
        self._stream = stream or sys.stderr
        self._began = time.monotonic()
        self._bar: Any = None
        if self._stream.isatty():
            try:
                from tqdm import tqdm
                self._bar = tqdm(total=total, unit="case", file=self._stream)
            except ImportError:
                pass

    def done(self, text: str) -> None:
        """One more case is finished: shows `text`, what is done and what is left."""
        self._done += 1
        if self._bar is not None:
            self._bar.write(text, file=self._stream)
            self._bar.update()
            return
        left = (time.monotonic() - self._began) / self._done * (self._total - self._done)
        print(f"[{self._done}/{self._total}, {clock(left)} left] {text}", file=self._stream, flush=True)

    def note(self, text: str) -> None:
        """A line beside the count."""
        if self._bar is not None:
            self._bar.write(text, file=self._stream)
        else:
            print(text, file=self._stream, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
