// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The offline help: a page per policy (resources/help), pages about the window (resources/guide), and the
// metrics with their definitions. In a dock; F1 and the Help menu lead here.
#include "session/Workspace.h"

#include <QWidget>

class QComboBox;
class QTextBrowser;
class QToolButton;

namespace trainyard {

class HelpBrowser final : public QWidget {
    Q_OBJECT
public:
    explicit HelpBrowser(Workspace& workspace, QWidget* parent = nullptr);

    /// A page by its name: "start", "metrics", a policy's id. An unknown one says so on the page.
    void show(const QString& page);
    QString page() const { return m_page; }
    QString text() const;
    /// Names of all pages, in the order of the list.
    QStringList pages() const;

Q_SIGNALS:
    void partWanted(const QString& link); ///< of NamedParts.h

private:
    void fillList();
    void open(const QString& page);
    void calmHeadings();
    void refreshButtons();
    QString markdownOf(const QString& page) const;
    static QString metricsPage();

    Workspace& m_workspace;
    QComboBox* m_list;
    QTextBrowser* m_text;
    QToolButton *m_back, *m_forward;
    QString m_page;
    QStringList m_past, m_future;
};

} // namespace trainyard
