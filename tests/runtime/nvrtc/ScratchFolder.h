// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tilewright {

/// A folder of fake installations, removed with this value.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "tilewright-nvrtc-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ~ScratchFolder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string path(const std::string &name = "") const {
    return name.empty() ? path_.string() : (path_ / name).string();
  }

  /// Writes a file and its folders; returns its path.
  std::string write(const std::string &name, const std::string &text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path(name);
  }

  /// Puts one of the fake libraries of this folder's CMakeLists.txt at `name`; returns its path.
  std::string place(const std::string &fake, const std::string &name) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::filesystem::copy_file(std::filesystem::path(TW_FAKES) / (fake + ".so"), path_ / name);
    return path(name);
  }

private:
  std::filesystem::path path_;
};

} // namespace tilewright
