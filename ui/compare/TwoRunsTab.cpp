// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/TwoRunsTab.h"

#include "compare/ClusterPane.h"
#include "compare/PairDecision.h"
#include "compare/PairedLanes.h"
#include "run/files/RunRecord.h"
#include "session/RecordedRun.h"
#include "theme/CoreText.h"
#include "theme/ElidedComboBox.h"
#include "theme/ElidedLabel.h"
#include "theme/Icons.h"
#include "theme/Reading.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"
#include "transport/SpeedSlider.h"

#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace two_runs {

constexpr int opensRecord = -2; // an entry's data; others are positions

/// The same run, whatever has become of it since.
bool isSame(const RunData& a, const RunData& b) {
    return a.log || b.log ? a.log == b.log : a.scenario == b.scenario && a.seed == b.seed;
}

} // namespace two_runs

using namespace two_runs;

TwoRunsTab::TwoRunsTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_pair(workspace) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeChoices());
    auto* below = new QWidget;
    m_stack = new QStackedLayout(below);
    m_empty = new QLabel;
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(40);
    m_empty->setProperty("muted", true);
    m_empty->setObjectName(QStringLiteral("two-runs-empty"));
    m_stack->addWidget(m_empty);
    column->addWidget(below, 1);

    connect(&m_pair, &RunPair::shown, this, &TwoRunsTab::onShown);
    connect(&m_pair, &RunPair::progressed, this, &TwoRunsTab::refreshStatus);
    connect(&m_pair, &RunPair::instantChanged, this, &TwoRunsTab::refreshInstant);
    connect(&m_pair, &RunPair::differenceChanged, this, &TwoRunsTab::refreshDifference);
    connect(&m_pair, &RunPair::failed, this, [this](const QString& why) {
        m_message = why;
        refreshStatus();
    });
    RunModel& runs = workspace.runs();
    connect(&runs, &RunModel::runStarted, this, &TwoRunsTab::listRuns);
    connect(&runs, &RunModel::ghostChanged, this, &TwoRunsTab::listRuns);
    for (auto signal : {&RunModel::frame, &RunModel::runEnded})
        connect(&runs, signal, this, [this] {
            if (isWaiting()) showChosen();
        });
    setFocusProxy(m_sides[0].choice);
    listRuns();
    refreshStatus();
}

TwoRunsTab::~TwoRunsTab() = default;

QWidget* TwoRunsTab::makeChoices() {
    auto* bar = new QWidget;
    bar->setProperty("panel", true);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 8, 12, 8);
    row->setSpacing(8);
    m_swap = new QToolButton;
    m_swap->setText(QStringLiteral("⇄"));
    m_swap->setProperty("framed", true);
    m_swap->setToolTip(tr("Swaps A and B"));
    m_swap->setAccessibleName(m_swap->toolTip());
    m_swap->setFocusPolicy(Qt::StrongFocus);
    connect(m_swap, &QToolButton::clicked, this, [this] {
        std::swap(m_sides[0].run, m_sides[1].run);
        listRuns();
        showChosen();
    });
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        auto* mark = new QLabel(QStringLiteral("<b>%1</b>").arg(sideMark(side)));
        auto* box = new ElidedComboBox;
        box->setObjectName(side == 0 ? QStringLiteral("run-a") : QStringLiteral("run-b"));
        box->setAccessibleName(tr("Run %1").arg(sideMark(side)));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(20);
        mark->setBuddy(box);
        connect(box, &QComboBox::activated, this, [this, side](int index) { choose(side, index); });
        row->addWidget(mark);
        row->addWidget(box, 1);
        if (side == 0) row->addWidget(m_swap);
        m_sides[side].choice = box;
    }
    m_progress = new QProgressBar;
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_progress->setAccessibleName(tr("Progress of the runs"));
    m_cancel = new QPushButton(tr("Cancel"));
    m_cancel->setObjectName(QStringLiteral("cancel-two-runs"));
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_pair.cancel();
        if (m_pair.isShown())
            for (std::size_t side = 0; side < RunPair::sides; ++side) m_sides[side].run = m_pair.run(side);
        else
            m_sides[1].run.reset();
        listRuns();
        refreshStatus();
    });
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    return bar;
}

