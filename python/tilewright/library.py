# SPDX-License-Identifier: Apache-2.0
"""libtilewright.so as ctypes sees it: where it is found, and the declarations of tilewright.h.

tests/python/test_abi.py compares the declarations with the header.
"""
from __future__ import annotations

import ctypes
import functools
import glob
import os
from ctypes import POINTER, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Optional

from . import errors

#: TW_VERSION of the header that these declarations are of.
HEADER_VERSION = 100
FILE_NAME = "libtilewright.so"

#: twStatus, by value.
STATUSES = ("ok", "invalid_argument", "unsupported", "unavailable", "not_found", "compile_failed", "check_failed",
            "io_error", "cancelled", "out_of_memory", "device_fault", "internal")
#: twDType, twLayout, twPolicy, twLogLevel and flags, by name.
DTYPES = {"bf16": 1, "fp16": 2, "fp32": 3, "tf32": 4, "e4m3": 5, "e5m2": 6, "int8": 7, "int32": 8}
LAYOUTS = {"nt": 0, "nn": 1, "tn": 2, "tt": 3}
POLICIES = {"heuristic": 0, "cached_only": 1}
LOG_LEVELS = {"off": 0, "error": 1, "warning": 2, "info": 3, "debug": 4, "trace": 5}
ENGINE_NO_DISK_CACHE = 1
REQUEST_DETERMINISTIC, REQUEST_BATCH_INVARIANT, REQUEST_NO_PDL = 1, 2, 4

LOG_CALLBACK = ctypes.CFUNCTYPE(None, c_void_p, c_int32, c_char_p)


