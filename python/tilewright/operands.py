# SPDX-License-Identifier: Apache-2.0
"""Operands: what the tensors of any framework have in common, and whether they are what a kernel takes.

Accepted, in this order: an Operand; anything with data_ptr(), dtype, shape and stride() (PyTorch);
anything with __dlpack__ (CuPy, JAX, ...); anything with __cuda_array_interface__ (Numba, ...). A mismatch
raises InvalidArgumentError before anything is launched.
"""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Optional

from .errors import InvalidArgumentError, UnsupportedError

#: Bytes of one element in memory, by the name that flags and suites use.
DTYPE_BYTES = {"bf16": 2, "fp16": 2, "fp32": 4, "tf32": 4, "e4m3": 1, "e5m2": 1, "int8": 1, "int32": 4}

_BY_FRAMEWORK_NAME = {
    "bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32",
    "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2", "int8": "int8", "int32": "int32", "int": "int32",
}
_BY_TYPESTR = {"f2": "fp16", "f4": "fp32", "i1": "int8", "i4": "int32"}
#: (code, bits) of DLPack's DLDataType.
_BY_DLPACK = {(4, 16): "bf16", (2, 16): "fp16", (2, 32): "fp32", (10, 8): "e4m3", (12, 8): "e5m2",
              (0, 8): "int8", (0, 32): "int32"}
_DLPACK_CUDA = (2, 13)  # kDLCUDA, kDLCUDAManaged


def dtype_name(dtype: Any) -> str:
    """The name of an element type: "bf16" for "bf16", "bfloat16" or torch.bfloat16."""
    text = str(dtype).rpartition(".")[2]
    name = text if text in DTYPE_BYTES else _BY_FRAMEWORK_NAME.get(text)
    if name is None:
        raise InvalidArgumentError(f"'{dtype}' is no element type; use one of {', '.join(DTYPE_BYTES)}")
    return name


def contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides in elements of a tensor without gaps, row-major."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


@dataclasses.dataclass(frozen=True)
class Operand:
    """Memory of a device, seen as a tensor. Make one to pass an address that no framework knows:

        Operand(address, "bf16", (m, k))
    """

    address: int
    dtype: str
    shape: tuple[int, ...]
    #: In elements; (): row-major without gaps.
    strides: tuple[int, ...] = ()
    #: CUDA's ordinal of the device; None: not known, the driver looks at the address.
    device: Optional[int] = None
    is_readonly: bool = False
    #: Whether PyTorch made it: its current stream is then the default.
    is_torch: bool = False
    #: Keeps the memory alive.
    owner: Any = dataclasses.field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not hasattr(self.address, "__index__") or not 0 <= self.address < 1 << 64:
            raise InvalidArgumentError(f"{self.address!r} is no address; pass an integer of 64 bits, without a sign")
        object.__setattr__(self, "dtype", dtype_name(self.dtype))
        object.__setattr__(self, "shape", tuple(int(extent) for extent in self.shape))
        object.__setattr__(self, "strides", tuple(self.strides) or contiguous(self.shape))
        if len(self.strides) != len(self.shape):
            raise InvalidArgumentError(f"an operand of shape {self.shape} has strides {self.strides}; "
                                       "pass one stride for each extent")

    @property
    def is_empty(self) -> bool:
        return 0 in self.shape

    @property
    def row_bytes(self) -> int:
        """Of a matrix whose rows are contiguous and do not reach into each other: bytes of a row; else 0."""
        if len(self.shape) != 2 or self.strides[1] != 1 or self.strides[0] < self.shape[1]:
            return 0
        return self.shape[1] * DTYPE_BYTES[self.dtype]

    @property
    def extent_bytes(self) -> int:
        """From the first byte to past the last."""
        if self.is_empty:
            return 0
        last = sum((extent - 1) * stride for extent, stride in zip(self.shape, self.strides))
        return (last + 1) * DTYPE_BYTES[self.dtype]


def is_torch(value: Any) -> bool:
    """Whether `value` is a tensor of PyTorch, which is not imported for that."""
    return any(kind.__module__.partition(".")[0] == "torch" for kind in type(value).__mro__)


