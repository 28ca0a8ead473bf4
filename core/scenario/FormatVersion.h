// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Whether a JSON document is a scenario of the version that this program reads. Used by ScenarioFile.
#include "scenario/JsonTree.h"

namespace trainyard {

/// Checks "format" and "version"; false: the document is not for this program.
bool hasKnownFormat(const JsonNode& root, Problems& problems);

} // namespace trainyard
