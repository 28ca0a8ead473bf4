// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The indexes of the current run and of the ghost, as far as they have come: what lanes, views, tables and exports read. Follows
// the runs, a piece of their logs per frame. Owned by the workspace.
#include "session/ShownIndexes.h"

#include <QObject>
#include <QTimer>

namespace trainyard {

class InteractionMonitor;
class RunModel;
class TimeAxis;

class ShownRuns final : public QObject {
    Q_OBJECT
public:
    /// While `hand` is busy, every third frame is shown. Borrowed; null: never busy.
    explicit ShownRuns(RunModel& runs, const InteractionMonitor* hand = nullptr);

    RunModel& runs() const { return m_runs; }
    const ShownIndex* current() const { return m_indexes.current(); } ///< null: nothing has run
    const ShownIndex* ghost() const { return m_indexes.ghost(); }     ///< null: none
    /// Of the current run: its last event, or now.
    SimTime head() const { return m_head; }
    bool behind() const { return m_indexes.behind(); }
    /// More of the current run is to come, or to be read.
    bool isGoing() const;

Q_SIGNALS:
    void replaced(); ///< current() is another run
    void changed();  ///< an index has grown, or ghost() is another run

private:
    void replace();
    void follow();

    RunModel& m_runs;
    const InteractionMonitor* m_hand;
    ShownIndexes m_indexes{[this] {
        if (!m_catchUp.isActive()) m_catchUp.start(0);
    }};
    SimTime m_head;
    QTimer m_catchUp;  ///< a log too long for one frame is folded in pieces
    int m_leftOut = 0; ///< frames, since one was shown
};

/// What is read out beside curves is of all of the run: it is over, and no instant is looked at.
bool readsWholeRun(const ShownRuns& runs, const TimeAxis& axis);

} // namespace trainyard
