#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our kernels and PyTorch's, side by side in one process:

    python3 bench/side_by_side.py --cases 'sq*,l8b-down' --configs bench/configs/gemm_h200.json

Per case of a suite both sides are checked against an fp64 reference, captured as graphs whose launches
rotate through buffers beyond three times the L2, and timed in turns: rounds of both, in varied order. The
ratio is the median over rounds of the peer's time divided by ours. With --configs the candidates of a case
are measured first, and the best is measured afresh. Cases that cannot be run are listed with the reason.
docs/how-to/measure.md says more. Needs a driver, PyTorch and libtilewright.so.

Exit codes: 0 done; 1 a kernel crashed; 2 usage; 4 no usable device, PyTorch or library; 5 a result of ours
was wrong; 130 interrupted. What was measured is kept.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import importlib
import os
import platform
import sys
from typing import Any, Optional

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "python"))

import cases as suites  # noqa: E402
import records  # noqa: E402
import tilewright  # noqa: E402
from graphs import Timing  # noqa: E402
from measure import Bench, Candidate, CaseFailed, Options  # noqa: E402
from monitor import Monitor  # noqa: E402
from progress import Progress  # noqa: E402


def parse_arguments(arguments: Optional[list[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="Everything else: docs/how-to/measure.md")
    parser.add_argument("--suite", default=os.path.join(ROOT, "bench/suites/gemm.json"), metavar="FILE")
    parser.add_argument("--cases", default="", metavar="PATTERNS", help="names or patterns, joined by commas")
    parser.add_argument("--dtypes", default="", metavar="PATTERNS", help="as --cases")
    parser.add_argument("--configs", metavar="FILE", action="append", default=[],
                        help="candidates by case; the best one is measured. May be given several times")
    parser.add_argument("--epilogue-cost", metavar="OPS",
                        help="the cases with these epilogue ops in place of their own, against our plain kernel")
    parser.add_argument("--rounds", type=int, default=11, help="of both sides (default: 11)")
    parser.add_argument("--choosing-rounds", type=int, default=3, help="to choose among candidates (default: 3)")
    parser.add_argument("--regime", choices=["sustained", "burst"], default="sustained",
                        help="back to back, or each turn after a rest (default: sustained)")
    parser.add_argument("--turn-ms", type=float, default=60, help="measured per turn, sustained (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="of operands and of the order of turns")
    parser.add_argument("--out", metavar="FILE", help="default: bench/results/<card>/<suite>.json")
    parser.add_argument("--commit", help="what is measured, where the checkout is not one of git")
    parser.add_argument("--json", action="store_true", help="print what was measured as JSON")
    parsed = parser.parse_args(arguments)
    if parsed.rounds < 1 or parsed.choosing_rounds < 1 or parsed.turn_ms <= 0:
        parser.error("--rounds, --choosing-rounds and --turn-ms are positive")
    return parsed


def request(engine: tilewright.Engine, case: suites.Case, config: str) -> Candidate:
    """The kernel of a case; "" is the library's choice of config. UnsupportedError concerns the case."""
    try:
        kernel = engine.gemm(case.m, case.n, case.k, case.dtype, d=case.d, layout=case.layout, batch=case.batch,
                             epilogue=case.epilogue, config=config or None)
        return Candidate(config, kernel)
    except (tilewright.CompileFailedError, tilewright.InvalidArgumentError) as error:
        return Candidate(config, None, f"{error.code}: {str(error).splitlines()[0]}")


Requests = dict[suites.Case, list["concurrent.futures.Future[Candidate]"]]


def request_all(engine: tilewright.Engine, wanted: list[suites.Case], configs: dict[str, list[str]],
                pool: concurrent.futures.Executor) -> Requests:
    """Every request, answered. Compiles are over before anything is timed: they would heat and delay."""
    requests = {case: [pool.submit(request, engine, case, config)
                       for config in ["", *suites.candidates(configs, case)]] for case in wanted}
    concurrent.futures.wait([future for futures in requests.values() for future in futures])
    return requests


def with_epilogue(case: suites.Case, epilogue: str) -> suites.Case:
    """The case with another epilogue. Its name says so, its candidates are those of the case."""
    return dataclasses.replace(case, name=f"{case.name}+{epilogue}", epilogue=epilogue)


def head(torch: Any, engine: tilewright.Engine, monitor: Monitor, arguments: argparse.Namespace,
         timing: Timing) -> dict[str, Any]:
    """How this run measures."""
    protocol: dict[str, Any] = {
        "launches": "CUDA graphs, one stream; events around replays",
        "order": "rounds of all sides, order drawn, every second round reversed", "rounds": arguments.rounds,
        "ratio": "median over rounds of peer time / our time", "data": "N(0,1)", "seed": arguments.seed,
        "buffers": "rotating beyond 3x the L2 for cases under 300 MB",
        "check": "fp64 reference before and after timing", "regime": timing.regime, "graph_ms": timing.graph_ms}
    if timing.regime == "sustained":
        protocol.update(warm_ms=timing.warm_ms, turn_ms=timing.turn_ms)
    else:
        protocol.update(rest_ms=timing.rest_ms)
    if arguments.configs:
        protocol["configs"] = (f"best of hand-picked ones (and the library's choice) in {arguments.choosing_rounds} "
                               "rounds, then measured afresh")
    return {"suite": os.path.splitext(os.path.basename(arguments.suite))[0],
            "card": torch.cuda.get_device_name(), "driver": monitor.facts.get("driver"),
            "torch": torch.__version__, "cuda": torch.version.cuda, "python": platform.python_version(),
            "library": engine.library_version, "protocol": protocol,
            "clocks": {"source": monitor.source, **{k: v for k, v in monitor.facts.items() if k != "driver"}},
            "bound": "datasheet rates: 989.4 TFLOP/s dense bf16, memory bandwidth of the card",
            "date": records.now()}


def summary(row: dict[str, Any]) -> str:
    """A row in a line."""
    text = f"{row['case']} {row['dtype']}: {row['ours_us']:.1f} us, {row['ours_tflops']:.0f} TFLOP/s"
    if row["ratio"] is not None:
        text += f"; {row['peer']} {row['peer_us']:.1f} us; ratio {row['ratio']:.3f}"
    return f"{text} ({row['config']})"


def measure_all(bench: Bench, wanted: list[suites.Case], requests: Requests, plain: Requests, progress: Progress,
                document: records.Document) -> None:
    """Fills `document` case by case; what is there is complete at any time."""
    for case in wanted:
        reason = suites.obstacle(case)
        try:
            if reason is None:
                row, details = bench.run(case, [future.result() for future in requests[case]],
                                         [future.result() for future in plain.get(case, [])])
                document["rows"].append(row)
                document["measurements"].append(details)
                progress.done(summary(row))
                continue
        except tilewright.UnsupportedError as error:
            reason = str(error)
        except CaseFailed as error:
            reason = f"failed: {error}"
        except tilewright.DeviceFaultError:
            raise  # the context is lost: nothing can be measured any more
        except tilewright.TilewrightError as error:
            reason = f"failed: {error}"
        except bench.torch.OutOfMemoryError as error:
            reason = f"failed: {str(error).splitlines()[0]}"
        document["skipped"].append({"case": case.name, "dtype": case.dtype, "reason": reason, "date": records.now()})
        progress.done(f"{case.label}: skipped: {reason}")


def main(arguments: Optional[list[str]] = None) -> int:
    parsed = parse_arguments(arguments)
    try:
        wanted = suites.select(suites.load_suite(parsed.suite), parsed.cases, parsed.dtypes)
        configs = suites.load_configs(parsed.configs)
    except (OSError, ValueError, KeyError) as error:
        print(f"side_by_side: error: {error}", file=sys.stderr)
        return 2
    try:
        torch = importlib.import_module("torch")
        if not torch.cuda.is_available():
            raise tilewright.UnavailableError("PyTorch sees no CUDA device")
        torch.cuda.init()
        engine = tilewright.Engine(torch.cuda.current_device())
    except (ImportError, tilewright.TilewrightError) as error:
        print(f"side_by_side: error: {error}", file=sys.stderr)
        return 4

    timing = (Timing(turn_ms=parsed.turn_ms) if parsed.regime == "sustained" else
              Timing(regime="burst", graph_ms=2))
    card = records.card_name(torch.cuda.get_device_name())
    suite = os.path.splitext(os.path.basename(parsed.suite))[0]
    out = parsed.out or os.path.join(ROOT, "bench/results", card, f"{suite}.json")
    commit = parsed.commit or records.commit(ROOT) or f"build {engine.library_version}"
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    monitor = Monitor(f"GPU-{properties.uuid}")
    progress = Progress(len(wanted))
    document = records.empty()
    document["head"] = head(torch, engine, monitor, parsed, timing)
    bench = Bench(torch, Options(rounds=parsed.rounds, choosing_rounds=parsed.choosing_rounds, seed=parsed.seed,
                                 timing=timing, commit=commit), monitor, progress.note)
    code = 0
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        plain: Requests = {}
        if parsed.epilogue_cost:
            bare = {case: dataclasses.replace(case, epilogue="") for case in wanted}
            found = request_all(engine, [case for case in bare.values() if not suites.obstacle(case)], configs, pool)
            fused = {case: with_epilogue(case, parsed.epilogue_cost) for case in wanted}
            plain = {fused[case]: found.get(bare[case], []) for case in wanted}
            wanted = list(fused.values())
        runnable = [case for case in wanted if suites.obstacle(case) is None]
        requests = request_all(engine, runnable, configs, pool)
        measure_all(bench, wanted, requests, plain, progress, document)
    except KeyboardInterrupt:
        pool.shutdown(cancel_futures=True)
        progress.note("interrupted; what was measured is kept")
        code = 130
    except tilewright.DeviceFaultError as error:
        progress.note(f"side_by_side: error: {error}")
        code = 1
    finally:
        progress.close()
        monitor.close()
        if document["rows"] or document["skipped"]:
            records.save(out, records.merge(records.load(out), document))
            progress.note(f"written to {out}")
    if parsed.json:
        print(records.dumps(document), end="")
    return code or (5 if bench.has_wrong_results else 0)


if __name__ == "__main__":
    sys.exit(main())
