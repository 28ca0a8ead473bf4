// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far an export is, how long it will still take, and a button that ends it. Hidden while none goes on,
// and for those that are over before one could read it. In the status bar.
#include "shell/ProgressStrip.h"

#include <QTimer>

namespace trainyard {

class ExportJob;

class ExportProgress final : public ProgressStrip {
    Q_OBJECT
public:
    explicit ExportProgress(ExportJob& job, QWidget* parent = nullptr);

private:
    void refresh();

    ExportJob& m_job;
    QTimer m_soon;
};

} // namespace trainyard
