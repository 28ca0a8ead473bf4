// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The colours of jobs in lanes and lists: their own, or grey of those that have none (ColouredJobs.h); the selected one has its own
// everywhere.
#include "session/ShownIndex.h"
#include "theme/Theme.h"

#include <QPixmap>

namespace trainyard {

inline QColor jobColour(const Theme& theme, const ShownIndex& run, JobId job, JobId selected) {
    return theme.job(job, job == selected || run.isColoured(job));
}

/// A square of so many pixels that stands before the job's name in a list.
QPixmap jobSwatch(JobId job, bool hasOwn, int pixels);

} // namespace trainyard
