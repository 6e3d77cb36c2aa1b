// SPDX-License-Identifier: Apache-2.0
//
// Machine: runs one launch. Every thread of every resident CTA is a fiber; functions of the device
// library come in through the table, find themselves by Machine::current(), check, act, and may
// block. Nothing runs in parallel: a function is atomic up to where it blocks or yields.
//
// NOTE: when a finding stops the run, report() returns, and the function that called it goes on as
// it can; at its end it calls leave(), which drops the fiber with its stack, as block(), yield()
// and schedule() do then. So nothing that owns memory (std::string, std::vector) may be alive in a
// fiber's frames where one of those is called.
//
// Thread-safety: a machine belongs to the OS thread that calls run(). Several may run at once.

#pragma once

#include "runtime/emulator/core/Clock.h"
#include "runtime/emulator/core/Findings.h"
#include "runtime/emulator/core/Grid.h"
#include "runtime/emulator/core/Mbarrier.h"
#include "runtime/emulator/core/Random.h"
#include "runtime/emulator/core/Scheduler.h"
#include "runtime/emulator/core/Shadow.h"
#include "runtime/emulator/core/Waitable.h"
#include "tilewright/Status.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::emulator {

class StackPool;

/// Whose fence.proxy.async counts between an ordinary write and an access of the async proxy.
enum class FenceMode : uint8_t {
  /// The writer's own, after the write.
  strict,
  /// Any on the way from the writer to the access.
  permissive,
};

struct MachineOptions {
  uint64_t seed = 0;
  Policy policy = Policy::random;
  FenceMode fences = FenceMode::strict;
  /// The run stops at this many errors. Each kind comes once per pair of lines; warnings do not
  /// count.
  int32_t maxErrors = 1;
  /// CTAs that run at the same time; the others wait for one to end, as on a device.
  int32_t maxResidentCtas = 16;
  /// Fiber switches after which a run counts as one that never ends; 0 is no limit.
  int64_t maxSwitches = 2'000'000'000;
};

/// One launch of one kernel.
struct MachineLaunch {
  std::string kernel = {};
  /// The generated text, for the text of lines.
  std::string_view text = {};
  /// CTAs, CTAs of a cluster, threads of a CTA.
  int32_t grid = 1;
  int32_t cluster = 1;
  int32_t threads = 128;
  int32_t sharedBytes = 0;
  /// Registers of each thread at launch; 0 is as many as the CTA can have.
  int32_t registers = 0;
  /// The kernel: every thread calls it.
  std::function<void()> body = {};
};

/// Something asynchronous: one or two events that happen later, at moments that the scheduler
/// picks, the first before the second. Events run outside of any fiber.
struct Operation {
  /// The device function: "tma_store". A literal.
  const char *what = "";
  int32_t line = 0;
  Thread *issuer = nullptr;
  std::array<std::function<void()>, 2> events = {};
};

/// How often things happened.
struct MachineCounters {
  int64_t switches = 0;
  int64_t operations = 0;
  int64_t mbarrierPhases = 0;
  int64_t barriers = 0;
  int64_t collectives = 0;
};

/// The asynchronous half of the machine (tensor copies, wgmma, global memory), which keeps its own
/// state per thread and CTA and hears of ends.
class Extension {
public:
  virtual ~Extension() = default;
  /// A CTA is about to run; its threads and shared memory exist.
  virtual void onCtaStart(Machine &, Cta &) {}
  /// A thread has returned from the kernel; still in its fiber.
  virtual void onThreadExit(Machine &, Thread &) {}
  /// All threads of the CTA have returned. Outside of any fiber.
  virtual void onCtaExit(Machine &, Cta &) {}
  /// The grid has ended, and nothing is in flight.
  virtual void onGridExit(Machine &) {}
};

class Machine {
public:
  Machine(const MachineOptions &options, StackPool &stacks, Extension *extension = nullptr);
  ~Machine();

  /// Runs a launch to its end or to the finding that stops it. Fails only for a launch that no
  /// device accepts. Findings are in findings().
  Status run(const MachineLaunch &launch);

