// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Mutation.h"

#include "compiler/sm90/Sm90Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilewright::mutation {

#define GEN_PASS_DECL
#define GEN_PASS_DEF_SM90MUTATE
#define GEN_PASS_REGISTRATION
#include "compiler/mutation/Passes.h.inc"

namespace {

struct Sm90Mutate : impl::Sm90MutateBase<Sm90Mutate> {
  using Sm90MutateBase::Sm90MutateBase;

  void runOnOperation() override {
    if (failed(mutate(getOperation(), kind, site)))
      signalPassFailure();
  }
};

} // namespace

void registerPasses() { registerMutationPasses(); }

} // namespace tilewright::mutation
