// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/RunFiles.h"

#include "base/WholeFile.h"
#include "run/AtomicFile.h"
#include "run/DirectoryLock.h"
#include "run/RunRecord.h"

#include <boost/crc.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>

namespace trainyard {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* recordName = "record.json";

Problem fileProblem(const char* code, Text message, const fs::path& path, Severity severity = Severity::error) {
    return {.code = code, .message = std::move(message), .severity = severity, .file = path.string()};
}

Result<RunFile> measured(const fs::path& path) {
    RunFile out{.name = path.filename().string()};
    std::ifstream in(path, std::ios::binary);
    boost::crc_32_type crc;
    std::array<char, 1 << 16> block{};
    while (in) {
        in.read(block.data(), block.size());
        crc.process_bytes(block.data(), static_cast<std::size_t>(in.gcount()));
        out.bytes += static_cast<std::uintmax_t>(in.gcount());
    }
    if (!in.eof())
        return fileProblem("cannot-read", {TRAINYARD_TEXT("cannot be read: {0}"), {"input/output error"}}, path);
    out.crc32 = crc.checksum();
    return out;
}

void verifyFile(const RunFile& listed, const fs::path& directory, const std::string& digest, Problems& problems) {
    const fs::path path = directory / listed.name;
    std::error_code none;
    if (!fs::is_regular_file(path, none)) {
        problems.push_back(
            fileProblem("missing-file", {TRAINYARD_TEXT("the record lists this file; it is missing"), {}}, path));
        return;
    }
    const auto found = measured(path);
    if (!found)
        problems.push_back(found.problems().front());
    else if (found.value() != listed)
        problems.push_back(fileProblem("changed-file",
                                       {TRAINYARD_TEXT("this is not the file that was written: {0} bytes instead of "
                                                       "{1}, or other contents"),
                                        {std::to_string(found->bytes), std::to_string(listed.bytes)}},
                                       path));
    else if (const auto recipe = readRecipe(path);
             listed.name != recordName && recipe && recipe.value() && (*recipe)->digest != digest)
        problems.push_back(fileProblem(
            "other-run", {TRAINYARD_TEXT("this file is of another run: digest {0}"), {(*recipe)->digest}}, path));
}

/// NAME.part-PID, as AtomicFile calls what it has not put in place yet, or a probe of the directory (run/AtomicFile.cpp).
bool isLeftover(std::string_view name) {
    if (name.starts_with(".trainyard-probe-")) return true;
    constexpr std::string_view part = ".part-";
    const auto at = name.rfind(part);
    if (at == std::string_view::npos || at + part.size() == name.size()) return false;
    return name.find_first_not_of("0123456789", at + part.size()) == std::string_view::npos;
}

/// What is on disk.
struct FileList {
    std::string digest; ///< of the run
    std::vector<RunFile> files;
};

Result<FileList> readList(const fs::path& directory) {
    const fs::path path = directory / runFilesName;
    std::error_code none;
    if (fs::symlink_status(path, none).type() == fs::file_type::not_found) return FileList{};
    const auto text = readWholeFile(path, std::uintmax_t{1} << 26);
    if (!text) return text.problems();
    try {
        const Json list = Json::parse(*text);
        FileList out{.digest = list.value("digest", std::string()), .files = {}};
        for (const auto& file : list.at("files"))
            out.files.push_back({.name = file.at("name").get<std::string>(),
                                 .bytes = file.at("bytes").get<std::uintmax_t>(),
                                 .crc32 = file.at("crc32").get<std::uint32_t>()});
        return out;
    } catch (const std::exception& error) {
        return fileProblem("damaged-record", {TRAINYARD_TEXT("the list of files cannot be read: {0}"), {error.what()}},
                           path);
    }
}

Problems writeList(const fs::path& directory, FileList list) {
    std::ranges::sort(list.files, {}, &RunFile::name);
    Json files = Json::array();
    for (const RunFile& file : list.files)
        files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"crc32", file.crc32}});
    const Json out{
        {"format", "trainyard-files"}, {"format_version", 1}, {"digest", list.digest}, {"files", std::move(files)}};
    return writeFileAtomically(directory / runFilesName, out.dump(2) + "\n");
}

} // namespace

Problems writeRunFiles(const fs::path& directory, const std::string& digest) {
    std::vector<fs::path> paths;
    std::error_code error, other;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
        if (it->is_regular_file(other) && it->path().filename() != runFilesName) paths.push_back(it->path());
    if (error)
        return {fileProblem("cannot-read", {TRAINYARD_TEXT("cannot be read: {0}"), {error.message()}}, directory)};
    FileList list{.digest = digest, .files = {}};
    for (const fs::path& path : paths) {
        if (isLeftover(path.filename().string())) { // of a process that was killed
            fs::remove(path, other);
            continue;
        }
        auto file = measured(path);
        if (!file) return file.problems();
        list.files.push_back(std::move(file).value());
    }
    return writeList(directory, std::move(list));
}

Problems listRunFiles(const fs::path& directory, const std::vector<std::string>& names, const std::string& digest) {
    std::error_code none;
    if (!fs::exists(directory / runFilesName, none))
        return {}; // also where a record is being made, whose maker holds the lock
    std::optional<DirectoryLock> lock;
    if (!names.empty()) lock.emplace(directory);
    auto list = readList(directory);
    if (!list) return list.problems();
    if (list->files.empty()) return {};
    if (list->digest != digest)
        return {fileProblem("other-record",
                            {TRAINYARD_TEXT("this directory holds the record of another run: choose another one"), {}},
                            directory)};
    for (const std::string& name : names) {
        auto file = measured(directory / name);
        if (!file) return file.problems();
        std::erase_if(list->files, [&](const RunFile& listed) { return listed.name == name; });
        list->files.push_back(std::move(file).value());
    }
    return names.empty() ? Problems{} : writeList(directory, std::move(list).value());
}

Result<std::vector<RunFile>> readRunFiles(const fs::path& directory) {
    auto list = readList(directory);
    if (!list) return list.problems();
    return std::move(list->files);
}

Problems placeRunFiles(StagedDirectory& staged, const fs::path& directory) {
    std::set<std::string> earlier{runFilesName};
    if (const auto listed = readRunFiles(directory); listed)
        for (const RunFile& file : *listed) earlier.insert(file.name);
    return staged.commit(recordName, [&](const std::string& name) {
        return earlier.contains(name) || name.find(".part-") != std::string::npos;
    });
}

Problems verifyRunDirectory(const fs::path& directory) {
    const auto record = readRecord(directory);
    if (!record) return record.problems();
    const auto listed = readRunFiles(directory);
    if (!listed) return listed.problems();
    Problems problems;
    if (listed->empty())
        problems.push_back(fileProblem("no-list",
                                       {TRAINYARD_TEXT("the list of the record's files is missing: whether they are "
                                                       "all there and unchanged cannot be checked"),
                                        {}},
                                       directory / runFilesName));
    for (const RunFile& file : *listed) verifyFile(file, directory, record->digest, problems);
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        const auto known = [&](const RunFile& file) { return file.name == name; };
        if (!listed->empty() && name != runFilesName && std::none_of(listed->begin(), listed->end(), known))
            problems.push_back(fileProblem("foreign-file", {TRAINYARD_TEXT("this file is not of the record"), {}},
                                           it->path(), Severity::warning));
    }
    if (error)
        problems.push_back(
            fileProblem("cannot-read", {TRAINYARD_TEXT("cannot be read: {0}"), {error.message()}}, directory));
    return problems;
}

} // namespace trainyard
