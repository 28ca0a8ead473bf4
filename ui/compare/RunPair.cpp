// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/RunPair.h"

#include "session/Workspace.h"
#include "theme/CoreText.h"

#include <algorithm>

namespace trainyard {

namespace run_pair {

SimTime endOf(const RunData& run) {
    return run.log && run.log->size() > 0 ? (*run.log)[run.log->size() - 1].time : SimTime{};
}

JobId jobNamed(const Workload& workload, const std::string& key) {
    for (std::size_t j = 0; j < workload.jobs.size(); ++j)
        if (workload.jobs[j].key == key) return JobId(j);
    return {};
}

} // namespace run_pair

using namespace run_pair;

RunPair::RunPair(const Workspace& workspace, QObject* parent) : QObject(parent) {
    const auto registry = std::make_shared<const Registry>(workspace.registry());
    m_runner = std::make_unique<RunModel>(registry, workspace.resources());
    for (auto& model : m_models) model = std::make_unique<RunModel>(registry, workspace.resources());
    m_playback = std::make_unique<Playback>(*m_models[0], m_axis);
    m_playback->setCompanion(*m_models[1]);
    connect(m_runner.get(), &RunModel::frame, this, &RunPair::progressed);
    connect(m_runner.get(), &RunModel::runEnded, this, &RunPair::take);
    connect(&m_axis, &TimeAxis::cursorChanged, this, &RunPair::refreshStates);
    for (std::size_t side = 0; side < sides; ++side)
        connect(&m_selections[side], &Selection::changed, this, [this, side] { passSelection(side); });
}

RunPair::~RunPair() = default;

bool RunPair::isTimed() const { return run(0).mode == RunMode::simulate && run(1).mode == RunMode::simulate; }

SimTime RunPair::end() const { return std::max(endOf(run(0)), endOf(run(1))); }

void RunPair::show(Choice first, Choice second) {
    cancel();
    m_wanted = {std::move(first), std::move(second)};
    m_next = 0;
    runNext();
}

void RunPair::cancel() {
    if (!isRunning()) return;
    m_next = sides;
    if (m_runner->session()) m_runner->session()->stop();
    Q_EMIT progressed();
}

double RunPair::progress() const {
    const auto frame = m_runner->latestFrame();
    const double here = frame ? std::clamp(frame->progress, 0.0, 1.0) : 0;
    return (static_cast<double>(m_next) + here) / static_cast<double>(sides);
}

void RunPair::runNext() {
    while (m_next < sides && m_wanted[m_next].log) ++m_next;
    if (m_next < sides) {
        auto scenario = std::make_shared<Scenario>(*m_wanted[m_next].scenario);
        scenario->seed = m_wanted[m_next].seed;
        m_runner->start(std::move(scenario), m_wanted[m_next].label, {.keepGhost = true});
        Q_EMIT progressed();
        return;
    }
    Q_EMIT progressed();
    m_difference = Difference::none;
    m_first.reset();
    m_axis.setBookmarks({});
    m_models[1]->show(m_wanted[1]);
    m_models[0]->show(m_wanted[0]);
    for (Selection& selection : m_selections) selection.clear();
    m_axis.setCursor(std::nullopt);
    m_axis.setFitting(true);
    const auto& scenario = m_wanted[0].scenario;
    m_playback->setSpeed(scenario && scenario->playbackSpeed ? *scenario->playbackSpeed
                                                             : Playback::speedFor(end().toSeconds()));
    refreshStates();
    Q_EMIT shown();
    findDifference();
}

/// The run has ended, one way or the other.
void RunPair::take() {
    if (!isRunning()) return;
    const auto frame = m_runner->latestFrame();
    if (!frame || frame->status != RunStatus::finished || !m_runner->current().log) {
        const QString label = m_wanted[m_next].label;
        const QString why =
            frame && !frame->problems.empty() ? coreText(frame->problems.front().message) : tr("it was stopped");
        m_next = sides;
        Q_EMIT progressed();
        Q_EMIT failed(tr("%1 cannot be shown: %2").arg(label, why));
        return;
    }
    m_wanted[m_next] = m_runner->current();
    ++m_next;
    runNext();
}

void RunPair::refreshStates() {
    for (std::size_t side = 0; side < sides; ++side)
        m_states[side] = isShown() ? m_folds[side].at(m_axis.cursor(), *m_models[side]) : nullptr;
    Q_EMIT instantChanged();
}

void RunPair::findDifference() {
    m_difference = Difference::looking;
    Q_EMIT differenceChanged();
    m_work.start([this, number = ++m_search, first = run(0).log, second = run(1).log,
                  timed = isTimed()](const std::stop_token&) -> BackgroundWork::Result {
        return [this, number, found = trainyard::firstDifference(*first, *second, timed)] {
            if (number != m_search) return;
            m_first = found;
            m_difference = found ? Difference::found : Difference::same;
            if (found) m_axis.setBookmarks({{found->at, tr("First difference")}});
            Q_EMIT differenceChanged();
        };
    });
}

void RunPair::goToDifference() {
    if (!m_first) return;
    m_playback->pause();
    m_axis.setCursor(m_first->at);
    if (m_first->at.toSeconds() >= m_axis.visibleFrom() && m_first->at.toSeconds() <= m_axis.visibleTo()) return;
    const double half = (m_axis.visibleTo() - m_axis.visibleFrom()) / 2;
    const double from = std::max(0.0, m_first->at.toSeconds() - half);
    m_axis.setVisible(from, from + 2 * half);
}

void RunPair::passSelection(std::size_t from) {
    if (m_passing || !isShown()) return;
    m_passing = true;
    const Selection& selected = m_selections[from];
    const std::size_t to = 1 - from;
    JobId job = selected.job();
    if (job.valid() && job.index() < run(from).workload->jobs.size())
        job = jobNamed(*run(to).workload, run(from).workload->jobs[job.index()].key);
    m_selections[to].select(selected.entities(), job, {});
    m_passing = false;
}

} // namespace trainyard
