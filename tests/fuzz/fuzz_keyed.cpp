// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// libFuzzer on data of keyed models and on the files that they are imported from: packaging/fuzz builds and runs it. An input that breaks
// something goes to tests/fuzz/keyed together with the fix.
#include "fuzz/MemoryDirectory.h"
#include "fuzz/RecordFuzz.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto path = trainyard::test::memoryDirectory() / "fuzzed";
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    trainyard::test::checkKeyedData(path, bytes);
    return 0;
}
