// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/RunSize.h"

#include "base/Format.h"
#include "base/Memory.h"
#include "learning/DataSet.h"
#include "record/ClusterState.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace run_size {

/// A failure to come, as it is scheduled and as it waits in the queue of events.
constexpr double faultBytes = 64, jobBytes = sizeof(Job) + sizeof(JobState);

/// Machines or links that a fault names: one, or all.
double targetsOf(const Fault& fault, const Cluster& cluster) {
    if (!fault.key.empty()) return 1;
    return static_cast<double>(fault.target == Fault::Target::machine ? cluster.machines.size() : cluster.links.size());
}

/// Of data that are made by numbers of rows and features.
double rowsOf(const TrainedWork& work, double& bytes) {
    const auto it = std::ranges::find(dataSets(), work.dataset.id, &DataSetInfo::id);
    if (it == dataSets().end() || hasErrors(it->schema.check(work.dataset.parameters, {}))) return 0;
    const ParamValues values = it->schema.complete(work.dataset.parameters);
    const auto number = [&](const char* name) {
        const auto found = values.find(name);
        const auto* whole = found == values.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
        return whole ? static_cast<double>(*whole) : 0.0;
    };
    bytes = number("rows") * (number("features") + 1) * sizeof(double);
    return number("features") > 0 ? number("rows") : 0;
}

double workAsked(const Job& job) {
    const auto* trained = std::get_if<TrainedWork>(&job.work);
    return static_cast<double>(job.stop.iterations.value_or(1)) * job.workers.maximum * (trained ? trained->batch : 1);
}

std::string gigabytes(double bytes) {
    const double size = bytes * 1e-9;
    return size < 1000 ? formatNumber(size, 3) : formatNumber(std::round(size), 15);
}

class Refusing {
public:
    explicit Refusing(const RunLimits& limits) : m_memory(memoryFor(limits)) {}
    void count(const char* pattern, double number, double bytes, const std::string& pointer) {
        if (bytes <= m_memory) return;
        m_problems.push_back({.code = "beyond-memory",
                              .message = {pattern, {formatNumber(number, 15), gigabytes(bytes), gigabytes(m_memory)}},
                              .pointer = pointer});
    }
    void data(const Job& job, const std::string& pointer) {
        const auto* work = std::get_if<TrainedWork>(&job.work);
        double bytes = 0;
        if (const double rows = work ? rowsOf(*work, bytes) : 0; rows > 0)
            count(TRAINYARD_TEXT("a data set of {0} rows takes {1} GB; the run may take {2} GB of memory"), rows, bytes,
                  pointer + "/dataset");
    }
    Problems take() { return std::move(m_problems); }

private:
    double m_memory; ///< bytes
    Problems m_problems;
};

} // namespace run_size

double memoryFor(const RunLimits& limits) {
    const double machine = memoryOfMachine();
    return limits.memoryGigabytes ? std::min(machine, *limits.memoryGigabytes * 1e9) : machine;
}

double jobCount(const JobGenerator& generator) {
    return generator.arrivals == JobGenerator::Arrivals::trace ? static_cast<double>(generator.arrivalSeconds.size())
                                                               : std::max(0, generator.count);
}

double jobCount(const Scenario& scenario) {
    auto jobs = static_cast<double>(scenario.jobs.size());
    for (const JobGenerator& generator : scenario.generators) jobs += jobCount(generator);
    return jobs;
}

double workAsked(const Scenario& scenario) {
    double work = 0;
    for (const Job& job : scenario.jobs) work += run_size::workAsked(job);
    for (const JobGenerator& generator : scenario.generators)
        work += jobCount(generator) * run_size::workAsked(generator.job);
    return work;
}

Problems sizeRefusals(const Scenario& scenario) {
    using namespace run_size;
    Refusing refusing(scenario.limits);
    for (std::size_t j = 0; j < scenario.jobs.size(); ++j)
        refusing.data(scenario.jobs[j], "/jobs/" + std::to_string(j));
    for (std::size_t g = 0; g < scenario.generators.size(); ++g)
        refusing.data(scenario.generators[g].job, "/generators/" + std::to_string(g) + "/job");
    const double jobs = jobCount(scenario);
    refusing.count(TRAINYARD_TEXT("{0} jobs take {1} GB at least; the run may take {2} GB of memory"), jobs,
                   jobs * jobBytes, scenario.generators.empty() ? "/jobs" : "/generators");
    double faults = 0;
    for (const Fault& fault : scenario.faults) faults += targetsOf(fault, scenario.cluster);
    refusing.count(TRAINYARD_TEXT("{0} failures take {1} GB at least; the run may take {2} GB of memory"), faults,
                   faults * faultBytes, "/faults");
    return refusing.take();
}

} // namespace trainyard
