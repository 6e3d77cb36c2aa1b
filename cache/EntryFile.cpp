// SPDX-License-Identifier: Apache-2.0
#include "cache/EntryFile.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporarySuffix = ".tmp";

Status ioFailure(std::string_view what, const std::string &path, int error) {
  return Status::ioError("cannot " + std::string(what) + " " + path + ": " +
                         std::generic_category().message(error));
}

/// A file descriptor, closed at the end.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  [[nodiscard]] bool isOpen() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  /// 0, or the error: a network file system may report a failed write only here.
  int close() {
    const int number = std::exchange(number_, -1);
    return number >= 0 && ::close(number) != 0 ? errno : 0;
  }

private:
  int number_;
};

/// Makes a folder and those above it that are missing, for the user alone.
Status makeFolders(const fs::path &folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0)
    return Status::ok();
  const int error = errno;
  if (error == ENOENT && folder.has_relative_path()) {
    if (Status status = makeFolders(folder.parent_path()); !status.isOk())
      return status;
    if (::mkdir(folder.c_str(), 0700) == 0)
      return Status::ok();
  }
  std::error_code ignored;
  // Another process may have made it meanwhile.
  return fs::is_directory(folder, ignored) ? Status::ok()
                                           : ioFailure("make the folder", folder.string(), error);
}

int writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return errno;
    bytes.remove_prefix(static_cast<size_t>(std::max<ssize_t>(written, 0)));
  }
  return 0;
}

/// A name in the folder of `path` that no other thread or process uses.
std::string temporaryName(const fs::path &path) {
  static std::atomic<uint32_t> counter = 0;
  return (path.parent_path() / ("." + path.filename().string() + "." + std::to_string(::getpid()) +
                                "." + std::to_string(counter++) + std::string(kTemporarySuffix)))
      .string();
}

void removeLeftovers(const fs::path &folder) {
  std::error_code error;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->path().extension() == kTemporarySuffix && entry->last_write_time(ignored) < old &&
        !ignored)
      fs::remove(entry->path(), ignored);
  }
}

/// Writes a new file and brings it to the disk.
Status writeDurably(const std::string &path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.isOpen())
    return ioFailure("create", path, errno);
  if (int error = writeAll(file.number(), bytes))
    return ioFailure("write", path, error);
  if (::fsync(file.number()) != 0)
    return ioFailure("write", path, errno);
  if (int error = file.close())
    return ioFailure("write", path, error);
  return Status::ok();
}

} // namespace

Expected<std::string> readEntryFile(const std::string &path, size_t maxBytes) {
  // NOTE: O_NONBLOCK, so that a pipe of that name does not keep us waiting for its writer. We make
  // no links, so a link is somebody else's.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (!file.isOpen() && (errno == ENOENT || errno == ENOTDIR))
    return Status::notFound("there is no " + path);
  if (!file.isOpen())
    return ioFailure("open", path, errno);
  struct stat facts = {};
  if (::fstat(file.number(), &facts) != 0)
    return ioFailure("read", path, errno);
  if (!S_ISREG(facts.st_mode))
    return Status::ioError("cannot read " + path + ": it is no regular file");
  const auto size = static_cast<size_t>(facts.st_size);
  if (size > maxBytes)
    return Status::ioError("cannot read " + path + ": it has " + std::to_string(size) +
                           " bytes, more than " + std::to_string(maxBytes));
  std::string bytes(size, '\0');
  size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(file.number(), bytes.data() + done, size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return ioFailure("read", path, errno);
    if (got == 0)
      break;
    done += static_cast<size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

Status publishEntryFile(const std::string &path, std::string_view bytes) {
  const fs::path folder = fs::path(path).parent_path();
  if (Status status = makeFolders(folder); !status.isOk())
    return status;
  removeLeftovers(folder);
  const std::string temporary = temporaryName(path);
  Status status = writeDurably(temporary, bytes);
  if (status.isOk() && ::rename(temporary.c_str(), path.c_str()) != 0)
    status = ioFailure("rename " + temporary + " to", path, errno);
  if (!status.isOk()) {
    ::unlink(temporary.c_str());
    return status;
  }
  // The new name lasts when the folder is on the disk. If that fails the file may be lost with the
  // power, which is a miss later; it is no failure now.
  const Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.isOpen())
    (void)::fsync(handle.number());
  return Status::ok();
}

} // namespace tilewright
