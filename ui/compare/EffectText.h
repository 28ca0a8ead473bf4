// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a policy did in a run, as a sentence for somebody who does not know the event log. Used by TwoRunsTab.
#include "record/EventLog.h"

#include <QCoreApplication>
#include <QString>

namespace trainyard {

struct Workload;

class EffectText {
    Q_DECLARE_TR_FUNCTIONS(EffectText)
public:
    /// "Digits starts on Machine 1 and Machine 2 with 4 workers and 1 server." `position`: of an event in the log that a policy brings
    /// about (decidedBy()); what else happens to its job at that instant is in the sentence.
    static QString sentence(const EventLog& log, std::size_t position, const Workload& workload);
    /// "Why Digits does not start here": of another run, which does not do this.
    static QString whyNot(const EventLog& log, std::size_t position, const Workload& workload);
};

} // namespace trainyard
