// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Data that are read from files, as `trainyard-cli import` makes them of others.
#include "base/LocalPath.h"
#include "learning/keyed/KeyedChoices.h"
#include "learning/keyed/KeyedData.h"

namespace trainyard {

namespace data_files {

struct Settings {
    std::string file;
};

/// Told of the parameter.
Problem ofParameter(Problem problem, const std::string& file) {
    problem.message = {TRAINYARD_TEXT("{0} cannot be used: {1}"), {file, problem.message.english()}};
    problem.file.clear();
    problem.pointer = "/parameters/file";
    return problem;
}

Result<KeyedHeader> headerOf(const std::string& file, KeyedKind kind) {
    if (!isLocalPath(file))
        return Problem{.code = "bad-path",
                       .message = {TRAINYARD_TEXT("\"{0}\" is no name of a file in this directory or below, without "
                                                  "\"..\"; trainyard-cli import makes one"),
                                   {file}},
                       .pointer = "/parameters/file"};
    const auto summary = readKeyedSummary(file);
    if (!summary) return ofParameter(summary.problems().front(), file);
    if (summary->header.kind != kind) return ofParameter(wrongKeyedKind(summary->header.kind, kind, file), file);
    return summary->header;
}

/// A file is in memory beside the data while it is read.
KeyedDataSize sizeOf(const KeyedHeader& header) {
    const auto& n = header.counts;
    const auto count = [&](std::size_t i) { return static_cast<double>(n[i]); };
    const double bytes = 2 * static_cast<double>(header.fileBytes());
    switch (header.kind) {
    case KeyedKind::triples: return {.bytes = bytes, .names = count(0) + count(1), .examples = count(2)};
    case KeyedKind::text: return {.bytes = bytes + 8 * count(2), .names = count(0), .examples = count(1)};
    default: return {.bytes = bytes, .names = count(0) + count(1), .examples = count(2)};
    }
}

template <class Data>
KeyedDataEntry entry(KeyedDataInfo info, KeyedKind kind) {
    auto bound = bindSchema<Settings>(
        file(&Settings::file, "file", "File", "In this directory or below; trainyard-cli import makes it.", {}));
    info.schema = bound.schema;
    info.dataKind = keyedDataKind<Data>();
    return {std::move(info),
            [read = bound.read, kind](const ParamValues& values) -> Result<KeyedDataSize> {
                const auto header = headerOf(read(values).file, kind);
                if (!header) return header.problems();
                return sizeOf(*header);
            },
            [read = bound.read, kind](const ParamValues& values, std::uint64_t,
                                      const std::stop_token&) -> Result<SharedKeyedData> {
                const std::string name = read(values).file;
                auto data = readKeyedFile(name);
                if (!data) return ofParameter(data.problems().front(), name);
                if (keyedKindOf(*data) != kind) // it has changed since its size was told
                    return ofParameter(wrongKeyedKind(keyedKindOf(*data), kind, name), name);
                return SharedKeyedData(std::make_shared<const Data>(std::get<Data>(std::move(*data))));
            }};
}

} // namespace data_files

KeyedDataEntry triplesFileEntry() {
    return data_files::entry<Triples>({"triples-file", "Triples of a file", "Facts that have been imported."},
                                      KeyedKind::triples);
}

KeyedDataEntry textFileEntry() {
    return data_files::entry<Corpus>({"text-file", "Text of a file", "Sentences that have been imported."},
                                     KeyedKind::text);
}

KeyedDataEntry cellsFileEntry() {
    return data_files::entry<KnownCells>(
        {"cells-file", "Matrix of a file", "Cells of a matrix that have been imported."}, KeyedKind::cells);
}

} // namespace trainyard
