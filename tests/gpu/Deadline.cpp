// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/Deadline.h"

#include <cstdio>
#include <cstdlib>

namespace tilewright {

Deadline::Deadline(std::string what, std::chrono::seconds limit)
    : watch_([this, what = std::move(what), limit] {
        std::unique_lock lock(mutex_);
        if (done_.wait_for(lock, limit, [this] { return isDone_; }))
          return;
        std::fflush(stdout);
        std::fprintf(stderr, "test_gpu: no end after %lld s, giving up: %s\n",
                     static_cast<long long>(limit.count()), what.c_str());
        // No destructor could run: they would wait for the device.
        std::_Exit(3);
      }) {}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    isDone_ = true;
  }
  done_.notify_one();
  watch_.join();
}

} // namespace tilewright
