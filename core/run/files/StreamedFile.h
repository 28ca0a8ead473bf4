// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A file that a person asked for, written piece by piece since it may be larger than memory. As replaceFile (AtomicFile.h): whole or not at
// all, links stay links, devices and pipes are written to.
#include "base/Result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace trainyard {

using ByteSink = std::function<void(std::string_view)>;

/// `write` gives the file to the sink, and returns why it could not; then nothing is replaced. Problem "cannot-write".
Problems streamFile(const std::filesystem::path& target, const std::function<Problems(const ByteSink& sink)>& write);

/// Into an open file, standard output say, which stays open; `shown` is its name in problems.
Problems streamDescriptor(int descriptor, const std::string& shown,
                          const std::function<Problems(const ByteSink& sink)>& write);

/// Where the file will come to lie, with links followed, for what is put aside meanwhile; for devices, pipes and "-" where temporary files
/// go.
std::filesystem::path scratchDirectoryFor(const std::filesystem::path& target);

} // namespace trainyard
