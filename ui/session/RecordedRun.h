// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A run record as a run that views and exports can show. Used by RunModel and by `trainyard --render`.
#include "session/RunData.h"

namespace trainyard {

class Registry;
struct RunRecord;

/// Without an id and a place for data sets; without a scenario if the record's cannot be read any more.
RunData recordedRun(const RunRecord& record);

} // namespace trainyard
