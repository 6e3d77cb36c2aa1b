// SPDX-License-Identifier: Apache-2.0
#include "runtime/capi/Errors.h"
#include "runtime/capi/Handles.h"
#include "runtime/capi/Problem.h"
#include "runtime/capi/Structs.h"

using namespace tilewright;
using namespace tilewright::capi;

namespace {

static_assert(static_cast<int>(Access::read) == TW_ACCESS_READ &&
              static_cast<int>(Access::write) == TW_ACCESS_WRITE &&
              static_cast<int>(Access::readWrite) == TW_ACCESS_READ_WRITE);

const char *sourceName(AnswerSource source) {
  switch (source) {
  case AnswerSource::none:
    return "none";
  case AnswerSource::memory:
    return "memory";
  case AnswerSource::disk:
    return "disk";
  case AnswerSource::heuristic:
    return "heuristic";
  case AnswerSource::config:
    return "config";
  }
  return "";
}

} // namespace

void twKernelRelease(twKernel *kernel) { delete kernel; }

twStatus twKernelPrepare(twKernel *kernel) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(kernel, "kernel"); !status.isOk())
      return status;
    return kernel->kernel().prepare();
  });
}

twStatus twKernelWorkspace(const twKernel *kernel, size_t *bytes, size_t *alignment) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(kernel, "kernel"); !status.isOk())
      return status;
    const KernelFigures &figures = kernel->kernel().figures();
    if (bytes)
      *bytes = figures.workspaceBytes;
    if (alignment)
      *alignment = figures.workspaceAlignment;
    return Status::ok();
  });
}

twStatus twKernelRun(const twKernel *kernel, const twOperand *operands, size_t operandCount,
                     void *workspace, size_t workspaceBytes, void *stream) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(kernel, "kernel"); !status.isOk())
      return status;
    if (operandCount != 0)
      if (Status status = requirePointer(operands, "operands"); !status.isOk())
        return status;
    return kernel->kernel().run({operands, operandCount}, workspace, workspaceBytes, stream);
  });
}

size_t twKernelOperandCount(const twKernel *kernel) {
  return kernel ? kernel->kernel().operands().size() : 0;
}

twStatus twKernelOperand(const twKernel *kernel, size_t index, twOperandInfo *info) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(kernel, "kernel"); !status.isOk())
      return status;
    const std::vector<KernelOperand> &operands = kernel->kernel().operands();
    if (index >= operands.size())
      return Status::notFound("there is no operand " + std::to_string(index) + "; the kernel has " +
                              std::to_string(operands.size()));
    const KernelOperand &operand = operands[index];
    twOperandInfo filled = {};
    filled.role = operand.role.c_str();
    filled.dtype = capi::toC(operand.dtype);
    filled.access = static_cast<twAccess>(operand.access);
    filled.alignment = operand.alignment;
    filled.bytes = operand.bytes;
    return fillStruct(info, filled, "twOperandInfo");
  });
}

twStatus twKernelGetInfo(const twKernel *kernel, twKernelInfo *info) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(kernel, "kernel"); !status.isOk())
      return status;
    const KernelAnswer &answer = kernel->answer;
    const KernelFigures &figures = answer.kernel->figures();
    twKernelInfo filled = {};
    filled.source = sourceName(answer.source);
    filled.config = figures.config.c_str();
    filled.key = figures.key.c_str();
    filled.nvrtcCalls = answer.nvrtcCalls;
    filled.mlir = answer.mlir ? 1 : 0;
    filled.requestSeconds = answer.seconds;
    filled.launchCount = figures.launchCount;
    filled.ctas = figures.ctas;
    if (const KernelCode *code = answer.kernel->code()) {
      const StoredPlan &stored = code->stored();
      filled.compileSeconds = stored.compileMicroseconds * 1e-6;
      filled.nvrtcVersion = 1000 * stored.nvrtcMajor + 10 * stored.nvrtcMinor;
      if (!stored.kernels.empty()) {
        filled.registers = stored.kernels.front().registers;
        filled.spillBytes = stored.kernels.front().spillBytes;
        filled.sharedBytes = stored.plan.kernels.front().sharedBytes;
      }
    }
    return fillStruct(info, filled, "twKernelInfo");
  });
}
