#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what is installed is enough: check_installed.py --build FOLDER --cmake CMAKE --driver FILE

Installs the library into a scratch folder, moves that, builds the examples there as a project of their
own with find_package(tilewright), and runs one over the given driver.
"""
import argparse
import os
import subprocess
import sys
import tempfile


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}exit {done.returncode}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "cmake", "driver"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        first, moved = os.path.join(scratch, "first"), os.path.join(scratch, "moved")
        run(args.cmake, "--install", args.build, "--component", "library", "--prefix", first)
        os.rename(first, moved)
        project = os.path.join(scratch, "project")
        run(args.cmake, "-S", "examples", "-B", project, "-DCMAKE_PREFIX_PATH=" + moved)
        run(args.cmake, "--build", project)
        environment = dict(os.environ, TILEWRIGHT_DRIVER=args.driver,
                           TILEWRIGHT_CACHE_DIR=os.path.join(scratch, "cache"))
        program = os.path.join(project, "examples", "gemm")
        for source in ("heuristic", "disk"):
            printed = run(program, env=environment)
            # The stand-in for the driver computes nothing: what is in D does not matter.
            if f"kernel: {source}, bm=" not in printed or "D[0][0] is" not in printed:
                sys.exit(f"expected a kernel from {source}, found:\n{printed}")


if __name__ == "__main__":
    main()
