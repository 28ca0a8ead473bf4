// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/RunFiles.h"

#include "base/WholeFile.h"
#include "run/files/AtomicFile.h"
#include "run/files/RecordJson.h"
#include "run/files/RunRecord.h"

#include <boost/crc.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

namespace trainyard {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* recordName = "record.json";

Problem fileProblem(const char* code, Text message, const fs::path& path, Severity severity = Severity::error) {
    return {.code = code, .message = std::move(message), .severity = severity, .file = path.string()};
}

Result<RunFile> measured(const fs::path& directory, const std::string& name) {
    const fs::path path = directory / name;
    RunFile out{.name = name};
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

Text change(const RunFile& found, const RunFile& listed) {
    if (found.bytes != listed.bytes)
        return {TRAINYARD_TEXT("this is not the file that was written: it has {0} bytes instead of {1}"),
                {std::to_string(found.bytes), std::to_string(listed.bytes)}};
    return {TRAINYARD_TEXT("this is not the file that was written: its contents have changed"), {}};
}

void verifyFile(const RunFile& listed, const fs::path& directory, const std::string& digest, Problems& problems) {
    const fs::path path = directory / listed.name;
    std::error_code none;
    if (!fs::is_regular_file(path, none)) {
        problems.push_back(
            fileProblem("missing-file", {TRAINYARD_TEXT("the record lists this file; it is missing"), {}}, path));
        return;
    }
    const auto found = measured(directory, listed.name);
    if (!found)
        problems.push_back(found.problems().front());
    else if (found.value() != listed)
        problems.push_back(fileProblem("changed-file", change(*found, listed), path));
    else if (const auto provenance = readProvenance(path);
             listed.name != recordName && provenance && provenance.value() && (*provenance)->digest != digest)
        problems.push_back(fileProblem(
            "other-run", {TRAINYARD_TEXT("this file is of another run: digest {0}"), {(*provenance)->digest}}, path));
}

/// In the directory, and in its folders that have files of the list; `folder` is "" or NAME/.
void findForeignFiles(const std::vector<RunFile>& files, const fs::path& directory, const std::string& folder,
                      Problems& problems) {
    std::error_code error;
    for (fs::directory_iterator it(directory / folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = folder + it->path().filename().string(), within = name + "/";
        const auto isListed = [&](const RunFile& file) { return file.name == name; };
        const auto isInFolder = [&](const RunFile& file) { return file.name.starts_with(within); };
        if (name == runFilesName || std::ranges::any_of(files, isListed)) continue;
        if (std::ranges::any_of(files, isInFolder))
            findForeignFiles(files, directory, within, problems);
        else
            problems.push_back(fileProblem("foreign-file", {TRAINYARD_TEXT("this file is not of the record"), {}},
                                           it->path(), Severity::warning));
    }
    if (error)
        problems.push_back(
            fileProblem("cannot-read", {TRAINYARD_TEXT("cannot be read: {0}"), {error.message()}}, directory / folder));
}

Problems writeList(const fs::path& directory, RunFileList list) {
    std::ranges::sort(list.files, {}, &RunFile::name);
    Json files = Json::array();
    for (const RunFile& file : list.files)
        files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"crc32", file.crc32}});
    Json out{
        {"format", "trainyard-files"}, {"format_version", 1}, {"digest", list.digest}, {"files", std::move(files)}};
    if (!list.missing.empty()) out["missing"] = list.missing;
    return writeFileAtomically(directory / runFilesName, out.dump(2) + "\n");
}

} // namespace

const std::vector<std::string>& runFileNames() {
    static const std::vector<std::string> names{recordName,      "scenario.json", "events.bin", "explanations.json",
                                                "metrics.json",  "metrics.csv",   "losses.csv", "events.csv",
                                                "events.ndjson", "trace.json",    runFilesName};
    return names;
}

Problems writeRunFiles(const fs::path& directory, const std::string& digest, const std::vector<std::string>& missing) {
    const auto names = namesWithin(directory);
    if (!names) return names.problems();
    RunFileList list{.digest = digest, .files = {}, .missing = missing};
    for (const std::string& name : *names) {
        if (name == runFilesName) continue;
        auto file = measured(directory, name);
        if (!file) return file.problems();
        list.files.push_back(std::move(file).value());
    }
    return writeList(directory, std::move(list));
}

