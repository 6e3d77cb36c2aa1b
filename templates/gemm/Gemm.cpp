// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/Gemm.h"

#include "templates/gemm/Arguments.h"
#include "templates/gemm/GemmKernels.h"
#include "templates/gemm/GemmViews.h"

#include "mlir/IR/Verifier.h"

#include <limits>

using namespace mlir;

namespace tilewright {
namespace {

using Parameters = std::vector<TileParameter>;
using tile::Comparison;

// NOTE: counters are i32 and run past the end by up to a tile (a cluster of tiles, all slices).
constexpr int32_t kLargestSize = std::numeric_limits<int32_t>::max() - 8191;

std::string text(int64_t number) { return std::to_string(number); }

/// The signature of the program.
Parameters parametersOf(TileBuilder &builder, const GemmProblem &problem) {
  Parameters parameters;
  for (const GemmArgument &argument : gemmArguments(problem)) {
    Type type = builder.f32();
    if (argument.kind == ArgumentKind::pointer)
      type = builder.pointer(argument.dtype);
    else if (argument.kind != ArgumentKind::f32)
      type = argument.kind == ArgumentKind::i32 ? builder.i32() : builder.i64();
    parameters.push_back({argument.name, type});
  }
  return parameters;
}

/// What the program requires of its arguments.
class Preconditions {
public:
  Preconditions(TileBuilder &builder, const GemmProblem &problem, const TileArguments &arguments)
      : builder_(builder), problem_(problem), arguments_(arguments) {}

  void require(const GemmConfig &config) const {
    for (const char *size : {"m", "n", "k"})
      requireSize(size);
    requireRows("lda", "k", kTmaAlignment, problem_.a, "bulk copies read A");
    requireRows("ldb", "k", kTmaAlignment, problem_.b, "bulk copies read B");
    if (problem_.usesC())
      requireLike("ldc", problem_.pitchC(), problem_.typeC());
    if (config.store == GemmStore::tma && config.split == 1) {
      requireRows("ldd", "n", kTmaAlignment, problem_.d, "bulk copies write D");
      int64_t unit = kTmaAlignment / dtypeBytes(problem_.d);
      builder_.require(arguments_["n"] % unit, Comparison::Eq, 0,
                       "n must be a multiple of " + text(unit) +
                           ", as bulk copies write D in pieces of 16 bytes; use store direct");
    } else {
      requireLike("ldd", problem_.pitchD(), problem_.d);
    }
    for (const EpilogueOp &op : problem_.epilogue.ops())
      if (op.operand() == EpilogueOperand::matrix)
        requireLike("ldr", op.ld != 0 ? op.ld : problem_.n, op.operandType(problem_.d));
  }

private:
  void requireSize(const std::string &name) const {
    builder_.require(arguments_[name], Comparison::Ge, 0, name + " must be 0 or more");
    builder_.require(arguments_[name], Comparison::Le, kLargestSize,
                     name + " must be at most " + text(kLargestSize) + "; split the problem");
  }

  /// Rows of at least `columns` elements that start at multiples of `align` bytes.
  void requireRows(const std::string &pitch, const std::string &columns, int64_t align, DType type,
                   const std::string &reason) const {
    TileValue value = arguments_[pitch];
    builder_.require(value, Comparison::Ge, widen(arguments_[columns]),
                     pitch + " must be at least " + columns + ", the length of a row");
    int64_t unit = align / dtypeBytes(type);
    if (unit > 1)
      builder_.require(value % unit, Comparison::Eq, 0,
                       pitch + " must be a multiple of " + text(unit) + " elements (" +
                           text(align) + " bytes), as " + reason + "; pad the rows");
  }

  /// Rows as far apart as those of the problem, as to their alignment.
  void requireLike(const std::string &pitch, int64_t problemPitch, DType type) const {
    requireRows(pitch, "n", rowAlignment(problemPitch, type), type,
                "the kernel was built for such rows");
  }

