// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The log of a record on disk, events.bin: a 24-byte header and 32 bytes per event, little-endian whatever
// the machine (docs/format/records.md). Written and read by RunRecord only.
#include "base/Result.h"
#include "record/EventLog.h"

#include <filesystem>
#include <memory>

namespace trainyard {

Problems writeEventFile(const EventLog& log, const std::filesystem::path& path);
/// Problems: not such a file, another version, cut short. Whether the events make sense is the caller's to
/// check.
Result<std::shared_ptr<const EventLog>> readEventFile(const std::filesystem::path& path);

} // namespace trainyard
