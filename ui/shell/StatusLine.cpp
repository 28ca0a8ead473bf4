#include "shell/StatusLine.h"

#include "canvas/CanvasView.h"
#include "theme/Icons.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QEvent>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace trainyard {

StatusLine::StatusLine(Workspace& workspace, const CanvasView& canvas, QWidget* parent)
    : QStatusBar(parent), m_workspace(workspace), m_canvas(canvas), m_run(new QLabel), m_rate(new QLabel),
      m_paint(new QLabel), m_jobs(new QLabel), m_problems(new QToolButton) {
    setSizeGripEnabled(false);
    m_run->setToolTip(tr("The run on show: its policies and its seed"));
    m_rate->setToolTip(tr("Events the simulation works off in a real second"));
    m_paint->setToolTip(tr("Time to paint the canvas once (median of the last paints)"));
    m_jobs->setToolTip(tr("Jobs at the instant shown"));
    m_problems->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_problems->setIconSize({16, 16});
    m_problems->setToolTip(tr("Shows the list of problems"));
    addWidget(m_jobs);
    addWidget(m_run, 1);
    addPermanentWidget(m_rate);
    addPermanentWidget(m_paint);
    addPermanentWidget(m_problems);
    m_soon.setSingleShot(true);
    m_soon.setInterval(250);
    connect(&m_soon, &QTimer::timeout, this, &StatusLine::refresh);
    const auto later = [this] {
        if (!m_soon.isActive()) m_soon.start();
    };
    connect(&workspace, &Workspace::shownChanged, this, later);
    connect(&workspace.runs(), &RunModel::runEnded, this, later);
    connect(&workspace, &Workspace::problemsChanged, this, &StatusLine::refreshProblems);
    connect(m_problems, &QToolButton::clicked, this, &StatusLine::problemsRequested);
    refresh();
    refreshProblems();
}

QString StatusLine::jobsText() const {
    return m_jobs->text();
}

void StatusLine::refresh() {
    const auto frame = m_workspace.runs().latestFrame();
    m_rate->setText(frame && frame->eventsPerSecond > 0
                        ? tr("%1 events/s").arg(shortCountText(frame->eventsPerSecond))
                        : QString());
    m_paint->setText(tr("%1 ms/frame").arg(QString::number(m_canvas.medianPaintTime(), 'f', 1)));
    m_run->setText(m_workspace.runs().current().label);
    const auto state = m_workspace.shownState();
    if (!state) {
        m_jobs->setText(tr("No run"));
        return;
    }
    const auto count = [&](JobPhase phase) {
        return std::count_if(state->jobs().begin(), state->jobs().end(),
                             [&](const JobState& j) { return j.phase == phase; });
    };
    QString text = tr("%1 running, %2 queued").arg(count(JobPhase::running)).arg(count(JobPhase::waiting));
    if (const auto done = count(JobPhase::finished)) text += tr(", %1 finished").arg(done);
    m_jobs->setText(text);
}

void StatusLine::refreshProblems() {
    const Problems problems = m_workspace.problems();
    const Theme theme = Theme::current();
    const auto number = static_cast<int>(problems.size());
    m_problems->setText(number ? counted(number, tr("1 problem"), tr("%1 problems")) : tr("No problems"));
    m_problems->setIcon(hasErrors(problems) ? icon("problem", theme.problem)
                        : number            ? icon("warning", theme.warning)
                                            : icon("good", theme.good));
}

void StatusLine::changeEvent(QEvent* event) {
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refreshProblems();
}

} // namespace trainyard
