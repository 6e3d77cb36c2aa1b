#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds the command line, and takes one GEMM from problem to cubin. Needs no GPU.
#
#   scripts/demo.sh                        bf16, 8192x28672x4096 with bias, GELU and a residual
#   scripts/demo.sh -m 1024 -n 1024 -k 512 another problem: any options of "tilewright emit gemm"
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case "${1:-}" in -h|--help) sed -n '3,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;; esac

problem=("$@")
[[ $# -gt 0 ]] || problem=(-m 8192 -n 28672 -k 4096 --epilogue bias,gelu,residual)

scripts/setup.sh
if [[ -d build/venv && -z "${VIRTUAL_ENV:-}" ]]; then
  export VIRTUAL_ENV="$PWD/build/venv" PATH="$PWD/build/venv/bin:$PATH"
fi
program=build/release/bin/tilewright
if ! command -v "$program" >/dev/null || [[ -n "$(find compiler templates runtime support tools include -newer "$program" -print -quit)" ]]; then
  echo "demo: building $program"
  mkdir -p build
  cmake --preset release >build/release-configure.log
  cmake --build build/release --target tilewright
fi

"$program" emit gemm "${problem[@]}" --target h200 --stage cuda -o build/demo.cu
echo "demo: the kernel's CUDA text is in build/demo.cu; what it uses on an H200:"
"$program" emit gemm "${problem[@]}" --target h200 --stage resources
echo "demo: from problem to cubin:"
"$program" emit gemm "${problem[@]}" --target h200 --time 3
