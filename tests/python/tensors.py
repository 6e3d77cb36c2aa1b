# SPDX-License-Identifier: Apache-2.0
"""Tensors of no framework, which speak the protocols that the package accepts."""
import ctypes
import types

from tilewright.operands import DTYPE_BYTES, contiguous

TORCH_NAMES = {"bf16": "torch.bfloat16", "fp16": "torch.float16", "fp32": "torch.float32", "int8": "torch.int8"}


class Named:
    """A dtype: its text is its name."""

    def __init__(self, text):
        self._text = text

    def __str__(self):
        return self._text


class DataPtr:
    """As PyTorch's tensors."""

    def __init__(self, address, dtype, shape, strides=None, device="cuda", index=0, layout="torch.strided"):
        self._address, self.shape, self._strides = address, shape, strides or contiguous(shape)
        self.dtype = Named(TORCH_NAMES.get(dtype, dtype))
        self.device = types.SimpleNamespace(type=device, index=index)
        self.layout = Named(layout)

    def data_ptr(self):
        return self._address

    def stride(self):
        return self._strides


class ArrayInterface:
    """As Numba's arrays."""

    def __init__(self, **fields):
        self.__cuda_array_interface__ = {"version": 3, "strides": None, **fields}


class _DLManagedTensor(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(_DLManagedTensor))
_DLManagedTensor._fields_ = [
    ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
    ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
    ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
    ("byte_offset", ctypes.c_uint64), ("manager_ctx", ctypes.c_void_p), ("deleter", DELETER)]
DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
CODES = {"bf16": (4, 16), "fp16": (2, 16), "fp32": (2, 32), "int8": (0, 8), "fp64": (2, 64)}

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, DESTRUCTOR]


class DLPack:
    """As CuPy's and JAX's arrays. `freed` counts capsules that were destroyed, `streams` what was asked for."""

    def __init__(self, address, dtype, shape, strides=None, device_type=2, device=0, byte_offset=0):
        self._device = (device_type, device)
        self.freed, self.streams = 0, []
        extents = ctypes.c_int64 * len(shape)
        self._shape = extents(*shape)
        self._strides = extents(*strides) if strides else None
        code, bits = CODES[dtype]
        self._tensor = _DLManagedTensor(
            data=address, device_type=device_type, device_id=device, ndim=len(shape), code=code, bits=bits, lanes=1,
            shape=ctypes.cast(self._shape, ctypes.POINTER(ctypes.c_int64)),
            strides=ctypes.cast(self._strides, ctypes.POINTER(ctypes.c_int64)) if strides else None,
            byte_offset=byte_offset)

        def destroy(_):
            self.freed += 1
        self._destroy = DESTRUCTOR(destroy)

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return _new_capsule(ctypes.addressof(self._tensor), b"dltensor", self._destroy)


def bytes_of(dtype, shape):
    size = DTYPE_BYTES[dtype]
    for extent in shape:
        size *= extent
    return size