def view(role: str, value: Any, stream: Optional[int] = None) -> Operand:
    """`value` as an Operand. Producers that order their work by streams (DLPack) are asked to have it
    ready on `stream`. Keep the result until the launch has been made."""
    if isinstance(value, Operand):
        return value
    if value is None:
        raise InvalidArgumentError(f"{role} is None; pass a tensor in device memory")
    if hasattr(value, "data_ptr"):
        return _view_data_ptr(role, value)
    if hasattr(value, "__dlpack__"):
        return _view_dlpack(role, value, stream)
    if hasattr(value, "__cuda_array_interface__"):
        return _view_array_interface(role, value, stream)
    raise InvalidArgumentError(f"{role} is a {type(value).__name__}; pass something with data_ptr(), __dlpack__ "
                               "or __cuda_array_interface__, or a tilewright.Operand")


# --- data_ptr -----------------------------------------------------------------------------------

def _view_data_ptr(role: str, value: Any) -> Operand:
    device = getattr(value, "device", None)
    kind = getattr(device, "type", "cuda")
    if kind != "cuda":
        raise InvalidArgumentError(f"{role} is on device '{device}'; move it to the GPU first")
    layout = str(getattr(value, "layout", "torch.strided"))
    if layout != "torch.strided":
        raise InvalidArgumentError(f"{role} has layout {layout}; pass a strided (dense) tensor")
    stride = value.stride() if callable(getattr(value, "stride", None)) else ()
    return Operand(address=int(value.data_ptr()), dtype=_known_dtype(role, value.dtype), shape=tuple(value.shape),
                   strides=tuple(stride), device=getattr(device, "index", None),
                   is_torch=is_torch(value), owner=value)


def _known_dtype(role: str, dtype: Any) -> str:
    try:
        return dtype_name(dtype)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{role}: {error}") from None


# --- DLPack -------------------------------------------------------------------------------------

class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _view_dlpack(role: str, value: Any, stream: Optional[int]) -> Operand:
    kind, ordinal = (int(part) for part in value.__dlpack_device__())
    if kind not in _DLPACK_CUDA:
        raise InvalidArgumentError(f"{role} is on a device of DLPack's type {kind}; move it to the GPU (type 2) first")
    # DLPack writes CUDA's legacy default stream as 1; 0 is not allowed.
    capsule = value.__dlpack__(stream=stream or 1)
    # NOTE: the capsule is not renamed, so it stays the owner: its destructor frees what it holds.
    tensor = ctypes.cast(_capsule_pointer(capsule, b"dltensor"), ctypes.POINTER(_DLTensor)).contents
    dtype = _BY_DLPACK.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    if dtype is None:
        raise InvalidArgumentError(f"{role} has DLPack's element type (code {tensor.code}, {tensor.bits} bits, "
                                   f"{tensor.lanes} lanes); use one of {', '.join(DTYPE_BYTES)}")
    shape = tuple(tensor.shape[: tensor.ndim]) if tensor.ndim else ()
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.ndim and tensor.strides else ()
    return Operand(address=(tensor.data or 0) + tensor.byte_offset, dtype=dtype, shape=shape, strides=strides,
                   device=ordinal, owner=capsule)


# --- __cuda_array_interface__ -------------------------------------------------------------------

