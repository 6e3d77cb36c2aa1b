// SPDX-License-Identifier: Apache-2.0
//
// Deadline: ends the process if a piece of work does not end, and says which. A kernel that waits
// for itself cannot be stopped in any other way, and blocks every call to the driver.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tilewright {

/// From its construction to its destruction no more than `limit` may pass.
class Deadline {
public:
  explicit Deadline(std::string what, std::chrono::seconds limit = std::chrono::seconds(180));
  ~Deadline();
  Deadline(const Deadline &) = delete;
  Deadline &operator=(const Deadline &) = delete;

private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool isDone_ = false;
  std::thread watch_;
};

} // namespace tilewright
