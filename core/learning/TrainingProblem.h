// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Everything numerical about one trained job: model, data and optimizer, with batches keyed by (seed, job,
// worker, task), so that simulate and execute mode, and any order of events, compute the same gradient for
// the same task.
#include "learning/Model.h"

namespace trainyard {

class TrainingProblem {
public:
    /// Pointers of problems are relative to the work: "/model/id", "/dataset/parameters/rows". With a cache,
    /// jobs that name the same data share them. May throw Stopped (base/Stopped.h).
    static Result<std::shared_ptr<const TrainingProblem>> make(const TrainedWork& work, std::uint64_t seed, JobId job,
                                                               const ResourcePaths& paths,
                                                               DataSetCache* cache = nullptr,
                                                               const std::stop_token& stop = {});

    std::size_t parameterCount() const { return m_model->parameterCount(); }
    std::size_t messageSize() const { return m_model->messageSize(); }
    std::size_t gradientSize() const { return m_model->gradientSize(); }
    /// What the problem holds besides model and data, which others may share: the order of the rows, rows drawn for evaluation.
    double keptBytes() const {
        return static_cast<double>(m_order.size() * sizeof m_order[0] +
                                   (m_evaluation.x.size() + m_evaluation.y.size()) * sizeof(double));
    }
    const Optimizer& optimizer() const { return *m_optimizer; }
    const Model& model() const { return *m_model; }
    const DataSet& data() const { return *m_data; }
    /// Seeded by (seed, job): the same for every policy.
    std::vector<double> initialParameters() const;

    /// The rows that batches of a partition are drawn from: one of `partitions` equal shares of a fixed order
    /// of the data, random or by target (TrainedWork::shards), or all rows. Never empty; one row where there
    /// are fewer rows than partitions. Not of streams.
    std::span<const std::uint32_t> share(std::uint32_t partition, std::uint32_t partitions) const;

    /// Which rows: drawn without replacement from share(partition, partitions), all of it if `samples` are as
    /// many.
    struct Task {
        std::uint32_t worker = 0, task = 0;
        std::uint32_t partition = 0, partitions = 1;
        int samples = 1;
    };
    /// Mean loss over the task's batch; fills `message` (messageSize() numbers). Thread-safe.
    double gradient(std::span<const double> parameters, const Task& task, std::span<double> message) const;
    /// Loss over the whole data set, summed in fixed order over shards of fixed size. Streams: the exact risk
    /// where model and data set know it, else the loss over a fixed sample of 10,000 rows. Thread-safe.
    double evaluate(std::span<const double> parameters) const;

private:
    TrainingProblem() = default;
    RandomStream batchStream(const Task& task) const;
    void fillBatch(const Task& task, Batch& out) const;

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const DataSet> m_data;
    std::shared_ptr<const Optimizer> m_optimizer;
    std::vector<std::uint32_t> m_order; ///< of the rows, as they are dealt out
    bool m_sharesAll = false;           ///< every partition has all rows
    Batch m_evaluation;                 ///< streams without an exact risk only
    std::uint64_t m_seed = 0;
    JobId m_job;
};

} // namespace trainyard
