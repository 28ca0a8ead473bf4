// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LaneFolds.h"

#include <algorithm>

namespace trainyard {

namespace lane_folds {

/// Events folded at most per frame: about 10 ms of work, so that a long record does not freeze the window.
constexpr std::size_t eventsPerFrame = 600'000;

bool isFoldOf(const std::unique_ptr<RunFold>& fold, const RunData& run) {
    return fold && fold->run().id == run.id && fold->run().log == run.log;
}

} // namespace lane_folds

using namespace lane_folds;

void LaneFolds::show(const RunData& current, const RunData* ghost, const std::vector<HistorySubject>& histories) {
    // What was current may be the ghost now, and the other way round.
    std::vector<std::unique_ptr<RunFold>> before;
    before.push_back(std::move(m_current));
    before.push_back(std::move(m_ghost));
    const auto foldOf = [&](const RunData* run) -> std::unique_ptr<RunFold> {
        if (!run || !run->log || !run->workload) return nullptr;
        for (auto& fold : before)
            if (isFoldOf(fold, *run)) return std::move(fold);
        return std::make_unique<RunFold>(*run);
    };
    m_current = foldOf(&current);
    m_ghost = foldOf(ghost);

    std::vector<std::unique_ptr<HistoryFold>> kept;
    for (const HistorySubject& subject : histories) {
        if (!m_current) break;
        if (subject.kind == HistorySubject::Kind::view) continue; // it reads the index
        const auto it = std::find_if(m_histories.begin(), m_histories.end(), [&](const auto& fold) {
            return fold && fold->subject() == subject && fold->run().id == current.id && fold->run().log == current.log;
        });
        kept.push_back(it != m_histories.end() ? std::move(*it) : std::make_unique<HistoryFold>(current, subject));
    }
    m_histories = std::move(kept);
}

void LaneFolds::catchUp() {
    if (m_ghost) m_ghost->update(eventsPerFrame);
    if (m_current) m_current->update(eventsPerFrame);
    std::size_t late = 0;
    for (const auto& fold : m_histories) late += fold->behind();
    // A history looks at most events without keeping anything of them: twice as many take as long.
    for (const auto& fold : m_histories)
        if (fold->behind()) fold->update(std::max<std::size_t>(1000, 2 * eventsPerFrame / late));
}

bool LaneFolds::behind() const {
    return (m_current && m_current->behind()) || (m_ghost && m_ghost->behind()) ||
           std::any_of(m_histories.begin(), m_histories.end(), [](const auto& fold) { return fold->behind(); });
}

const HistoryFold* LaneFolds::history(const HistorySubject& subject) const {
    for (const auto& fold : m_histories)
        if (fold->subject() == subject) return fold.get();
    return nullptr;
}

} // namespace trainyard
