# SPDX-License-Identifier: Apache-2.0
"""Engine and Kernel: requests and launches."""
from __future__ import annotations

import ctypes
import dataclasses
import os
import sys
from types import TracebackType
from typing import Any, Callable, Optional, Sequence, Union

from . import library as c
from .errors import InvalidArgumentError, UnsupportedError
from .gemm import Gemm, integer, parse_epilogue
from .operands import Operand, Slot, check_overlap, dtype_name, is_torch, view

PathLike = Union[str, "os.PathLike[str]"]


def _encoded(text: Optional[PathLike]) -> Optional[bytes]:
    encoded = None if text is None else os.fsencode(text)
    if encoded and b"\0" in encoded:
        raise InvalidArgumentError(f"{text!r} has a zero byte, where C would end it")
    return encoded


def _version(number: int) -> str:
    """"13.0" for 13000, "" for 0."""
    return f"{number // 1000}.{number % 1000 // 10}" if number else ""


@dataclasses.dataclass(frozen=True)
class DeviceInfo:
    """What an engine compiles for. `ordinal` is -1 for a named target."""

    ordinal: int
    name: str
    arch: str
    sm_count: int
    l2_bytes: int
    memory_bytes: int
    #: Bytes per second by the datasheet.
    memory_bandwidth: float
    #: The CUDA version that the driver supports: "13.0".
    driver_version: str


@dataclasses.dataclass(frozen=True)
class KernelInfo:
    """How a request was answered, and what the kernel is."""

    #: "memory", "disk", "heuristic" or "config" (compiled now), "none" (nothing to launch).
    source: str
    config: str
    key: str
    #: What the request did: kernels handed to NVRTC, and whether it made an MLIR context.
    nvrtc_calls: int
    mlir: bool
    request_seconds: float
    compile_seconds: float
    nvrtc_version: str
    launch_count: int
    registers: int
    spill_bytes: int
    shared_bytes: int
    ctas: int


