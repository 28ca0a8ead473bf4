// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the panel, exports and `trainyard --render` have in common about choosing views.
#include "analysis/View.h"
#include "model/Workload.h"

#include <QString>

namespace trainyard {

class RunIndex;

/// Whether a view has something to say of the run; of none, of any.
bool concernsRun(const View& view, const RunIndex* run);
/// The job of that key, or none.
JobId jobOfKey(const Workload& workload, const QString& key);
/// The name of the job that a view shows where that job is wanted; empty: it is not of one job, or there is only one.
QString jobShownBy(const View& view, const RunIndex& run, JobId wanted);

} // namespace trainyard
