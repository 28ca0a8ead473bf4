#include "engine/JobRun.h"

#include <algorithm>
#include <cstring>

namespace trainyard {

namespace {
/// In the place of a worker's number, where batches belong to a partition.
constexpr std::uint32_t partitionOwner = 0x80000000u;
} // namespace

std::vector<double> computeMessage(const TrainingProblem& problem, const ComputeTask& task,
                                   std::span<const double> parameters) {
    std::vector<double> total(problem.messageSize(), 0.0), part(problem.messageSize());
    std::vector<double> local(parameters.begin(), parameters.end());
    auto shares = task.partitions;
    const bool shared = !shares.empty(); // several workers may compute the same batch of a partition
    if (!shared) shares.emplace_back(task.worker, 1.0);
    for (int step = 0; step < task.localSteps; ++step) {
        const std::vector<double> before = local;
        for (const auto& [partition, coefficient] : shares) {
            const std::uint32_t owner = shared ? partitionOwner | partition : task.worker;
            const std::uint32_t number = shared ? task.draw : task.task;
            problem.gradient(before,
                             {owner, number | (static_cast<std::uint32_t>(step) << 24), partition,
                              task.workers, task.samples},
                             part);
            for (std::size_t i = 0; i < total.size(); ++i) total[i] += coefficient * part[i];
            if (task.localSteps > 1)
                for (std::size_t i = 0; i < local.size(); ++i)
                    local[i] -= task.learningRate * coefficient * part[i];
        }
    }
    return total;
}

std::shared_ptr<const std::vector<double>> JobRun::commonCopyOf(std::span<const double> read) {
    const auto& present = store.parameters();
    if (read.empty() || read.size() != present.size()) return nullptr;
    if (std::memcmp(read.data(), present.data(), read.size_bytes()) != 0) return nullptr;
    if (!m_common) m_common = std::make_shared<const std::vector<double>>(present);
    return m_common;
}

std::vector<NodeRun> setUpJob(Coordinator& c, JobSetup setup) {
    const auto workers = static_cast<std::uint32_t>(setup.placement.workers.size());
    const auto servers = static_cast<std::uint32_t>(setup.placement.servers.size());
    const TrainingProblem* problem = setup.problem.get();
    std::uint64_t count = 0;
    double bytesPerParameter = 8;
    if (problem) {
        count = problem->parameterCount();
        bytesPerParameter = std::get<TrainedWork>(setup.spec.work).bytesPerParameter;
    } else {
        const double bytes = std::get<AnalyticWork>(setup.spec.work).parameterBytes;
        count = static_cast<std::uint64_t>(std::clamp(bytes / 8, 1.0, 1e9));
        bytesPerParameter = bytes / static_cast<double>(count);
    }
    JobSnapshot start;
    if (setup.saved) {
        start = std::move(*setup.saved);
    } else if (problem) {
        start.parameters = problem->initialParameters();
        start.optimizerState.assign(count * problem->optimizer().stateSize(), 0.0);
    }
    const auto keys = setup.parameters->keyCount(count, servers > 0 ? servers : workers);
    const auto layout =
        std::make_shared<const StoreLayout>(makeLayout(count, keys, workers, servers, bytesPerParameter));
    c.id = setup.job;
    c.spec = &setup.spec;
    c.seed = setup.seed;
    c.updates = start.updates;
    c.samplesUsed = start.samplesUsed;
    c.store = JobStore(layout, std::move(start));
    c.responses = std::move(setup.responses);
    c.synchronization = std::move(setup.synchronization);
    c.workers.assign(workers, {.present = true, .task = setup.lastTask});
    c.hasRead.assign(workers, false);
    c.problem = std::move(setup.problem);
    if (c.problem) c.initialParameters = c.problem->initialParameters();
    c.measureDistance();
    std::vector<NodeRun> nodes(layout->nodes());
    for (NodeIndex n = 0; n < nodes.size(); ++n) {
        nodes[n].protocol = setup.parameters->makeNode(layout, n);
        for (const Key key : nodes[n].protocol->initialKeys()) c.store.place(key, n);
    }
    return nodes;
}

Owners ownersOf(const StoreLayout& layout) {
    return layout.servers > 0 ? Owners{layout.workers, layout.servers} : Owners{0, layout.workers};
}

MachineId machineOf(const Placement& placement, NodeIndex node) {
    const std::size_t workers = placement.workers.size();
    return node < workers ? placement.workers[node] : placement.servers[node - workers];
}

bool parametersSurvive(const JobStore& store, const std::function<bool(NodeIndex)>& lost,
                       const std::function<bool(NodeIndex)>& isHome) {
    for (NodeIndex n = 0; n < store.layout().nodes(); ++n)
        if (lost(n) && isHome(n)) return false;
    return std::all_of(store.keys().begin(), store.keys().end(), [&](Key key) {
        return store.home(key) != JobStore::nowhere && !lost(store.home(key));
    });
}

} // namespace trainyard