  [[nodiscard]] const std::vector<Finding> &findings() const { return findings_; }
  [[nodiscard]] const MachineCounters &counters() const { return counters_; }
  [[nodiscard]] const MachineOptions &options() const { return options_; }
  [[nodiscard]] const MachineLaunch &launch() const { return launch_; }
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] Extension *extension() const { return extension_; }
  Random &random() { return random_; }
  MachineCounters &counters() { return counters_; }

  // --- who -------------------------------------------------------------------------------------

  /// The machine whose run() is on this OS thread's stack.
  static Machine &current();
  /// The thread whose fiber runs. Only in a fiber.
  [[nodiscard]] Thread &self() const { return *running_; }
  /// Null outside of fibers (in an event).
  [[nodiscard]] Thread *running() const { return running_; }
  /// The CTA of that rank in the same cluster; null (after a finding) if there is none.
  Cta *peer(Cta &cta, int32_t rank, const char *what, int32_t line);

  // --- findings --------------------------------------------------------------------------------

  /// Adds a finding about `thread` (null: about no thread). An error that reaches maxErrors stops
  /// the run; the caller carries on as it can until leave().
  void report(Finding &&finding, const Thread *thread);
  /// Shorthand for most findings.
  void report(FindingKind kind, const Thread *thread, int32_t line, std::string &&object,
              std::string &&message);
  /// "CTA 0, warp 4, lane 3".
  static std::string placeName(const Thread &thread);

  /// The end of each function of the table: does not return if the run has been stopped.
  void leave() {
    if (stopped_)
      suspend();
  }

  // --- blocking and asynchronous operations ----------------------------------------------------

  /// Sleeps until wake(what). The caller tests its condition again in a loop. Only in a fiber.
  void block(Waitable &what, const char *function, int32_t line);
  void wake(Waitable &what);
  /// Lets others run now, if the policy likes. Only in a fiber.
  void yield();
  /// Hands over an operation; the policy "earliest" runs its events at once.
  void schedule(Operation &&operation);
  /// Operations whose last event is still to come.
  [[nodiscard]] size_t operationsInFlight() const { return scheduler_.operations(); }

  // --- actors and order ------------------------------------------------------------------------

  /// A new actor of the CTA's cluster: a stream of operations, …
  Actor newActor(Cta &cta);
  /// The thread's present epoch, for a release: what it did so far is covered by it, and what it
  /// does next is not.
  Epoch advance(Thread &thread);
  /// Number of threads of a cluster: actors below it are threads.
  [[nodiscard]] uint32_t clusterThreads() const { return clusterThreads_; }
  /// Raises both clocks of the thread: an operation of its own has completed before its wait.
  void acquire(Thread &thread, Epoch epoch);
  /// Hands the thread's past over to `sync` at that scope.
  void release(Thread &thread, SyncPoint &sync, Scope scope);
  /// Takes over what `sync` holds.
  void acquire(Thread &thread, const SyncPoint &sync, Scope scope);
  void fenceProxyAsync(Thread &thread);
  void fenceAcqRel(Thread &thread, Scope scope);
  /// For relaxed atomics: publishes what the last fenceAcqRel covered, and keeps what a later one
  /// is to acquire.
  void releaseRelaxed(Thread &thread, SyncPoint &sync);
  void acquireRelaxed(Thread &thread, const SyncPoint &sync);

  // --- shared memory ---------------------------------------------------------------------------

  /// A record for an access that `thread` makes in its present epoch (of the generic proxy).
  AccessId genericAccess(Thread &thread, bool write, const char *what, int32_t line);
  /// A record for an access of an operation; it is pending until completeAccess.
  AccessId asyncAccess(const Thread &thread, bool write, Epoch epoch, const char *what,
                       int32_t line);
  void completeAccess(AccessId id) { log_.complete(id); }
  AccessLog &log() { return log_; }

  /// Bounds: false after a finding. `address` is a shared address of the CTA (base included).
  bool inShared(const Cta &cta, int64_t address, int64_t bytes, const char *what, int32_t line);
  /// Bounds and alignment.
  bool checkAddress(const Cta &cta, int64_t address, int64_t bytes, int64_t alignment,
                    const char *what, int32_t line);
  /// Checks order and notes the access; reports the first conflict. The range is in bounds.
  /// `observers`: see Shadow; the thread of the record if none are given.
  void noteRead(Cta &cta, uint32_t address, uint32_t bytes, AccessId id, Observers observers = {});
  void noteWrite(Cta &cta, uint32_t address, uint32_t bytes, AccessId id, Observers observers = {});
  /// Fills bytes with poison.
  static void poison(Cta &cta, uint32_t address, uint32_t bytes);
  /// An access of another CTA's shared memory by a thread or an operation: it has to end before
  /// that CTA does. `covered` by `alternative` too, if given (value 0: not given).
  void noteRemote(Cta &target, const Thread &thread, Epoch epoch, Epoch alternative,
                  const char *what, int32_t line);

  // --- mbarriers -------------------------------------------------------------------------------

  void mbarrierInit(Thread &thread, int32_t address, int32_t count, int32_t line);
  void mbarrierInitFence(Thread &thread);
  /// The barrier at that address of `cta`, or null after a finding. Checks that its initialisation
  /// is ordered before the thread and, for the async proxy, fenced.
  Mbarrier *mbarrier(Thread &thread, Cta &cta, int32_t address, Proxy proxy, const char *what,
                     int32_t line);
  /// Adds to the bytes that the open phase expects.
  void expectTx(Mbarrier &bar, int32_t bytes, const Thread &thread, int32_t line);
  /// Counts an operation in that will complete bytes; returns the phase in which it is issued.
  static int32_t issueTx(Mbarrier &bar) {
    ++bar.inFlight;
    return bar.phase;
  }
  /// Bytes have landed of an operation of issueTx.
  void completeTx(Mbarrier &bar, int32_t bytes, int32_t issued, const Thread &issuer,
                  const char *what, int32_t line);
  /// A thread arrives (its past is released); `remote`: it named the barrier by rank.
  void arrive(Mbarrier &bar, Thread &thread, int32_t line);
  /// Arrives for a thread whose earlier operations ended with this past (cp.async).
  void arriveFor(Mbarrier &bar, const Past &past, const Thread &thread, int32_t line);
  void waitParity(Mbarrier &bar, Thread &thread, int32_t parity, int32_t line);

  // --- barriers and warps ----------------------------------------------------------------------

  void barrier(Thread &thread, int32_t id, int32_t threads, bool wait, const char *what,
               int32_t line);
  void clusterArrive(Thread &thread, int32_t line);
  void clusterWait(Thread &thread, int32_t line);
  uint32_t shuffle(Thread &thread, uint32_t value, int32_t source, int32_t line);
  bool voteAny(Thread &thread, bool value, int32_t line);
  bool electOne(Thread &thread, int32_t line);
  void warpSync(Thread &thread, int32_t line);
  void setmaxnreg(Thread &thread, int32_t registers, bool increase, int32_t line);
  /// 8x8 matrices of 16-bit elements, one row of 16 bytes per address; `registers` has `count`.
  void ldmatrix(Thread &thread, int32_t count, bool transposed, int32_t address,
                uint32_t *registers, int32_t line);
  void stmatrix(Thread &thread, int32_t count, bool transposed, int32_t address,
                const uint32_t *registers, int32_t line);
  /// Waits for the whole warp at one collective and returns what each lane gave. The reference
  /// holds until this thread's next collective.
  const WarpValues &gather(Thread &thread, const GatherKey &key, const LaneValue &mine);

