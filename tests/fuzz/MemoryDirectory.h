// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where a fuzzer keeps its files: in memory where the system offers that.
#include "fuzz/ScenarioFuzz.h"

#include <cstdlib>
#include <filesystem>

namespace trainyard::test {

/// A new one; it stays when the fuzzer ends.
inline std::filesystem::path memoryDirectory() {
    const bool inMemory = std::filesystem::is_directory("/dev/shm");
    const char* given = std::getenv("TRAINYARD_FUZZ_DIRECTORY"); // packaging/fuzz removes it, whatever a finding leaves
    std::string pattern = (given      ? given
                           : inMemory ? "/dev/shm"
                                      : std::filesystem::temp_directory_path().string()) +
                          "/fuzz-XXXXXX";
    demand(mkdtemp(pattern.data()) != nullptr, "no directory for the fuzzer's files");
    return pattern;
}

} // namespace trainyard::test
