// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/Importer.h"

namespace trainyard {

std::span<const Importer> importers() {
    static const std::vector<Importer> all{
#define IMPORTER(name) name(),
        TRAINYARD_IMPORTERS(IMPORTER)
#undef IMPORTER
    };
    return all;
}

const Importer* findImporter(const std::string& name) {
    for (const Importer& importer : importers())
        if (importer.name == name) return &importer;
    return nullptr;
}

} // namespace trainyard
