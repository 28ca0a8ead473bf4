// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/BackgroundSweep.h"

namespace trainyard {

/// Written by the sweep's threads, read by the window's.
struct BackgroundSweep::Fresh {
    std::mutex mutex;
    std::vector<SweepRow> rows;
};

void BackgroundSweep::start(SweepRequest request, const QString& folder) {
    if (isRunning()) return;
    m_problems.clear();
    m_rows.clear();
    m_stopped = false;
    auto fresh = m_fresh = std::make_shared<Fresh>();
    request.finished = [fresh](const SweepRow& row) {
        if (row.digest.empty()) return; // failed: its problem is shown
        const std::scoped_lock lock(fresh->mutex);
        fresh->rows.push_back(row);
    };
    m_request = request;
    std::size_t all = request.seeds.size();
    for (const SweepAxis& axis : request.axes) all *= axis.values.size();
    begin(all, [this, request, folder](const std::stop_token& stop, const Progress& progress) mutable -> Finish {
        request.stop = stop;
        request.progress = progress;
        Problems problems;
        request.kept = keptIn(folder, problems, progress);
        const auto made = sweep(request);
        const Problems& ofRuns = made ? made->problems : made.problems();
        problems.insert(problems.end(), ofRuns.begin(), ofRuns.end());
        const bool stopped = made && made->stopped;
        return [this, problems, stopped] {
            m_problems.insert(m_problems.end(), problems.begin(), problems.end());
            m_stopped = stopped;
        };
    });
}

void BackgroundSweep::take() {
    const std::scoped_lock lock(m_fresh->mutex);
    m_rows.insert(m_rows.end(), m_fresh->rows.begin(), m_fresh->rows.end());
    m_fresh->rows.clear();
}

} // namespace trainyard
