// SPDX-License-Identifier: Apache-2.0
//
// EntryFile: reading and publishing one file of a store. A file is there whole or not at all, also
// after a crash, a kill or a loss of power, and on network file systems. Thread-safety: functions
// without state; processes may write the same file at the same time, the last one wins.
#pragma once

#include "tilewright/Status.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace tilewright {

/// The content of a regular file. notFound if there is none; ioError with the system's reason if it
/// cannot be read, is no regular file, or has more than `maxBytes` bytes.
Expected<std::string> readEntryFile(const std::string &path, size_t maxBytes);

/// Makes `path` a file of this content; folders that are missing are made. The content goes to a
/// file of another name in the same folder, is brought to the disk, and is renamed. Files of that
/// kind that a process left behind when it was killed are removed after an hour. ioError with the
/// system's reason.
Status publishEntryFile(const std::string &path, std::string_view bytes);

} // namespace tilewright
