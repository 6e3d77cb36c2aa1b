// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/ReferenceKernel.h"

#include "runtime/check/ReferenceText.h"
#include "runtime/driver/DeviceMemory.h"

#include <array>
#include <string>

namespace tilewright {

namespace {

constexpr int64_t kTile = 64;
constexpr uint32_t kThreads = 256;

int64_t tiles(int64_t extent) { return (extent + kTile - 1) / kTile; }

} // namespace

Expected<std::shared_ptr<const ReferenceKernel>>
ReferenceKernel::load(std::shared_ptr<const PrimaryContext> context, const Nvrtc &nvrtc) {
  const Expected<NvrtcOutput> output =
      nvrtc.compile({.text = std::string(referenceText().front().second),
                     .name = "reference.cu",
                     .architecture = context->device().arch});
  if (!output)
    return output.status().withContext("the reference kernel");
  const CudaVersion madeBy = {nvrtc.version().major, nvrtc.version().minor};
  Expected<std::shared_ptr<const Module>> module = Module::load(context, output->cubin, madeBy);
  if (!module)
    return module.status().withContext("the reference kernel");
  Expected<LoadedKernel> bf16 = (*module)->kernel("reference_bf16", {});
  if (!bf16)
    return bf16.status();
  Expected<LoadedKernel> fp16 = (*module)->kernel("reference_fp16", {});
  if (!fp16)
    return fp16.status();
  std::shared_ptr<ReferenceKernel> kernel(new ReferenceKernel());
  kernel->context_ = std::move(context);
  kernel->module_ = *std::move(module);
  kernel->bf16_ = *bf16;
  kernel->fp16_ = *fp16;
  return std::shared_ptr<const ReferenceKernel>(std::move(kernel));
}

Expected<ReferenceSums> ReferenceKernel::sum(const GemmProblem &problem, uint64_t a, uint64_t b,
                                             std::vector<int64_t> rows) const {
  if (problem.layout != GemmLayout::nt || problem.a != problem.b ||
      (problem.a != DType::bf16 && problem.a != DType::fp16))
    return Status::unsupported("the reference multiplies bf16 or fp16 in the layout nt");
  ReferenceSums result{std::move(rows), {}, {}};
  const size_t count = result.rows.size() * static_cast<size_t>(problem.n);
  result.sums.resize(count);
  result.absolutes.resize(count);
  if (count == 0 || problem.k == 0)
    return result;

  Expected<Stream> stream = Stream::create(context_);
  if (!stream)
    return stream.status();
  const size_t rowBytes = result.rows.size() * sizeof(int64_t), bytes = count * sizeof(double);
  std::array<DeviceBuffer, 3> buffers;
  for (auto [buffer, size] :
       {std::pair{&buffers[0], rowBytes}, {&buffers[1], bytes}, {&buffers[2], bytes}}) {
    Expected<DeviceBuffer> allocated = DeviceBuffer::allocate(context_, size);
    if (!allocated)
      return allocated.status().withContext("the reference");
    *buffer = *std::move(allocated);
  }
  if (Status status = buffers[0].copyFrom(result.rows.data(), rowBytes, 0, stream->handle());
      !status.isOk())
    return status;

  uint64_t rowList = buffers[0].address(), sums = buffers[1].address(),
           absolutes = buffers[2].address();
  auto rowCount = static_cast<int32_t>(result.rows.size()), n = static_cast<int32_t>(problem.n),
       k = static_cast<int32_t>(problem.k);
  int64_t lda = problem.pitchA(), ldb = problem.pitchB();
  std::array<void *, 10> parameters = {&a, &b,   &rowList, &rowCount, &n,
                                       &k, &lda, &ldb,     &sums,     &absolutes};
  cu::LaunchConfig config = {};
  config.gridX = static_cast<uint32_t>(tiles(problem.n));
  config.gridY = static_cast<uint32_t>(tiles(rowCount));
  config.gridZ = config.blockY = config.blockZ = 1;
  config.blockX = kThreads;
  config.stream = stream->handle();
  {
    const ContextScope scope(*context_);
    if (!scope.isEntered())
      return scope.status();
    const cu::Function function = problem.a == DType::bf16 ? bf16_.handle : fp16_.handle;
    if (Status status = context_->driver().check(
            context_->functions().launchKernelEx(&config, function, parameters.data(), nullptr),
            "launch the reference kernel");
        !status.isOk())
      return status;
  }
  if (Status status = buffers[1].copyTo(result.sums.data(), bytes, 0, stream->handle());
      !status.isOk())
    return status.withContext("the reference");
  if (Status status = buffers[2].copyTo(result.absolutes.data(), bytes, 0, stream->handle());
      !status.isOk())
    return status.withContext("the reference");
  return result;
}

} // namespace tilewright
