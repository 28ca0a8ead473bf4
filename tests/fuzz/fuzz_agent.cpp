// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// libFuzzer on files of agents, of their training, and of training that was interrupted: packaging/fuzz builds and runs it. An input that
// breaks something goes to tests/fuzz/agent together with the fix.
#include "fuzz/RecordFuzz.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    trainyard::test::checkAgent({reinterpret_cast<const char*>(data), size});
    return 0;
}
