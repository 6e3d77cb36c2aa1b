#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building and testing needs, and says what it did. Safe to repeat: a second run looks
# and does nothing.
#
#   scripts/setup.sh              packages, and NVRTC if no CUDA toolkit is found
#   scripts/setup.sh --nvrtc12    also an NVRTC 12.4 in build/nvrtc12, for the compatibility tests
#
# Made for Debian 12 with its security suite (root or sudo). Any system with apt where the same
# packages can be had works too, such as Ubuntu with apt.llvm.org: README.md says how.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(
  g++ cmake ninja-build ccache lld
  llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools zlib1g-dev libzstd-dev libxxhash-dev
  libfmt-dev libspdlog-dev libcli11-dev nlohmann-json3-dev libsqlite3-dev libboost-context-dev
  libgtest-dev libbenchmark-dev
  python3 python3-venv
)
# The formatter is a check, not a need: clang-format 14 is what Debian 12 has, elsewhere the check
# is skipped where that version is missing.
optional=(clang-format-14)

say() { echo "setup: $*"; }
die() { echo "setup: error: $*" >&2; exit 1; }

nvrtc12=no
for argument in "$@"; do
  case "$argument" in
    --nvrtc12) nvrtc12=yes ;;
    -h|--help) sed -n '3,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) die "unknown argument '$argument'; expected --nvrtc12 or nothing" ;;
  esac
done

# --- packages ---------------------------------------------------------------------------------

# Prints the packages among the arguments that are not installed.
missing() {
  local installed
  installed=" $(dpkg-query -W -f='${Package}:${db:Status-Status} ' "$@" 2>/dev/null || true)"
  for package in "$@"; do
    [[ "$installed" == *" $package:installed "* ]] || echo "$package"
  done
}

instructions='these packages must come from somewhere. On Debian 12 they are in the main and security
suites. On Ubuntu add the archive of LLVM first:
    wget https://apt.llvm.org/llvm.sh && sudo bash llvm.sh 22
On other systems install their equivalents: LLVM and MLIR 22.1 with static libraries and mlir-tblgen,
lit and FileCheck; fmt, spdlog, CLI11, nlohmann-json, SQLite, Boost.Context, GoogleTest, Google Benchmark; g++ 12 or
newer, CMake 3.25 or newer, Ninja, Python 3. Then configure with CMake alone.'

command -v dpkg-query >/dev/null || die "no dpkg on this system, so $instructions"

mapfile -t wanted < <(missing "${packages[@]}")
as_root=()
if ((${#wanted[@]} > 0)); then
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || die "must install ${wanted[*]}: run this as root, or install sudo"
    as_root=(sudo)
  fi
  say "reading the package lists"
  "${as_root[@]}" apt-get update -qq
  for package in "${wanted[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 || die "no package '$package' here; $instructions"
  done
  for package in $(missing "${optional[@]}"); do
    if apt-cache show "$package" >/dev/null 2>&1; then
      wanted+=("$package")
    else
      say "no package '$package' here: the format check will be skipped"
    fi
  done
  say "installing ${wanted[*]}"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${wanted[@]}" >/dev/null
fi

# --- NVRTC ------------------------------------------------------------------------------------

# install_wheels FOLDER REQUIREMENT...: a Python environment in FOLDER that holds exactly these.
install_wheels() {
  local folder="$1" stamp="$1/tilewright-wheels.txt"
  shift
  if [[ -f "$stamp" && "$(<"$stamp")" == "$*" ]]; then
    return 0
  fi
  # Chained, since "set -e" does not hold inside a function whose failure the caller handles.
  rm -rf "$folder" && python3 -m venv "$folder" &&
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" && echo "$*" >"$stamp"
}

# Prints the folder of an installed CUDA toolkit that has NVRTC.
toolkit() {
  for folder in "${CUDA_HOME:-}" /usr/local/cuda; do
    [[ -n "$folder" ]] || continue
    if compgen -G "$folder/lib64/libnvrtc.so*" >/dev/null ||
       compgen -G "$folder/targets/*/lib/libnvrtc.so*" >/dev/null; then
      echo "$folder"
      return 0
    fi
  done
  return 1
}

if folder="$(toolkit)"; then
  say "NVRTC: the CUDA toolkit in $folder"
else
  wheels=('nvidia-cuda-nvrtc==13.0.*' 'nvidia-cuda-runtime==13.0.*')
  install_wheels build/venv "${wheels[@]}" ||
    die "no CUDA toolkit in CUDA_HOME or /usr/local/cuda, and PyPI gave no ${wheels[*]}"
  say "NVRTC: the wheels in build/venv (activate it, or name the library: tilewright doctor says how)"
fi
if [[ $nvrtc12 == yes ]]; then
  install_wheels build/nvrtc12 'nvidia-cuda-nvrtc-cu12==12.4.*' ||
    die "PyPI gave no nvidia-cuda-nvrtc-cu12==12.4.*, which the compatibility tests use"
  say "NVRTC 12.4 for tests: build/nvrtc12"
fi
say "done"
