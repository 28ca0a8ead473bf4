// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/PairedLanes.h"

#include "charts/ChartLane.h"
#include "compare/RunPair.h"
#include "lanes/GanttPainter.h"
#include "lanes/Lane.h"
#include "lanes/Overview.h"
#include "lanes/StragglerPainter.h"
#include "model/KnownLosses.h"

#include <QAction>
#include <QSplitter>

#include <algorithm>

namespace trainyard {

namespace paired_lanes {
constexpr int roomy = 30; // lines of text
} // namespace paired_lanes

using namespace paired_lanes;

QString sideMark(std::size_t side) { return side == 0 ? PairedLanes::tr("A") : PairedLanes::tr("B"); }

PairedLanes::PairedLanes(RunPair& pair, QWidget* parent) : LaneColumn(pair.axis(), parent), m_pair(pair) {
    for (std::size_t side = 0; side < RunPair::sides; ++side) add(std::make_unique<GanttPainter>(), side, 5);
    for (std::size_t side = 0; side < RunPair::sides; ++side) add(std::make_unique<StragglerPainter>(), side, 4);
    m_loss = addLane(makeChartLane({QStringLiteral("loss")}), pair.selection(1), 6);
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        add(makeChartLane({QStringLiteral("utilization")}), side, 3);
        lanes().back()->setCollapsed(true);
    }
    m_foldedByHand = false;
    m_byJob = addByJob(*lanes().front());
    addOptions(*m_loss);
    for (std::size_t side = 0; side < RunPair::sides; ++side)
        connect(&pair.selection(side), &Selection::changed, this, &PairedLanes::refresh);
    m_catchUp.setSingleShot(true);
    connect(&m_catchUp, &QTimer::timeout, this, &PairedLanes::catchUp);
    connect(&pair, &RunPair::shown, this, &PairedLanes::takeRuns);
    takeRuns();
}

PairedLanes::~PairedLanes() = default;

void PairedLanes::add(std::unique_ptr<LanePainter> painter, std::size_t side, int share) {
    Lane* lane = addLane(std::move(painter), m_pair.selection(side), share);
    lane->setMark(sideMark(side));
    m_sided.push_back({lane, side});
}

const ShownIndex* PairedLanes::index(std::size_t side) const {
    return side == 0 ? m_indexes.ghost() : m_indexes.current();
}

void PairedLanes::takeRuns() {
    if (!m_pair.isShown()) return;
    forgetEnd();
    m_indexes.show(m_pair.run(1), &m_pair.run(0));
    forgetLegends();
    catchUp();
}

void PairedLanes::catchUp() {
    m_indexes.catchUp();
    const SimTime end = std::max(index(0)->head(), index(1)->head());
    setEnd(end, end, m_indexes.behind());
    refresh();
    if (m_indexes.behind()) m_catchUp.start(0);
}

bool PairedLanes::readsWholeRun() const {
    return m_indexes.current() && !m_indexes.behind() && !m_axis.hover() && !m_axis.cursor() &&
           shownEnd() > SimTime::zero();
}

bool PairedLanes::hasLosses() const {
    return m_indexes.current() && std::ranges::any_of(m_indexes.current()->workload().jobs, mayHaveLosses);
}

bool PairedLanes::clearSelection() {
    Selection& selection = m_pair.selection(1);
    if (!selection.job().valid() && selection.entities().isEmpty()) return false;
    selection.clear();
    return true;
}

void PairedLanes::refresh() {
    if (!m_indexes.current()) return;
    refreshAxis();
    const auto input = [this](std::size_t side) {
        LaneInput made{.run = index(side),
                       .job = m_pair.selection(side).job(),
                       .machines = m_pair.selection(side).entities(),
                       .at = readoutTime(),
                       .end = index(side)->head(),
                       .wholeRun = readsWholeRun()};
        if (made.job.valid() && made.job.index() >= made.run->jobs().size()) made.job = {};
        made.byJob = m_byJob->isChecked();
        return made;
    };
    for (const Side& s : m_sided) {
        const LaneInput own = input(s.side);
        s.lane->setExtent(own.end, whole());
        s.lane->setInput(own);
    }
    LaneInput both = input(1);
    both.ghost = index(0);
    both.ghostName = sideMark(0);
    both.end = shownEnd();
    m_loss->setInput(both);
    shareSpaceIfWanted();
    overview()->setRun(index(index(0)->head() > index(1)->head() ? 0 : 1)); // of the longer one
}

void PairedLanes::heightChanged() {
    if (m_foldedByHand) return;
    m_folding = true;
    const bool fold = heightSeen() < roomy * QFontMetrics(font()).height();
    for (std::size_t i = 2; i < 4; ++i)
        if (fold != m_sided[i].lane->collapsed()) m_sided[i].lane->setCollapsed(fold);
    m_folding = false;
}

} // namespace trainyard
