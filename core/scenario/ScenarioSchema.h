// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The format's published description, made from the same field descriptions that the reader and writer use:
// scenarios/schema.json (JSON Schema 2020-12) and the tables of docs/format/scenario.md. Tests compare both
// with these texts.
#include <string>

namespace trainyard {

std::string scenarioJsonSchema();
/// Markdown: one table per object.
std::string scenarioFormatTables();

} // namespace trainyard
