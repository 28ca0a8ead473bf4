// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/RunFolds.h"

#include <vector>

namespace trainyard {

namespace run_folds {
/// Events folded at most per frame: about 10 ms of work, so that a long record does not freeze the window.
constexpr std::size_t eventsPerFrame = 600'000;
} // namespace run_folds

void RunFolds::show(const RunData& current, const RunData* ghost) {
    // What was current may be the ghost now, and the other way round.
    std::vector<std::unique_ptr<RunFold>> before;
    before.push_back(std::move(m_current));
    before.push_back(std::move(m_ghost));
    const auto foldOf = [&](const RunData* run) -> std::unique_ptr<RunFold> {
        if (!run || !run->log || !run->workload) return nullptr;
        for (auto& fold : before)
            if (fold && fold->run().id == run->id && fold->run().log == run->log) return std::move(fold);
        auto fold = std::make_unique<RunFold>(*run);
        fold->onLate(m_late);
        return fold;
    };
    m_current = foldOf(&current);
    m_ghost = foldOf(ghost);
}

void RunFolds::catchUp() {
    if (m_ghost) m_ghost->update(run_folds::eventsPerFrame);
    if (m_current) m_current->update(run_folds::eventsPerFrame);
}

} // namespace trainyard
