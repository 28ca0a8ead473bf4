// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
#include <string>

namespace trainyard {

/// Names of files need not be UTF-8: what can be shown and written as JSON, with other bytes as "\xff".
std::string readableName(const std::string& fileName);

} // namespace trainyard
