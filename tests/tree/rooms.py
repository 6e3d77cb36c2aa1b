# SPDX-License-Identifier: Apache-2.0
"""Which room may include what, as a table.

A room is a path prefix; the longest prefix that matches a file is its room. `may` lists path prefixes
inside this repository ("*" is everything), `libraries` the outside headers by prefix. A room may
always include itself. What is not listed is forbidden.
"""
import collections

Room = collections.namedtuple("Room", "may libraries")

STD = "std"  # a header without folder or suffix: <vector>
MLIR = ("mlir/", "llvm/", "llvm-c/", "mlir-c/")
TEXT = ("fmt/", "spdlog/", "nlohmann/", "xxhash.h")
CUDA = ("cuda", "nvrtc", "nvPTX")
POSIX = ("dlfcn.h", "unistd.h", "sys/", "fcntl.h", "dirent.h", "link.h", "spawn.h", "poll.h",
         "signal.h", "errno.h", "elf.h")

# The values of include/ that know no problem; the compiler sees these and no other.
NEUTRAL = ("tilewright/Status.h", "tilewright/DType.h", "tilewright/DeviceInfo.h", "tilewright/Plan.h")
PUBLIC = ("tilewright/",)

ROOMS = {
    "include": Room(PUBLIC, (STD, "stdint.h", "stddef.h")),
    "support": Room(PUBLIC, (STD, *TEXT, *POSIX)),
    "compiler": Room((*NEUTRAL, "compiler/", "support/Version.h"), (STD, *MLIR)),
    "compiler/tile": Room(NEUTRAL, (STD, *MLIR)),
    "compiler/sm90": Room(NEUTRAL, (STD, *MLIR)),
    "compiler/device": Room((), (STD,)),
    "compiler/device/tilewright": Room((), ()),  # NVRTC has no standard headers
    "compiler/device/host": Room(("tilewright/",), (STD,)),  # the same functions, declared for a host compiler
    "compiler/evaluator": Room((*NEUTRAL, "compiler/tile/"), (STD, *MLIR)),
    "compiler/passes": Room((*NEUTRAL, "compiler/tile/", "compiler/sm90/"), (STD, *MLIR)),
    "compiler/mutation": Room(("compiler/sm90/",), (STD, *MLIR)),
    "templates": Room((*PUBLIC, "support/", "compiler/tile/"), (STD, *MLIR)),
    "runtime": Room((*PUBLIC, "support/"), (STD, *TEXT, *POSIX, *CUDA)),
    "runtime/driver": Room((*PUBLIC, "support/"), (STD, *POSIX, "pthread.h")),  # declares what it needs of cuda.h
    "runtime/check": Room((*PUBLIC, "support/", "runtime/driver/", "runtime/nvrtc/"), (STD, *TEXT)),
    "runtime/emulator": Room((*PUBLIC, "support/", "runtime/driver/", "compiler/device/host/tilewright/"),
                             (STD, *TEXT, *POSIX, "boost/context/", "sanitizer/")),
    "runtime/engine": Room(("*",), ("*",)),
    "runtime/capi": Room((*PUBLIC, "support/", "runtime/engine/"), (STD,)),
    "tuner": Room((*PUBLIC, "support/", "templates/*/Space.h"), (STD, *TEXT, *POSIX)),
    "cache": Room((*PUBLIC, "support/"), (STD, *TEXT, *POSIX, "sqlite3.h")),
    "tools": Room(("*",), ("*",)),
    "bench": Room(("*",), ("*",)),
    "tests": Room(("*",), ("*",)),
    "examples": Room(PUBLIC, ("*",)),
}

# Rooms that nothing else may include.
DOORS = ("tools", "bench", "tests", "examples")

# Files that must not reach MLIR, not even through what they include: the tuner includes them.
MLIR_FREE = ("templates/*/Space.h", "templates/*/Space.cpp", "compiler/tile/Layout.h")
