// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How many rows a data set has, for checks of scenarios that load none.
#include "model/Job.h"

#include <cstdint>

namespace trainyard {

/// 0 for streams, for unknown sets and where only loading tells.
std::int64_t rowsOf(const Choice& dataset);

} // namespace trainyard
