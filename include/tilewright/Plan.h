// SPDX-License-Identifier: Apache-2.0
//
// Plan: what the compiler hands over: kernels as text, and how to launch them as a function of
// the run-time arguments. Data only: it is stored beside its cubins, read back without MLIR and
// launched without the compiler. Text form: support/PlanText.h; consistency:
// support/PlanCheck.h. Plain values; safe to share between threads once built.

#pragma once

#include "tilewright/DType.h"
#include "tilewright/Expr.h"

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tilewright {

/// Registers that one role of a kernel asks for by setmaxnreg. A hint: for reports and checks.
struct RegisterHint {
  std::string role = {};
  int32_t registers = 0;
  friend bool operator==(const RegisterHint &, const RegisterHint &) = default;
};

/// One kernel: CUDA text and the launch facts that the text was written for.
struct PlanKernel {
  /// CUDA C++ for NVRTC.
  std::string text = {};
  /// Name of the extern "C" __global__ function.
  std::string entry = {};
  /// Device library headers that the text includes: "tilewright/tma.cuh".
  std::vector<std::string> headers = {};
  /// Threads of one CTA.
  int32_t threads = 0;
  /// CTAs of one cluster along x, y, z.
  std::array<int32_t, 3> cluster = {1, 1, 1};
  /// Dynamic shared memory of one CTA, bytes.
  int32_t sharedBytes = 0;
  std::vector<RegisterHint> registerHints = {};
  friend bool operator==(const PlanKernel &, const PlanKernel &) = default;
};

/// What the caller passes for an argument.
enum class ArgumentKind : uint8_t { pointer, i32, i64, f32 };

/// What the launches do with the memory behind a pointer argument.
enum class Access : uint8_t { read, write, readWrite };

/// One argument of the program. Its index is how expressions and parameters refer to it.
struct PlanArgument {
  /// The role under which callers bind it: "a", "bias", "m", "lda".
  std::string name = {};
  ArgumentKind kind = ArgumentKind::i32;
  /// Element type behind a pointer; of no meaning for scalars.
  DType dtype = DType::bf16;
  /// Bytes that the address must be a multiple of; 1 for scalars.
  int32_t alignment = 1;
  /// For pointers.
  Access access = Access::read;
  friend bool operator==(const PlanArgument &, const PlanArgument &) = default;
};

/// A piece of the caller's workspace. Buffers live in one allocation, in order, each aligned.
struct PlanBuffer {
  std::string name = {};
  Expr bytes = {};
  int32_t alignment = 256;
  /// Whether it must be zero before the first launch of each run.
  bool zeroInit = false;
  friend bool operator==(const PlanBuffer &, const PlanBuffer &) = default;
};

/// Memory that a parameter points to: a pointer argument or a workspace buffer.
struct MemoryRef {
  enum class Source : uint8_t { argument, buffer };
  Source source = Source::argument;
  int32_t index = 0;
  friend bool operator==(const MemoryRef &, const MemoryRef &) = default;
};

/// How a tensor map is encoded (cuTensorMapEncodeTiled). Dimension 0 is the contiguous one;
/// element strides are 1 and elements out of bounds read as zero.
struct TensorMapRecipe {
  enum class L2Promotion : uint8_t { none, bytes64, bytes128, bytes256 };

  MemoryRef base = {};
  DType dtype = DType::bf16;
  /// Extents in elements; the rank is their number, 1 to 5.
  std::vector<Expr> dims = {};
  /// Bytes from one index to the next in dimension 1, 2, …: rank - 1 entries.
  std::vector<Expr> strides = {};
  /// Extent of the tile that one copy moves, in elements, 1 to 256 each.
  std::vector<int32_t> box = {};
  /// Swizzle span in bytes: 0 (none), 32, 64 or 128.
  int32_t swizzle = 128;
  L2Promotion l2Promotion = L2Promotion::bytes256;

  [[nodiscard]] size_t rank() const { return dims.size(); }
  friend bool operator==(const TensorMapRecipe &, const TensorMapRecipe &) = default;
};

/// A pointer parameter: an address `byteOffset` bytes into `base`.
struct PointerParameter {
  MemoryRef base = {};
  Expr byteOffset = {};
  friend bool operator==(const PointerParameter &, const PointerParameter &) = default;
};

/// An integer parameter. A value that does not fit an i32 fails the launch.
struct ScalarParameter {
  enum class Width : uint8_t { i32, i64 };
  Width width = Width::i32;
  Expr value = {};
  friend bool operator==(const ScalarParameter &, const ScalarParameter &) = default;
};

/// An f32 parameter: the f32 argument of that index, unchanged.
struct FloatParameter {
  int32_t argument = 0;
  friend bool operator==(const FloatParameter &, const FloatParameter &) = default;
};

/// One parameter of a kernel, in the order of its signature.
using PlanParameter =
    std::variant<TensorMapRecipe, PointerParameter, ScalarParameter, FloatParameter>;

/// One launch. A grid with an extent of 0 launches nothing and is not an error.
struct PlanLaunch {
  /// Index of the kernel.
  int32_t kernel = 0;
  /// CTAs along x, y, z; a multiple of the kernel's cluster.
  std::array<Expr, 3> grid = {Expr(1), Expr(1), Expr(1)};
  std::vector<PlanParameter> parameters = {};
  /// Programmatic dependent launch: the kernel waits by itself for the launch before it.
  bool pdl = false;
  friend bool operator==(const PlanLaunch &, const PlanLaunch &) = default;
};

/// A condition on the arguments, checked at each run before the first launch.
struct Precondition {
  enum class Comparison : uint8_t { eq, ne, lt, le, gt, ge };

  Expr left = {};
  Comparison comparison = Comparison::eq;
  Expr right = {};
  /// What is wrong and what to do when it does not hold: "lda must be a multiple of 8 …".
  std::string message = {};
  friend bool operator==(const Precondition &, const Precondition &) = default;
};

/// Everything that is needed to run a program on a device, apart from the cubins.
struct Plan {
  /// For people: "gemm bf16 nt bias,gelu".
  std::string name = {};
  /// Architecture that the text is for.
  std::string arch = "sm_90a";
  std::vector<PlanArgument> arguments = {};
  std::vector<PlanBuffer> buffers = {};
  std::vector<PlanKernel> kernels = {};
  std::vector<Precondition> preconditions = {};
  /// In order, on one stream.
  std::vector<PlanLaunch> launches = {};

  friend bool operator==(const Plan &, const Plan &) = default;
};

} // namespace tilewright
