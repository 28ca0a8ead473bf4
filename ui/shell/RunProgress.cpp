#include "shell/RunProgress.h"

#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <cmath>

namespace trainyard {

namespace run_progress {
constexpr int refreshMilliseconds = 250;
constexpr qint64 shortMilliseconds = 700; // shorter computations show nothing
constexpr double muchFaster = 3;          // than it is to be watched: it is being computed, not played
} // namespace run_progress

RunProgress::RunProgress(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_bar(new QProgressBar), m_text(new QLabel),
      m_cancel(new QToolButton) {
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 0, 8, 0);
    line->setSpacing(8);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(static_cast<int>(120 * Theme::scale()));
    m_bar->setAccessibleName(tr("Progress of the run"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Ends the computation here; what has been computed stays"));
    line->addWidget(m_bar);
    line->addWidget(m_text);
    line->addWidget(m_cancel);
    m_soon.setSingleShot(true);
    m_soon.setInterval(run_progress::refreshMilliseconds);
    connect(&m_soon, &QTimer::timeout, this, &RunProgress::refresh);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (RunSession* session = m_workspace.runs().session()) session->stop();
    });
    connect(&workspace.runs(), &RunModel::frame, this, [this] {
        if (!m_soon.isActive()) m_soon.start();
    });
    connect(&workspace.runs(), &RunModel::runStarted, this, [this] {
        m_since.invalidate();
        hide();
    });
    connect(&workspace.runs(), &RunModel::runEnded, this, [this] {
        m_soon.stop();
        m_since.invalidate();
        hide();
    });
    hide();
}

QString RunProgress::text() const {
    return m_text->text();
}

void RunProgress::refresh() {
    const auto frame = m_workspace.runs().latestFrame();
    const double speed = m_workspace.playback().speed();
    const bool computing = frame && frame->status == RunStatus::running &&
                           (speed <= 0 || frame->speedRatio > speed * run_progress::muchFaster);
    if (!computing) {
        m_since.invalidate();
        hide();
        return;
    }
    if (!m_since.isValid()) {
        m_since.start();
        m_from = frame->progress;
        m_soon.start();
        return;
    }
    if (m_since.elapsed() < run_progress::shortMilliseconds) {
        m_soon.start();
        return;
    }
    const double done = frame->progress - m_from;
    const QString percent = tr("%1 %").arg(std::floor(frame->progress * 100));
    m_bar->setValue(static_cast<int>(frame->progress * 1000));
    // A guess from so little would jump about.
    m_text->setText(done > 0.01 ? tr("%1, %2 left")
                                      .arg(percent, timeSpanText(std::ceil(static_cast<double>(m_since.elapsed()) *
                                                                           1e-3 * (1 - frame->progress) / done)))
                                : percent);
    show();
}

} // namespace trainyard