QToolButton* TwoRunsTab::addButton(const char* iconName, const QString& help) {
    auto* button = new QToolButton;
    button->setIcon(icon(iconName));
    button->setIconSize(QSize(18, 18) * Theme::scale());
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(help);
    button->setAccessibleName(help);
    button->setObjectName(QLatin1String("pair-") + QLatin1String(iconName));
    return button;
}

QWidget* TwoRunsTab::makeTransport() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(4);
    Playback& playback = m_pair.playback();
    m_start = addButton("to-start", tr("Shows the beginning of both runs"));
    m_back = addButton("back", tr("Shows the decision before, of either run"));
    m_play = addButton("play", {});
    m_next = addButton("step-decision", tr("Shows the next decision, of either run"));
    m_end = addButton("to-end", tr("Shows the end of both runs"));
    connect(m_start, &QToolButton::clicked, &playback, &Playback::toStart);
    connect(m_back, &QToolButton::clicked, &playback, [&playback] { playback.stepBack(StepKind::decision); });
    connect(m_play, &QToolButton::clicked, &playback, &Playback::toggle);
    connect(m_next, &QToolButton::clicked, &playback, [&playback] { playback.step(StepKind::decision); });
    connect(m_end, &QToolButton::clicked, &playback, &Playback::toEnd);
    for (QToolButton* button : {m_start, m_back, m_play, m_next, m_end}) row->addWidget(button);
    row->addWidget(new SpeedSlider(playback));
    m_clock = new Reading;
    m_clock->setProperty("clock", true);
    m_clock->setAlignment(Qt::AlignCenter);
    m_clock->setAccessibleName(tr("Simulated time of both runs"));
    row->addWidget(m_clock);
    row->addSpacing(8);
    m_goTo = new QPushButton;
    m_goTo->setObjectName(QStringLiteral("go-to-difference"));
    connect(m_goTo, &QPushButton::clicked, &m_pair, &RunPair::goToDifference);
    row->addWidget(m_goTo);
    row->addSpacing(8);
    m_outcome = new ElidedLabel;
    m_outcome->setProperty("muted", true);
    m_outcome->setObjectName(QStringLiteral("pair-outcome"));
    row->addWidget(m_outcome, 1);
    connect(&playback, &Playback::changed, this, &TwoRunsTab::refreshTransport);
    return bar;
}

/// Not before there is something to show: the window opens faster without.
void TwoRunsTab::makeContent() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeTransport());
    auto* clusters = new QWidget;
    auto* row = new QHBoxLayout(clusters);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        Side& s = m_sides[side];
        s.pane = new ClusterPane(m_pair.selection(side));
        s.pane->setAccessibleName(tr("Cluster of run %1").arg(sideMark(side)));
        s.why = new QTextBrowser;
        s.why->setFrameShape(QFrame::NoFrame);
        s.why->setOpenLinks(false);
        s.why->document()->setDocumentMargin(12);
        s.why->setAccessibleName(tr("Decision of run %1").arg(sideMark(side)));
        s.why->setObjectName(side == 0 ? QStringLiteral("why-a") : QStringLiteral("why-b"));
        auto* halves = new QSplitter(Qt::Vertical);
        halves->setChildrenCollapsible(false);
        halves->addWidget(s.pane);
        halves->addWidget(s.why);
        halves->setSizes({200, 200}); // shares of the height
        if (side > 0) {
            auto* line = new QFrame;
            line->setFixedWidth(1);
            line->setStyleSheet(QStringLiteral("background: palette(mid);"));
            row->addWidget(line);
        }
        row->addWidget(halves, 1);
    }
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(clusters);
    m_lanes = new PairedLanes(m_pair);
    parts->addWidget(m_lanes);
    parts->setSizes({450, 550});
    column->addWidget(parts, 1);
    m_stack->addWidget(content);
}