  TileBuilder &builder_;
  const GemmProblem &problem_;
  const TileArguments &arguments_;
};

/// CTAs of a persistent grid: a cluster for each `units`, as far as SMs go.
TileValue persistentGrid(TileBuilder &builder, TileValue units, int32_t clusterSize) {
  TileValue resident = builder.smCount().named("sms");
  if (clusterSize == 1)
    return min(units, resident).named("grid");
  TileValue clusters = min(units, (resident / clusterSize).named("resident")).named("clusters");
  return (clusters * clusterSize).named("grid");
}

/// Clusters of tiles that cover D.
TileValue clusterTiles(const GemmConfig &config, TileValue m, TileValue n) {
  TileValue tilesM = ceilDiv(m, config.bm).named("tiles_m");
  TileValue tilesN = ceilDiv(n, config.bn).named("tiles_n");
  if (config.clusterM() > 1)
    tilesM = ceilDiv(tilesM, config.clusterM()).named("pairs_m");
  if (config.clusterN() > 1)
    tilesN = ceilDiv(tilesN, config.clusterN()).named("pairs_n");
  return (tilesM * tilesN).named("units");
}

void buildPlain(const GemmBuild &build, const Parameters &parameters) {
  TileBuilder &builder = build.builder;
  builder.program("gemm", parameters, [&](const TileArguments &arguments) {
    Preconditions(builder, build.problem, arguments).require(build.config);
    TileValue units = clusterTiles(build.config, arguments["m"], arguments["n"]);
    TileValue grid = persistentGrid(builder, units, build.config.clusterSize());
    builder.launch("gemm_kernel", grid, arguments.all());
  });
  buildGemmKernel(build, "gemm_kernel", parameters);
}

/// The parameters of the two kernels of a split: those of the program, shared out, and what the
/// program computes.
struct SplitParameters {
  SplitParameters(TileBuilder &builder, const Parameters &program) {
    const TileParameter partials = {"partials", builder.pointer(DType::fp32)};
    for (const TileParameter &parameter : program) {
      const std::string &name = parameter.name;
      bool isSize = name == "m" || name == "n";
      bool isFactor = name == "a" || name == "b" || name == "lda" || name == "ldb" || name == "k";
      if (isSize || isFactor)
        partial.push_back(parameter);
      if (!isFactor)
        reduce.push_back(parameter);
    }
    const TileParameter pitches[] = {{"lds", builder.i64()}, {"ldp", builder.i64()}};
    for (Parameters *list : {&partial, &reduce}) {
      list->insert(list->begin(), partials);
      list->insert(list->end(), std::begin(pitches), std::end(pitches));
    }
    partial.push_back({"k_slice", builder.i32()});
  }

  Parameters partial;
  Parameters reduce;
};

void buildSplit(const GemmBuild &build, const Parameters &parameters) {
  TileBuilder &builder = build.builder;
  const GemmConfig &config = build.config;
  SplitParameters split(builder, parameters);
  builder.program("gemm", parameters, [&](const TileArguments &arguments) {
    Preconditions(builder, build.problem, arguments).require(config);
    TileValue m = arguments["m"];
    TileValue n = arguments["n"];
    TileValue steps = ceilDiv(arguments["k"], config.bk).named("steps");
    TileValue slice = (ceilDiv(steps, config.split) * config.bk).named("k_slice");
    constexpr int32_t kRowUnit = kTmaAlignment / sizeof(float);
    TileValue pitch = widen(ceilDiv(n, kRowUnit) * kRowUnit).named("ldp");
    TileValue area = (widen(m) * pitch).named("lds");
    TileValue bytes = area * static_cast<int64_t>(config.split * sizeof(float));
    TileValue partials = builder.buffer("partials", bytes, DType::fp32);

    auto launch = [&](llvm::StringRef kernel, TileValue grid, const Parameters &list) {
      TileArguments known = arguments;
      known.add("partials", partials).add("lds", area).add("ldp", pitch).add("k_slice", slice);
      builder.launch(kernel, grid, known.select(list));
    };
    TileValue units = (clusterTiles(config, m, n) * config.split).named("units");
    launch("gemm_partial", persistentGrid(builder, units, config.clusterSize()), split.partial);
    TileValue bands = ceilDiv(m, ReductionTile::rows).named("bands");
    TileValue tiles = (bands * ceilDiv(n, ReductionTile::columns)).named("tiles");
    TileValue resident = builder.smCount() * ReductionTile::ctasPerSm;
    launch("gemm_reduce", min(tiles, resident).named("reduce_grid"), split.reduce);
  });
  buildPartialKernel(build, "gemm_partial", split.partial);
  buildReductionKernel(build, "gemm_reduce", split.reduce);
}

} // namespace

Expected<OwningOpRef<ModuleOp>> buildGemm(MLIRContext &context, const GemmProblem &problem,
                                          const GemmConfig &config, const DeviceInfo &device) {
  if (Status status = problem.validate(); !status.isOk())
    return status;
  if (std::optional<GemmRejection> rejection = checkConfig(problem, device, config))
    return Status::invalidArgument("config " + config.toString() + " breaks the rule '" +
                                   std::string(rejection->rule) + "': " + rejection->text);

  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  TileBuilder builder(*module);
  GemmDerived derived = deriveGemm(problem, device, config);
  GemmBuild build{builder, problem, config, derived};
  Parameters parameters = parametersOf(builder, problem);
  if (config.split == 1)
    buildPlain(build, parameters);
  else
    buildSplit(build, parameters);
  if (failed(verify(*module)))
    return Status::internal("the template of config " + config.toString() +
                            " makes an invalid module; please report it");
  return module;
}

} // namespace tilewright
