// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which jobs have a colour of their own in lanes: all of them, or of very many the largest and the selected one. Hundreds of colours
// would tell nothing apart.
#include "session/ShownIndex.h"
#include "theme/Theme.h"

namespace trainyard {

/// Others than those are as pale as lines may be.
inline QColor jobColour(const Theme& theme, const ShownIndex& run, JobId job, JobId selected) {
    return job == selected || run.isColoured(job) ? theme.job(job) : theme.ghost(theme.muted);
}

} // namespace trainyard
