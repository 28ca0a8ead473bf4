// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Explanations of policies in words: names as they are shown, units, and what passed or failed.
#include "model/Workload.h"
#include "record/Explanation.h"

#include <QString>

namespace trainyard {

/// A decision, or a refused attempt. `workload` may be null. What is known of a candidate stands in lines of its own, or is parted
/// otherwise.
QString explanationHtml(const Explanation& e, const Workload* workload,
                        const QString& between = QStringLiteral("<br>"));
/// In a sentence.
QString explanationSummary(const Explanation& e, const Workload* workload);
/// A policy by its name, or by its id where it is unknown.
QString policyText(PolicyFamily family, const std::string& id);
/// A machine by its name, or by its key where it has none.
QString shownMachine(const Workload* workload, const std::string& key);

} // namespace trainyard