class Engine:
    """Makes kernels for one device.

        engine = tilewright.Engine()
        kernel = engine.gemm(4096, 6144, 4096, epilogue="bias,gelu")
        kernel(a=a, b=b, bias=bias, d=d)

    It may be used by several threads. It and its kernels stay until close() or the end of the process: an
    engine that merely goes out of scope would take its kernels with it while the device still runs them.
    """

    def __init__(self, device: int = 0, *, target: Optional[str] = None, cache_folder: Optional[PathLike] = None,
                 disk_cache: bool = True, nvrtc: Optional[PathLike] = None, driver: Optional[PathLike] = None,
                 log: Optional[Callable[[str, str], None]] = None, log_level: str = "warning",
                 library: Optional[PathLike] = None) -> None:
        """`target` ("h200"): compile for that device without having one. `log` receives (level, message).
        What is None is taken from the environment (docs/env-vars.md), else from the usual places."""
        if log_level not in c.LOG_LEVELS:
            raise InvalidArgumentError(f"'{log_level}' is no log level; use one of {', '.join(c.LOG_LEVELS)}")
        self._library = c.load(None if library is None else os.fspath(library))
        self._kernels: dict[Any, Kernel] = {}
        names = list(c.LOG_LEVELS)

        def forward(_: Any, level: int, message: bytes) -> None:
            log(names[level] if level < len(names) else "trace", message.decode(errors="replace"))  # type: ignore

        self._log = c.LOG_CALLBACK(forward) if log else c.LOG_CALLBACK()
        options = c.EngineOptions(
            device=integer("device", device, 32), flags=0 if disk_cache else c.ENGINE_NO_DISK_CACHE, target=_encoded(target),
            cacheFolder=_encoded(cache_folder), nvrtcLibrary=_encoded(nvrtc), driverLibrary=_encoded(driver),
            log=self._log, logLevel=c.LOG_LEVELS[log_level] if log else 0)
        handle = ctypes.c_void_p()
        self._library.check(self._library.twEngineCreate(options, ctypes.byref(handle)))
        self._handle: Optional[ctypes.c_void_p] = handle
        info = c.DeviceInfo()
        self._library.check(self._library.twEngineDevice(handle, info))
        self.device = DeviceInfo(info.ordinal, info.name.decode(), info.arch.decode(), info.smCount, info.l2Bytes,
                                 info.memoryBytes, info.memoryBandwidth, _version(info.driverVersion))

    @property
    def library_version(self) -> str:
        """Version and build id of the library in use: "0.1.0 (0123456789ab)"."""
        return f"{self._library.version} ({self._library.build_id})"

    @property
    def counters(self) -> dict[str, int]:
        """What the engine has done so far: requests, fromMemory, fromDisk, compiled, nvrtcCalls, mlirContexts."""
        counters = c.EngineCounters()
        self._library.check(self._library.twEngineGetCounters(self._open(), counters))
        return {name: getattr(counters, name) for name, *_ in c.EngineCounters._fields_[1:]}

    def gemm(self, m: int, n: int, k: int, dtype: Any = "bf16", *, a: Any = None, b: Any = None, c_dtype: Any = None,
             d: Any = None, epilogue: Union[str, Sequence[str]] = "", layout: str = "nt", alpha: float = 1.0,
             beta: float = 0.0, batch: int = 1, lda: int = 0, ldb: int = 0, ldc: int = 0, ldd: int = 0,
             config: Optional[str] = None, cached_only: bool = False, deterministic: bool = False,
             batch_invariant: bool = False, pdl: bool = True, sm_cap: int = 0, pointer_alignment: int = 0) -> "Kernel":
        """The kernel of D[M, N] = epilogue(alpha * A.B + beta * C), loaded on the device. It is compiled unless it
        is stored; the same request again is answered at once. Not while a stream is being captured.

        `dtype` is the type of A, B and D; `a`, `b`, `d` change one of them, `c_dtype` is that of C (as D).
        `layout`: first letter A, second B; n is A[M, K], B[K, N], t the transposed storage.
        `epilogue`: ops in order, "bias,gelu,residual"; an operand's type and pitch may follow, "bias:fp32".
        `config`: a schedule, "bm=128,bn=256,stages=4"; None: the library chooses.
        Raises UnsupportedError for what this version does not build."""
        result = dtype_name(d if d is not None else dtype)
        problem = Gemm(m=m, n=n, k=k, a=dtype_name(a if a is not None else dtype),
                       b=dtype_name(b if b is not None else dtype),
                       c=dtype_name(c_dtype) if c_dtype is not None else result, d=result, layout=layout, alpha=alpha,
                       beta=beta, batch=batch, lda=lda, ldb=ldb, ldc=ldc, ldd=ldd, epilogue=parse_epilogue(epilogue))
        flags = (c.REQUEST_DETERMINISTIC * bool(deterministic) | c.REQUEST_BATCH_INVARIANT * bool(batch_invariant) |
                 c.REQUEST_NO_PDL * (not pdl))
        sm_cap = integer("sm_cap", sm_cap, 32)
        pointer_alignment = integer("pointer_alignment", pointer_alignment, 32)
        key = (problem, config, cached_only, flags, sm_cap, pointer_alignment)
        found = self._kernels.get(key)
        if found:
            return found
        options = c.RequestOptions(policy=c.POLICIES["cached_only" if cached_only else "heuristic"], flags=flags,
                                   smCap=sm_cap, pointerAlignment=pointer_alignment, config=_encoded(config))
        handle = ctypes.c_void_p()
        self._library.check(self._library.twEngineRequestGemm(self._open(), problem.to_c(), options,
                                                              ctypes.byref(handle)))
        try:
            kernel = Kernel(self, self._library, handle, problem)
        except BaseException:
            self._library.twKernelRelease(handle)
            raise
        # Another thread may have been first; its kernel may already have been launched.
        kept = self._kernels.setdefault(key, kernel)
        if kept is not kernel:
            kernel._release()
        return kept

    def close(self) -> None:
        """Gives the engine and all its kernels back. Wait for their work first; graphs that captured one of
        them must not be launched any more."""
        if self._handle:
            for kernel in self._kernels.values():
                kernel._release()
            self._kernels.clear()
            self._library.twEngineDestroy(self._handle)
            self._handle = None

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def _open(self) -> ctypes.c_void_p:
        if not self._handle:
            raise InvalidArgumentError("this engine is closed; make another")
        return self._handle


