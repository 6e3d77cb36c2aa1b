// SPDX-License-Identifier: Apache-2.0
//
// Programmatic dependent launch.
#pragma once

namespace tw {

/// Waits until the grids that this one depends on have completed and their writes are visible.
/// PTX ISA: "griddepcontrol", `.wait`.
__device__ __forceinline__ void grid_dependency_wait() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

/// Allows the dependent grid to start once every CTA has called it or exited.
/// PTX ISA: "griddepcontrol", `.launch_dependents`.
__device__ __forceinline__ void grid_dependency_launch() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

} // namespace tw
