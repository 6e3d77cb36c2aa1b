// SPDX-License-Identifier: Apache-2.0
// The emulator gives bit by bit what a card gave, for every swizzle, descriptor form, fragment and
// multicast offset.
#include "tests/vectors/Vectors.h"
#include "compiler/device/DeviceHeaders.h"
#include "runtime/emulator/Emulator.h"
#include "tests/vectors/Record.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::emulator;

namespace {

std::vector<HostHeader> headers() {
  std::vector<HostHeader> list;
  for (const DeviceHeader &header : hostHeaders())
    list.push_back({header.name, header.text});
  return list;
}

TEST(Vectors, AreWhatACardGave) {
  const std::vector<HostHeader> texts = headers();
  Expected<Emulator> emulator = Emulator::create({.env = Env::fromProcess(), .headers = texts});
  ASSERT_TRUE(emulator) << emulator.status().toString();
  Expected<std::map<std::string, std::vector<uint8_t>>> record =
      readRecord(vectorRecord().front().second);
  ASSERT_TRUE(record) << record.status().toString();
  EXPECT_EQ(record->size(), allVectors().size());
  for (const Vector &vector : allVectors()) {
    Expected<std::shared_ptr<const EmulatedPlan>> plan =
        emulator->prepare(vector.plan, DeviceInfo{}, {});
    ASSERT_TRUE(plan) << vector.name << ": " << plan.status().toString();
    for (const Policy policy :
         {Policy::earliest, Policy::latest, Policy::random, Policy::priority}) {
      std::vector<std::vector<uint8_t>> contents = vector.inputs;
      contents.push_back(vector.output);
      std::vector<HostMemory> memory;
      for (std::vector<uint8_t> &content : contents)
        memory.push_back({content.data(), content.size()});
      Expected<EmulationReport> report = (*plan)->run(memory, {.seed = 3, .policy = policy});
      ASSERT_TRUE(report) << vector.name << ": " << report.status().toString();
      for (const Finding &finding : report->findings)
        ADD_FAILURE() << vector.name << ":\n" << toText(finding);
      ASSERT_TRUE(record->contains(vector.name)) << vector.name;
      EXPECT_TRUE(contents.back() == record->at(vector.name)) << vector.name;
    }
  }
}

} // namespace
