// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// More records than fit in memory, in order: sorted runs are put aside and merged. Used by importers.
#include "run/files/ScratchFile.h"

#include <algorithm>
#include <queue>
#include <vector>

namespace trainyard {

/// Before(a, b): whether record a comes before b. Records of equal place come in any order.
template <class Record, class Before>
class SortedRuns {
public:
    /// `most`: records of a run.
    explicit SortedRuns(const std::filesystem::path& scratch, std::size_t most = std::size_t{1} << 20)
        : m_most(most), m_runs(scratch) {}

    void add(const Record& record) {
        m_run.push_back(record);
        if (m_run.size() == m_most) endRun();
    }
    /// All records in order; once, after the last add(). `visit` returns whether to go on.
    template <class Visit>
    void forEach(Visit visit) {
        endRun();
        m_run = {};
        std::vector<ScratchFile::Reader> readers;
        const auto later = [](const Front& a, const Front& b) { return Before()(b.record, a.record); };
        std::priority_queue<Front, std::vector<Front>, decltype(later)> fronts(later);
        for (std::size_t run = 0; run < m_ends.size(); ++run) {
            readers.emplace_back(m_runs, run == 0 ? 0 : m_ends[run - 1], m_ends[run]);
            Front front{.record = {}, .run = run};
            if (readers[run].next(front.record)) fronts.push(front);
        }
        while (!fronts.empty() && !failed()) {
            Front front = fronts.top();
            fronts.pop();
            if (!visit(front.record)) return;
            if (readers[front.run].next(front.record)) fronts.push(front);
        }
    }
    bool failed() const { return m_runs.failed(); }
    Problems problems() const { return m_runs.problems(); }

private:
    struct Front {
        Record record;
        std::size_t run;
    };
    void endRun() {
        if (!std::ranges::is_sorted(m_run, Before())) std::ranges::sort(m_run, Before());
        for (const Record& record : m_run) m_runs.add(record);
        if (!m_run.empty()) m_ends.push_back(m_runs.bytes());
        m_run.clear();
    }

    std::size_t m_most;
    std::vector<Record> m_run;
    ScratchFile m_runs;
    std::vector<std::uint64_t> m_ends; ///< of the runs, in bytes
};

} // namespace trainyard
