// SPDX-License-Identifier: Apache-2.0
// Scalar f32 functions that the `math` dialect has no op for; `math.*` and `arith.*` cover the others.
#ifndef TILEWRIGHT_COMPILER_SM90_MATH_OPS
#define TILEWRIGHT_COMPILER_SM90_MATH_OPS

include "compiler/sm90/Sm90OpBase.td"

class Sm90_MathOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "math", [Pure]> {
  let arguments = (ins F32:$x);
  let results = (outs F32:$result);
  let assemblyFormat = "$x attr-dict";
}

def Sm90_RcpOp : Sm90_MathOp<"rcp"> {
  let summary = "1/x within 1 ulp";
  let description = [{
    `rcp.approx.ftz.f32`.

    ```mlir
    %y = sm90.rcp %x
    ```
  }];
}

def Sm90_TanhApproxOp : Sm90_MathOp<"tanh_approx"> {
  let summary = "tanh(x), relative error 2^-11: good for 16-bit results";
  let description = [{
    `tanh.approx.f32`.

    ```mlir
    %y = sm90.tanh_approx %x
    ```
  }];
}

#endif // TILEWRIGHT_COMPILER_SM90_MATH_OPS
