// SPDX-License-Identifier: Apache-2.0
// The kernel around the instructions, and what is there for the reader of the text.
#ifndef TILEWRIGHT_COMPILER_SM90_KERNEL_OPS
#define TILEWRIGHT_COMPILER_SM90_KERNEL_OPS

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "compiler/sm90/Sm90OpBase.td"

def Sm90_KernelOp : Sm90_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope]> {
  let summary = "a __global__ function";
  let description = [{
    Prints as `extern "C" __global__ __launch_bounds__(threads, min_ctas) void name(…)`. Parameters are tensor maps,
    pointers and i32, i64, f32 scalars; a parameter's name is its `NameLoc`. `cluster` and `shared_bytes` are facts
    of the launch: they travel along and are not printed. The body is one block.

    ```mlir
    sm90.kernel @gemm(%a: !sm90.tensor_map loc("a_map"), %k: i32 loc("k"))
        attributes {threads = 384 : i32, cluster = array<i32: 2, 1, 1>, shared_bytes = 200704 : i32} {
      sm90.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       I32Attr:$threads, DefaultValuedAttr<I32Attr, "1">:$min_ctas,
                       OptionalAttr<DenseI32ArrayAttr>:$cluster, OptionalAttr<I32Attr>:$shared_bytes,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::TypeRange":$parameters, "int32_t":$threads)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    // FunctionOpInterface
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Sm90_ReturnOp : Sm90_Op<"return", [Pure, HasParent<"KernelOp">, ReturnLike, Terminator]> {
  let summary = "ends a kernel";
  let description = [{
    ```mlir
    sm90.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Sm90_NamedConstantOp : Sm90_Op<"named_constant", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a number that the text shows by its name";
  let description = [{
    Prints as the name wherever it is used; `constexpr int32_t kStages = 4;` stands above the kernel. The same name
    in a `#sm90.const` is the same constant.

    ```mlir
    %stages = sm90.named_constant "kStages" 4 : i32
    ```
  }];
  let arguments = (ins StrAttr:$name, TypedAttrInterface:$value);
  let results = (outs AnyTypeOf<[I32, I64, F32]>:$result);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "int32_t":$value), [{
    build($_builder, $_state, $_builder.getStringAttr(name), $_builder.getI32IntegerAttr(value));
  }]>];
  let assemblyFormat = "$name $value attr-dict";
  let hasVerifier = 1;
}

def Sm90_CommentOp : Sm90_Op<"comment", [Sm90_Ordered<>]> {
  let summary = "a comment in the text";
  let description = [{
    Prints as `// text`, one line per line of it. It stays where it is: between the ops around it.

    ```mlir
    sm90.comment "Prologue: barriers and tensor maps."
    ```
  }];
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_COMPILER_SM90_KERNEL_OPS
