#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs everything that needs a card, and ends with "N passed, M failed, K skipped". Needs the built
# programs, a driver and NVRTC; no source tree, no compiler, no Python.
#
#   scripts/gpu_check.sh [FOLDER]     a build folder (default: build/release, else build/dev), or any
#                                     folder with the programs tilewright and test_gpu in it
#
# FILTER=PATTERN  runs only these tests of test_gpu (as --gtest_filter), and nothing else
# RESULTS=FOLDER  where logs and reports go (default: a new folder in TMPDIR)
# SANITIZER=PATH  compute-sanitizer (default: from PATH, CUDA_HOME or /usr/local/cuda); "no": without
#
# Exits with 0 if nothing failed, 1 if something did, 4 if there is no usable device.
set -uo pipefail

case "${1:-}" in -h|--help) sed -n '3,14s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;; esac
top="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
folder="${1:-}"
if [[ -z "$folder" ]]; then
  folder="$top/build/release"
  [[ -x "$folder/tests/bin/test_gpu" ]] || folder="$top/build/dev"
fi

# find_program NAME: the program in the folder, wherever a build or a person puts it.
find_program() {
  local place
  for place in "$folder/bin/$1" "$folder/tests/bin/$1" "$folder/$1"; do
    [[ -x "$place" ]] && { (cd "$(dirname "$place")" && echo "$PWD/$1"); return; }
  done
  echo "gpu_check: error: no program $1 in $folder; build it: cmake --build $folder --target $1" >&2
  exit 2
}
tilewright="$(find_program tilewright)" || exit 2
test_gpu="$(find_program test_gpu)" || exit 2

results="${RESULTS:-$(mktemp -d "${TMPDIR:-/tmp}/gpu_check-XXXXXX")}"
mkdir -p "$results" || exit 2
results="$(cd "$results" && pwd)"
passed=0 failed=0 skipped=0
failures=()

pass() { passed=$((passed + 1)); echo "gpu_check: passed: $1"; }
skip() { skipped=$((skipped + 1)); echo "gpu_check: skipped: $1"; }
fail() { failed=$((failed + 1)); failures+=("$1"); echo "gpu_check: FAILED: $1"; }

