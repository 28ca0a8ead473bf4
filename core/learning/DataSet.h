// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Data that models train on: rows of features with one target each, either held in memory or drawn from a law
// without end
// ("stream"). Immutable after loading and shared between jobs and threads.
#include "base/Random.h"
#include "base/Result.h"
#include "model/Job.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace trainyard {

/// n rows, row-major: x has n·features numbers, y has n.
struct Batch {
    std::size_t rows = 0, features = 0;
    std::vector<double> x, y;
};

class DataSet {
public:
    virtual ~DataSet() = default;
    virtual std::size_t rows() const = 0; ///< 0: a stream
    virtual std::size_t features() const = 0;
    virtual int classes() const = 0; ///< 0: regression; ratings: number of items
    /// More than 0: the rows are ratings, x = (user, item) and y the rating.
    virtual std::size_t users() const { return 0; }
    /// Appends the named rows (stored sets only).
    virtual void gather(std::span<const std::uint32_t> rows, Batch& out) const = 0;
    /// Appends n fresh rows (streams only).
    virtual void draw(RandomStream& random, std::size_t n, Batch& out) const = 0;
    /// The loss-minimising parameters of the generating law, where known (synthetic sets); else empty.
    virtual std::span<const double> trueParameters() const { return {}; }
    /// E[½ (⟨w, x⟩ + b − y)²] under the generating law for parameters w or [w, b], where there is a closed
    /// form.
    virtual std::optional<double> exactRisk(std::span<const double> /*parameters*/) const { return {}; }
    /// Streams that know the law of a mean gradient of ½(⟨w, x⟩ − y)² over n fresh rows draw it at once,
    /// without the rows: writes it into `gradient` and returns the mean loss of such rows. Nothing where rows
    /// have to be drawn.
    virtual std::optional<double> drawGradient(RandomStream& /*random*/, std::span<const double> /*parameters*/,
                                               std::size_t /*n*/, std::span<double> /*gradient*/) const {
        return {};
    }
};

struct DataSetInfo {
    std::string id, label, summary;
    std::string licence, provenance; ///< shown in notices and in the window
    ParamSchema schema;
    bool endless = false; ///< a stream: no rows, a law they are drawn from
};

/// Where resources/ lies; found once at start. The environment variable TRAINYARD_RESOURCES wins where it is
/// set; else the first that exists of: relative to the executable (installed, then build tree), the install
/// prefix. Where none exists, root is the first place looked at, so that the problem of the first missing
/// file names it.
struct ResourcePaths {
    std::filesystem::path root;
    static ResourcePaths find(const std::filesystem::path& executable);
};

const std::vector<DataSetInfo>& dataSets();
/// Why the rows of a stream cannot be dealt out in order; its pointer is that of the job's work, "/shards".
Problem nothingToSort(const std::string& stream);
/// Problems: unknown id, parameters out of range, missing or damaged file (which names the package or file to
/// install). Pointers are relative to the choice: "/id", "/parameters/rows". May throw Stopped (base/Stopped.h).
Result<std::shared_ptr<const DataSet>> loadDataSet(const Choice& choice, std::uint64_t seed, const ResourcePaths& paths,
                                                   const std::stop_token& stop = {});

/// Loads each data set of a run once and shares it between the jobs that name it. Not for several threads at
/// once.
class DataSetCache {
public:
    Result<std::shared_ptr<const DataSet>> load(const Choice& choice, std::uint64_t seed, const ResourcePaths& paths,
                                                const std::stop_token& stop = {});

private:
    std::map<std::string, std::shared_ptr<const DataSet>> m_loaded;
};

} // namespace trainyard