def _view_array_interface(role: str, value: Any, stream: Optional[int]) -> Operand:
    fields = value.__cuda_array_interface__
    typestr = fields["typestr"]
    dtype = _BY_TYPESTR.get(typestr.lstrip("<|="))
    if dtype is None:
        raise InvalidArgumentError(f"{role} has the element type '{typestr}'; __cuda_array_interface__ can say fp16 "
                                   "(<f2), fp32 (<f4), int8 (|i1) and int32 (<i4): use DLPack or a "
                                   "tilewright.Operand for others")
    # The producer's work may still be running on its stream; 1 is the legacy default one.
    theirs = fields.get("stream")
    if theirs is not None and theirs != (stream or 1):
        raise UnsupportedError(f"{role} is made on stream {theirs:#x} and the launch is on {stream or 1:#x}; pass "
                               f"stream={theirs:#x}, or synchronise and pass a tilewright.Operand")
    address, is_readonly = fields["data"]
    shape = tuple(fields["shape"])
    size = DTYPE_BYTES[dtype]
    steps = fields.get("strides") or ()
    if any(step % size for step in steps):
        raise InvalidArgumentError(f"{role} has strides of {steps} bytes; elements of {dtype} are {size} bytes")
    strides = tuple(step // size for step in steps)
    return Operand(address=address or 0, dtype=dtype, shape=shape, strides=strides, is_readonly=bool(is_readonly),
                   owner=value)


# --- what a kernel takes ------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Slot:
    """What a kernel takes for one role: a matrix of rows `pitch` elements apart, or a vector."""

    role: str
    dtype: str
    shape: tuple[int, ...]
    #: None: a vector.
    pitch: Optional[int] = None
    #: How a request says another pitch: "lda={}".
    pitch_hint: str = ""
    is_written: bool = False
    #: Whether D may be in the same place, element by element.
    may_be_result: bool = False

    @property
    def is_empty(self) -> bool:
        return 0 in self.shape

    def check(self, operand: Operand, device: int) -> None:
        """Raises InvalidArgumentError if `operand` is not what the kernel takes."""
        if operand.dtype != self._stored_dtype():
            raise InvalidArgumentError(f"{self.role} is {operand.dtype}; this kernel takes {self._stored_dtype()}: "
                                       "convert it, or request a kernel of that type")
        if operand.device is not None and operand.device != device:
            raise InvalidArgumentError(f"{self.role} is on device {operand.device}; this kernel's engine is on "
                                       f"device {device}: move it, or make an Engine({operand.device})")
        if self.is_written and operand.is_readonly:
            raise InvalidArgumentError(f"{self.role} is read-only; the kernel writes it")
        if self.pitch is None:
            self._check_vector(operand)
        else:
            self._check_matrix(operand)
        if not self.is_empty and operand.address == 0:
            raise InvalidArgumentError(f"{self.role} has the address 0; pass allocated memory")

    def _stored_dtype(self) -> str:
        return "fp32" if self.dtype == "tf32" else self.dtype

    def _check_vector(self, operand: Operand) -> None:
        (length,) = self.shape
        if operand.shape not in ((length,), (1, length), (length, 1)):
            raise InvalidArgumentError(f"{self.role} has shape {operand.shape}; this kernel takes ({length},)")
        steps = [stride for extent, stride in zip(operand.shape, operand.strides) if extent != 1]
        if length > 1 and steps != [1]:
            raise InvalidArgumentError(f"{self.role} has {steps[0]} elements from one value to the next; "
                                       "make it contiguous")

    def _check_matrix(self, operand: Operand) -> None:
        rows, columns = self.shape
        if operand.shape != self.shape:
            turned = ", a transposed one: pass it as it is stored" if operand.shape == (columns, rows) else ""
            raise InvalidArgumentError(f"{self.role} has shape {operand.shape}{turned}; this kernel takes {self.shape}")
        if self.is_empty:
            return
        if columns > 1 and operand.strides[1] != 1:
            raise InvalidArgumentError(f"{self.role} has {operand.strides[1]} elements from one column to the next; "
                                       "rows must be contiguous: pass it as it is stored, or make it contiguous")
        if rows > 1 and operand.strides[0] != self.pitch:
            raise InvalidArgumentError(f"{self.role} has {operand.strides[0]} elements from one row to the next; this "
                                       f"kernel takes {self.pitch}: request it with "
                                       f"{self.pitch_hint.format(operand.strides[0])}, or make it contiguous")


def _between_rows(one: Operand, other: Operand) -> bool:
    """Whether two matrices are different columns of one: rows equally far apart, none of which meet."""
    pitch = one.strides[0] * DTYPE_BYTES[one.dtype] if one.row_bytes else 0
    if not pitch or not other.row_bytes or other.strides[0] * DTYPE_BYTES[other.dtype] != pitch:
        return False
    offset = (other.address - one.address) % pitch
    return one.row_bytes <= offset and offset + other.row_bytes <= pitch


def check_overlap(slots: dict[str, Slot], operands: dict[str, Operand], result: str) -> None:
    """Raises InvalidArgumentError if the result shares memory with an operand that is still read when the
    result is written."""
    d = operands[result]
    for role, operand in operands.items():
        if role == result or d.is_empty or operand.is_empty:
            continue
        apart = (operand.address + operand.extent_bytes <= d.address or
                 d.address + d.extent_bytes <= operand.address)
        is_same = (slots[role].may_be_result and operand.address == d.address and operand.dtype == d.dtype and
                   operand.strides == d.strides and operand.shape == d.shape)
        if not apart and not is_same and not _between_rows(d, operand):
            raise InvalidArgumentError(f"{result} overlaps {role} in memory; give the result memory of its own")
