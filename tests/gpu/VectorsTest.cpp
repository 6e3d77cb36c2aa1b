// SPDX-License-Identifier: Apache-2.0
// A card still does what it did when the vectors were recorded, which is what the emulator does.
#include "tests/gpu/Vectors.h"
#include "compiler/device/DeviceHeaders.h"
#include "runtime/driver/PreparedPlan.h"
#include "tests/gpu/Gpu.h"
#include "tests/vectors/Record.h"
#include "tests/vectors/Vectors.h"

#include <cstdio>
#include <fstream>

namespace tilewright {

namespace {

Expected<std::string> compile(const PlanKernel &kernel) {
  std::vector<NvrtcHeader> headers;
  for (const DeviceHeader &header : deviceHeaders())
    headers.push_back({header.name.data(), header.text.data()});
  Expected<NvrtcOutput> output =
      gpu()->nvrtc->compile({.text = kernel.text, .name = "vector.cu", .headers = headers});
  if (!output)
    return output.status();
  return std::move(output->cubin);
}

Expected<std::vector<uint8_t>> run(const Vector &vector) {
  Expected<std::string> cubin = compile(vector.plan.kernels.front());
  if (!cubin)
    return cubin.status();
  Expected<std::shared_ptr<const PreparedPlan>> prepared = PreparedPlan::prepare(
      gpu()->context, vector.plan, {{*cubin}}, {}, {.cubinVersion = gpu()->cubinVersion()});
  if (!prepared)
    return prepared.status();
  std::vector<std::vector<uint8_t>> contents = vector.inputs;
  contents.push_back(vector.output);
  std::vector<DeviceBuffer> buffers;
  std::vector<uint64_t> pointers;
  for (const std::vector<uint8_t> &content : contents) {
    Expected<DeviceBuffer> buffer = DeviceBuffer::allocate(gpu()->context, content.size());
    if (!buffer)
      return buffer.status();
    if (Status status = buffer->copyFrom(content.data(), content.size()); !status.isOk())
      return status;
    pointers.push_back(buffer->address());
    buffers.push_back(std::move(*buffer));
  }
  if (Status status = (*prepared)->run(pointers, 0, 0, nullptr); !status.isOk())
    return status;
  std::vector<uint8_t> result(vector.output.size());
  if (Status status = buffers.back().copyTo(result.data(), result.size()); !status.isOk())
    return status;
  return result;
}

class Vectors : public GpuTest {};

TEST_F(Vectors, AreWhatWasRecorded) {
  Expected<std::map<std::string, std::vector<uint8_t>>> record =
      readRecord(vectorRecord().front().second);
  ASSERT_TRUE(record) << record.status().toString();
  for (const Vector &vector : allVectors()) {
    Expected<std::vector<uint8_t>> result = run(vector);
    ASSERT_TRUE(result) << vector.name << ": " << result.status().toString();
    ASSERT_TRUE(record->contains(vector.name)) << vector.name << " is not recorded";
    EXPECT_EQ(*result, record->at(vector.name)) << vector.name;
  }
}

} // namespace

int recordVectors(const std::string &file) {
  if (!gpu()) {
    std::fprintf(stderr, "%s\n", gpu().status().toString().c_str());
    return 4;
  }
  std::map<std::string, std::vector<uint8_t>> results;
  for (const Vector &vector : allVectors()) {
    Expected<std::vector<uint8_t>> result = run(vector);
    if (!result) {
      std::fprintf(stderr, "%s: %s\n", vector.name.c_str(), result.status().toString().c_str());
      return 1;
    }
    results[vector.name] = *result;
  }
  std::ofstream output(file);
  output << recordText(results);
  output.close();
  return output ? 0 : 1;
}

} // namespace tilewright
