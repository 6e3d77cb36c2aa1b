// SPDX-License-Identifier: Apache-2.0
//
// The kernels that get mutated, and the shapes that each is run at.

#pragma once

#include "templates/gemm/Arguments.h"
#include "templates/gemm/Config.h"
#include "tilewright/Problem.h"

#include <string>
#include <vector>

namespace tilewright::mutants {

/// One problem size of a kernel, and how many CTAs may run it: with few there are several tiles for
/// each.
struct Shape {
  std::string name;
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  int32_t sms = 2;
};

/// A kernel for all sizes.
struct Case {
  std::string name;
  /// Without its sizes.
  GemmProblem problem = {};
  GemmConfig config = {};
  /// A tile program instead of a GEMM, from the top of the source tree; empty: the GEMM.
  std::string program = {};

  [[nodiscard]] GemmProblem at(const Shape &shape) const;
  /// What the program is called with. A shape's m and n are the rows of Q and of K.
  [[nodiscard]] std::vector<GemmArgument> arguments(const Shape &shape) const;
  /// In the order in which they are tried:
  ///
  ///   wrap    several tiles per CTA, more than twice as many steps as stages
  ///   ragged  a part of a tile along each axis; a warpgroup, and in a cluster a CTA, without rows
  ///   short   one step for each of many tiles: fewer than stages
  ///   lone    one tile: an alternating warpgroup, or a slice of K, has no work
  ///   empty   K is 0
  [[nodiscard]] std::vector<Shape> shapes() const;
};

/// The kernels: they differ in schedule, cluster, epilogue, element types, store path, waves and
/// slices of K; one has A in registers and B with its other axis contiguous.
const std::vector<Case> &cases();

} // namespace tilewright::mutants
