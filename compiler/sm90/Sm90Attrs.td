// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_COMPILER_SM90_ATTRS
#define TILEWRIGHT_COMPILER_SM90_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "compiler/sm90/Sm90Dialect.td"

def Sm90_Const : AttrDef<Sm90_Dialect, "Const"> {
  let mnemonic = "const";
  let summary = "a number known when the kernel is built, with or without a name";
  let description = [{
    `<4>` prints as `4` in the text; `<kStages = 4>` prints as `kStages` and defines
    `constexpr int32_t kStages = 4;` above the kernel. One name has one value in a kernel.
  }];
  let parameters = (ins "int64_t":$value, "::mlir::StringAttr":$name);
  let builders = [
    AttrBuilder<(ins "int64_t":$value), [{ return $_get($_ctxt, value, ::mlir::StringAttr()); }]>,
    AttrBuilder<(ins "::llvm::StringRef":$name, "int64_t":$value), [{
      return $_get($_ctxt, value, ::mlir::StringAttr::get($_ctxt, name));
    }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Sm90_CachePolicy : I32EnumAttr<"CachePolicy", "how long L2 should keep what a load brings in", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"evict_first", 1>, I32EnumAttrCase<"evict_last", 2>]> {
  let cppNamespace = "::tilewright::sm90";
  let genSpecializedAttr = 0;
}
def Sm90_CachePolicyAttr : EnumAttr<Sm90_Dialect, Sm90_CachePolicy, "cache">;

#endif // TILEWRIGHT_COMPILER_SM90_ATTRS
