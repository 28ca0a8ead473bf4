// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/HistoryFold.h"

namespace trainyard {

HistoryFold::HistoryFold(RunData run, HistorySubject subject) : m_run(std::move(run)), m_subject(std::move(subject)) {
    using Of = EntityHistory::Kind;
    if (m_subject.kind == HistorySubject::Kind::metric) {
        const MetricOf of = metricOf(m_subject);
        m_metric = std::make_unique<MetricHistory>(m_run.workload, m_run.log, of.metric, of.job);
        return;
    }
    const Of kind = m_subject.kind == HistorySubject::Kind::machine ? Of::machine
                    : m_subject.kind == HistorySubject::Kind::link  ? Of::link
                                                                    : Of::job;
    m_entity = std::make_unique<EntityHistory>(m_run.workload, m_run.log, kind, m_subject.key.toStdString());
}

std::uint32_t HistoryFold::index() const {
    return m_entity ? m_entity->index() : static_cast<std::uint32_t>(m_metric->job().value_or(0));
}

void HistoryFold::update(std::size_t limit) {
    if (m_entity)
        m_entity->update(limit);
    else
        m_position = m_metric->update(m_position, limit);
}

const std::vector<HistoryFold::Curve>& HistoryFold::curves() const {
    static const std::vector<Curve> none;
    return m_entity ? m_entity->curves() : none;
}

const StepSeries& HistoryFold::tasks() const {
    static const StepSeries none;
    return m_entity ? m_entity->tasks() : none;
}

const std::vector<Outage>& HistoryFold::outages() const {
    static const std::vector<Outage> none;
    return m_entity ? m_entity->outages() : none;
}

} // namespace trainyard
