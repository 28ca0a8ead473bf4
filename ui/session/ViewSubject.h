// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Views with their options as what Histories keeps, and back. Used by lanes and by the panel of views.
#include "analysis/View.h"
#include "session/Histories.h"

namespace trainyard {

/// What a subject stands for.
struct SubjectView {
    const View* view = nullptr; ///< null: there is none of that name
    ParamValues options;
    QString job;  ///< key; empty: the selected one
    Text problem; ///< why there is nothing to see; else empty
};
SubjectView viewOf(const HistorySubject& subject);
/// Options that have their usual values are left out.
HistorySubject viewSubject(const View& view, const ParamValues& options, const QString& job = {});

} // namespace trainyard
