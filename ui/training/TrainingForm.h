// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is to be trained, and where it is kept: a configuration in words, its seed, a directory. A directory with a checkpoint says by itself
// what goes on there. Part of TrainingPage, which trains.
#include "training/BackgroundTraining.h"

#include <QScrollArea>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace trainyard {

class TrainingForm final : public QScrollArea {
    Q_OBJECT
public:
    explicit TrainingForm(std::filesystem::path resources, QWidget* parent = nullptr);

    /// The file is among those offered from now on, and chosen.
    void openConfiguration(const QString& file);
    void setDirectory(const QString& directory);
    QString directory() const;
    /// What Start or Resume would do; nothing while something is wrong: whyNot() says what.
    std::optional<TrainingRequest> request() const;
    QString whyNot() const;
    bool resumes() const { return m_begun.has_value(); } ///< the directory has a checkpoint
    bool isFinished() const { return m_begun && m_begun->done; }
    void setBusy(bool busy); ///< a training goes on: nothing can be changed
    /// The directory may have another checkpoint by now.
    void lookAgain();

Q_SIGNALS:
    void changed();

private:
    void makeConfiguration(QVBoxLayout* column);
    void makeDirectory(QVBoxLayout* column);
    void fillConfigurations();
    int offer(const QString& file);
    void takeConfiguration();
    void takeBegun(const Result<BegunTraining>& begun);
    void suggestDirectory();
    void showBegun();
    void chooseDirectory();
    void chooseProfiles();
    void refresh();
    const AgentPlan* plan() const { return m_begun ? &m_begun->plan : m_plan ? &*m_plan : nullptr; }

    std::filesystem::path m_resources;
    QComboBox* m_choice;
    QPushButton *m_open, *m_browse, *m_browseProfiles;
    QLabel *m_words, *m_problem, *m_hint, *m_profilesLabel;
    QLineEdit *m_seed, *m_directory, *m_profiles;
    std::optional<AgentPlan> m_plan;      ///< of the configuration chosen
    std::optional<BegunTraining> m_begun; ///< of the directory's checkpoint
    Problems m_problems;                  ///< of the configuration
    Problems m_begunProblems;             ///< of the checkpoint
    QTimer m_lookSoon;
    int m_before = 0; ///< configuration chosen before that of a checkpoint was shown
    int m_looks = 0;  ///< at checkpoints; only the last one counts
    bool m_looking = false, m_busy = false, m_suggested = true;
};

} // namespace trainyard
