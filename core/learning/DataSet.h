#pragma once
// Data that models train on: rows of features with one target each, either held in memory or drawn from a law without end
// ("stream"). Immutable after loading and shared between jobs and threads.
#include "base/Random.h"
#include "base/Result.h"
#include "model/Job.h"

#include <filesystem>
#include <memory>
#include <span>
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
    virtual int classes() const = 0;      ///< 0: regression; matrix factorization: number of items
    /// Appends the named rows (stored sets only).
    virtual void gather(std::span<const std::uint32_t> rows, Batch& out) const = 0;
    /// Appends n fresh rows (streams only).
    virtual void draw(RandomStream& random, std::size_t n, Batch& out) const = 0;
    /// The loss-minimising parameters of the generating law, where known (synthetic sets); else empty.
    virtual std::span<const double> trueParameters() const { return {}; }
};

struct DataSetInfo {
    std::string id, label, summary;
    std::string licence, provenance; ///< shown in notices and in the window
    ParamSchema schema;
};

/// Where resources/ lies; found once at start (next to the executable, then the install prefix, then TRAINYARD_RESOURCES).
struct ResourcePaths {
    std::filesystem::path root;
    static ResourcePaths find(const std::filesystem::path& executable);
};

const std::vector<DataSetInfo>& dataSets();
/// Problems: unknown id, parameters out of range, missing or damaged file (which names the package or file to install).
Result<std::shared_ptr<const DataSet>> loadDataSet(const Choice& choice, std::uint64_t seed, const ResourcePaths& paths);

} // namespace trainyard
