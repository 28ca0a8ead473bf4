// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The export panel: which views, in which formats, how they look, with a preview of the one in hand, and the
// same for a movie of the run. Not a question to be answered: it stays open, keeps its settings, and says what
// it wrote. A dock of the main window.
#include "export/ExportController.h"
#include "export/ExportSettings.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QTabWidget;
class QToolButton;
class QVBoxLayout;

namespace trainyard {

class FigureForm;
class FigurePreview;
class MovieForm;
class MoviePreview;

class ExportPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ExportPanel(ExportController& controller, QWidget* parent = nullptr);
    ~ExportPanel() override; ///< remembers the settings

    ExportController& controller() { return m_controller; }
    FigurePreview& preview() { return *m_preview; }
    MoviePreview& moviePreview() { return *m_moviePreview; }
    QListWidget& views() { return *m_views; }
    QPushButton& exportButton() { return *m_export; }
    QString said() const;

    /// Shows one view, alone chosen, ready to be exported.
    void chooseOnly(const QString& view);
    /// The look that is set: for copies, and for exports begun elsewhere. With texts, folder and instant.
    ExportOptions look() const;

protected:
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override; ///< keys that mean something to its controls

private:
    QWidget* makeCharts();
    QWidget* makeMovie();
    void makeFolder(QVBoxLayout* column);
    void fillViews();
    void refresh();
    void refreshButtons();
    void refreshGhost();
    MovieOptions movie() const;
    ExportView currentView() const;
    QStringList chosen() const;
    QString whyNot() const;
    void chooseFolder();
    void begin();
    void tell(const QString& text, bool problem, const QString& folder);
    ExportSettings settings() const;

    ExportController& m_controller;
    ExportSettings m_settings;
    std::vector<ExportView> m_known;
    QTabWidget* m_tabs;
    FigurePreview* m_preview;
    MoviePreview* m_moviePreview;
    QListWidget* m_views;
    FigureForm* m_figure;
    MovieForm* m_movie;
    QList<QCheckBox*> m_formats;
    QLineEdit* m_folder;
    QPushButton* m_export;
    QToolButton* m_copy;
    QLabel* m_said;
    QPushButton* m_open;
    QString m_written; ///< folder of the last export
};

} // namespace trainyard
