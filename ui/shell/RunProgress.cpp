// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/RunProgress.h"

namespace trainyard {

namespace run_progress {
constexpr int refreshMilliseconds = 250;
constexpr qint64 shortMilliseconds = 700; // shorter computations show nothing
constexpr double muchFaster = 3;          // than it is to be watched: it is being computed, not played
} // namespace run_progress

RunProgress::RunProgress(Workspace& workspace, QWidget* parent)
    : ProgressStrip(tr("Progress of the run"), tr("Ends the computation here; what has been computed stays"), parent),
      m_workspace(workspace) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(run_progress::refreshMilliseconds);
    connect(&m_soon, &QTimer::timeout, this, &RunProgress::refresh);
    connect(this, &ProgressStrip::cancelRequested, this, [this] {
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
}

void RunProgress::refresh() {
    const auto frame = m_workspace.runs().latestFrame();
    const double speed = m_workspace.playback().speed();
    const bool computing = frame && frame->status == RunStatus::running &&
                           (m_workspace.runs().current().mode == RunMode::execute || speed <= 0 ||
                            m_workspace.playback().isRushing() || frame->speedRatio > speed * run_progress::muchFaster);
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
    showProgress({}, frame->progress, static_cast<double>(m_since.elapsed()) * 1e-3, frame->progress - m_from);
}

} // namespace trainyard
