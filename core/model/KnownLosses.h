// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
#include "model/Job.h"

namespace trainyard {

/// Of keyed jobs only those that train a model have a loss, of graph jobs none. An analytic job whose loss is always 0 stands for one
/// of which none is known, as those of imported traces.
inline bool mayHaveLosses(const Job& job) {
    if (const KeyedAccess* keyed = job.keyedAccess()) return keyed->task.has_value();
    if (const auto* work = std::get_if<AnalyticWork>(&job.work))
        return work->curve.family == LossCurve::Family::recorded || work->curve.a != 0 || work->curve.c != 0;
    return !std::holds_alternative<GraphWork>(job.work);
}

/// The curve that an analytic job's losses follow; null where they are measured, or there are none.
inline const LossCurve* knownCurve(const Job& job) {
    const auto* work = std::get_if<AnalyticWork>(&job.work);
    return work && !job.keyedAccess() ? &work->curve : nullptr;
}

} // namespace trainyard