finish() {
  echo
  if ((${#failures[@]} > 0)); then printf 'gpu_check: failed: %s\n' "${failures[@]}"; fi
  echo "gpu_check: $SECONDS s; logs and reports are in $results"
  echo "$passed passed, $failed failed, $skipped skipped"
  ((failed == 0))
}

# number TEXT_BEFORE TEXT_AFTER FILE: the number between the two at a line's start, 0 if there is none.
number() {
  local value
  value="$(sed -n "s/^$1\([0-9][0-9]*\)$2.*/\1/p" "$3" | tail -1)"
  echo "${value:-0}"
}

# run_tests NAME COMMAND...: a run of test_gpu; adds its counts, and its crash as one more failure.
run_tests() {
  local name="$1" log="$results/$1.log" status
  shift
  "$@" 2>&1 | tee "$log" | grep -vE '^\[( RUN      |----------)\]|^$|^Note: '
  status=${PIPESTATUS[0]}
  # Of each case one line; GoogleTest's last lines have the counts.
  local ok bad left
  ok="$(number '\[  PASSED  \] ' ' test' "$log")"
  bad="$(number '\[  FAILED  \] ' ' test' "$log")"
  left="$(number '\[  SKIPPED \] ' ' test' "$log")"
  passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + left))
  while read -r test; do failures+=("$name: $test"); done \
    < <(sed -n 's/^\[  FAILED  \] \([A-Za-z].*\)$/\1/p' "$log" | sed 's/ ([0-9]* ms)$//' | sort -u)
  if ((status != 0 && bad == 0)); then
    fail "$name: ended with code $status and no failed test: a crash, or no test; see $log"
  fi
}

# field NAME FILE: the value of a member of the JSON that tilewright prints, one member a line.
field() { sed -n "s/^ *\"$1\": \(.*[^,]\),\{0,1\}$/\1/p" "$2" | head -1; }

# expect_field NAME VALUE FILE WHAT
expect_field() {
  local found
  found="$(field "$1" "$3")"
  if [[ "$found" == "$2" ]]; then pass "$4: $1 is $2"; else fail "$4: $1 is ${found:-missing}, expected $2; see $3"; fi
}

# ---- The machine ---------------------------------------------------------------------------------
"$tilewright" doctor >"$results/doctor.txt" 2>&1
cat "$results/doctor.txt"
command -v nvidia-smi >/dev/null && nvidia-smi -L
echo
if ! grep -q 'can be run\.$' "$results/doctor.txt" || grep -q 'cannot be run\.$' "$results/doctor.txt"; then
  echo "gpu_check: error: kernels cannot be run here; what is missing is said above" >&2
  skipped="$("$test_gpu" --gtest_list_tests 2>/dev/null | grep -c '^  ')"
  echo "0 passed, 0 failed, $skipped skipped"
  exit 4
fi

# ---- All tests on the card -----------------------------------------------------------------------
if [[ -n "${FILTER:-}" ]]; then
  run_tests test_gpu "$test_gpu" --gtest_filter="$FILTER" --gtest_output="json:$results/test_gpu.json"
  finish
  exit
fi
run_tests test_gpu "$test_gpu" --gtest_output="json:$results/test_gpu.json"

# ---- Memory accesses -----------------------------------------------------------------------------
sanitizer="${SANITIZER:-}"
if [[ -z "$sanitizer" ]]; then
  for place in "$(command -v compute-sanitizer)" "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" \
    /usr/local/cuda/bin/compute-sanitizer /usr/local/cuda/compute-sanitizer/compute-sanitizer; do
    [[ -n "$place" && -x "$place" ]] && { sanitizer="$place"; break; }
  done
fi
if [[ -z "$sanitizer" || "$sanitizer" == no ]]; then
  skip "memcheck: no compute-sanitizer (SANITIZER names it; it comes with the CUDA toolkit)"
else
  run_tests memcheck "$sanitizer" --tool memcheck --report-api-errors no --error-exitcode 99 \
    "$test_gpu" --gtest_filter='*Memcheck.*' --gtest_output="json:$results/memcheck.json"
  errors="$(number '=* *ERROR SUMMARY: ' ' error' "$results/memcheck.log")"
  if ! grep -q 'ERROR SUMMARY' "$results/memcheck.log"; then
    fail "memcheck: compute-sanitizer gave no summary; see $results/memcheck.log"
  elif [[ "$errors" == 0 ]]; then
    pass "memcheck: 0 errors"
  else
    fail "memcheck: $errors errors; see $results/memcheck.log"
  fi
fi

# ---- The command line ----------------------------------------------------------------------------
export TILEWRIGHT_CACHE_DIR="$results/cache"
gemm=(gemm -m 1111 -n 2056 -k 776 --epilogue "bias,gelu,residual" --json)
# command NAME EXPECTED_CODE ARGUMENT...: runs tilewright; its output goes to NAME.json.
command_line() {
  local name="$1" expected="$2" status
  shift 2
  "$tilewright" "$@" >"$results/$name.json" 2>"$results/$name.err"
  status=$?
  if ((status == expected)); then
    pass "$name: tilewright $*"
  else
    fail "$name: tilewright $* exited with $status, expected $expected: $(head -3 "$results/$name.err")"
  fi
}
command_line first_process 0 "${gemm[@]}" --check
expect_field source '"heuristic"' "$results/first_process.json" "first process"
expect_field mlir true "$results/first_process.json" "first process"
expect_field passed true "$results/first_process.json" "first process"
command_line second_process 0 "${gemm[@]}" --check
expect_field source '"disk"' "$results/second_process.json" "second process"
expect_field mlir false "$results/second_process.json" "second process"
expect_field nvrtc_calls 0 "$results/second_process.json" "second process"
expect_field passed true "$results/second_process.json" "second process"
command_line without_compiler 0 "${gemm[@]}" --bench --nvrtc /nowhere/libnvrtc.so
command_line large 0 gemm -m 8192 -n 28672 -k 4096 --check --bench --json
command_line no_rows 0 gemm -m 0 -n 4096 -k 4096 --check --json
command_line no_depth 0 gemm -m 512 -n 512 -k 0 --epilogue bias --check --json
command_line two_launches 0 gemm -m 128 -n 512 -k 16384 --config "bm=64,bn=64,consumers=1,cluster=1x1,stages=4,split=8" --check --json
command_line no_such_device 2 gemm -m 512 -n 512 -k 512 --device 99 --json
rm -rf "$results/cache"

finish
