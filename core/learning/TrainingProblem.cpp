// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/TrainingProblem.h"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace {

constexpr std::size_t evaluationShard = 512, streamSample = 10000;
// Coordinates no worker has.
constexpr std::uint32_t noWorker = 0xFFFFFFFFu, permutationItem = 0, sampleItem = 1;

Problems under(const char* pointer, Problems problems) {
    for (Problem& p : problems) p.pointer = pointer + p.pointer;
    return problems;
}

void append(Problems& to, const Problems& from) { to.insert(to.end(), from.begin(), from.end()); }

std::vector<std::uint32_t> shuffled(std::size_t n, RandomStream random) {
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]); // Fisher, Yates
    return order;
}

/// `count` different elements of `from`, each subset equally likely: Floyd's method, one draw per element.
std::vector<std::uint32_t> drawWithoutReplacement(std::span<const std::uint32_t> from, std::size_t count,
                                                  RandomStream random) {
    std::vector<bool> taken(from.size());
    std::vector<std::uint32_t> out;
    out.reserve(count);
    for (std::size_t last = from.size() - count; last < from.size(); ++last) {
        std::size_t pick = random.below(last + 1);
        if (taken[pick]) pick = last;
        taken[pick] = true;
        out.push_back(from[pick]);
    }
    return out;
}

/// Why the optimizer {0} cannot train the model {1}; nullptr: it can.
const char* unusable(const Optimizer& optimizer, const Model& model) {
    if (optimizer.needsEnsemble() != model.isEnsemble())
        return optimizer.needsEnsemble()
                   ? TRAINYARD_TEXT("the optimizer \"{0}\" adds trees to an ensemble, and the model \"{1}\" is none; "
                                    "choose the model boosted-trees, or another optimizer")
                   : TRAINYARD_TEXT(
                         "the optimizer \"{0}\" moves parameters, and those of \"{1}\" are trees, which grow; "
                         "choose boosting");
    if (optimizer.needsBlocks() != (model.blocks() > 1) && (optimizer.needsBlocks() || optimizer.needsCurvature()))
        return optimizer.needsBlocks()
                   ? TRAINYARD_TEXT("the optimizer \"{0}\" goes through blocks of parameters, which the model \"{1}\" "
                                    "does not have; choose matrix-factorization with \"alternating\"")
                   : TRAINYARD_TEXT("the optimizer \"{0}\" moves all parameters at once, and the curvature of \"{1}\" "
                                    "is that of a block; choose alternating");
    if (optimizer.needsCurvature() && !model.hasCurvature())
        return TRAINYARD_TEXT("the optimizer \"{0}\" needs weighted means, which the model \"{1}\" does not "
                              "provide; choose another, for example sgd");
    return nullptr;
}

/// What the rows are sorted by: the target, of ratings the user.
std::vector<double> sortKeys(const DataSet& data) {
    Batch all;
    std::vector<std::uint32_t> row(1);
    std::vector<double> keys(data.rows());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        row[0] = static_cast<std::uint32_t>(i);
        all.rows = 0;
        all.x.clear();
        all.y.clear();
        data.gather(row, all);
        keys[i] = data.users() > 0 ? all.x[0] : all.y[0];
    }
    return keys;
}

/// Rows of the same key keep their order.
void sortRows(std::vector<std::uint32_t>& order, const DataSet& data) {
    const std::vector<double> keys = sortKeys(data);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
}

} // namespace

