#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a cold compile takes, from problem to cubin, on one core:

    python3 bench/compile_time.py --program build/release/bin/tilewright

Runs `tilewright emit gemm ... --time N` pinned to one core for a plain GEMM and for one with bias, GELU and
residual, prints the split, and writes bench/results/<host's CPU>/compile_time.json. Needs no GPU.
"""
from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from typing import Any, Optional

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import records  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHAPE = ("-m", "8192", "-n", "28672", "-k", "4096")
#: Name, epilogue, and the most that the median may be, ms.
PROBLEMS = (("plain", "", 450), ("bias,gelu,residual", "bias,gelu,residual", 650))


def cpu_name() -> str:
    """The CPU as the kernel names it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            match = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.MULTILINE)
    except OSError:
        match = None
    return match.group(1).strip() if match else platform.processor() or "unknown"


def folder_name(cpu: str) -> str:
    """"intel-xeon-platinum-8481c" for "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz"."""
    text = re.sub(r"\((r|tm)\)", " ", cpu.partition("@")[0].lower())
    return "-".join(word for word in re.split(r"[^a-z0-9.]+", text) if word and word not in ("cpu", "processor"))


def run(program: str, epilogue: str, repetitions: int, core: int, target: str) -> dict[str, Any]:
    """What `emit gemm --time` says. RuntimeError with its message if it fails."""
    command = [program, "emit", "gemm", *SHAPE, "--target", target, "--time", str(repetitions), "--json"]
    if epilogue:
        command += ["--epilogue", epilogue]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed with {done.returncode}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    cpu = cpu_name()
    rows = []
    for name, epilogue, limit in PROBLEMS:
        print(f"{name}: {arguments.repetitions} compiles ...", file=sys.stderr, flush=True)
        said = run(arguments.program, epilogue, arguments.repetitions, arguments.core, arguments.target)
        rows.append({"problem": name, "config": said["config"], "nvrtc": said["nvrtc"],
                     "repetitions": said["repetitions"], "median_ms": said["median_ms"], "first_ms": said["first_ms"],
                     "limit_ms": limit, "load": round(os.getloadavg()[0], 2),
                     "commit": arguments.commit or records.commit(ROOT) or "unknown", "cpu": cpu,
                     "date": records.now()})
    return {"protocol": "tilewright emit gemm " + " ".join(SHAPE) + f" --target {arguments.target} --time "
                        f"{arguments.repetitions}: problem to cubin in one process pinned to one core, every "
                        "compile from the start and none cached; first is the process's first, median over all",
            "cpu": cpu, "date": records.now(), "rows": rows}


def show(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        split = ", ".join(f"{name} {row['median_ms'][name]:.1f}"
                          for name in ("template", "passes", "emission", "nvrtc", "ptxas"))
        print(f"{row['problem']}: median {row['median_ms']['total']:.0f} ms (limit {row['limit_ms']}), "
              f"MLIR's share {row['median_ms']['mlir']:.1f} ms: {split}")


def main(arguments: Optional[list[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(ROOT, "build/release/bin/tilewright"))
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--target", default="h200")
    parser.add_argument("--commit", help="what is measured, where the checkout is not one of git")
    parser.add_argument("--out", metavar="FILE", help="default: bench/results/<CPU>/compile_time.json")
    parsed = parser.parse_args(arguments)
    try:
        document = measure(parsed)
    except (OSError, RuntimeError, ValueError) as error:
        print(f"compile_time: error: {error}", file=sys.stderr)
        return 2
    show(document["rows"])
    out = parsed.out or os.path.join(ROOT, "bench/results", folder_name(document["cpu"]), "compile_time.json")
    records.save(out, document)
    print(f"written to {out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