class Sized(ctypes.Structure):
    """A struct that begins with structSize, which is filled in."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(structSize=ctypes.sizeof(type(self)), **fields)


class EngineOptions(Sized):
    _fields_ = [("structSize", c_size_t), ("device", c_int32), ("flags", c_uint32), ("target", c_char_p),
                ("cacheFolder", c_char_p), ("nvrtcLibrary", c_char_p), ("driverLibrary", c_char_p),
                ("log", LOG_CALLBACK), ("logContext", c_void_p), ("logLevel", c_int32), ("kernelCapacity", c_int32)]


class DeviceInfo(Sized):
    _fields_ = [("structSize", c_size_t), ("ordinal", c_int32), ("smCount", c_int32), ("name", c_char_p),
                ("arch", c_char_p), ("l2Bytes", c_int64), ("memoryBytes", c_int64), ("memoryBandwidth", c_double),
                ("driverVersion", c_int32)]


class EngineCounters(Sized):
    _fields_ = [("structSize", c_size_t), ("requests", c_uint64), ("fromMemory", c_uint64), ("fromDisk", c_uint64),
                ("compiled", c_uint64), ("nvrtcCalls", c_uint64), ("mlirContexts", c_uint64)]


class EpilogueOp(Sized):
    _fields_ = [("structSize", c_size_t), ("name", c_char_p), ("dtype", c_int32), ("ld", c_int64)]


class GemmProblem(Sized):
    _fields_ = [("structSize", c_size_t), ("m", c_int64), ("n", c_int64), ("k", c_int64), ("a", c_int32),
                ("b", c_int32), ("c", c_int32), ("d", c_int32), ("layout", c_int32), ("alpha", c_float),
                ("beta", c_float), ("batch", c_int64), ("lda", c_int64), ("ldb", c_int64), ("ldc", c_int64),
                ("ldd", c_int64), ("epilogue", POINTER(EpilogueOp)), ("epilogueCount", c_size_t)]


class RequestOptions(Sized):
    _fields_ = [("structSize", c_size_t), ("policy", c_int32), ("flags", c_uint32), ("smCap", c_int32),
                ("accumulate", c_int32), ("pointerAlignment", c_int32), ("config", c_char_p)]


class Operand(ctypes.Structure):
    _fields_ = [("role", c_char_p), ("address", c_void_p)]


class OperandInfo(Sized):
    _fields_ = [("structSize", c_size_t), ("role", c_char_p), ("dtype", c_int32), ("access", c_int32),
                ("alignment", c_int32), ("bytes", c_int64)]


class KernelInfo(Sized):
    _fields_ = [("structSize", c_size_t), ("source", c_char_p), ("config", c_char_p), ("key", c_char_p),
                ("nvrtcCalls", c_int32), ("mlir", c_int32), ("requestSeconds", c_double), ("compileSeconds", c_double),
                ("nvrtcVersion", c_int32), ("launchCount", c_int32), ("registers", c_int32), ("spillBytes", c_int32),
                ("sharedBytes", c_int32), ("ctas", c_int64)]


#: The structs by their names in the header.
STRUCTS = {f"tw{kind.__name__}": kind for kind in (EngineOptions, DeviceInfo, EngineCounters, EpilogueOp, GemmProblem,
                                                    RequestOptions, Operand, OperandInfo, KernelInfo)}

#: Result and arguments of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "twVersion": (c_int32, []),
    "twVersionString": (c_char_p, []),
    "twBuildId": (c_char_p, []),
    "twLastError": (c_char_p, []),
    "twEngineCreate": (c_int32, [POINTER(EngineOptions), POINTER(c_void_p)]),
    "twEngineDestroy": (None, [c_void_p]),
    "twEngineDevice": (c_int32, [c_void_p, POINTER(DeviceInfo)]),
    "twEngineGetCounters": (c_int32, [c_void_p, POINTER(EngineCounters)]),
    "twEngineRequestGemm": (c_int32, [c_void_p, POINTER(GemmProblem), POINTER(RequestOptions), POINTER(c_void_p)]),
    "twKernelRelease": (None, [c_void_p]),
    "twKernelPrepare": (c_int32, [c_void_p]),
    "twKernelWorkspace": (c_int32, [c_void_p, POINTER(c_size_t), POINTER(c_size_t)]),
    "twKernelRun": (c_int32, [c_void_p, POINTER(Operand), c_size_t, c_void_p, c_size_t, c_void_p]),
    "twKernelOperandCount": (c_size_t, [c_void_p]),
    "twKernelOperand": (c_int32, [c_void_p, c_size_t, POINTER(OperandInfo)]),
    "twKernelGetInfo": (c_int32, [c_void_p, POINTER(KernelInfo)]),
}


def candidates() -> list[str]:
    """Where the library is looked for: TILEWRIGHT_LIBRARY alone if that is set, else beside this package,
    else in lib and bin of the build folders of the checkout that this package is in, the newest first."""
    chosen = os.environ.get("TILEWRIGHT_LIBRARY")
    if chosen:
        return [chosen]
    package = os.path.dirname(os.path.abspath(__file__))
    top = os.path.dirname(os.path.dirname(package))
    built = [path for folder in ("lib", "bin")
             for path in glob.glob(os.path.join(glob.escape(top), "build", "*", folder, FILE_NAME))]
    return [os.path.join(package, FILE_NAME), *sorted(built, key=os.path.getmtime, reverse=True)]


class Library:
    """The loaded library; its functions are attributes."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._file = ctypes.CDLL(path)
            for name, (result, arguments) in FUNCTIONS.items():
                function = getattr(self._file, name)
                function.restype, function.argtypes = result, arguments
                setattr(self, name, function)
        except (OSError, AttributeError) as error:
            raise errors.UnavailableError(f"{path} is not a Tilewright library that this package can use: {error}"
                                          ) from None
        version = self.twVersion()
        if version // 100 != HEADER_VERSION // 100 or version < HEADER_VERSION:
            raise errors.UnavailableError(
                f"{path} is Tilewright {self.version}; this package needs {HEADER_VERSION // 10000}."
                f"{HEADER_VERSION // 100 % 100}.{HEADER_VERSION % 100} or a later {HEADER_VERSION // 10000}."
                f"{HEADER_VERSION // 100 % 100}.x")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)  # for type checkers: attributes are set in __init__

    @property
    def version(self) -> str:
        return self.twVersionString().decode()

    @property
    def build_id(self) -> str:
        return self.twBuildId().decode()

    def check(self, status: int) -> None:
        """Raises the error of a status that is not TW_OK, with the message of the library."""
        if status == 0:
            return
        message = self.twLastError().decode(errors="replace")
        code = STATUSES[status] if 0 <= status < len(STATUSES) else ""
        kind = errors.BY_CODE.get(code, errors.TilewrightError)
        raise kind(message or f"status {status}, without a message")


@functools.lru_cache(maxsize=None)
def _load(path: str) -> Library:
    return Library(path)


def load(path: Optional[str] = None) -> Library:
    """The library at `path`, or the first of candidates() that exists. Loaded once per process."""
    places = [path] if path else candidates()
    for place in places:
        if os.path.exists(place):
            return _load(os.path.realpath(place))
    raise errors.UnavailableError(f"no Tilewright library: expected {', '.join(places)}, or {FILE_NAME} in build/*/lib "
                                  "of the checkout; build it, or set TILEWRIGHT_LIBRARY to its path")
