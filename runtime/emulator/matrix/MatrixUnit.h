// SPDX-License-Identifier: Apache-2.0
//
// MatrixUnit: wgmma. The n-th call of each thread of a warpgroup is operation n of its queue. An
// operation is issued when all 128 have called it, reads its operands at a moment that the
// scheduler picks, and ends as a whole, in order. Between a thread's call and its covering wait the
// registers belong to the tensor core: they hold poison, and what comes back belongs to the chain
// of operations on them, not to their address. Thread-safety: of the OS thread that made it, which
// is the one that runs the machine.

#pragma once

#include "runtime/emulator/Api.h"
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/matrix/Multiply.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilewright::emulator {

class MatrixUnit : public Extension {
public:
  MatrixUnit();
  ~MatrixUnit() override;
  MatrixUnit(const MatrixUnit &) = delete;
  MatrixUnit &operator=(const MatrixUnit &) = delete;

  /// The one made last on this OS thread.
  static MatrixUnit &current();

  // Functions of the table, for the present thread.
  void fence(float *acc, int32_t n, const uint32_t *a, int32_t m, int32_t line);
  void multiplyAsync(const WgmmaCall &call, int32_t line);
  void commit(int32_t line);
  void wait(int32_t outstanding, int32_t line);

  void onCtaStart(Machine &machine, Cta &cta) override;
  void onThreadExit(Machine &machine, Thread &thread) override;

private:
  struct Operation;
  class Stream;

  /// Registers that a fence has named, with what they held then.
  struct Fenced {
    const void *address;
    std::vector<uint32_t> content;
  };
  /// Accumulators in flight: the last operation on them, and how many there are.
  struct Chain {
    float *acc;
    int32_t registers;
    int32_t last;
  };
  /// One thread's view of its warpgroup's queue.
  struct Lane {
    Stream *stream = nullptr;
    /// In the warpgroup.
    int32_t index = 0;
    int32_t called = 0;
    /// Operations called before each commit.
    std::vector<int32_t> groups;
    std::vector<Fenced> fenced;
    std::vector<Chain> chains;
    int32_t lastLine = 0;
  };

  Lane &lane(Thread &thread);
  static bool isFenced(const Lane &lane, const void *address, size_t count);
  Chain *chainOf(Thread &thread, Lane &lane, const WgmmaCall &call, int32_t line);
  void issue(Machine &machine, Thread &thread, Stream &stream, Operation &operation);
  static bool noteOperand(Machine &machine, Thread &thread, Operation &operation, bool isA,
                          AccessId id);
  static void readOperand(const Operation &operation, bool isA, Operands &operands);
  static void completeUpTo(Stream &stream, int32_t index);

  MatrixUnit *outer_;
  std::unordered_map<const Cta *, std::vector<std::unique_ptr<Stream>>> streams_;
  std::unordered_map<const Thread *, std::unique_ptr<Lane>> lanes_;
};

/// The part of the table that is about wgmma.
void fillMatrixTable(Api &api);

} // namespace tilewright::emulator