class Kernel:
    """A kernel for one problem: call it with its operands by role. Made by Engine.gemm; any thread may call it."""

    def __init__(self, engine: Engine, library: c.Library, handle: ctypes.c_void_p, problem: Gemm) -> None:
        self._engine, self._library = engine, library
        self._handle: Optional[ctypes.c_void_p] = handle
        self.problem = problem
        self._slots = problem.slots()
        self._check_roles()
        self.info = self._read_info()
        size, alignment = ctypes.c_size_t(), ctypes.c_size_t()
        library.check(library.twKernelWorkspace(handle, ctypes.byref(size), ctypes.byref(alignment)))
        #: Device memory that a launch needs beside its operands, and what its address must be a multiple of.
        self.workspace_bytes, self.workspace_alignment = size.value, alignment.value
        self._device = engine.device.ordinal
        if self._device >= 0:
            library.check(library.twKernelPrepare(handle))

    @property
    def operands(self) -> dict[str, Slot]:
        """What a launch takes, by role: types and shapes as stored."""
        return dict(self._slots)

    def __call__(self, *, stream: Any = None, workspace: Any = None, **operands: Any) -> None:
        """Puts the kernel on `stream` and returns; the result is in `d` when the stream gets there.

        Operands are tensors by role (a, b, d, bias, ...): PyTorch's, or any with DLPack or
        __cuda_array_interface__. Their types, shapes, strides and device are checked. Keep them until the launch
        has run. `stream`: an address, or an object of PyTorch or CuPy; None: PyTorch's current stream if an operand
        is PyTorch's, else the legacy default stream. `workspace`: see workspace_bytes; None: taken from PyTorch's
        allocator if an operand is PyTorch's."""
        if not self._handle:
            raise InvalidArgumentError("this kernel's engine is closed; make another")
        if self._device < 0:
            raise InvalidArgumentError(f"this kernel is built for the target {self._engine.device.name} without a "
                                       "device; make an Engine without target to launch kernels")
        if operands.keys() != self._slots.keys():
            self._explain_roles(operands)
        uses_torch = any(is_torch(value) for value in operands.values())
        address = self._stream(stream, uses_torch)
        views = {role: view(role, operands[role], address) for role in self._slots}
        for role, slot in self._slots.items():
            slot.check(views[role], self._device)
        check_overlap(self._slots, views, "d")
        space, space_bytes, _keep = self._workspace(workspace, uses_torch, address)
        bound = (c.Operand * len(views))()
        for target, (role, operand) in zip(bound, views.items()):
            target.role, target.address = role.encode(), operand.address
        self._library.check(self._library.twKernelRun(self._handle, bound, len(bound), space, space_bytes, address))

    def _explain_roles(self, operands: dict[str, Any]) -> None:
        takes = f"this kernel takes {', '.join(self._slots)}"
        for role in operands:
            if role not in self._slots:
                raise InvalidArgumentError(f"'{role}' is no operand; {takes}")
        missing = [role for role in self._slots if role not in operands]
        raise InvalidArgumentError(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing; {takes}")

    def _stream(self, stream: Any, uses_torch: bool) -> int:
        if stream is None:
            if not uses_torch:
                return 0
            return int(sys.modules["torch"].cuda.current_stream(self._device).cuda_stream)
        for name in ("cuda_stream", "ptr"):  # PyTorch, CuPy
            if hasattr(stream, name):
                return int(getattr(stream, name))
        if hasattr(stream, "__cuda_stream__"):
            return int(stream.__cuda_stream__()[1])
        if isinstance(stream, int) and not isinstance(stream, bool):
            return stream
        raise InvalidArgumentError(f"stream is a {type(stream).__name__}; pass an address (int), or a stream of "
                                   "PyTorch or CuPy")

    def _workspace(self, given: Any, uses_torch: bool, stream: int) -> tuple[int, int, Any]:
        """Address, bytes, and what keeps them alive."""
        if self.workspace_bytes == 0:
            return 0, 0, None
        if given is None:
            if not uses_torch:
                raise InvalidArgumentError(f"this kernel needs a workspace of {self.workspace_bytes} bytes; pass "
                                           "workspace=, device memory at a multiple of "
                                           f"{self.workspace_alignment}")
            torch = sys.modules["torch"]
            # Memory of the very stream that the launch is on may be given back right after it.
            with torch.cuda.stream(self._torch_stream(torch, stream)):
                given = torch.empty(self.workspace_bytes, dtype=torch.uint8, device=f"cuda:{self._device}")
        if isinstance(given, Operand):
            return given.address, given.extent_bytes, given
        if hasattr(given, "data_ptr") and hasattr(given, "element_size"):
            if not given.is_contiguous():
                raise InvalidArgumentError("the workspace is not contiguous; pass plain memory")
            return int(given.data_ptr()), given.numel() * given.element_size(), given
        operand = view("workspace", given, stream)
        return operand.address, operand.extent_bytes, operand

    def _torch_stream(self, torch: Any, stream: int) -> Any:
        current = torch.cuda.current_stream(self._device)
        if current.cuda_stream == stream:
            return current
        return torch.cuda.ExternalStream(stream, device=self._device) if stream else \
            torch.cuda.default_stream(self._device)

    def _check_roles(self) -> None:
        found = {}
        for index in range(self._library.twKernelOperandCount(self._handle)):
            info = c.OperandInfo()
            self._library.check(self._library.twKernelOperand(self._handle, index, info))
            found[info.role.decode()] = info.dtype
        expected = {role: c.DTYPES[slot.dtype] for role, slot in self._slots.items()}
        if found != expected:
            raise UnsupportedError(f"the library's kernel takes the operands {', '.join(found)} and this package knows "
                                   f"{', '.join(expected)}, or their types differ; use the package of that library")

    def _read_info(self) -> KernelInfo:
        info = c.KernelInfo()
        self._library.check(self._library.twKernelGetInfo(self._handle, info))
        return KernelInfo(
            source=info.source.decode(), config=info.config.decode(), key=info.key.decode(),
            nvrtc_calls=info.nvrtcCalls, mlir=bool(info.mlir), request_seconds=info.requestSeconds,
            compile_seconds=info.compileSeconds, nvrtc_version=_version(info.nvrtcVersion),
            launch_count=info.launchCount, registers=info.registers, spill_bytes=info.spillBytes,
            shared_bytes=info.sharedBytes, ctas=info.ctas)

    def _release(self) -> None:
        if self._handle:
            self._library.twKernelRelease(self._handle)
            self._handle = None