/// Runs of the lab, newest first, then what was opened from records, then what else is shown.
void TwoRunsTab::listRuns() {
    const RunModel& runs = m_workspace.runs();
    m_listed.clear();
    QStringList texts;
    const auto list = [&](const RunData& run, const QString& text) {
        if (std::any_of(m_listed.begin(), m_listed.end(), [&](const RunData& there) { return isSame(there, run); }))
            return;
        m_listed.push_back(run);
        texts << (run.running ? tr("%1 (still running)").arg(text) : text);
    };
    if (runs.current().id != 0 && runs.current().scenario)
        list(runs.current(), tr("Lab's run · %1").arg(runs.current().label));
    int before = 0;
    for (auto run = runs.earlier().rbegin(); run != runs.earlier().rend(); ++run)
        list(*run, ++before == 1 ? tr("Run before · %1").arg(run->label)
                                 : tr("%1 runs before · %2").arg(before).arg(run->label));
    for (const RunData& run : runs.opened()) list(run, tr("Record · %1").arg(run.label));
    for (const Side& side : m_sides)
        if (side.run) list(*side.run, side.run->label);
    for (Side& side : m_sides) {
        const QSignalBlocker quiet(side.choice);
        side.choice->clear();
        for (int i = 0; i < texts.size(); ++i) side.choice->addItem(texts[i], i);
        if (!texts.isEmpty()) side.choice->insertSeparator(side.choice->count());
        side.choice->addItem(tr("Open a Run Record…"), opensRecord);
        side.choice->setCurrentIndex(-1);
        side.choice->setPlaceholderText(tr("Choose a run"));
        for (std::size_t i = 0; i < m_listed.size(); ++i)
            if (side.run && isSame(m_listed[i], *side.run)) side.choice->setCurrentIndex(static_cast<int>(i));
    }
    refreshStatus();
}

void TwoRunsTab::choose(std::size_t side, int index) {
    const int entry = m_sides[side].choice->itemData(index).toInt();
    if (entry == opensRecord) {
        const QString directory = QFileDialog::getExistingDirectory(this, tr("Open a Run Record"));
        listRuns(); // the list shows what it did
        if (!directory.isEmpty()) openRecord(side, directory);
        return;
    }
    if (entry < 0 || entry >= static_cast<int>(m_listed.size())) return;
    m_sides[side].run = m_listed[static_cast<std::size_t>(entry)];
    showChosen();
}

void TwoRunsTab::openRecord(std::size_t side, const QString& directory) {
    BackgroundWork::shared().start(
        [self = QPointer<TwoRunsTab>(this), side, directory](const std::stop_token&) -> BackgroundWork::Result {
            auto record = readRecord(directory.toStdString());
            if (!record)
                return [self, why = coreText(record.problems().front().message)] {
                    if (!self) return; // the window has gone meanwhile
                    self->m_message = tr("This run cannot be shown: %1").arg(why);
                    self->refreshStatus();
                };
            return [self, side, run = recordedRun(record.value())]() mutable {
                if (!self) return;
                run.resources = self->m_workspace.resources().root;
                self->m_sides[side].run = std::move(run);
                self->listRuns();
                self->showChosen();
            };
        });
}

void TwoRunsTab::show(const RunData& first, const RunData& second) {
    m_sides[0].run = first;
    m_sides[1].run = second;
    listRuns();
    showChosen();
}

QString TwoRunsTab::whyNoPrevious() const {
    const RunModel& runs = m_workspace.runs();
    if (!runs.current().log) return tr("Nothing has run yet");
    if (runs.earlier().empty()) return tr("There is no run before this one: change something, and it runs again");
    return {};
}

void TwoRunsTab::showPrevious() {
    if (whyNoPrevious().isEmpty()) show(m_workspace.runs().earlier().back(), m_workspace.runs().current());
}

bool TwoRunsTab::isWaiting() const {
    return std::any_of(m_sides.begin(), m_sides.end(), [](const Side& side) { return side.run && side.run->running; });
}

void TwoRunsTab::showChosen() {
    m_message.clear();
    const RunModel& runs = m_workspace.runs();
    for (Side& side : m_sides) {
        if (!side.run || !side.run->running) continue;
        // It may have ended since, or become one of the earlier ones.
        const auto take = [&](const RunData& run) {
            if (run.id == side.run->id) side.run = run;
        };
        take(runs.current());
        for (const RunData& run : runs.earlier()) take(run);
        const bool isLabs = side.run->id == runs.current().id;
        if (side.run->running && isLabs && side.run->mode == RunMode::simulate) m_workspace.playback().toEnd();
    }
    if (!isWaiting() && m_sides[0].run && m_sides[1].run) m_pair.show(*m_sides[0].run, *m_sides[1].run);
    refreshStatus();
}

