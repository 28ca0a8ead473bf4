// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A Workspace that shows the hand-made sample run, for tests of views.
#include "session/Workspace.h"
#include "support/SampleRun.h"

namespace trainyard::test {

struct ViewFixture {
    Workspace workspace{std::make_shared<const Registry>(Registry::builtin()), ResourcePaths{}};

    explicit ViewFixture(int iterations = 20) {
        const Scenario scenario = sampleScenario();
        workspace.document().replace(scenario, {}, false);
        RunData run;
        run.label = QStringLiteral("sample");
        run.scenario = std::make_shared<const Scenario>(scenario);
        run.workload = sampleWorkload();
        run.log = sampleLog(iterations);
        workspace.runs().show(std::move(run));
    }
    void showAt(double seconds) { workspace.axis().setCursor(SimTime::seconds(seconds)); }
};

} // namespace trainyard::test
