// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far a long computation is, how long it will still take, and a button that ends it. Hidden while a run
// merely plays, and for computations that are over before one could read it. In the status bar.
#include "session/Workspace.h"
#include "shell/ProgressStrip.h"

#include <QElapsedTimer>

namespace trainyard {

class RunProgress final : public ProgressStrip {
    Q_OBJECT
public:
    explicit RunProgress(Workspace& workspace, QWidget* parent = nullptr);

private:
    void refresh();

    Workspace& m_workspace;
    QElapsedTimer m_since; ///< the computation began
    double m_from = 0;     ///< progress then
    QTimer m_soon;
};

} // namespace trainyard
