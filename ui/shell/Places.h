// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The places of the window as tabs beside its menus: Start, the Lab, Compare, Training. One is shown at a time; panels and the bar
// that steers time belong to the Lab and are out of the way elsewhere. Owned by the main window.
#include <QTabBar>

class QMainWindow;
class QStackedWidget;
class QToolBar;

namespace trainyard {

class Panels;

class Places final : public QTabBar {
    Q_OBJECT
public:
    Places(QMainWindow& window, Panels& panels, QStackedWidget& pages, QToolBar& toolBar);

    /// `id`: "start", "lab", "compare", "training". Nothing is shown before go().
    void add(const char* id, const QString& title, QWidget* page, bool withPanels);
    void go(const char* id);
    bool isAt(const char* id) const;
    /// To what a text names, by a link of NamedParts.h.
    void follow(const QString& link);

private:
    void show(int index);

    Panels& m_panels;
    QStackedWidget& m_pages;
    QToolBar& m_toolBar;
};

} // namespace trainyard
