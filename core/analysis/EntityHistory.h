// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The log of one run folded into the history of one machine, link or job: what the views of machines, links and workers show.
// Nothing is kept of anybody else.
#include "analysis/RunIndex.h"
#include "model/Placement.h"
#include "record/WorkerPhases.h"

#include <set>

namespace trainyard {

/// The name of the machine or the switch with that key, where it has one.
std::string nameOfEnd(const Cluster& cluster, const std::string& key);
/// "Worker 1 – Switch"; its own key, where that says more than its ends.
std::string linkTitle(const Cluster& cluster, const Link& link);
/// Of all links, by LinkId: each name is looked up once.
std::vector<std::string> linkTitles(const Cluster& cluster);

class EntityHistory final : public LogFold {
public:
    enum class Kind { machine, link, job };
    /// A quantity over time; `full` is what counts as all of it, in the same unit.
    struct Curve {
        enum class What { resource, busyTasks, load, placed, computing, waiting };
        What what = What::resource;
        std::uint32_t index = 0; ///< resource; load: 0 from → to, 1 back
        double full = 0;
        StepSeries series;
    };

    EntityHistory(const RunSource& run, Kind kind, const std::string& key);

    bool known() const { return m_index != none; } ///< the run has such a machine, link or job
    std::uint32_t index() const { return m_index; }
    void apply(const Event& event, std::size_t position) override;
    std::size_t carryOn(const EventLog& log, std::size_t from, std::size_t to, std::size_t limit) override;

    const std::vector<Curve>& curves() const { return m_curves; }
    const StepSeries& tasks() const { return m_tasks; }              ///< machine: tasks placed on it
    const std::vector<Outage>& outages() const { return m_outages; } ///< of the machine or the link

private:
    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
    using TaskKey = std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>; ///< job, role, number of the task
    void begin(const std::string& key);
    void applyMachine(const Event& event);
    void applyJob(const Event& event);
    bool place(const Event& event, bool isHere); ///< false: it changes nothing
    void follow(const Event& event);
    void takeCounts(SimTime at);
    Curve* curve(Curve::What what, std::uint32_t index = 0);

    std::shared_ptr<const Workload> m_workload;
    Kind m_kind;
    std::uint32_t m_index = none;
    std::vector<Curve> m_curves;
    StepSeries m_tasks;
    std::vector<Outage> m_outages;
    std::vector<std::int64_t> m_allocated; ///< micro-units by resource
    std::vector<WorkerPhases> m_phases;    ///< by job
    std::set<TaskKey> m_here;
    int m_computing = 0, m_waiting = 0; ///< of the workers among them
};

} // namespace trainyard
