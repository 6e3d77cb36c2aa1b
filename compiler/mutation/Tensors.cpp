// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static constexpr StringLiteral kParameters = "parameters";

/// A map's site is its prefetch: there is one for each.
static bool isMap(Operation *op) { return isa<sm90::PrefetchTensormapOp>(op); }

static unsigned indexOf(Operation *op) {
  return cast<BlockArgument>(cast<sm90::PrefetchTensormapOp>(op).getMap()).getArgNumber();
}

static DictionaryAttr recipeOf(Operation *op) {
  auto parameters = kernelOf(op)->getAttrOfType<ArrayAttr>(kParameters);
  return parameters && indexOf(op) < parameters.size()
             ? dyn_cast<DictionaryAttr>(parameters[indexOf(op)])
             : DictionaryAttr();
}

/// Changes one entry of a map's recipe, which the host follows.
static void setEntry(Operation *op, StringRef key, Attribute value) {
  NamedAttrList entries(recipeOf(op));
  entries.set(key, value);
  auto parameters = kernelOf(op)->getAttrOfType<ArrayAttr>(kParameters);
  SmallVector<Attribute> all(parameters.getValue());
  all[indexOf(op)] = entries.getDictionary(op->getContext());
  kernelOf(op)->setAttr(kParameters, ArrayAttr::get(op->getContext(), all));
}

template <class AttrType>
static AttrType entry(Operation *op, StringRef key) {
  DictionaryAttr recipe = recipeOf(op);
  return recipe ? recipe.getAs<AttrType>(key) : AttrType();
}

static bool hasEntries(Operation *op) {
  return isMap(op) && entry<DenseI64ArrayAttr>(op, "box") && entry<ArrayAttr>(op, "dims") &&
         entry<ArrayAttr>(op, "strides") && entry<IntegerAttr>(op, "swizzle");
}

/// Adds to an expression of an array of them.
static void addTo(Operation *op, StringRef key, size_t index, int64_t by) {
  Builder builder(op->getContext());
  SmallVector<Attribute> all(entry<ArrayAttr>(op, key).getValue());
  all[index] = builder.getArrayAttr(
      {builder.getStringAttr("add"), all[index], builder.getI64IntegerAttr(by)});
  setEntry(op, key, builder.getArrayAttr(all));
}

static void setSwizzle(Operation *op, int64_t mode) {
  setEntry(op, "swizzle", Builder(op->getContext()).getI64IntegerAttr(mode));
}

static bool isSwizzled(Operation *op) {
  return hasEntries(op) && entry<IntegerAttr>(op, "swizzle").getInt() == 128;
}

static const Kind kKinds[] = {
    {"map-unswizzled", FaultClass::failsOnCard,
     "A tensor map is encoded without the swizzle that the kernel counts on.",
     "Every row but the first of eight is permuted.", "output tensor-map", isSwizzled,
     [](Operation *op) { setSwizzle(op, 0); }},
    // CUDA driver API, cuTensorMapEncodeTiled: the inner box may not be longer than the swizzle.
    {"map-swizzle-too-narrow", FaultClass::failsOnCard,
     "A tensor map is encoded with a swizzle of 64 bytes for rows of 128.",
     "The driver refuses it.", "tensor-map", isSwizzled, [](Operation *op) { setSwizzle(op, 64); }},
    {"map-box-short", FaultClass::failsOnCard, "A tensor map's box has half the rows.",
     "Loads bring fewer bytes than announced.", "deadlock output uninitialised-read", hasEntries,
     [](Operation *op) {
       SmallVector<int64_t> box(entry<DenseI64ArrayAttr>(op, "box").asArrayRef());
       box[1] /= 2;
       setEntry(op, "box", DenseI64ArrayAttr::get(op->getContext(), box));
     }},
    // flash-attention PR 2497: whole boxes at the end of a tensor, with nothing to clip them.
    {"map-rows-too-many", FaultClass::failsOnCard,
     "A tensor map says that the matrix has 64 rows more than it has.",
     "Nothing clips the last boxes: they go past the end of the memory.",
     "global-out-of-bounds output", hasEntries, [](Operation *op) { addTo(op, "dims", 1, 64); }},
    {"map-columns-too-few", FaultClass::failsOnCard,
     "A tensor map says that the rows are 8 elements shorter than they are.",
     "The last columns are taken for zeros, or are not stored.", "output tensor-map", hasEntries,
     [](Operation *op) { addTo(op, "dims", 0, -8); }},
    {"map-stride-off", FaultClass::failsOnCard,
     "A tensor map's rows lie 16 bytes further apart than the matrix's.",
     "Each row begins later than it should; the last ones past the end.",
     "output global-out-of-bounds global-race", hasEntries,
     [](Operation *op) { addTo(op, "strides", 0, 16); }},
    // CUDA driver API, cuTensorMapEncodeTiled: strides are multiples of 16 bytes.
    {"map-stride-unaligned", FaultClass::failsOnCard,
     "A tensor map's stride is no multiple of 16 bytes.", "The driver refuses it.", "tensor-map",
     hasEntries, [](Operation *op) { addTo(op, "strides", 0, 2); }},
    {"shared-bytes-short", FaultClass::failsOnCard,
     "The launch gives 2048 bytes of shared memory fewer than the kernel uses.",
     "The barriers, which lie last, are outside.", "shared-out-of-bounds",
     [](Operation *op) {
       auto kernel = dyn_cast<sm90::KernelOp>(op);
       return kernel && kernel.getSharedBytes().value_or(0) > 2048;
     },
     [](Operation *op) {
       auto kernel = cast<sm90::KernelOp>(op);
       kernel.setSharedBytes(*kernel.getSharedBytes() - 2048);
     }},
    {"threads-short", FaultClass::failsOnCard,
     "The launch has one warpgroup fewer than the kernel has roles for.",
     "Its releases never come, or its part of the result.",
     "deadlock output register-budget count-mismatch pending-at-exit barrier-count",
     [](Operation *op) {
       auto kernel = dyn_cast<sm90::KernelOp>(op);
       return kernel && kernel.getThreads() >= 256 && holds<sm90::WgmmaCommitOp>(op);
     },
     [](Operation *op) {
       auto kernel = cast<sm90::KernelOp>(op);
       kernel.setThreads(kernel.getThreads() - 128);
     }},
    {"cluster-not-launched", FaultClass::failsOnCard,
     "The launch has no cluster, the kernel is for one.",
     "A peer that does not exist; halves of tiles that nobody loads.",
     "launch cluster-exit shared-out-of-bounds deadlock output coordinates barrier-count",
     [](Operation *op) { return isa<sm90::KernelOp>(op) && clusterSize(op) > 1; },
     [](Operation *op) { cast<sm90::KernelOp>(op).removeClusterAttr(); }},
};

ArrayRef<Kind> tensorKinds() { return kKinds; }

} // namespace tilewright::mutation