private:
  // Life of a grid (Life.cpp).
  Status checkLaunch() const;
  void startClusters();
  void startCluster(int32_t index);
  void startCta(Cluster &cluster, int32_t rank);
  void endThread(Thread &thread);
  void reap(Thread &thread);
  void loop();
  void drop();
  static void threadBody(void *thread);
  // What is wrong at the end (ExitChecks.cpp, Deadlock.cpp).
  void checkCtaExit(Cta &cta);
  void checkMbarrierExit(const Mbarrier &bar);
  void checkRemoteAccesses(Cta &cta);
  void reportDeadlock();

  void reportConflict(const Cta &cta, const Conflict &conflict, AccessId later, uint32_t address,
                      uint32_t bytes);
  void moveMatrices(Warp &warp, const WarpValues &lanes, int32_t count, bool transposed, bool store,
                    int32_t line);
  void completePhaseIfDone(Mbarrier &bar);
  void countArrival(Mbarrier &bar, const Thread &thread, int32_t line);
  void addTx(Mbarrier &bar, int64_t bytes, const Thread &thread, int32_t line);
  void completeClusterPhaseIfDone(Cluster &cluster);
  bool enter(Thread &thread, const GatherKey &key, const LaneValue &mine);
  void arriveWarp(NamedBarrier &barrier, Warp &warp, int32_t threads, bool wait, int32_t line);
  void changeRegisters(Thread &thread, int32_t registers, bool increase, int32_t line);
  void suspend() { running_->fiber.suspend(); }

  MachineOptions options_;
  StackPool &stacks_;
  Extension *extension_;
  MachineLaunch launch_;
  Random random_;
  Scheduler scheduler_;
  AccessLog log_;
  std::vector<Finding> findings_;
  /// Kinds and lines of the findings, so that each comes once.
  std::vector<uint64_t> reported_;
  int32_t errors_ = 0;
  MachineCounters counters_;
  Thread *running_ = nullptr;
  bool stopped_ = false;
  uint32_t clusterThreads_ = 0;
  /// Clocks of a warp or CTA that are being joined; here, for fibers may not own memory.
  Past joining_;
  int32_t nextCluster_ = 0;
  int32_t residentCtas_ = 0;
  std::vector<std::unique_ptr<Cluster>> clusters_;
};

} // namespace tilewright::emulator
