// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/Report.h"

#include "support/JsonNode.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tilewright::cli {

namespace {

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

std::string reasonOf(int error) { return std::strerror(error); }

Status writeFile(const OutputFile &output) {
  File file(std::fopen(output.path.c_str(), "wb"), std::fclose);
  if (!file)
    return Status::ioError("cannot write " + output.path + ": " + reasonOf(errno) +
                           "; name a file in a folder that exists and may be written (-o)");
  const bool written =
      std::fwrite(output.bytes.data(), 1, output.bytes.size(), file.get()) == output.bytes.size();
  // NOTE: a full disk may show only when buffers are flushed.
  if (!written || std::fflush(file.get()) != 0)
    return Status::ioError("cannot write " + output.path + ": " + reasonOf(errno) +
                           "; what is there is incomplete");
  return Status::ok();
}

Status print(const std::string &text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return Status::ok();
  return Status::ioError("cannot write to stdout: " + reasonOf(errno));
}

void printError(const Status &status) {
  std::fprintf(stderr, "tilewright: error: %s\n", status.message().c_str());
}

} // namespace

int exitCode(StatusCode code) {
  switch (code) {
  case StatusCode::ok:
    return 0;
  case StatusCode::invalidArgument:
  case StatusCode::notFound:
  case StatusCode::ioError:
    return 2;
  case StatusCode::unsupported:
    return 3;
  case StatusCode::unavailable:
  case StatusCode::outOfMemory:
    return 4;
  case StatusCode::checkFailed:
    return 5;
  case StatusCode::compileFailed:
    return 6;
  case StatusCode::cancelled:
  case StatusCode::deviceFault:
  case StatusCode::internal:
    return 1;
  }
  return 1;
}

Json errorJson(const Status &status) {
  return {{"code", statusCodeName(status.code())},
          {"message", status.message()},
          {"exit_code", exitCode(status.code())}};
}

int deliver(const Session &session, const Expected<Report> &result) {
  Status status = result ? result->outcome : result.status();
  Json json = result ? result->json : Json::object();
  if (result) {
    for (const OutputFile &file : result->files)
      if (Status written = writeFile(file); !written.isOk() && status.isOk())
        status = written;
    if (!session.json)
      if (Status printed = print(result->text); !printed.isOk())
        status = printed;
  }
  if (session.json) {
    if (!status.isOk())
      json["error"] = errorJson(status);
    // Paths may be of any bytes; the object is printed whatever they are.
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (Status printed = print(text); !printed.isOk())
      status = printed;
  }
  if (!status.isOk())
    printError(status);
  return exitCode(status.code());
}

Expected<std::string> readFile(const std::string &path) {
  File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file)
    return errno == ENOENT ? Status::notFound("there is no file " + path)
                           : Status::ioError("cannot read " + path + ": " + reasonOf(errno));
  std::string bytes;
  char chunk[65536];
  while (const size_t count = std::fread(chunk, 1, sizeof chunk, file.get()))
    bytes.append(chunk, count);
  if (std::ferror(file.get()))
    return Status::ioError("cannot read " + path + ": " + reasonOf(errno));
  return bytes;
}

} // namespace tilewright::cli
