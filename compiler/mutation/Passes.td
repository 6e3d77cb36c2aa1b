// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_COMPILER_MUTATION_PASSES
#define TILEWRIGHT_COMPILER_MUTATION_PASSES

include "mlir/Pass/PassBase.td"

def Sm90Mutate : Pass<"sm90-mutate", "::mlir::ModuleOp"> {
  let summary = "puts one fault, or one legal change, into a module of sm90 kernels";
  let description = [{
    `kind` names what (Mutation.h), `site` which of the operations where it applies. The module then is for tests of
    whatever looks for faults. Fails where the kind has no such site.
  }];
  let options = [
    Option<"kind", "kind", "std::string", "", "name of the mutation">,
    Option<"site", "site", "unsigned", "0", "which of its sites, from 0">];
}

#endif // TILEWRIGHT_COMPILER_MUTATION_PASSES
