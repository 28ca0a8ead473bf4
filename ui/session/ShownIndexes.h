// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The indexes of the runs shown together, the current one and the ghost. They catch up with their logs a piece per frame, however
// long these are. Owned by the window's session (ShownRuns) and by the comparison of two runs.
#include "session/ShownIndex.h"

#include <memory>

namespace trainyard {

class ShownIndexes {
public:
    /// `late`: told that something asked for has still to be folded; catchUp() does it.
    explicit ShownIndexes(std::function<void()> late) : m_late(std::move(late)) {}
    /// What is shown from now on; indexes of anything else are dropped. A run without a log is none.
    void show(const RunData& current, const RunData* ghost);
    /// Folds what fits into a frame.
    void catchUp();
    bool behind() const { return (m_current && m_current->behind()) || (m_ghost && m_ghost->behind()); }

    const ShownIndex* current() const { return m_current.get(); } ///< null: nothing has run
    const ShownIndex* ghost() const { return m_ghost.get(); }     ///< null: none

private:
    std::function<void()> m_late;
    std::unique_ptr<ShownIndex> m_current, m_ghost;
};

} // namespace trainyard
