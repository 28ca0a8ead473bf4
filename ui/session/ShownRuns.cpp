// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/ShownRuns.h"

#include "session/InteractionMonitor.h"
#include "session/RunModel.h"
#include "session/TimeAxis.h"

#include <algorithm>

namespace trainyard {

ShownRuns::ShownRuns(RunModel& runs, const InteractionMonitor* hand) : m_runs(runs), m_hand(hand) {
    connect(&runs, &RunModel::runStarted, this, &ShownRuns::replace);
    connect(&runs, &RunModel::frame, this, &ShownRuns::follow);
    connect(&runs, &RunModel::runEnded, this, &ShownRuns::follow);
    connect(&runs, &RunModel::ghostChanged, this, &ShownRuns::follow);
    m_catchUp.setSingleShot(true);
    connect(&m_catchUp, &QTimer::timeout, this, &ShownRuns::follow);
    replace();
    follow();
}

bool ShownRuns::isGoing() const {
    return m_runs.current().running || (m_indexes.current() && m_indexes.current()->behind());
}

void ShownRuns::replace() {
    m_head = {};
    m_indexes.show(m_runs.current(), m_runs.ghost());
    Q_EMIT replaced();
}

void ShownRuns::follow() {
    constexpr int mostLeftOut = 2, atLatest = 100; // milliseconds
    if (m_hand && m_hand->isBusy() && m_leftOut < mostLeftOut) {
        ++m_leftOut;
        m_catchUp.start(atLatest);
        return;
    }
    m_leftOut = 0;
    m_indexes.show(m_runs.current(), m_runs.ghost());
    m_indexes.catchUp();
    if (const ShownIndex* run = m_indexes.current()) {
        const auto frame = m_runs.latestFrame();
        m_head = std::max(run->head(), frame && !run->behind() ? frame->now : SimTime{});
    }
    Q_EMIT changed();
    // Of a run that goes on the next frame comes before, so that no frame does it twice.
    constexpr int afterAFrame = 24; // milliseconds
    if (m_indexes.behind()) m_catchUp.start(m_runs.current().running ? afterAFrame : 0);
}

bool readsWholeRun(const ShownRuns& runs, const TimeAxis& axis) {
    return runs.current() && !runs.isGoing() && !runs.behind() && !axis.hover() && !axis.cursor() &&
           runs.head() > SimTime::zero();
}

} // namespace trainyard
