// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What an importer makes of a file, as it is read again.
#include "run/import/Importer.h"

#include <stdexcept>

namespace trainyard::test {

struct ReadImport {
    KeyedData data;
    KeyedNames names;
    Problems warnings;
    std::string bytes;
};

/// Problems of the import; it is an error, thrown, that what was imported is not read again.
inline Result<ReadImport> importedFrom(const std::string& format, const ImportRequest& request) {
    const auto imported = findImporter(format)->read(request);
    if (!imported) return imported.problems();
    ReadImport out;
    KeyedDataWriter writer(imported->header, [&](std::string_view block) { out.bytes += block; });
    if (Problems problems = imported->write(writer); !problems.empty()) return problems;
    writer.finish();
    auto read = readKeyedData(out.bytes, "imported", &out.names);
    if (!read) throw std::runtime_error(read.problems().front().text());
    if (imported->summary.english().empty()) throw std::runtime_error("no summary");
    out.data = std::move(*read);
    out.warnings = imported.problems();
    return out;
}

} // namespace trainyard::test
