// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A timeline with a run, axis and selection of its own, for tests of lanes; to be derived from.
#include "charts/ChartLane.h"
#include "lanes/LaneStack.h"
#include "session/InteractionMonitor.h"
#include "session/RunModel.h"
#include "session/Selection.h"
#include "session/ShownRuns.h"
#include "session/TimeAxis.h"

#include <QTest>

#include <memory>

namespace trainyard::test {

class LaneFixture {
protected:
    /// Anew, on screen, 1280 pixels wide; false if it does not come up.
    bool openLanes(int height) {
        closeLanes();
        m_run = std::make_unique<RunModel>(m_registry, ResourcePaths{});
        m_axis = std::make_unique<TimeAxis>();
        m_selection = std::make_unique<Selection>();
        m_histories = std::make_unique<Histories>();
        m_shown = std::make_unique<ShownRuns>(*m_run, &m_hand);
        m_stack = std::make_unique<LaneStack>(*m_shown, *m_axis, *m_selection, *m_histories, makeChartLane);
        m_stack->resize(1280, height);
        m_stack->show();
        return QTest::qWaitForWindowExposed(m_stack.get());
    }
    void closeLanes() {
        m_stack.reset();
        m_shown.reset();
        m_run.reset();
    }

    std::shared_ptr<const Registry> m_registry = std::make_shared<const Registry>(Registry::builtin());
    std::unique_ptr<RunModel> m_run;
    InteractionMonitor m_hand;
    std::unique_ptr<ShownRuns> m_shown;
    std::unique_ptr<TimeAxis> m_axis;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<Histories> m_histories;
    std::unique_ptr<LaneStack> m_stack;
};

} // namespace trainyard::test
