#include "engine/JobRun.h"

#include <algorithm>
#include <cstring>
#include <numeric>

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

StoreLayout makeLayout(std::uint64_t parameters, std::uint32_t keys, std::uint32_t workers,
                       std::uint32_t servers, double bytesPerParameter) {
    StoreLayout layout{.workers = workers, .servers = servers, .bytesPerParameter = bytesPerParameter};
    const std::uint64_t count = std::clamp<std::uint64_t>(keys, 1, std::max<std::uint64_t>(1, parameters));
    for (std::uint64_t k = 0; k <= count; ++k)
        layout.keyStart.push_back(static_cast<std::uint32_t>(parameters * k / count));
    return layout;
}

void appendKeyMessage(const StoreLayout& layout, Key key, std::span<const double> message,
                      std::vector<double>& out) {
    const std::size_t total = layout.keyStart.back();
    for (std::size_t half = 0; half + total <= message.size(); half += total)
        out.insert(out.end(), message.begin() + static_cast<std::ptrdiff_t>(half + layout.keyStart[key]),
                   message.begin() + static_cast<std::ptrdiff_t>(half + layout.keyStart[key + 1]));
}

std::size_t placeKeyMessage(const StoreLayout& layout, Key key, std::span<const double> part,
                            std::span<double> message) {
    const std::size_t total = layout.keyStart.back(), length = layout.length(key);
    std::size_t used = 0;
    for (std::size_t half = 0; half + total <= message.size(); half += total, used += length)
        std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(used), length,
                    message.begin() + static_cast<std::ptrdiff_t>(half + layout.keyStart[key]));
    return used;
}

std::vector<double> storeValue(const StoreLayout& layout, Key key, const JobSnapshot& snapshot,
                               std::size_t stateSize) {
    const auto begin = static_cast<std::ptrdiff_t>(layout.keyStart[key]),
               end = static_cast<std::ptrdiff_t>(layout.keyStart[key + 1]);
    std::vector<double> value(snapshot.parameters.begin() + begin, snapshot.parameters.begin() + end);
    const auto state = static_cast<std::ptrdiff_t>(stateSize);
    value.insert(value.end(), snapshot.optimizerState.begin() + begin * state,
                 snapshot.optimizerState.begin() + end * state);
    return value;
}

void updateStoreValue(const StoreLayout& layout, Key key, std::span<double> value,
                      std::span<const double> message, const Optimizer& optimizer, std::uint64_t update) {
    const std::size_t total = layout.keyStart.back(), begin = layout.keyStart[key],
                      length = layout.length(key);
    const auto gradient = message.subspan(begin, length);
    const auto curvature =
        message.size() == 2 * total ? message.subspan(total + begin, length) : std::span<const double>{};
    optimizer.step(value.first(length), gradient, curvature, value.subspan(length), update);
}

JobSnapshot JobRun::snapshot() const {
    JobSnapshot out{
        .parameters = parameters, .optimizerState = {}, .updates = updates, .samplesUsed = samplesUsed};
    if (!problem) return out;
    const std::size_t stateSize = problem->optimizer().stateSize();
    out.optimizerState.assign(parameters.size() * stateSize, 0.0);
    for (const NodeRun& node : nodes)
        for (const Key key : allKeys) {
            if (!node.store.has(key)) continue;
            const auto& value = node.store.value(key);
            std::copy(value.begin() + layout.length(key), value.end(),
                      out.optimizerState.begin() +
                          static_cast<std::ptrdiff_t>(layout.keyStart[key] * stateSize));
        }
    return out;
}

void JobRun::findKeys() {
    keyHome.assign(layout.keys(), nowhere);
    for (NodeIndex n = 0; n < nodes.size(); ++n)
        for (const Key key : allKeys)
            if (nodes[n].store.has(key)) keyHome[key] = n;
}

const std::vector<WorkerView>& JobRun::workerViews() {
    if (m_views.size() != workers.size()) {
        m_views.assign(workers.size(), WorkerView{});
        m_busy = 0;
        m_touched.resize(workers.size());
        std::iota(m_touched.begin(), m_touched.end(), 0u);
    }
    for (const std::uint32_t index : m_touched) {
        const WorkerRun& w = workers[index];
        WorkerView& view = m_views[index];
        m_busy -= view.present && view.busy;
        view = {w.present, w.busy(), w.task, w.readVersion, w.samples, w.assigned};
        m_busy += view.present && view.busy;
    }
    m_touched.clear();
    return m_views;
}

std::shared_ptr<const std::vector<double>> JobRun::commonCopyOf(std::span<const double> read) {
    if (read.empty() || read.size() != parameters.size()) return nullptr;
    if (std::memcmp(read.data(), parameters.data(), read.size_bytes()) != 0) return nullptr;
    if (!m_common) m_common = std::make_shared<const std::vector<double>>(parameters);
    return m_common;
}

JobSetup setUpJob(const Job& spec, const Placement& placement, const ParameterPolicy& policy,
                  const TrainingProblem* problem, const std::optional<JobSnapshot>& saved) {
    const auto workers = static_cast<std::uint32_t>(placement.workers.size());
    const auto servers = static_cast<std::uint32_t>(placement.servers.size());
    std::uint64_t count = 0;
    double bytesPerParameter = 8;
    if (problem) {
        count = problem->parameterCount();
        bytesPerParameter = std::get<TrainedWork>(spec.work).bytesPerParameter;
    } else {
        const double bytes = std::get<AnalyticWork>(spec.work).parameterBytes;
        count = static_cast<std::uint64_t>(std::clamp(bytes / 8, 1.0, 1e9));
        bytesPerParameter = bytes / static_cast<double>(count);
    }
    JobSetup setup;
    setup.layout = makeLayout(count, policy.keyCount(count, servers > 0 ? servers : workers), workers,
                              servers, bytesPerParameter);
    const std::size_t stateSize = problem ? problem->optimizer().stateSize() : 0;
    if (saved) {
        setup.snapshot = *saved;
    } else if (problem) {
        setup.snapshot.parameters = problem->initialParameters();
        setup.snapshot.optimizerState.assign(count * stateSize, 0.0);
    }
    const auto layout = std::make_shared<const StoreLayout>(setup.layout);
    setup.nodes.resize(setup.layout.nodes());
    for (NodeIndex n = 0; n < setup.layout.nodes(); ++n) {
        NodeRun& node = setup.nodes[n];
        node.protocol = policy.makeNode(layout, n);
        node.store = ParameterStore(setup.layout.keys());
        for (const Key key : node.protocol->initialKeys())
            node.store.insert(key, problem ? storeValue(setup.layout, key, setup.snapshot, stateSize)
                                           : std::vector<double>{});
    }
    return setup;
}

double parameterBytes(const StoreLayout& layout) {
    return layout.keyStart.back() * layout.bytesPerParameter;
}

double checkpointBytes(const StoreLayout& layout, const TrainingProblem* problem) {
    return parameterBytes(layout) * (problem ? 1 + static_cast<double>(problem->optimizer().stateSize()) : 1);
}

} // namespace trainyard
