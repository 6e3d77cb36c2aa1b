// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Mutation.h"

#include "compiler/mutation/Families.h"
#include "compiler/sm90/Sm90Ops.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilewright::mutation {

StringRef faultClassName(FaultClass faultClass) {
  switch (faultClass) {
  case FaultClass::failsOnCard:
    return "fails-on-card";
  case FaultClass::repairedByPtxas:
    return "repaired-by-ptxas";
  case FaultClass::legal:
    break;
  }
  return "legal";
}

const std::vector<const Kind *> &allKinds() {
  static const std::vector<const Kind *> kinds = [] {
    std::vector<const Kind *> all;
    for (ArrayRef<Kind> family :
         {waitKinds(), arrivalKinds(), fenceKinds(), barrierKinds(), turnKinds(), ringKinds(),
          transferKinds(), tensorKinds(), wgmmaKinds(), epilogueKinds(), legalKinds()})
      for (const Kind &kind : family)
        all.push_back(&kind);
    return all;
  }();
  return kinds;
}

const Kind *findKind(StringRef name) {
  auto it = llvm::find_if(allKinds(), [&](const Kind *kind) { return kind->name == name; });
  return it == allKinds().end() ? nullptr : *it;
}

std::vector<Operation *> findSites(const Kind &kind, ModuleOp module) {
  std::vector<Operation *> sites;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<ModuleOp>(op) && kind.isSite(op))
      sites.push_back(op);
  });
  return sites;
}

/// "tma_load 2 of gemm_kernel": the number tells it from its like.
static std::string describe(Operation *site) {
  auto kernel = dyn_cast<sm90::KernelOp>(site);
  if (kernel)
    return kernel.getSymName().str();
  kernel = site->getParentOfType<sm90::KernelOp>();
  if (!kernel)
    return site->getName().getStringRef().str();
  unsigned number = 0;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    number += op->getName() == site->getName();
    return op == site ? WalkResult::interrupt() : WalkResult::advance();
  });
  return site->getName().stripDialect().str() + " " + std::to_string(number) + " of " +
         kernel.getSymName().str();
}

FailureOr<std::string> mutate(ModuleOp module, StringRef name, unsigned site) {
  const Kind *kind = findKind(name);
  if (!kind)
    return module.emitError() << "expected a kind of mutation, found '" << name
                              << "'; `--mutate list` prints them";
  std::vector<Operation *> sites = findSites(*kind, module);
  if (site >= sites.size())
    return module.emitError() << "expected a site of '" << name << "' below " << sites.size()
                              << ", found " << site
                              << (sites.empty() ? "; this kernel has none" : "");
  std::string where = describe(sites[site]);
  kind->apply(sites[site]);
  return where;
}

} // namespace tilewright::mutation
