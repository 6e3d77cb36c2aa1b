# SPDX-License-Identifier: Apache-2.0
"""Clocks, power, temperature and throttling of a GPU, sampled beside a measurement.

Uses NVML through pynvml where that is installed, else one nvidia-smi that keeps printing. Reads only.
"""
from __future__ import annotations

import dataclasses
import shutil
import statistics
import subprocess
import threading
import time
from typing import Any, Optional

#: Bits of NVML's "clocks event reasons".
REASONS = {0x1: "idle", 0x2: "application clocks", 0x4: "power cap", 0x8: "hardware slowdown", 0x10: "sync boost",
           0x20: "thermal", 0x40: "hardware thermal", 0x80: "power brake", 0x100: "display clocks"}
QUERY = "clocks.sm,clocks.mem,power.draw,temperature.gpu,clocks_throttle_reasons.active"


@dataclasses.dataclass(frozen=True)
class Sample:
    time: float
    sm_mhz: float
    memory_mhz: float
    watts: float
    celsius: float
    reasons: int


def parse_line(line: str) -> Optional[Sample]:
    """A line of nvidia-smi for QUERY (csv, noheader, nounits); None if a number is missing."""
    try:
        sm, memory, watts, celsius, reasons = (field.strip() for field in line.split(","))
        return Sample(time.monotonic(), float(sm), float(memory), float(watts), float(celsius), int(reasons, 16))
    except ValueError:
        return None


def summarise(samples: list[Sample]) -> dict[str, Any]:
    """What a measurement records of its samples."""
    if not samples:
        return {}
    active = 0
    for sample in samples:
        active |= sample.reasons
    clocks = [sample.sm_mhz for sample in samples]
    return {"samples": len(samples), "sm_mhz": [min(clocks), statistics.median(clocks), max(clocks)],
            "memory_mhz": statistics.median(sample.memory_mhz for sample in samples),
            "watts": round(statistics.median(sample.watts for sample in samples), 1),
            "celsius": max(sample.celsius for sample in samples),
            "throttle": [name for bit, name in REASONS.items() if active & bit and name != "idle"]}


class Monitor:
    """Samples in the background until closed; `source` says by what, "none" if nothing can be read."""

    def __init__(self, uuid: str, period: float = 0.1) -> None:
        self._samples: list[Sample] = []
        self._closing = threading.Event()
        self._child: Optional[subprocess.Popen[str]] = None
        self._thread: Optional[threading.Thread] = None
        self.facts: dict[str, Any] = {}
        self.source = "none"
        if not self._start_nvml(uuid, period):
            self._start_smi(uuid, period)

    def between(self, begin: float, end: float) -> list[Sample]:
        """Samples taken in an interval of time.monotonic()."""
        return [sample for sample in list(self._samples) if begin <= sample.time <= end]

    def close(self) -> None:
        self._closing.set()
        if self._child:
            self._child.terminate()
            self._child.wait()
        if self._thread:
            self._thread.join()
        if self._child and self._child.stdout:
            self._child.stdout.close()

    def _run(self, target: Any, source: str) -> None:
        self.source = source
        self._thread = threading.Thread(target=target, daemon=True)
        self._thread.start()

    def _start_nvml(self, uuid: str, period: float) -> bool:
        try:
            import pynvml as nvml
            nvml.nvmlInit()
            handle = nvml.nvmlDeviceGetHandleByUUID(uuid)
            self.facts = {"driver": _text(nvml.nvmlSystemGetDriverVersion()),
                          "sm_max_mhz": nvml.nvmlDeviceGetMaxClockInfo(handle, nvml.NVML_CLOCK_SM),
                          "power_limit_watts": nvml.nvmlDeviceGetEnforcedPowerLimit(handle) / 1000}
        except Exception:  # not installed, or not usable here: nvidia-smi may be
            return False

        def sample() -> None:
            while not self._closing.wait(period):
                try:
                    self._samples.append(Sample(
                        time.monotonic(), nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_SM),
                        nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_MEM),
                        nvml.nvmlDeviceGetPowerUsage(handle) / 1000,
                        nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU),
                        nvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle)))
                except nvml.NVMLError:
                    continue

        self._run(sample, "nvml")
        return True

    def _start_smi(self, uuid: str, period: float) -> None:
        program = shutil.which("nvidia-smi")
        if not program:
            return
        facts = subprocess.run([program, "-i", uuid, "--query-gpu=driver_version,clocks.max.sm,power.limit",
                                "--format=csv,noheader,nounits"], capture_output=True, text=True, check=False)
        if facts.returncode:
            return
        driver, clock, limit = (field.strip() for field in facts.stdout.split(","))
        self.facts = {"driver": driver, "sm_max_mhz": _number(clock), "power_limit_watts": _number(limit)}
        child = self._child = subprocess.Popen(
            [program, "-i", uuid, f"--query-gpu={QUERY}", "--format=csv,noheader,nounits",
             f"-lms={max(1, int(period * 1000))}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

        def read() -> None:
            for line in child.stdout or ():
                sample = parse_line(line)
                if sample:
                    self._samples.append(sample)

        self._run(read, "nvidia-smi")


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _number(text: str) -> Optional[float]:
    try:
        return float(text)
    except ValueError:
        return None
