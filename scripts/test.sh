#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds, runs every test that needs no GPU, and ends with "N passed, M failed, K skipped".
#
#   scripts/test.sh           builds build/dev; leaves out tests labelled slow
#   scripts/test.sh --all     also the slow tests, and everything again under ASan and UBSan (build/asan)
#   scripts/test.sh --quick   no set-up, otherwise as without arguments
#
# CI=true means --all, with build/ci (warnings are errors) in place of build/dev.
# JOBS=N sets how many compiles and tests run at once (default: one per core).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

preset=dev all=no setup=yes
[[ "${CI:-}" == true ]] && preset=ci all=yes
for argument in "$@"; do
  case "$argument" in
    --all) all=yes ;;
    --quick) setup=no ;;
    -h|--help) sed -n '3,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "test: error: unknown argument '$argument'; expected --all, --quick or nothing" >&2; exit 2 ;;
  esac
done
jobs="${JOBS:-$(nproc)}"

[[ $setup == no ]] || scripts/setup.sh --nvrtc12
# The wheels stand in for a CUDA toolkit: NVRTC is looked for in the Python in use.
if [[ -d build/venv && -z "${VIRTUAL_ENV:-}" ]]; then
  export VIRTUAL_ENV="$PWD/build/venv" PATH="$PWD/build/venv/bin:$PATH"
fi
export LSAN_OPTIONS="suppressions=$PWD/tests/leaks.supp:print_suppressions=0"
# NOTE: the packaged MLIR is not instrumented. What its inline functions poison in our objects, its own
# code uses; so neither poisoning by hand nor the fill of containers can be checked.
export ASAN_OPTIONS="allow_user_poisoning=0:detect_container_overflow=0"
export UBSAN_OPTIONS="print_stacktrace=1"

lit="$(command -v /usr/lib/llvm-22/bin/lit || command -v lit || command -v llvm-lit)" ||
  { echo "test: error: no lit: install llvm-22-tools, or pip install lit" >&2; exit 2; }

# run PRESET CTEST_ARGUMENT...: builds a preset and runs its tests; results go to build/PRESET/results.
run() {
  local preset="$1" results="build/$1/results"
  shift
  echo "test: building build/$preset"
  cmake --preset "$preset" >"build/$preset-configure.log" 2>&1 ||
    { cat "build/$preset-configure.log"; exit 1; }
  cmake --build "build/$preset" -j "$jobs" >"build/$preset-build.log" 2>&1 ||
    { grep -vE '^\[[0-9]+/[0-9]+\]' "build/$preset-build.log" | head -100; exit 1; }
  rm -rf "$results"
  mkdir -p "$results"
  echo "test: testing build/$preset"
  # Failures do not stop the run here: the summary counts them and decides the exit code.
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=ignore "$@" \
    --output-junit "$PWD/$results/ctest.xml" >"$results/ctest.log" 2>&1 || true
  "$lit" -j "$jobs" --no-progress-bar -v --xunit-xml-output="$results/lit.xml" \
    "build/$preset/tests" >"$results/lit.log" 2>&1 || true
}

mkdir -p build
began=$SECONDS
exclude=()
[[ $all == yes ]] || exclude=(-LE slow)
run "$preset" ${exclude[@]+"${exclude[@]}"}
presets=("$preset")
if [[ $all == yes ]]; then
  # Labels slow and kernels compile hundreds of kernels: NVRTC's time, which no sanitizer sees.
  # NOTE: LeakSanitizer stops the process by ptrace, which now and then fails ("LeakSanitizer has
  # encountered a fatal error"). A second try passes then; what a sanitizer finds, it finds twice.
  run asan -LE 'slow|tree|kernels' --repeat until-pass:2
  presets+=(asan)
fi
echo "test: $((SECONDS - began)) s for building and testing"
python3 scripts/sum_results.py "${presets[@]/#/build/}"
