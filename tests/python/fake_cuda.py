# SPDX-License-Identifier: Apache-2.0
"""The fake driver of tests/runtime/driver/fake from Python: memory of its device, and the launches it logs."""
import ctypes

from tilewright import Operand
from tilewright.operands import DTYPE_BYTES


class FakeCuda:
    """One process has one: TW_FAKE_LOG is read when the library is first loaded."""

    def __init__(self, path, log):
        self._library, self._log = ctypes.CDLL(path), log
        context, device = ctypes.c_void_p(), ctypes.c_int()
        self._call("cuInit", ctypes.c_uint(0))
        self._call("cuDeviceGet", ctypes.byref(device), ctypes.c_int(0))
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._context = context

    def _call(self, name, *arguments):
        result = getattr(self._library, name)(*arguments)
        if result:
            raise RuntimeError(f"{name} returned {result}")

    def current_context(self):
        context = ctypes.c_void_p()
        self._call("cuCtxGetCurrent", ctypes.byref(context))
        return context.value

    def allocate(self, size):
        """An address of device memory."""
        address, previous = ctypes.c_uint64(), ctypes.c_void_p()
        self._call("cuCtxPushCurrent_v2", self._context)
        try:
            self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(1, size)))
        finally:
            self._call("cuCtxPopCurrent_v2", ctypes.byref(previous))
        return address.value

    def operands(self, kernel, **shown):
        """An operand for each role of a kernel; `shown` replaces some."""
        found = {}
        for role, slot in kernel.operands.items():
            size = DTYPE_BYTES[slot.dtype]
            for extent in slot.shape:
                size *= extent
            found[role] = Operand(self.allocate(size), slot.dtype, slot.shape)
        return {**found, **shown}

    def launches(self):
        """The names of the kernels that were launched so far."""
        try:
            with open(self._log, encoding="utf-8") as file:
                return [line.split()[1] for line in file if line.startswith("launch")]
        except FileNotFoundError:
            return []
