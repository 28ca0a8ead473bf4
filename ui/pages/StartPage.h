// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where a person begins: the scenarios that ship as a gallery, templates, recent files, and work that was not
// saved. Chooses, and leaves opening to whoever listens.
#include "session/Workspace.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace trainyard {

class Gallery;
class GalleryModel;

class StartPage final : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(Workspace& workspace, QWidget* parent = nullptr);

    Gallery& gallery() { return *m_gallery; }
    GalleryModel& scenarios() { return *m_model; }
    QLineEdit& search() { return *m_search; }
    /// The scenario to begin with; empty if none is installed.
    QString firstScenario() const;
    /// Recent files and unsaved work as they are now.
    void refresh();
    /// The offer of a tour; gone for good once taken or refused.
    void offerTour(bool offer);

Q_SIGNALS:
    void fileChosen(const QString& path);
    void openRequested(); ///< to be chosen in a dialog
    void templateChosen(const trainyard::Scenario& scenario);
    void recoveryChosen(const trainyard::Journal::Entry& entry);
    void tourChosen();
    void tourRefused();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeSide();
    QWidget* makeTourOffer();
    void fillTemplates(QVBoxLayout* column);
    void fillRecent();
    void fillUnsaved();

    Workspace& m_workspace;
    GalleryModel* m_model;
    Gallery* m_gallery;
    QLineEdit* m_search;
    QVBoxLayout *m_recent = nullptr, *m_unsaved = nullptr;
    QWidget* m_tour = nullptr;
};

} // namespace trainyard