Result<RunFileList> readRunFiles(const fs::path& directory) {
    const fs::path path = directory / runFilesName;
    std::error_code none;
    if (fs::symlink_status(path, none).type() == fs::file_type::not_found) return RunFileList{};
    const auto text = readWholeFile(path, std::uintmax_t{1} << 26);
    if (!text) return text.problems();
    try {
        const Json list = readJson(*text);
        RunFileList out{.digest = list.value("digest", std::string()), .files = {}, .missing = {}};
        for (const auto& file : list.at("files"))
            out.files.push_back({.name = file.at("name").get<std::string>(),
                                 .bytes = wholeNumber(file.at("bytes")),
                                 .crc32 = static_cast<std::uint32_t>(wholeNumber(file.at("crc32"), 0xffffffff))});
        if (!std::ranges::all_of(out.files, isNameWithin, &RunFile::name))
            throw std::invalid_argument("a name leads out of the directory");
        if (list.contains("missing")) out.missing = list["missing"].get<std::vector<std::string>>();
        return out;
    } catch (const std::exception&) {
        return fileProblem("damaged-record",
                           {TRAINYARD_TEXT("this is no list of a run's files as trainyard-cli run writes it"), {}},
                           path);
    }
}

Problems listRunFiles(const fs::path& directory, const std::vector<std::string>& names, const std::string& digest) {
    std::error_code none;
    if (!fs::exists(directory / runFilesName, none))
        return {}; // also where a record is being made, whose maker holds the lock
    if (Problems problems = finishCommits(directory); !problems.empty()) return problems;
    std::optional<DirectoryLock> lock;
    if (!names.empty()) lock.emplace(directory);
    auto list = readRunFiles(directory);
    if (!list) return list.problems();
    if (list->files.empty()) return {};
    if (list->digest != digest)
        return {fileProblem("other-record",
                            {TRAINYARD_TEXT("this directory holds the record of another run: choose another one"), {}},
                            directory)};
    for (const std::string& name : names) {
        auto file = measured(directory, name);
        if (!file) return file.problems();
        std::erase_if(list->files, [&](const RunFile& listed) { return listed.name == name; });
        list->files.push_back(std::move(file).value());
    }
    return names.empty() ? Problems{} : writeList(directory, std::move(list).value());
}

Problems placeRunFiles(StagedDirectory& staged, const fs::path& directory) {
    return staged.commit(recordName, [&] {
        std::vector<std::string> outdated{runFilesName};
        const auto earlier = readRunFiles(directory);
        for (const RunFile& file : earlier ? earlier->files : std::vector<RunFile>{})
            if (const auto found = measured(directory, file.name); found && *found == file)
                outdated.push_back(file.name);
        return outdated;
    });
}

Problems verifyRunDirectory(const fs::path& directory) {
    const auto record = readRecord(directory);
    if (!record) return record.problems();
    const auto listed = readRunFiles(directory);
    if (!listed) return listed.problems();
    Problems problems;
    const auto& files = listed->files;
    if (files.empty())
        problems.push_back(fileProblem("no-list",
                                       {TRAINYARD_TEXT("the list of the record's files is missing: whether they are "
                                                       "all there and unchanged cannot be checked"),
                                        {}},
                                       directory / runFilesName));
    for (const RunFile& file : files) verifyFile(file, directory, record->digest, problems);
    for (const std::string& name : listed->missing)
        problems.push_back(
            name == missingCharts
                ? fileProblem(
                      "incomplete-files",
                      {TRAINYARD_TEXT("not all charts were drawn when the run ended; run the record again"), {}},
                      directory / runFilesName, Severity::warning)
                : fileProblem(
                      "incomplete-files",
                      {TRAINYARD_TEXT("{0} could not be written when the run ended; run the record again"), {name}},
                      directory / runFilesName));
    if (!files.empty()) findForeignFiles(files, directory, {}, problems);
    return problems;
}

} // namespace trainyard
