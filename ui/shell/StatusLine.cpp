// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/StatusLine.h"

#include "run/compare/Comparison.h"
#include "session/ChoiceText.h"
#include "tables/JobsModel.h"
#include "theme/CoreText.h"
#include "theme/ElidedLabel.h"
#include "theme/Icons.h"
#include "theme/Reading.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QCoreApplication>
#include <QEvent>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace trainyard {

StatusLine::StatusLine(Workspace& workspace, QWidget* parent)
    : QStatusBar(parent), m_workspace(workspace), m_run(new ElidedLabel), m_rate(new Reading), m_frames(new Reading),
      m_jobs(new Reading), m_problems(new QToolButton) {
    setSizeGripEnabled(false);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // what it says never changes the window's size
    m_rate->setToolTip(tr("Simulated events per second of real time"));
    m_frames->setToolTip(tr("Frames per second, and the processor time per frame.<br>Below 16 ms the animation "
                            "is smooth."));
    m_jobs->setToolTip(tr("Jobs at the instant shown"));
    m_problems->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_problems->setToolTip(tr("Shows the list of problems"));
    addWidget(m_jobs);
    addWidget(m_run, 1);
    addPermanentWidget(m_rate);
    addPermanentWidget(m_frames);
    addPermanentWidget(m_problems);
    m_soon.setSingleShot(true);
    m_soon.setInterval(250);
    connect(&m_soon, &QTimer::timeout, this, &StatusLine::refresh);
    const auto later = [this] {
        if (!m_soon.isActive()) m_soon.start();
    };
    connect(&workspace, &Workspace::shownChanged, this, later);
    connect(&workspace, &Workspace::shownChanged, this, &StatusLine::refreshJobs); // at once, as the lanes
    connect(&workspace, &Workspace::shownChanged, &m_gauge, &FrameGauge::countFrame);
    connect(&workspace.runs(), &RunModel::runEnded, this, later);
    connect(&workspace.runs(), &RunModel::runEnded, this, &StatusLine::refreshJobs);
    connect(&workspace.outcome(), &Outcome::changed, this, later);
    connect(&workspace, &Workspace::problemsChanged, this, &StatusLine::refreshProblems);
    connect(m_problems, &QToolButton::clicked, this, &StatusLine::problemsRequested);
    refresh();
    refreshJobs();
    refreshProblems();
    showGauges();
}

/// QStatusBar measures its height as its contents ask for another one, which they do not while it is hidden.
void StatusLine::showEvent(QShowEvent* event) {
    QStatusBar::showEvent(event);
    QCoreApplication::postEvent(this, new QEvent(QEvent::LayoutRequest));
}

/// From the back of a hall nobody wants to know how fast the picture is.
void StatusLine::showGauges() {
    for (Reading* gauge : {m_rate, m_frames}) gauge->setVisible(Theme::scale() == 1);
    m_problems->setIconSize(QSize(16, 16) * Theme::scale());
}

void StatusLine::refresh() {
    const auto frame = m_workspace.runs().latestFrame();
    m_rate->setReading(frame && frame->eventsPerSecond > 0
                           ? tr("%1 events/s").arg(shortCountText(frame->eventsPerSecond))
                           : QString());
    const FrameGauge::Reading frames = m_gauge.take();
    m_frames->setReading(frames.framesPerSecond > 0 ? tr("%1 fps · %2 ms per frame")
                                                          .arg(QString::number(std::lround(frames.framesPerSecond)),
                                                               QString::number(frames.workMilliseconds, 'f', 1))
                                                    : QString());
    if (frames.framesPerSecond > 0) m_soon.start(); // once more, to say when nothing moves any longer
    const QString& outcome = m_workspace.outcome().text();
    const QString label = runLabel();
    m_run->setWholeText(outcome.isEmpty() ? label : tr("%1: %2").arg(label, outcome));
}

