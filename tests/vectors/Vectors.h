// SPDX-License-Identifier: Apache-2.0
//
// Small kernels whose results pin what the machine does with data: swizzles, tensor copies,
// descriptors, fragments. They run on a card (test_gpu) and in the emulator; h200.json is what the
// card gave. Every input and output is an exact number, so results agree bit by bit.
#pragma once

#include "tilewright/Plan.h"
#include "tilewright/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct Vector {
  std::string name;
  /// Arguments: pointers only, the inputs in order, then the output.
  Plan plan;
  std::vector<std::vector<uint8_t>> inputs;
  /// What is in the output before the run: 0xab in every byte, but for additions.
  std::vector<uint8_t> output;
};

std::vector<Vector> allVectors();

/// Results by the vectors' names, as hexadecimal digits in a JSON object.
std::string recordText(const std::map<std::string, std::vector<uint8_t>> &results);
Expected<std::map<std::string, std::vector<uint8_t>>> readRecord(std::string_view text);

} // namespace tilewright
