// SPDX-License-Identifier: Apache-2.0
//
// What the driver's errors mean to a caller: the part of Driver that sorts them.
#include "runtime/driver/Driver.h"

#include <array>

namespace tilewright {

namespace {

/// A range of CUresult and what it means: the kind, and what to do about it (may be empty).
struct Meaning {
  cu::Result first;
  cu::Result last;
  Status (*kind)(std::string);
  const char *hint;
};

constexpr const char *kFaultHint =
    "a kernel of this process failed, perhaps an earlier one; the device's context is lost: end "
    "the process (compute-sanitizer names the kernel)";
constexpr const char *kCaptureHint = "this call or this stream is not legal under its capture";
constexpr const char *kGoneHint =
    "the device was reset, or the driver has shut down; make a new engine";

// In order of the numbers. What is in no range is internal.
constexpr std::array kMeanings = {
    Meaning{1, 1, Status::invalidArgument, ""}, // INVALID_VALUE
    Meaning{2, 2, Status::outOfMemory, "free device memory, or use a smaller problem"},
    Meaning{3, 3, Status::unavailable, "the driver is not started, or this process is a fork"},
    Meaning{4, 4, Status::unavailable, kGoneHint}, // DEINITIALIZED
    Meaning{34, 34, Status::unavailable,
            "this is the toolkit's stub library, for linking only; the driver itself is needed"},
    Meaning{36, 36, Status::unavailable, "update the driver"}, // CALL_REQUIRES_NEWER_DRIVER
    Meaning{46, 46, Status::unavailable,
            "the device is in use by another process in exclusive mode"},
    Meaning{100, 100, Status::unavailable, "see what nvidia-smi and CUDA_VISIBLE_DEVICES say"},
    Meaning{101, 101, Status::invalidArgument, ""},              // INVALID_DEVICE
    Meaning{102, 102, Status::unavailable, ""},                  // DEVICE_NOT_LICENSED
    Meaning{201, 201, Status::unavailable, kGoneHint},           // INVALID_CONTEXT
    Meaning{209, 209, Status::unsupported, ""},                  // NO_BINARY_FOR_GPU
    Meaning{214, 214, Status::deviceFault, kFaultHint},          // ECC_UNCORRECTABLE
    Meaning{220, 220, Status::deviceFault, kFaultHint},          // NVLINK_UNCORRECTABLE
    Meaning{222, 222, Status::unavailable, "update the driver"}, // UNSUPPORTED_PTX_VERSION
    Meaning{226, 226, Status::deviceFault, kFaultHint},          // CONTAINED
    Meaning{400, 400, Status::invalidArgument, "pass a live handle of this device"},
    Meaning{500, 500, Status::notFound, ""},
    Meaning{700, 700, Status::deviceFault, kFaultHint}, // ILLEGAL_ADDRESS
    Meaning{701, 701, Status::unsupported, "the kernel needs more than the device has"},
    Meaning{702, 702, Status::deviceFault, kFaultHint}, // LAUNCH_TIMEOUT
    Meaning{709, 709, Status::unavailable, kGoneHint},  // CONTEXT_IS_DESTROYED
    Meaning{710, 710, Status::deviceFault, kFaultHint}, // ASSERT
    Meaning{714, 719, Status::deviceFault, kFaultHint}, // HARDWARE_STACK_ERROR … LAUNCH_FAILED
    Meaning{720, 720, Status::unsupported, "the grid does not fit the device"},
    Meaning{721, 721, Status::deviceFault, kFaultHint}, // TENSOR_MEMORY_LEAK
    Meaning{800, 800, Status::unavailable, ""},         // NOT_PERMITTED
    Meaning{801, 801, Status::unsupported, ""},         // NOT_SUPPORTED
    Meaning{802, 811, Status::unavailable, ""},         // SYSTEM_NOT_READY … MPS
    Meaning{900, 908, Status::invalidArgument, kCaptureHint},
    Meaning{909, 909, Status::deviceFault, kFaultHint}, // TIMEOUT
    Meaning{911, 911, Status::deviceFault, kFaultHint}, // EXTERNAL_DEVICE
    Meaning{912, 912, Status::unsupported, "the cluster does not fit the device"},
    Meaning{999, 999, Status::deviceFault, kFaultHint}, // UNKNOWN
};

} // namespace

Status Driver::failure(cu::Result result, std::string_view what) const {
  const char *name = nullptr;
  const char *text = nullptr;
  functions_.getErrorName(result, &name);
  functions_.getErrorString(result, &text);
  std::string message = "cannot " + std::string(what) + ": " +
                        (name ? name : "CUresult " + std::to_string(result)) +
                        (text ? " (" + std::string(text) + ")" : "");
  for (const Meaning &meaning : kMeanings)
    if (meaning.first <= result && result <= meaning.last) {
      if (*meaning.hint)
        message += std::string("; ") + meaning.hint;
      return meaning.kind(std::move(message));
    }
  return Status::internal(std::move(message));
}

} // namespace tilewright
