// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/EventFile.h"

#include "run/files/AtomicFile.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

namespace trainyard {

namespace {

constexpr std::string_view eventFileMagic = "TRYDEVTS";
constexpr std::uint32_t eventFileVersion = 1;
constexpr std::size_t headerBytes = 24, eventBytes = 32;

/// Writes n bytes of `value`, lowest first.
void putLittle(char* at, std::uint64_t value, int n) {
    for (int i = 0; i < n; ++i) at[i] = static_cast<char>(value >> (8 * i));
}

std::uint64_t getLittle(const char* at, int n) {
    std::uint64_t value = 0;
    for (int i = 0; i < n; ++i) value |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
    return value;
}

void encodeEvent(const Event& e, char* at) {
    putLittle(at, static_cast<std::uint64_t>(e.time.ns), 8);
    putLittle(at + 8, static_cast<std::uint64_t>(e.type), 2);
    putLittle(at + 10, e.aux, 2);
    putLittle(at + 12, e.job, 4);
    putLittle(at + 16, e.a, 4);
    putLittle(at + 20, e.b, 4);
    putLittle(at + 24, std::bit_cast<std::uint64_t>(e.value), 8);
}

Event decodeEvent(const char* at) {
    Event e;
    e.time.ns = static_cast<std::int64_t>(getLittle(at, 8));
    e.type = static_cast<EventType>(getLittle(at + 8, 2));
    e.aux = static_cast<std::uint16_t>(getLittle(at + 10, 2));
    e.job = static_cast<std::uint32_t>(getLittle(at + 12, 4));
    e.a = static_cast<std::uint32_t>(getLittle(at + 16, 4));
    e.b = static_cast<std::uint32_t>(getLittle(at + 20, 4));
    e.value = std::bit_cast<double>(getLittle(at + 24, 8));
    return e;
}

Problem damagedEvents(const std::filesystem::path& path, const char* why) {
    return {.code = "damaged-record",
            .message = {TRAINYARD_TEXT("this is not a complete event file: {0}"), {why}},
            .file = path.string()};
}

} // namespace

Problems writeEventFile(const EventLog& log, const std::filesystem::path& path) {
    AtomicFile file(path);
    const std::size_t count = log.size();
    std::array<char, headerBytes> header{};
    std::memcpy(header.data(), eventFileMagic.data(), eventFileMagic.size());
    putLittle(header.data() + 8, eventFileVersion, 4);
    putLittle(header.data() + 12, eventBytes, 4);
    putLittle(header.data() + 16, count, 8);
    file.write({header.data(), header.size()});
    std::array<char, eventBytes> bytes;
    for (std::size_t i = 0; i < count && !file.failed(); ++i) {
        encodeEvent(log[i], bytes.data());
        file.write({bytes.data(), bytes.size()});
    }
    return file.commit();
}

Result<std::shared_ptr<const EventLog>> readEventFile(const std::filesystem::path& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) return damagedEvents(path, std::strerror(errno));
    std::array<char, headerBytes> header;
    if (std::fread(header.data(), 1, header.size(), file.get()) != header.size() ||
        std::string_view(header.data(), eventFileMagic.size()) != eventFileMagic)
        return damagedEvents(path, "it does not begin with TRYDEVTS");
    if (getLittle(header.data() + 8, 4) != eventFileVersion || getLittle(header.data() + 12, 4) != eventBytes)
        return damagedEvents(path, "it is of another version");
    const std::uint64_t count = getLittle(header.data() + 16, 8);
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error || count > EventLog::maxBlocks * EventLog::blockEvents || size != headerBytes + count * eventBytes)
        return damagedEvents(path, "its length does not match its number of events");
    auto log = std::make_shared<EventLog>();
    std::vector<char> chunk(eventBytes * 4096);
    for (std::uint64_t left = count; left > 0;) {
        const std::size_t n = std::min<std::uint64_t>(left, 4096);
        if (std::fread(chunk.data(), eventBytes, n, file.get()) != n) return damagedEvents(path, "it is truncated");
        for (std::size_t i = 0; i < n; ++i) log->append(decodeEvent(chunk.data() + i * eventBytes));
        left -= n;
    }
    return std::shared_ptr<const EventLog>(std::move(log));
}

} // namespace trainyard
