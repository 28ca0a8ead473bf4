// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/IterationBars.h"

#include "analysis/UpdateValues.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace trainyard {

namespace iteration_bars {

/// Tasks of asynchronous workers began long before the update they are part of: so many events are looked at.
constexpr std::size_t lookBack = 20'000;

class Reader {
public:
    void take(const Event& e) {
        switch (e.type) {
        case EventType::pullStarted: task(e).pull = e.time; break;
        case EventType::computeStarted: task(e).compute = e.time; break;
        case EventType::pushStarted: task(e).push = e.time; break;
        case EventType::gradientArrived: {
            TaskBar& bar = task(e);
            bar.arrived = true;
            bar.end = e.time;
            break;
        }
        case EventType::gradientUsed: task(e).fate = TaskBar::Fate::used; break;
        case EventType::gradientDropped: close(e, TaskBar::Fate::dropped); break;
        case EventType::taskCancelled: close(e, TaskBar::Fate::cancelled); break;
        case EventType::updateApplied: // what it was made of belongs to it, not to the next
            std::erase_if(m_bars, [](const auto& bar) { return bar.second.fate != TaskBar::Fate::underWay; });
            break;
        case EventType::taskRemoved:
            if (e.aux == static_cast<std::uint16_t>(TaskRole::worker))
                m_bars.erase(m_bars.lower_bound({e.a, 0}), m_bars.lower_bound({e.a + 1, 0}));
            break;
        default: break;
        }
    }

    std::vector<TaskBar> bars(SimTime now) const {
        std::vector<TaskBar> all;
        for (const auto& [key, bar] : m_bars) {
            all.push_back(bar);
            if (bar.end == SimTime::never()) all.back().end = now;
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const TaskBar& a, const TaskBar& b) { return a.start() < b.start(); });
        return all;
    }

private:
    TaskBar& task(const Event& e) {
        return m_bars.try_emplace({e.a, e.b}, TaskBar{.worker = e.a, .task = e.b}).first->second;
    }

    void close(const Event& e, TaskBar::Fate fate) {
        TaskBar& bar = task(e);
        bar.fate = fate;
        if (!bar.arrived) bar.end = e.time;
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, TaskBar> m_bars; ///< by worker and task
};

/// The order of arrival of what was used, and with it that of the rows.
void place(IterationBars& out) {
    std::vector<TaskBar*> used;
    for (TaskBar& bar : out.bars)
        if (bar.fate == TaskBar::Fate::used) used.push_back(&bar);
    std::stable_sort(used.begin(), used.end(), [](const TaskBar* a, const TaskBar* b) { return a->end < b->end; });
    for (std::size_t i = 0; i < used.size(); ++i) used[i]->place = static_cast<int>(i) + 1;
    if (!used.empty()) out.lastNeeded = used.back()->end;
    out.used = static_cast<int>(used.size());

    using Key = std::tuple<bool, int, bool, std::uint32_t>;
    std::map<std::uint32_t, Key> rows;
    for (const TaskBar& bar : out.bars) {
        const Key key(bar.place == 0, bar.place, !bar.arrived, bar.worker);
        const auto [it, isNew] = rows.try_emplace(bar.worker, key);
        if (!isNew) it->second = std::min(it->second, key);
    }
    std::vector<Key> order;
    for (const auto& [worker, key] : rows) order.push_back(key);
    std::sort(order.begin(), order.end());
    for (const Key& key : order) out.byArrival.push_back(std::get<3>(key));
}

} // namespace iteration_bars

SimTime IterationBars::earliest() const { return bars.empty() ? from : std::min(from, bars.front().start()); }

IterationBars iterationAt(const RunIndex& run, JobId job, SimTime at) {
    const UpdateLog& updates = run.jobs()[job.index()].updates;
    const EventLog& log = *run.source().log;
    IterationBars out;
    // The instant of an update still belongs to it.
    const std::size_t before = run.position() == 0 ? 0 : updatesUntil(run, job, SimTime{at.ns - 1});
    out.update = updates.size() > 0 ? std::min(before, updates.size() - 1) : 0;
    out.applied = updates.size() > 0;
    const std::size_t last = out.applied ? updates.position(out.update) + 1 : run.position();
    const std::size_t first = out.update > 0 ? updates.position(out.update - 1) + 1 : 0;
    const std::size_t begin = first > iteration_bars::lookBack ? first - iteration_bars::lookBack : 0;
    iteration_bars::Reader reader;
    log.walk(begin, last > 0 && out.applied ? last - 1 : last, [&](const Event& e) {
        if (e.job == job.value) reader.take(e);
    });
    out.to = out.applied ? timeOfUpdate(run, job, out.update) : run.head();
    out.bars = reader.bars(out.to);
    out.from = out.update > 0 ? timeOfUpdate(run, job, out.update - 1)
                              : (out.bars.empty() ? SimTime{} : out.bars.front().start());
    iteration_bars::place(out);
    return out;
}

} // namespace trainyard
