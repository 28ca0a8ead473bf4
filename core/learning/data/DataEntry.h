// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a data file or generator offers its data set to the one visible list in DataSets.cpp. Internal to
// learning/.
#include "learning/DataSet.h"

#include <functional>

namespace trainyard {

struct DataEntry {
    DataSetInfo info;
    /// Values are complete and in range. May throw Stopped (base/Stopped.h).
    std::function<Result<std::shared_ptr<const DataSet>>(const ParamValues&, std::uint64_t seed, const ResourcePaths&,
                                                         const std::stop_token&)>
        load;
};

/// dataEntry<Params>({"iris", …}, loadFunction(Params, seed, paths) or generator(Params, seed, stop), field(…), …)
template <class Params, class Load, class... T>
DataEntry dataEntry(DataSetInfo info, Load load, BoundField<Params, T>... fields) {
    auto bound = bindSchema<Params>(std::move(fields)...);
    info.schema = bound.schema;
    return {std::move(info),
            [read = bound.read, load](const ParamValues& values, std::uint64_t seed, const ResourcePaths& paths,
                                      const std::stop_token& stop) -> Result<std::shared_ptr<const DataSet>> {
                if constexpr (std::is_invocable_v<Load, Params, std::uint64_t, const std::stop_token&>)
                    return load(read(values), seed, stop);
                else
                    return load(read(values), seed, paths);
            }};
}

/// breast-cancer, digits, wine, iris.
std::vector<DataEntry> storedFileEntries();
DataEntry fashionMnistEntry();
std::vector<DataEntry> syntheticEntries();
DataEntry gaussianStreamEntry();

} // namespace trainyard