void StatusLine::refreshJobs() {
    const auto state = m_workspace.shownState();
    if (!state) {
        m_jobs->setReading(tr("No run"));
        return;
    }
    const auto count = [&](JobPhase phase) {
        return std::count_if(state->jobs().begin(), state->jobs().end(),
                             [&](const JobState& j) { return j.phase == phase; });
    };
    const auto number = [](std::ptrdiff_t jobs) { return countText(static_cast<double>(jobs)); };
    const bool unfinished = showsTheEnd(m_workspace) && count(JobPhase::running) > 0;
    QString text = (unfinished ? tr("%1 unfinished, %2 queued") : tr("%1 running, %2 queued"))
                       .arg(number(count(JobPhase::running)), number(count(JobPhase::waiting)));
    if (const auto done = count(JobPhase::finished)) text += tr(", %1 finished").arg(number(done));
    if (const auto failed = count(JobPhase::failed)) text += tr(", %1 failed").arg(number(failed));
    const auto blocked = static_cast<std::ptrdiff_t>(blockedJobs(*state));
    if (const auto rejected = count(JobPhase::rejected) - blocked) text += tr(", %1 rejected").arg(number(rejected));
    if (blocked > 0) text += tr(", %1 blocked").arg(number(blocked));
    const bool stopped = m_workspace.runs().current().cutShort && showsTheEnd(m_workspace);
    m_jobs->setReading(stopped ? tr("Stopped: %1").arg(text) : text);
}

/// What decides, as the panel of policies calls it, and the seed.
QString StatusLine::runLabel() const {
    const RunData& run = m_workspace.runs().current();
    if (!run.scenario) return run.label;
    QStringList parts;
    const auto jobs = jobsAndTemplates(*run.scenario);
    const auto any = [&](auto&& is) {
        return std::any_of(jobs.begin(), jobs.end(), [&](const Job* j) { return is(*j); });
    };
    std::vector<PolicyFamily> families; // those that have something to decide
    if (jobs.empty() || any([&](const Job& j) { return !isAdmittedAtOnce(j, run.scenario->cluster); }))
        families.push_back(PolicyFamily::scheduler);
    if (any([](const Job& j) { return j.kind() != JobKind::graph; })) families.push_back(PolicyFamily::synchronization);
    if (any([](const Job& j) { return j.keyedAccess() && j.parameters.id.empty(); }))
        families.push_back(PolicyFamily::parameters);
    if (any([](const Job& j) { return j.kind() == JobKind::graph && j.partitioner.id.empty(); }))
        families.push_back(PolicyFamily::partitioner);
    for (const auto family : families) {
        if (const OwnChoices own = ownChoices(*run.scenario, family);
            family == PolicyFamily::synchronization && own.all > 0 && own.own == own.all) {
            parts << tr("each job's own synchronization");
            continue;
        }
        Choice choice = run.scenario->policies.of(family);
        if (family == PolicyFamily::parameters || family == PolicyFamily::partitioner)
            choice.parameters.clear(); // many
        parts << choiceText(m_workspace.registry(), family, choice);
    }
    parts << tr("seed %1").arg(run.seed);
    return parts.join(QStringLiteral(" · "));
}

void StatusLine::refreshProblems() {
    const Problems problems = m_workspace.problems();
    const Theme theme = Theme::current();
    const auto notes =
        static_cast<int>(std::ranges::count(problems, Severity::note, &Problem::severity)); // no problems, but known
    const auto number = static_cast<int>(problems.size()) - notes;
    const int refused = m_workspace.document().refused();
    m_problems->setText(number    ? tr("%n problem(s)", nullptr, number)
                        : refused ? tr("%n value(s) not accepted", nullptr, refused)
                        : notes   ? tr("No problems, %n note(s)", nullptr, notes)
                                  : tr("No problems"));
    m_problems->setIcon(hasErrors(problems) || (refused && !number) ? icon("problem", theme.problem)
                        : number                                    ? icon("warning", theme.warning)
                                                                    : icon("good", theme.good));
}

void StatusLine::changeEvent(QEvent* event) {
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refreshProblems();
    if (event->type() != QEvent::FontChange || !m_frames) return;
    clearMessage(); // being laid out anew, the bar would show its parts behind the message
    showGauges();
}

} // namespace trainyard
