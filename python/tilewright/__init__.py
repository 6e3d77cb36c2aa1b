# SPDX-License-Identifier: Apache-2.0
"""Tilewright from Python: GEMM kernels made for their problem, launched on tensors of any framework.

    import tilewright, torch

    engine = tilewright.Engine()
    kernel = engine.gemm(4096, 6144, 4096, "bf16", epilogue="bias,gelu")
    d = torch.empty(4096, 6144, dtype=torch.bfloat16, device="cuda")
    kernel(a=a, b=weight, bias=bias, d=d)      # a[4096, 4096], weight[6144, 4096], on the current stream

The package needs libtilewright.so and nothing else. It is looked for at TILEWRIGHT_LIBRARY, else beside this
package, else in build/*/lib and build/*/bin of the checkout. Failures are TilewrightErrors.
"""
from .engine import DeviceInfo, Engine, Kernel, KernelInfo
from .errors import (CancelledError, CheckFailedError, CompileFailedError, DeviceFaultError, InternalError,
                     InvalidArgumentError, IoError, NotFoundError, OutOfMemoryError, TilewrightError,
                     UnavailableError, UnsupportedError)
from .gemm import EpilogueOp, Gemm
from .operands import Operand, Slot

__all__ = ["CancelledError", "CheckFailedError", "CompileFailedError", "DeviceFaultError", "DeviceInfo", "Engine",
           "EpilogueOp", "Gemm", "InternalError", "InvalidArgumentError", "IoError", "Kernel", "KernelInfo",
           "NotFoundError", "Operand", "OutOfMemoryError", "Slot", "TilewrightError", "UnavailableError",
           "UnsupportedError"]
