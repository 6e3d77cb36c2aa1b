// SPDX-License-Identifier: Apache-2.0
//
// GemmKernel: the kernel of one problem: code, the problem's scalars, and the device to run on.
// Thread-safety: any thread may call any function at any time; run waits for nothing.
#pragma once

#include "runtime/driver/Context.h"
#include "runtime/driver/PreparedPlan.h"
#include "runtime/engine/KernelCode.h"
#include "runtime/engine/Key.h"
#include "runtime/engine/Request.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Status.h"
#include "tilewright/tilewright.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tilewright {

/// An operand that runs take.
struct KernelOperand {
  std::string role;
  DType dtype = DType::bf16;
  Access access = Access::read;
  /// Bytes that its address must be a multiple of.
  int32_t alignment = 1;
  /// Bytes to the end of the last element that is touched.
  int64_t bytes = 0;
};

/// What a kernel is, for reports.
struct KernelFigures {
  std::string key;
  /// Empty where nothing is launched.
  std::string config;
  int32_t launchCount = 0;
  /// CTAs of the first launch.
  int64_t ctas = 0;
  size_t workspaceBytes = 0;
  size_t workspaceAlignment = 1;
};

class GemmKernel {
public:
  /// A kernel of `code` for the problem of `request`. Null code: there is nothing to launch. Null
  /// context: it can't be run. Evaluates the plan; fails as bindPlan does.
  static Expected<std::shared_ptr<GemmKernel>>
  create(const GemmRequest &request, const RequestKey &key, const std::string &config,
         std::shared_ptr<KernelCode> code, const DeviceInfo &device,
         std::shared_ptr<const PrimaryContext> context);

  /// See twKernelPrepare.
  [[nodiscard]] Status prepare();

  /// See twKernelRun.
  [[nodiscard]] Status run(std::span<const twOperand> operands, void *workspace,
                           size_t workspaceBytes, void *stream) const;

  [[nodiscard]] const std::vector<KernelOperand> &operands() const { return operands_; }
  [[nodiscard]] const KernelFigures &figures() const { return figures_; }
  /// Null where nothing is launched.
  [[nodiscard]] const KernelCode *code() const { return code_.get(); }

private:
  GemmKernel() = default;
  [[nodiscard]] bool launches() const { return figures_.launchCount > 0; }

  std::vector<ArgumentValue> scalars_;
  PrepareOptions options_;
  std::vector<KernelOperand> operands_;
  KernelFigures figures_;
  std::shared_ptr<KernelCode> code_;
  std::shared_ptr<const PrimaryContext> context_;

  std::mutex mutex_;
  std::shared_ptr<const PreparedPlan> prepared_;
  /// prepared_.get(), once it is there.
  std::atomic<const PreparedPlan *> ready_ = nullptr;
};

} // namespace tilewright
