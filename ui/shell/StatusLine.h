#pragma once
// The line at the bottom: how fast the simulation and the picture go, what the jobs do, whether there are
// problems.
#include "session/Workspace.h"

#include <QStatusBar>

class QLabel;
class QToolButton;

namespace trainyard {

class CanvasView;

class StatusLine final : public QStatusBar {
    Q_OBJECT
public:
    StatusLine(Workspace& workspace, const CanvasView& canvas, QWidget* parent = nullptr);
    QString jobsText() const;

Q_SIGNALS:
    void problemsRequested();

protected:
    void changeEvent(QEvent* event) override; ///< another theme

private:
    void refresh();
    void refreshProblems();

    Workspace& m_workspace;
    const CanvasView& m_canvas;
    QLabel *m_run, *m_rate, *m_paint, *m_jobs;
    QToolButton* m_problems;
    QTimer m_soon;
};

} // namespace trainyard
