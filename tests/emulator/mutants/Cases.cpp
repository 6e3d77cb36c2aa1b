// SPDX-License-Identifier: Apache-2.0

#include "tests/emulator/mutants/Cases.h"

namespace tilewright::mutants {

GemmProblem Case::at(const Shape &shape) const {
  GemmProblem sized = problem;
  sized.m = shape.m;
  sized.n = shape.n;
  sized.k = shape.k;
  return sized;
}

/// Of Inputs/chain.mlir.
static std::vector<GemmArgument> chainArguments(int64_t queries, int64_t keys) {
  constexpr int64_t kRow = 128;
  std::vector<GemmArgument> arguments;
  auto pointer = [&](std::string name, int64_t elements, Access access) {
    GemmArgument argument;
    argument.name = std::move(name);
    argument.access = access;
    argument.elements = elements;
    arguments.push_back(std::move(argument));
  };
  pointer("q", queries * kRow, Access::read);
  pointer("k", keys * kRow, Access::read);
  pointer("v", keys * kRow, Access::read);
  pointer("o", queries * kRow, Access::write);
  for (int64_t value : {queries, keys}) {
    GemmArgument &argument = arguments.emplace_back();
    argument.kind = ArgumentKind::i32;
    argument.integer = value;
  }
  GemmArgument &scale = arguments.emplace_back();
  scale.kind = ArgumentKind::f32;
  scale.number = 0.125F;
  return arguments;
}

std::vector<GemmArgument> Case::arguments(const Shape &shape) const {
  return program.empty() ? gemmArguments(at(shape)) : chainArguments(shape.m, shape.n);
}

std::vector<Shape> Case::shapes() const {
  if (!program.empty())
    return {{"wrap", 512, 768},
            {"ragged", 136, 200},
            {"short", 640, 64},
            {"lone", 64, 128},
            {"empty", 128, 0}};
  const int64_t bm = int64_t{config.bm} * config.clusterM();
  const int64_t bn = int64_t{config.bn} * config.clusterN();
  const int64_t bk = config.bk;
  const int64_t wrap = (2 * config.stages + 1) * bk * config.split;
  return {
      {"wrap", 2 * bm, 2 * bn, wrap}, {"ragged", bm + 21, bn + 8, 2 * bk + 24},
      {"short", 4 * bm, 3 * bn, bk},  {"lone", config.bm, config.bn, 2 * bk},
      {"empty", bm, bn, 0},
  };
}

static GemmConfig configOf(const std::string &text) {
  GemmConfig base;
  base.split = 1;
  base.group = 1;
  base.cluster = GemmCluster::c1x1;
  base.schedule = GemmSchedule::cooperative;
  base.store = GemmStore::tma;
  Expected<GemmConfig> config = GemmConfig::parse(text, base);
  return config ? *config : GemmConfig();
}

const std::vector<Case> &cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> made;
    auto add = [&](std::string name, const std::string &config) -> GemmProblem & {
      made.push_back({std::move(name), {}, configOf(config)});
      return made.back().problem;
    };
    add("shared-tile", "bm=128,bn=64,consumers=2,stages=3").epilogue.bias().gelu();
    add("one-consumer", "bm=64,bn=64,consumers=1,stages=3");
    add("alternating", "bm=64,bn=128,consumers=2,stages=4,schedule=pingpong")
        .epilogue.bias()
        .relu();
    add("cluster-along-m", "bm=128,bn=64,consumers=2,stages=4,cluster=2x1");
    GemmProblem &halves = add("cluster-along-n", "bm=64,bn=128,consumers=1,stages=3,cluster=1x2");
    halves.a = halves.b = halves.d = DType::fp16;
    add("alternating-cluster", "bm=64,bn=64,consumers=2,stages=3,cluster=2x1,schedule=pingpong");
    add("direct-store", "bm=128,bn=64,consumers=2,stages=3,store=direct")
        .epilogue.bias()
        .residual();
    add("slices", "bm=64,bn=64,consumers=1,stages=3,split=2").epilogue.bias();
    add("slices-in-cluster", "bm=128,bn=64,consumers=2,stages=3,split=2,cluster=1x2");
    GemmProblem &waves = add("two-waves", "bm=128,bn=64,consumers=1,stages=3");
    waves.d = DType::fp32;
    waves.beta = 0.5F;
    made.push_back({.name = "chain", .program = "tests/emulator/mutants/Inputs/chain.mlir"});
    return made;
  }();
  return all;
}

} // namespace tilewright::mutants
