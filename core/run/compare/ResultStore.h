// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Results of runs, kept as they come in one file that survives the end of the process at any instant (SQLite with a write-ahead log), so
// that comparisons, sweeps and studies can go on where they ended, and be spread over several processes and put together. A result is
// found by what it is of: the scenario's whole text, mode, seed and the program's version; not by the comparison that asked for it.
#include "base/Result.h"
#include "record/LossAccounts.h"
#include "run/RunSession.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;

namespace trainyard {

struct ResultKey {
    std::int64_t scenario = 0; ///< as the store numbers it
    RunMode mode = RunMode::simulate;
    std::uint64_t seed = 1;
    std::string what = "metrics"; ///< what the value is; studies keep more than metrics, and executed runs again
};

/// All members can be called by any thread; several processes can share a file.
class ResultStore {
public:
    static constexpr const char* fileName = "results.db"; ///< in the directory that --out names
    /// Made if it does not exist. `waiting` is told, once, that another process has locked it, by whichever thread waits. Problems: it cannot be
    /// written, also because another process has it for 15 s, or is no store.
    static Result<std::shared_ptr<ResultStore>> open(const std::filesystem::path& file,
                                                     std::function<void(const Problem&)> waiting = {});
    ~ResultStore();
    ResultStore(const ResultStore&) = delete;
    ResultStore& operator=(const ResultStore&) = delete;

    /// The number of a scenario with this canonical text, a new one if need be.
    Result<std::int64_t> numberOf(const std::string& scenarioText);
    /// Of this version of the program; nullopt: not there, or no longer what was written.
    std::optional<std::string> find(const ResultKey& key) const;
    /// In place of an earlier value. Returns when it is written.
    Problems add(const ResultKey& key, const std::string& value);
    /// Takes over what another store has and this one has not. Problems: the other cannot be read, or results in it are damaged, which are
    /// left out; or ("cannot-write") this one cannot be written.
    Problems merge(const std::filesystem::path& other);
    /// Results of all versions.
    std::size_t size() const;

private:
    ResultStore(std::filesystem::path file, std::function<void(const Problem&)> waiting)
        : m_file(std::move(file)), m_waiting(std::move(waiting)) {}
    Problem problem(const char* pattern) const;
    std::int64_t numberOfIdentity(const std::string& identity); ///< 0: it cannot be written
    const std::string& identityOf(std::int64_t number) const;
    bool takeOver(std::size_t& damaged); ///< from the database "other"; false: not all could be written
    bool run(const char* statement) const;
    /// Also where SQLite does not wait by itself: others make the store, or the last one closes it.
    bool runPatiently(const char* statement);
    /// A moment; called by SQLite, too. False: it has been waited for long enough.
    bool waitForLock();
    /// Passes on whether it was. After a lock that outlasted all patience others are waited for only a tenth of a second.
    bool hasWritten(bool done);

    std::filesystem::path m_file;
    std::function<void(const Problem&)> m_waiting;
    sqlite3* m_database = nullptr;
    std::chrono::milliseconds m_waited{0};                    ///< for the lock that is in the way
    mutable std::map<std::int64_t, std::string> m_identities; ///< those asked for
    mutable std::mutex m_mutex;
};

/// What has been done before is looked up, what is done is kept; without a store neither. Cheap to copy.
class KeptResults {
public:
    KeptResults() = default;
    /// `resume`: whether results that are there are taken instead of running again.
    KeptResults(std::shared_ptr<ResultStore> store, bool resume) : m_store(std::move(store)), m_resume(resume) {}

    bool keeps() const { return m_store != nullptr; }
    /// 0 without a store; problems go to `problems`.
    std::int64_t numberOf(const Scenario& scenario, Problems& problems) const;
    std::optional<std::string> found(const ResultKey& key) const;
    Problems keep(const ResultKey& key, const std::string& value) const;

private:
    std::shared_ptr<ResultStore> m_store;
    bool m_resume = false;
};

struct KeptMetrics {
    std::map<std::string, double> metrics;
    std::string digest = {};
    Problems warnings = {};                               ///< about the run (run/RunVerdict.h)
    std::shared_ptr<const LossAccounts> losses = nullptr; ///< as in Metrics
};
/// Metrics as a value of a store, and back; numbers that are not finite are left out. nullopt: not such a value.
std::string metricsText(const KeptMetrics& kept);
std::optional<KeptMetrics> metricsFrom(const std::string& text);

} // namespace trainyard
