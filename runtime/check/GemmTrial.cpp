// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/GemmTrial.h"

namespace tilewright {

Expected<GemmTrial> GemmTrial::create(const GemmProblem &problem, const ReferenceKernel &reference,
                                      const TrialOptions &options) {
  GemmTrial trial;
  trial.problem_ = problem;
  trial.options_ = options;
  trial.context_ = reference.context();
  for (const GemmOperand &operand : gemmOperands(problem)) {
    Piece piece;
    piece.image.operand = operand;
    piece.image.guard = options.hasGuards ? guardBytes(operand) : 0;
    Expected<DeviceBuffer> memory =
        DeviceBuffer::allocate(trial.context_, operand.bytes() + 2 * piece.image.guard);
    if (!memory)
      return memory.status().withContext("operand " + operand.role);
    piece.memory = *std::move(memory);
    trial.pieces_.push_back(std::move(piece));
  }
  if (Status status = trial.refill(reference, options.seed); !status.isOk())
    return status;
  return trial;
}

Status GemmTrial::refill(const ReferenceKernel &reference, uint64_t seed) {
  options_.seed = seed;
  for (Piece &piece : pieces_) {
    if (!piece.image.operand.isOutput)
      piece.image = makeImage(piece.image.operand, piece.image.guard, seed);
    if (Status status = upload(piece); !status.isOk())
      return status;
  }
  if (Status status = context_->synchronize(); !status.isOk())
    return status;
  Expected<ReferenceSums> sums = reference.sum(problem_, address("a"), address("b"),
                                               sampleRows(problem_, options_.limits, seed));
  if (!sums)
    return sums.status();
  sums_ = *std::move(sums);
  return Status::ok();
}

Status GemmTrial::poison() {
  for (Piece &piece : pieces_)
    if (piece.image.operand.isOutput)
      if (Status status = piece.memory.fill(kPoisonByte); !status.isOk())
        return status;
  return context_->synchronize();
}

Status GemmTrial::upload(Piece &piece) {
  if (piece.image.operand.isOutput)
    return piece.memory.fill(kPoisonByte);
  return piece.memory.copyFrom(piece.image.bytes.data(), piece.image.bytes.size());
}

const GemmTrial::Piece *GemmTrial::find(std::string_view role) const {
  for (const Piece &piece : pieces_)
    if (piece.image.operand.role == role)
      return &piece;
  return nullptr;
}

uint64_t GemmTrial::address(std::string_view role) const {
  const Piece *piece = find(role);
  return piece && piece->memory.size() != 0 ? piece->memory.address() + piece->image.guard : 0;
}

Expected<Verdict> GemmTrial::judge(cu::Stream stream) const {
  std::vector<OperandImage> inputs;
  std::vector<std::string> changed;
  OperandImage output;
  for (const Piece &piece : pieces_) {
    std::vector<uint8_t> now(piece.memory.size());
    if (Status status = piece.memory.copyTo(now.data(), now.size(), 0, stream); !status.isOk())
      return status.withContext("reading " + piece.image.operand.role + " back");
    if (piece.image.operand.isOutput) {
      output = {piece.image.operand, piece.image.guard, std::move(now)};
      continue;
    }
    if (now != piece.image.bytes)
      changed.push_back(piece.image.operand.role);
    // A and B are behind the sums; only the epilogue's operands are read again.
    if (piece.image.operand.role != "a" && piece.image.operand.role != "b")
      inputs.push_back(piece.image);
  }
  Verdict verdict = tilewright::judge(problem_, sums_, inputs, output);
  verdict.changedInputs = std::move(changed);
  return verdict;
}

Expected<std::vector<uint8_t>> GemmTrial::result(cu::Stream stream) const {
  const Piece *piece = find("d");
  std::vector<uint8_t> bytes(piece->image.operand.bytes());
  if (Status status = piece->memory.copyTo(bytes.data(), bytes.size(), piece->image.guard, stream);
      !status.isOk())
    return status;
  return bytes;
}

} // namespace tilewright
