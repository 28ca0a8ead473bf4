// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The place Training: an agent for partitioners is trained while its reward, its candidates on validation and its degrees are shown. What is
// trained where is the form's; the work goes on beside the window's thread. The main window adds it to its places.
#include "session/Workspace.h"
#include "training/BackgroundTraining.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace trainyard {

class TrainingForm;
class TrainingPictures;

class TrainingPage final : public QWidget {
    Q_OBJECT
public:
    explicit TrainingPage(Workspace& workspace, QWidget* parent = nullptr);
    ~TrainingPage() override;

    TrainingForm& form() { return *m_form; }
    BackgroundTraining& training() { return m_training; }
    TrainingPictures& pictures() { return *m_pictures; }
    QString status() const;
    /// Why the agent cannot be used in the open scenario; empty: it can.
    QString whyNotUse() const;

Q_SIGNALS:
    void labWanted(); ///< the scenario has the agent now

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeSide();
    void fitSizes(); ///< to the size of texts
    QWidget* makeResults();
    void go();
    void use();
    void save(int which); ///< of TrainingPictures::Which
    void refresh();
    void refreshButtons();
    void refreshStatus();
    QString statusText() const;
    QString agentFile() const;
    QString nameInScenarios() const;
    QString whyNotGo() const;

    Workspace& m_workspace;
    TrainingForm* m_form;
    TrainingPictures* m_pictures;
    QWidget* m_side = nullptr;
    QScrollArea* m_scroll;
    QPushButton *m_go, *m_stop, *m_use;
    QToolButton* m_export;
    QProgressBar* m_progress;
    QLabel *m_status, *m_title, *m_problem;
    QString m_message; ///< of the last export
    BackgroundTraining m_training;
    bool m_stopping = false, m_pausing = false;
};

} // namespace trainyard
