// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// libFuzzer on the scenario reader, writer, validation and --set: packaging/fuzz builds and runs it. An input that
// breaks something goes to tests/fuzz/corpus together with the fix.
#include "fuzz/ScenarioFuzz.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace {

/// A file without a disk; it has a path as long as it is open.
class MemoryFile {
public:
    MemoryFile() : m_file(memfd_create("scenario.json", 0)) { trainyard::test::demand(m_file >= 0, "no memory file"); }
    std::string path() const { return "/proc/self/fd/" + std::to_string(m_file); }
    void hold(std::string_view bytes) const {
        const bool held = ftruncate(m_file, 0) == 0 &&
                          pwrite(m_file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
        trainyard::test::demand(held, "the memory file is full");
    }

private:
    int m_file;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const trainyard::Registry registry = trainyard::Registry::builtin();
    static const MemoryFile file;
    const trainyard::test::FuzzInput input({reinterpret_cast<const char*>(data), size});
    file.hold(input.file);
    trainyard::test::checkInput(input, file.path(), registry);
    return 0;
}