void TwoRunsTab::onShown() {
    if (!m_lanes) makeContent();
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        m_sides[side].run = m_pair.run(side);
        m_sides[side].pane->setCluster(m_pair.run(side).workload->cluster);
    }
    listRuns();
    m_stack->setCurrentIndex(1);
    const QString outcome = Outcome::compare(m_pair.run(1), m_pair.run(0));
    m_outcome->setWholeText(outcome.isEmpty() ? QString() : tr("B against A: %1").arg(outcome));
    refreshInstant();
    refreshTransport();
    refreshDifference();
}

void TwoRunsTab::refreshTransport() {
    if (!m_lanes) return;
    const Playback& playback = m_pair.playback();
    m_play->setIcon(icon(playback.isPlaying() ? "pause" : "play"));
    m_play->setToolTip(playback.isPlaying() ? tr("Pause") : tr("Play both runs"));
    m_play->setAccessibleName(m_play->toolTip());
    const bool atStart = m_pair.shownTime() == SimTime::zero(), atEnd = !m_pair.axis().cursor();
    m_start->setEnabled(!atStart);
    m_back->setEnabled(!atStart);
    m_next->setEnabled(!atEnd);
    m_end->setEnabled(!atEnd);
}

void TwoRunsTab::refreshInstant() {
    if (!m_lanes || !m_pair.isShown()) return;
    m_clock->setReading(clockText(m_pair.shownTime()));
    for (std::size_t side = 0; side < RunPair::sides; ++side) {
        m_sides[side].pane->setState(m_pair.state(side));
        const QString html = PairDecision::html(m_pair, side);
        if (std::exchange(m_sides[side].html, html) != html) m_sides[side].why->setHtml(html);
    }
    refreshTransport();
}

void TwoRunsTab::refreshDifference() {
    if (!m_lanes) return;
    const auto& first = m_pair.firstDifference();
    switch (m_pair.difference()) {
    case RunPair::Difference::none:
    case RunPair::Difference::looking: m_goTo->setText(tr("Looking for the first difference…")); break;
    case RunPair::Difference::same: m_goTo->setText(tr("Policies did the same in both")); break;
    case RunPair::Difference::found: m_goTo->setText(tr("First Difference: %1").arg(clockText(first->at))); break;
    }
    m_goTo->setEnabled(first.has_value());
    m_goTo->setToolTip(!first ? QString()
                              : (m_pair.isTimed()
                                     ? tr("Shows the first effect of a policy in which the runs differ; %n before it "
                                          "are the same in both.",
                                          nullptr, static_cast<int>(first->alike))
                                     : tr("Shows the first effect of a policy in which the runs differ. A run on real "
                                          "threads has other times and orders each time: this may be chance.")));
    refreshInstant();
}

QString TwoRunsTab::status() const { return m_progress->isVisible() ? tr("running") : m_empty->text(); }

QString TwoRunsTab::why(std::size_t side) const {
    return m_sides[side].why ? m_sides[side].why->toPlainText() : QString();
}

void TwoRunsTab::refreshStatus() {
    const bool running = m_pair.isRunning(), waiting = isWaiting();
    m_progress->setVisible(running || waiting);
    m_progress->setRange(0, running ? 1000 : 0); // waiting: for how long is not known here
    m_progress->setValue(static_cast<int>(1000 * m_pair.progress()));
    m_cancel->setVisible(running || waiting);
    m_swap->setEnabled(!running && !waiting && m_sides[0].run && m_sides[1].run);
    QString text = m_message;
    if (text.isEmpty())
        text =
            waiting   ? tr("Both are shown when they have ended.")
            : running ? tr("The runs are made…")
            : m_listed.size() < 2
                ? tr("There is one run, or none, so far. Run a scenario in the Lab, change a policy, and it runs again: the two "
                     "stand here side by side. Or open the record of a run, or choose a seed of a comparison in Policies.")
                : tr("Choose two runs above.");
    m_empty->setText(text);
    if (!m_message.isEmpty() && m_outcome) m_outcome->setWholeText(m_message);
}

void TwoRunsTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    listRuns();
    if (!m_sides[0].run && !m_sides[1].run && !m_workspace.runs().current().running) showPrevious();
}

void TwoRunsTab::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_lanes) return;
    for (Side& side : m_sides) side.html.clear(); // colours of the other theme
    refreshInstant();
}

} // namespace trainyard
