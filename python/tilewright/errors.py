# SPDX-License-Identifier: Apache-2.0
"""What can go wrong: one class per kind of failure, each a TilewrightError."""
from __future__ import annotations


class TilewrightError(RuntimeError):
    """A call failed. The message says what was expected, what was found and what to do."""

    #: The kind of failure as logs and JSON show it.
    code = "internal"


class InvalidArgumentError(TilewrightError, ValueError):
    """The caller passed something that is wrong in itself."""

    code = "invalid_argument"


class UnsupportedError(TilewrightError, NotImplementedError):
    """The request makes sense, but this version does not do it."""

    code = "unsupported"


class UnavailableError(TilewrightError):
    """Something outside of this library is missing: NVRTC, a driver, a usable device."""

    code = "unavailable"


class NotFoundError(TilewrightError, LookupError):
    """A named thing does not exist."""

    code = "not_found"


class CompileFailedError(TilewrightError):
    """The device compiler refused the generated text, or its result is unusable."""

    code = "compile_failed"


class CheckFailedError(TilewrightError):
    """A result was computed and is wrong by the stated bound."""

    code = "check_failed"


class IoError(TilewrightError, OSError):
    """Reading or writing outside of the process failed."""

    code = "io_error"


class CancelledError(TilewrightError):
    """The caller asked to stop, or a deadline passed."""

    code = "cancelled"


class OutOfMemoryError(TilewrightError, MemoryError):
    """Memory of the device is used up."""

    code = "out_of_memory"


class DeviceFaultError(TilewrightError):
    """A kernel failed on the device: its context is lost, and with it all that lived there."""

    code = "device_fault"


class InternalError(TilewrightError):
    """An invariant of the library does not hold. Always its bug; please report it."""

    code = "internal"


#: The class of each kind.
BY_CODE = {kind.code: kind for kind in TilewrightError.__subclasses__()}
