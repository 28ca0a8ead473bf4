// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Whether a JSON document is of the format and version that this program reads. Used by ScenarioFile, AgentPlan and AgentFile.
#include "scenario/JsonTree.h"

namespace trainyard {

struct KnownFormat {
    const char* format; ///< value of "format"
    int version;        ///< value of "version"
    const char* code;   ///< of problems of other documents: "not-a-scenario"
    const char* noun;   ///< "scenario"
};
/// As below, of any format.
bool hasFormat(const JsonNode& root, const KnownFormat& known, Problems& problems);

/// Checks "format" and "version"; false: the document is not for this program.
bool hasKnownFormat(const JsonNode& root, Problems& problems);

} // namespace trainyard
