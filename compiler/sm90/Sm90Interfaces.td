// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_COMPILER_SM90_INTERFACES
#define TILEWRIGHT_COMPILER_SM90_INTERFACES

include "mlir/IR/OpBase.td"

def DeviceCallOpInterface : OpInterface<"DeviceCallOpInterface"> {
  let cppNamespace = "::tilewright::sm90";
  let description = [{
    An op that is a call of one function of the device library: its operands, in order, are the arguments and its
    result, if any, is the value returned. `sm90-to-emitc` lowers all of them by one pattern and collects the headers.
  }];
  let methods = [
    InterfaceMethod<"The function, qualified: `tw::tma_load`.", "::llvm::StringRef", "getDeviceFunction">,
    InterfaceMethod<"The header to include for it: `tilewright/tma.cuh`.", "std::string", "getDeviceHeader">,
    InterfaceMethod<[{
        The template arguments: `#sm90.const`, integer, bool, type or string attributes (strings are text, such as
        `tw::cache::evict_first`). Trailing arguments that equal the function's defaults are left out.
      }], "::mlir::ArrayAttr", "getDeviceTemplateArgs">,
    InterfaceMethod<"What to call the result in the text if nobody named it; empty: no idea.",
                    "::llvm::StringRef", "getResultHint">];
}

#endif // TILEWRIGHT_COMPILER_SM90_INTERFACES
