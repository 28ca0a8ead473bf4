// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Computation graphs for tests: random ones, and the profiles of TRAINYARD_TEST_DATA where they are.
#include "base/Random.h"
#include "model/ComputationGraph.h"
#include "run/import/PipeDreamProfile.h"
#include "support/TestMain.h"

#include <optional>

namespace trainyard::test {

/// Continuous sizes and times, so that nothing but symmetry makes two of them equal.
inline ComputationGraph randomGraph(RandomStream& random, std::uint32_t operations) {
    ComputationGraph graph;
    for (std::uint32_t v = 0; v < operations; ++v) {
        const bool timed = random.below(6) != 0;
        graph.operations.push_back({"op" + std::to_string(v), timed ? 0.05 * random.unit() : 0, 0.1 * random.unit(),
                                    1e9 * random.unit(), random.below(3) == 0 ? 0 : 1e9 * random.unit()});
        for (std::uint32_t u = 0; u < v; ++u)
            if (u + 1 == v || random.below(operations) == 0) graph.dependencies.push_back({u, v});
    }
    return graph;
}

/// Empty where it is missing: the test is skipped.
inline std::optional<ComputationGraph> profileOf(const QString& name, double timeScale) {
    const QString folder =
        qEnvironmentVariable("TRAINYARD_TEST_DATA", QStringLiteral(TRAINYARD_SOURCE_DIR "/../shared/data"));
    const QString file = QDir(folder).filePath(QStringLiteral("pipedream/%1.txt").arg(name));
    if (!QFile::exists(file)) return std::nullopt;
    auto graph = readPipeDreamProfile(file.toStdString(), timeScale);
    return graph ? std::optional(std::move(*graph)) : std::nullopt;
}

} // namespace trainyard::test
