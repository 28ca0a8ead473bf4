// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/JobRun.h"

#include "base/Stopped.h"

#include <algorithm>
#include <cstring>

namespace trainyard {

namespace {
/// In the place of a worker's number, where batches belong to a partition.
constexpr std::uint32_t partitionOwner = 0x80000000u;
} // namespace

std::vector<double> WorkerRun::computeMessage(const TrainingProblem& problem, std::uint32_t self) const {
    std::vector<double> total(problem.messageSize(), 0.0), part(problem.messageSize());
    const auto read = readParameters();
    std::vector<double> local(read.begin(), read.end());
    auto shares = assignment.partitions;
    const bool shared = !shares.empty(); // several workers may compute the same batch of a partition
    if (!shared) shares.emplace_back(share.number, 1.0);
    const double learningRate = problem.optimizer().learningRate();
    const bool moves = localSteps() > 1 && !problem.model().isEnsemble(); // trees do not grow at workers
    for (int step = 0; step < localSteps(); ++step) {
        const std::vector<double> before = local;
        for (const auto& [partition, coefficient] : shares) {
            const std::uint32_t owner = shared ? partitionOwner | partition : self;
            const std::uint32_t number = shared ? assignment.draw : task;
            problem.gradient(
                before,
                {owner, number | (static_cast<std::uint32_t>(step) << 24), partition, share.of, assignment.samples},
                part);
            for (std::size_t i = 0; i < total.size(); ++i) total[i] += coefficient * part[i];
            if (moves)
                for (std::size_t i = 0; i < local.size(); ++i) local[i] -= learningRate * coefficient * part[i];
        }
    }
    return total;
}

void WorkerRun::setTimes(DelayModel& delays, JobId job, std::uint32_t self, SimTime now) {
    computeStart = now;
    computeEnd = now + Duration::seconds(delays.computeSeconds({job, self, task, machine, secondsPerSample}, samples,
                                                               now, localSteps()));
}

double WorkerRun::shareDone(SimTime now) const {
    if (stage == Stage::pushing) return 1;
    if (stage != Stage::computing) return 0;
    const double whole = (computeEnd - computeStart).toSeconds();
    return whole > 0 ? std::clamp((now - computeStart).toSeconds() / whole, 0.0, 1.0) : 1;
}

std::uint32_t JobRun::addTimer(NodeIndex node, std::uint64_t tag) {
    if (m_freeTimers.empty()) {
        m_freeTimers.push_back(static_cast<std::uint32_t>(m_timers.size()));
        m_timers.emplace_back();
    }
    const std::uint32_t number = m_freeTimers.back();
    m_freeTimers.pop_back();
    m_timers[number] = {node, tag};
    return number;
}

std::pair<NodeIndex, std::uint64_t> JobRun::takeTimer(std::uint32_t number) {
    m_freeTimers.push_back(number);
    return m_timers[number];
}

std::shared_ptr<const std::vector<double>> JobRun::commonCopyOf(std::span<const double> read) {
    const auto& present = store.parameters();
    if (read.empty() || read.size() != present.size()) return nullptr;
    if (std::memcmp(read.data(), present.data(), read.size_bytes()) != 0) return nullptr;
    if (!m_common) m_common = std::make_shared<const std::vector<double>>(present);
    return m_common;
}

JobNodes setUpJob(Coordinator& c, JobSetup setup) {
    const auto workers = static_cast<std::uint32_t>(setup.placement.workers.size());
    const auto servers = static_cast<std::uint32_t>(setup.placement.servers.size());
    const TrainingProblem* problem = setup.problem.get();
    const auto [count, bytesPerParameter] = parameterSize(setup.spec, problem);
    JobSnapshot start;
    if (setup.saved) {
        start = std::move(*setup.saved);
    } else if (problem) {
        start.parameters = problem->initialParameters();
        start.optimizerState.assign(count * problem->optimizer().stateSize(), 0.0);
    }
    const auto keys = setup.parameters->keyCount(count, servers > 0 ? servers : workers);
    const bool openToMore = servers > 0 && setup.parameters->workersComeAndGo();
    const auto places =
        openToMore ? std::max(workers, static_cast<std::uint32_t>(setup.spec.workers.maximum)) : workers;
    const auto layout = std::make_shared<const StoreLayout>(
        makeLayout(count, keys, places, servers, bytesPerParameter, problem ? problem->messageSize() : 0));
    c.id = setup.job;
    c.spec = &setup.spec;
    c.placement = setup.placement;
    c.restoring = std::move(setup.restoring);
    c.ranSeconds = setup.ranSeconds;
    c.seed = setup.seed;
    c.updates = start.updates;
    c.samplesUsed = start.samplesUsed;
    c.ahead = start.ahead;
    c.noise = start.noise;
    c.measuresNoise = setup.problem && (setup.measuresNoise || stepRule(setup.spec) == StepWithBatch::gain);
    c.store = JobStore(layout, std::move(start));
    c.responses = std::move(setup.responses);
    c.batch = setup.batch;
    c.synchronization = std::move(setup.synchronization);
    c.policyCalls = setup.policyCalls;
    c.firstTask = setup.lastTask;
    c.workers.assign(workers, {.present = true, .task = setup.lastTask});
    c.hasRead.assign(workers, false);
    for (std::uint32_t w = 0; w < workers; ++w) c.shareOf.push_back(w);
    c.shares = c.present = workers;
    c.problem = std::move(setup.problem);
    if (c.problem) c.initialParameters = c.problem->initialParameters();
    c.measureDistance();
    JobNodes made{std::move(setup.parameters), {}};
    made.nodes.resize(layout->nodes());
    for (NodeIndex n = 0; n < layout->nodes(); ++n) {
        if (n >= workers && n < layout->workers) continue;
        throwIfStopped(setup.stop);
        made.nodes[n] = made.policy->makeNode(layout, n);
        for (const Key key : made.nodes[n]->initialKeys()) c.store.place(key, n);
    }
    return made;
}

MachineId machineOf(const Placement& placement, const StoreLayout& layout, NodeIndex node) {
    return node < layout.workers ? placement.workers[node] : placement.servers[node - layout.workers];
}

bool parametersSurvive(const JobStore& store, const std::function<bool(NodeIndex)>& lost,
                       const std::function<bool(NodeIndex)>& isHome) {
    for (NodeIndex n = 0; n < store.layout().nodes(); ++n)
        if (lost(n) && isHome(n)) return false;
    return std::all_of(store.keys().begin(), store.keys().end(),
                       [&](Key key) { return store.home(key) != JobStore::nowhere && !lost(store.home(key)); });
}

} // namespace trainyard