Result<std::shared_ptr<const TrainingProblem>> TrainingProblem::make(const TrainedWork& work, std::uint64_t seed,
                                                                     JobId job, const ResourcePaths& paths,
                                                                     DataSetCache* cache, const std::stop_token& stop) {
    Problems problems;
    auto data = cache ? cache->load(work.dataset, seed, paths, stop) : loadDataSet(work.dataset, seed, paths, stop);
    if (!data) append(problems, under("/dataset", data.problems()));
    auto optimizer = makeOptimizer(work.optimizer);
    if (!optimizer) append(problems, under("/optimizer", optimizer.problems()));
    if (!data) return problems;
    if (work.shards == Shards::sorted && (*data)->rows() == 0) problems.push_back(nothingToSort(work.dataset.id));
    auto model = makeModel(work.model, **data);
    if (!model) append(problems, under("/model", model.problems()));
    if (!problems.empty()) return problems;
    if (const char* why = unusable(**optimizer, **model))
        return Problem{.code = "unusable-optimizer",
                       .message = {why, {work.optimizer.id, work.model.id}},
                       .pointer = "/optimizer/id"};

    std::shared_ptr<TrainingProblem> out(new TrainingProblem);
    out->m_model = *model;
    out->m_data = *data;
    out->m_optimizer = *optimizer;
    out->m_seed = seed;
    out->m_job = job;
    const std::uint64_t entity = entityOf(job.value, noWorker);
    if (out->m_data->rows() > 0) {
        out->m_order = shuffled(out->m_data->rows(), {seed, Purpose::batch, entity, permutationItem});
        if (work.shards == Shards::sorted) sortRows(out->m_order, *out->m_data);
        out->m_sharesAll = work.shards == Shards::shared;
    } else if (!(out->m_model->isLeastSquares() && out->m_data->exactRisk(out->initialParameters()))) {
        RandomStream random(seed, Purpose::batch, entity, sampleItem);
        out->m_data->draw(random, streamSample, out->m_evaluation);
    }
    return std::shared_ptr<const TrainingProblem>(std::move(out));
}

std::vector<double> TrainingProblem::initialParameters() const {
    std::vector<double> parameters(parameterCount());
    RandomStream random(m_seed, Purpose::initialWeights, entityOf(m_job.value));
    m_model->initialise(parameters, random);
    return parameters;
}

RandomStream TrainingProblem::batchStream(const Task& task) const {
    return {m_seed, Purpose::batch, entityOf(m_job.value, task.worker), task.task};
}

std::span<const std::uint32_t> TrainingProblem::share(std::uint32_t partition, std::uint32_t partitions) const {
    require(!m_order.empty() && partition < partitions, "a share that does not exist");
    if (m_sharesAll) return m_order;
    const std::uint64_t n = m_order.size();
    const std::uint64_t begin = n * partition / partitions, end = n * (partition + 1ull) / partitions;
    if (begin == end) return {m_order.data() + begin % n, 1}; // more partitions than rows
    return {m_order.data() + begin, end - begin};
}

void TrainingProblem::fillBatch(const Task& task, Batch& out) const {
    require(task.samples > 0 && task.partition < task.partitions, "a task without samples or beyond its partitions");
    const auto samples = static_cast<std::size_t>(task.samples);
    RandomStream random = batchStream(task);
    if (m_data->rows() == 0) return m_data->draw(random, samples, out);
    const auto rows = share(task.partition, task.partitions);
    if (samples >= rows.size()) return m_data->gather(rows, out);
    m_data->gather(drawWithoutReplacement(rows, samples, std::move(random)), out);
}

double TrainingProblem::gradient(std::span<const double> parameters, const Task& task,
                                 std::span<double> message) const {
    require(parameters.size() == parameterCount() && message.size() == messageSize(),
            "wrong length of a parameter vector");
    if (m_data->rows() == 0 && m_model->isLeastSquares()) {
        RandomStream random = batchStream(task);
        const auto samples = static_cast<std::size_t>(std::max(1, task.samples));
        if (const auto loss = m_data->drawGradient(random, parameters, samples, message)) return *loss;
    }
    Batch batch;
    fillBatch(task, batch);
    return m_model->gradient(parameters, batch, message);
}

double TrainingProblem::evaluate(std::span<const double> parameters) const {
    if (m_data->rows() == 0) {
        if (m_model->isLeastSquares())
            if (const auto risk = m_data->exactRisk(parameters)) return *risk;
        return m_model->loss(parameters, m_evaluation);
    }
    const std::size_t n = m_data->rows();
    std::vector<std::uint32_t> rows;
    Batch batch;
    double sum = 0;
    for (std::size_t begin = 0; begin < n; begin += evaluationShard) {
        rows.resize(std::min(evaluationShard, n - begin));
        std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
        batch.rows = 0;
        batch.x.clear();
        batch.y.clear();
        m_data->gather(rows, batch);
        sum += m_model->loss(parameters, batch) * static_cast<double>(rows.size());
    }
    return sum / static_cast<double>(n);
}

} // namespace trainyard
