// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/data/DataImport.h"

namespace trainyard {

std::span<const DataImporter> dataImporters() {
    static const std::vector<DataImporter> all{
#define IMPORTER(name) name(),
        TRAINYARD_DATA_IMPORTERS(IMPORTER)
#undef IMPORTER
    };
    return all;
}

const DataImporter* findDataImporter(const std::string& name) {
    for (const DataImporter& importer : dataImporters())
        if (importer.name == name) return &importer;
    return nullptr;
}

} // namespace trainyard
