// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A law as scenario files write it.
#include "base/Distribution.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::cli {

/// {"law": …, …}
nlohmann::ordered_json lawJson(const Distribution& law);

} // namespace trainyard::cli
