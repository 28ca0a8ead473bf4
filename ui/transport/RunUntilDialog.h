// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Asks what time is to go on for: an instant, a job's start or end, a loss, waiting jobs, a failure, a decision.
// Not modal: it stays, so that the next one is a key away. Opened by the transport bar.
#include "session/Workspace.h"

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace trainyard {

class RunUntilDialog final : public QDialog {
    Q_OBJECT
public:
    explicit RunUntilDialog(Workspace& workspace, QWidget* parent = nullptr);

    /// What is asked for, and why it cannot be had now; empty if it can.
    Breakpoint wanted() const;
    QString whyNot() const;

protected:
    void showEvent(QShowEvent* event) override; ///< takes the selected job

private:
    void fillJobs();
    void refresh();
    void go();

    Workspace& m_workspace;
    QComboBox *m_kind, *m_job;
    QDoubleSpinBox *m_seconds, *m_loss;
    QSpinBox* m_jobs;
    QLabel *m_jobLabel, *m_valueLabel, *m_note;
    QPushButton* m_go;
    std::weak_ptr<const Workload> m_namesOf;
};

} // namespace trainyard
