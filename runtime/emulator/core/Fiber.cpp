// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Fiber.h"

#include <cassert>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace tilewright::emulator {

namespace {

/// Stacks of one slab: one mmap for so many.
constexpr size_t kSlabStacks = 64;

size_t guardBytes() {
  static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return page;
}

} // namespace

StackPool::~StackPool() {
  for (const Slab &slab : slabs_)
    munmap(slab.start, slab.bytes);
}

bool StackPool::grow() {
  const size_t stride = guardBytes() + kStackBytes;
  const size_t bytes = kSlabStacks * stride;
  void *start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return false;
  slabs_.push_back({start, bytes});
  for (size_t i = kSlabStacks; i-- > 0;) {
    char *stack = static_cast<char *>(start) + i * stride;
    if (mprotect(stack, guardBytes(), PROT_NONE) != 0)
      return false;
    free_.push_back(stack + stride);
  }
  return true;
}

void *StackPool::take() {
  if (free_.empty() && !grow())
    return nullptr;
  void *top = free_.back();
  free_.pop_back();
  return top;
}

void StackPool::giveBack(void *top) {
#if defined(__SANITIZE_ADDRESS__)
  // The frames of a dropped fiber left their red zones behind.
  __asan_unpoison_memory_region(static_cast<char *>(top) - kStackBytes, kStackBytes);
#endif
  free_.push_back(top);
}

void Fiber::prepare(void *top, Body body, void *argument) {
  top_ = top;
  body_ = body;
  argument_ = argument;
  fakeStack_ = nullptr;
  self_ = boost::context::detail::make_fcontext(top, StackPool::kStackBytes, &Fiber::enter);
}

void Fiber::enter(boost::context::detail::transfer_t from) {
  auto *fiber = static_cast<Fiber *>(from.data);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &fiber->resumerStack_, &fiber->resumerBytes_);
#endif
  fiber->resumer_ = from.fctx;
  fiber->body_(fiber->argument_);
  assert(false && "the body of a fiber does not return");
}

void Fiber::resume() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&resumerFakeStack_,
                                 static_cast<char *>(top_) - StackPool::kStackBytes,
                                 StackPool::kStackBytes);
#endif
  self_ = boost::context::detail::jump_fcontext(self_, this).fctx;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(resumerFakeStack_, nullptr, nullptr);
#endif
}

void Fiber::suspend([[maybe_unused]] bool last) {
#if defined(__SANITIZE_ADDRESS__)
  // NOTE: frames that are dropped here never return, and leave the stack marked for its next owner.
  // Cleared here because unpoisoning by hand is off where the tests run (scripts/test.sh).
  __asan_handle_no_return();
  __sanitizer_start_switch_fiber(last ? nullptr : &fakeStack_, resumerStack_, resumerBytes_);
#endif
  resumer_ = boost::context::detail::jump_fcontext(resumer_, this).fctx;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fakeStack_, &resumerStack_, &resumerBytes_);
#endif
}

} // namespace tilewright::emulator
