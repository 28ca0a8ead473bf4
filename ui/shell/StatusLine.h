// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The line at the bottom: how fast the simulation and the picture go, what the jobs do, whether there are
// problems.
#include "session/Workspace.h"
#include "shell/FrameGauge.h"

#include <QStatusBar>

class QToolButton;

namespace trainyard {

class ElidedLabel;
class Reading;

class StatusLine final : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(Workspace& workspace, QWidget* parent = nullptr);

Q_SIGNALS:
    void problemsRequested();

protected:
    void changeEvent(QEvent* event) override; ///< another theme
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void refreshJobs();
    void refreshProblems();
    QString runLabel() const;
    void showGauges();

    Workspace& m_workspace;
    FrameGauge m_gauge;
    ElidedLabel* m_run;
    Reading *m_rate = nullptr, *m_frames = nullptr, *m_jobs;
    QToolButton* m_problems;
    QTimer m_soon;
};

} // namespace trainyard
