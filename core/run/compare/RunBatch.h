// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Many runs, each by itself: what comparisons, sweeps, tuning and studies are made of. A run that has been kept is read, any other is run
// and kept. Simulated runs go in parallel, one thread each, the longest first where their sizes tell (docs/decisions/0015); executed ones
// one after another, in order, so that none takes cores from another, and what slows the machine down for a while slows neighbours in
// the list alike.
#include "run/Headless.h"
#include "run/compare/BatchProcesses.h"
#include "run/compare/ResultStore.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

namespace trainyard {

struct BatchRun {
    std::shared_ptr<const Scenario> scenario; ///< null: it cannot be run
    std::uint64_t seed = 1;
};

/// A run that is over. `value`: it has been taken or read.
struct EndedRun {
    enum class How { value, failed, stopped, ofOtherShard };
    std::size_t number = 0; ///< in the batch
    How how = How::value;
    Problems problems;  ///< why it failed; none where it has no scenario
    Problems unkept;    ///< why its value is not kept
    bool found = false; ///< among those kept: it was not run
};

/// How the runs of a batch are done.
struct BatchSettings {
    std::shared_ptr<const Registry> registry;
    ResourcePaths resources;
    RunMode mode = RunMode::simulate;
    std::size_t shard = 0, shards = 1; ///< runs with number mod shards == shard are run; others are only read
    int threads = 0;                   ///< 0: all but one core
    KeptResults kept;
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t all)> progress; ///< any thread, one at a time; may be empty
    std::shared_ptr<BatchProcesses> processes;                       ///< that share the runs; null: this one alone
    bool everywhere = false; ///< all processes need the values to go on; else only the first has them
};

/// What a run comes to, and how that is kept, are the owner's, who has a place for the value of each run. `take`, `write`, `read` and
/// `release` are called by any thread, for different runs at a time; `ended` by any thread, one at a time.
class RunBatch {
public:
    explicit RunBatch(BatchSettings settings);

    std::vector<BatchRun> runs;
    std::vector<std::string> kinds{"metrics"}; ///< of the texts by which a value is kept (ResultKey::what)
    std::function<void(std::size_t number, RunOutcome& outcome)> take; ///< puts the value of a run into its place
    std::function<std::vector<std::string>(std::size_t number)> write; ///< the value as texts, by kind
    std::function<bool(std::size_t number, const std::vector<std::string>& texts)> read; ///< false: they are not that
    std::function<void(std::size_t number)> release; ///< its value is with another process, this one's is not needed
    std::function<void(EndedRun& run)> ended;

    /// Runs those from `from` until `to`, and returns when all are over. Problems: of the store, which then keeps nothing of a scenario.
    /// Of processes other than the first, `ended` is called for what they need to know: all runs with `everywhere`, else that it was
    /// stopped. Throws ProcessesApart.
    Problems run(std::size_t from, std::size_t to);

private:
    Problems numberScenarios(std::size_t from, std::size_t to);
    ResultKey keyOf(std::size_t number) const;
    std::optional<std::vector<std::string>> found(ResultKey key) const;
    std::optional<EndedRun> lookUp(std::size_t number); ///< nullopt: it is to be run
    void plan(std::size_t from, std::size_t to);
    std::optional<std::size_t> takeNext(); ///< to be run; those before it that are not are told
    void computeHere();                    ///< as long as there is a next one
    EndedRun compute(std::size_t number);
    void keep(EndedRun& run);
    void tell(EndedRun& run);
    bool isShared() const { return m_settings.processes && m_settings.processes->size() > 1; }
    // With other processes (SharedBatch.cpp).
    std::uint64_t identity(std::size_t from, std::size_t to) const;
    void handOut();
    void takePart();
    void tellOthers();
    std::string message(const EndedRun& run) const;
    EndedRun fromMessage(const std::string& text); ///< its value is in its place

    BatchSettings m_settings;
    std::map<const Scenario*, std::int64_t> m_numbers; ///< of the store
    std::shared_ptr<UpdateTimeMemo> m_updateTimes;     ///< shared by all runs
    std::vector<std::size_t> m_order;                  ///< in which runs are begun
    std::atomic<std::size_t> m_next{0};                ///< place in the order
    std::mutex m_mutex;                                ///< of what follows, and of `ended` and `progress`
    std::size_t m_done = 0, m_all = 0;
    std::vector<std::string> m_told; ///< messages of runs, for other processes
};

/// Metrics of a run as most batches keep them.
KeptMetrics keptMetrics(RunOutcome& outcome);

} // namespace trainyard
