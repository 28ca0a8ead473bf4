// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The folds that the lanes draw: one per run shown (the current and the ghost), and one per history that the
// user added. They catch up with their logs a piece per frame, however long these are. Owned by LaneStack.
#include "plots/HistoryFold.h"
#include "plots/RunFold.h"

#include <memory>

namespace trainyard {

class LaneFolds {
public:
    /// What is shown from now on; folds of anything else are dropped. A run without a log is none.
    void show(const RunData& current, const RunData* ghost, const std::vector<HistorySubject>& histories);
    /// Folds what fits into a frame.
    void catchUp();
    bool behind() const;

    RunFold* current() const { return m_current.get(); }
    RunFold* ghost() const { return m_ghost.get(); }
    /// Null while nothing has run.
    const HistoryFold* history(const HistorySubject& subject) const;

private:
    std::unique_ptr<RunFold> m_current, m_ghost;
    std::vector<std::unique_ptr<HistoryFold>> m_histories;
};

} // namespace trainyard
