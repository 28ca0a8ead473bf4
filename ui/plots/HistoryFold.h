// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The history of what the user follows over time, of one run: of a machine, a link, a job or a metric. Owned by LaneFolds, one per added
// lane and run.
#include "analysis/EntityHistory.h"
#include "analysis/MetricHistory.h"
#include "session/MetricSubject.h"
#include "session/RunData.h"

namespace trainyard {

class HistoryFold {
public:
    using Curve = EntityHistory::Curve;

    HistoryFold(RunData run, HistorySubject subject);

    const HistorySubject& subject() const { return m_subject; }
    const RunData& run() const { return m_run; }
    bool known() const { return m_metric ? m_metric->known() : m_entity->known(); } ///< the run has it
    std::uint32_t index() const;
    /// Folds at most `limit` further events.
    void update(std::size_t limit);
    bool behind() const { return m_entity ? m_entity->behind() : m_position < m_run.log->size(); }

    const std::vector<Curve>& curves() const;                      ///< none: of a metric
    const MetricHistory* metric() const { return m_metric.get(); } ///< null: not of a metric
    const StepSeries& tasks() const;                               ///< machine: tasks placed on it
    const std::vector<Outage>& outages() const;                    ///< of the machine or the link

private:
    RunData m_run;
    HistorySubject m_subject;
    std::unique_ptr<EntityHistory> m_entity; ///< null: of a metric
    std::unique_ptr<MetricHistory> m_metric;
    std::size_t m_position = 0; ///< of a metric
};

} // namespace trainyard
