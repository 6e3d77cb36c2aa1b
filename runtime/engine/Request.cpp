// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/Request.h"

#include <bit>

namespace tilewright {

namespace {

/// Mixes values into a hash, some nanoseconds each.
class Mixer {
public:
  Mixer &add(uint64_t value) {
    // NOTE: a multiplication carries a bit upwards, the rotation brings it down again.
    state_ = std::rotl((state_ ^ value) * 0x9e3779b97f4a7c15U, 29);
    return *this;
  }
  Mixer &add(int64_t value) { return add(static_cast<uint64_t>(value)); }
  /// By value: 0 and -0 are equal.
  Mixer &add(float value) { return add(uint64_t{std::bit_cast<uint32_t>(value + 0.0F)}); }

  [[nodiscard]] uint64_t finish() const { return state_ ^ (state_ >> 32); }

private:
  uint64_t state_ = 0x243f6a8885a308d3U;
};

} // namespace

size_t GemmRequestHash::operator()(const GemmRequest &request) const {
  const GemmProblem &problem = request.problem;
  const RequestFlags &flags = request.flags;
  Mixer mixer;
  mixer.add(problem.m).add(problem.n).add(problem.k).add(problem.batch);
  mixer.add(problem.lda).add(problem.ldb).add(problem.ldc).add(problem.ldd);
  mixer.add(problem.alpha).add(problem.beta);
  const auto c = problem.c ? static_cast<uint64_t>(*problem.c) + 1 : 0;
  mixer.add(static_cast<uint64_t>(problem.a) | static_cast<uint64_t>(problem.b) << 8 | c << 16 |
            static_cast<uint64_t>(problem.d) << 24 | static_cast<uint64_t>(problem.layout) << 32);
  for (const EpilogueOp &op : problem.epilogue.ops()) {
    const auto type = op.dtype ? static_cast<uint64_t>(*op.dtype) + 1 : 0;
    mixer.add(static_cast<uint64_t>(op.kind) | type << 8).add(op.ld);
  }
  mixer.add(uint64_t{flags.deterministic} | uint64_t{flags.batchInvariant} << 1 |
            uint64_t{flags.pdl} << 2 | static_cast<uint64_t>(flags.accumulate) << 3);
  mixer.add(int64_t{flags.smCap}).add(int64_t{flags.pointerAlignment});
  if (!request.config.empty())
    mixer.add(uint64_t{std::hash<std::string>()(request.config)});
  return mixer.finish();
}

Status GemmRequest::validate() const {
  if (Status status = problem.validate(); !status.isOk())
    return status;
  if (flags.smCap < 0)
    return Status::invalidArgument("sm_cap is " + std::to_string(flags.smCap) +
                                   "; it is a number of SMs, or 0 for all");
  const auto alignment = static_cast<uint32_t>(flags.pointerAlignment);
  if (flags.pointerAlignment <= 0 || !std::has_single_bit(alignment))
    return Status::invalidArgument("pointer_alignment is " +
                                   std::to_string(flags.pointerAlignment) +
                                   "; it is a power of two in bytes");
  if (flags.pointerAlignment < 16)
    return Status::unsupported("pointer_alignment is " + std::to_string(flags.pointerAlignment) +
                               "; this version needs operands at multiples of 16 bytes");
  return Status::ok();
}

} // namespace tilewright
