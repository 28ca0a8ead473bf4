// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Rows of tests over every registered policy and every test double, on random scenarios in which the other families' policies are
// drawn too. A failing row is named after the policy and the seed.
#include "base/Result.h"
#include "conformance/DrawnParameters.h"
#include "engine/Simulation.h"
#include "engine/UpdateTimeMemo.h"
#include "support/TestMain.h"

namespace trainyard::test {

inline void policiesAndSeeds(int seeds) {
    QTest::addColumn<int>("family");
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("seed");
    for (const auto family : allFamilies)
        for (const auto* info : conformanceRegistry().list(family))
            for (int seed = 1; seed <= seeds; ++seed)
                QTest::addRow("%s %s seed %d", std::string(familyName(family)).c_str(), info->id.c_str(), seed)
                    << static_cast<int>(family) << QString::fromStdString(info->id) << seed;
}

inline Scenario scenarioOfRow() {
    const auto family = static_cast<PolicyFamily>(*static_cast<int*>(QTest::qData("family", qMetaTypeId<int>())));
    const auto id = static_cast<QString*>(QTest::qData("id", qMetaTypeId<QString>()))->toStdString();
    const auto seed = std::uint64_t(*static_cast<int*>(QTest::qData("seed", qMetaTypeId<int>())));
    return scenarioWith(family, id, seed);
}

/// Update times measured in earlier rows, as the runs of a comparison share them: without, most of the time goes into
/// measuring the same again for the next policy.
inline const std::shared_ptr<UpdateTimeMemo>& timesOfAllRows() {
    static const auto memo = std::make_shared<UpdateTimeMemo>();
    return memo;
}

inline std::unique_ptr<Simulation> simulationOf(const Scenario& scenario,
                                                std::shared_ptr<UpdateTimeMemo> updateTimes = timesOfAllRows()) {
    auto made = Simulation::create({.scenario = std::make_shared<const Scenario>(scenario),
                                    .registry = std::make_shared<const Registry>(conformanceRegistry()),
                                    .resources = ResourcePaths::find({}),
                                    .seed = scenario.seed,
                                    .threads = 1,
                                    .commands = {},
                                    .updateTimes = std::move(updateTimes)});
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    return made ? std::move(made).value() : nullptr;
}

inline constexpr int mostEvents = 400000;

/// Steps to the end; false if there is none in sight. A broken invariant is printed.
inline bool runOut(Simulation& simulation) {
    try {
        for (int i = 0; i < mostEvents; ++i)
            if (!simulation.step()) return true;
    } catch (const InvariantError& error) {
        qWarning("invariant broken at %g s: %s", simulation.state().now().toSeconds(), error.what());
    }
    return false;
}

} // namespace trainyard::test
