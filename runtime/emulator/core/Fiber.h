// SPDX-License-Identifier: Apache-2.0
//
// Fibers: a stack and a place to go on from (Boost.Context), without unwinding. A fiber that is not
// run to its end is dropped with its stack, so nothing that owns memory may live across a switch.

#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilewright::emulator {

/// Stacks with a guard page below each, kept between launches. Not safe to share between threads.
class StackPool {
public:
  static constexpr size_t kStackBytes = 128 * 1024;

  StackPool() = default;
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  ~StackPool();

  /// The upper end of a free stack, or null if the system gives no memory.
  void *take();
  void giveBack(void *top);

private:
  bool grow();

  struct Slab {
    void *start;
    size_t bytes;
  };
  std::vector<Slab> slabs_;
  std::vector<void *> free_;
};

/// One fiber, or the context of the OS thread that resumes fibers.
class Fiber {
public:
  using Body = void (*)(void *argument);

  /// A fiber that will run body(argument) on the stack that ends at `top`. `body` never returns: it
  /// ends by a last suspend().
  void prepare(void *top, Body body, void *argument);
  /// Runs this fiber until it suspends. Only from outside of any fiber.
  void resume();
  /// Goes back to resume(). Only from within this fiber. `last`: it will never be resumed.
  void suspend(bool last = false);

  /// Takes the stack away; null if it has none. Not while the fiber runs.
  void *takeStack() { return std::exchange(top_, nullptr); }

private:
  static void enter(boost::context::detail::transfer_t from);

  boost::context::detail::fcontext_t self_ = nullptr;
  boost::context::detail::fcontext_t resumer_ = nullptr;
  void *top_ = nullptr;
  Body body_ = nullptr;
  void *argument_ = nullptr;
  // For AddressSanitizer: what it must know about the two stacks of a switch.
  void *fakeStack_ = nullptr;
  void *resumerFakeStack_ = nullptr;
  const void *resumerStack_ = nullptr;
  size_t resumerBytes_ = 0;
};

} // namespace tilewright::emulator
