// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/Places.h"

#include "charts/ViewPanel.h"
#include "shell/Panels.h"

#include <QMainWindow>
#include <QMenuBar>
#include <QStackedWidget>
#include <QToolBar>

namespace trainyard {

Places::Places(QMainWindow& window, Panels& panels, QStackedWidget& pages, QToolBar& toolBar)
    : m_panels(panels), m_pages(pages), m_toolBar(toolBar) {
    setObjectName(QStringLiteral("places"));
    setDocumentMode(true);
    setExpanding(false);
    setDrawBase(false);
    setAccessibleName(tr("Places"));
    window.menuBar()->setCornerWidget(this, Qt::TopLeftCorner);
    connect(this, &QTabBar::currentChanged, this, &Places::show);
    connect(&panels, &Panels::wanted, this, [this] { go("lab"); });
}

void Places::add(const char* id, const QString& title, QWidget* page, bool withPanels) {
    m_pages.addWidget(page);
    const QSignalBlocker quiet(this);
    const int index = addTab(title);
    setTabData(index, QVariantList{QByteArray(id), withPanels});
}

void Places::show(int index) {
    const bool withPanels = tabData(index).toList().value(1).toBool();
    if (!withPanels) m_panels.setAside(true);   // remembers the tool bar too
    for (int i = 0; i < m_pages.count(); ++i) { // what is not seen does not make the window wide
        const auto policy = i == index ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        m_pages.widget(i)->setSizePolicy(policy, policy);
    }
    m_pages.setCurrentIndex(index);
    m_pages.updateGeometry(); // the panels beside a page that is as high as the window would make it higher
    if (withPanels) m_panels.setAside(false);
    m_toolBar.setVisible(withPanels);
    m_pages.currentWidget()->setFocus();
}

bool Places::isAt(const char* id) const { return tabData(currentIndex()).toList().value(0).toByteArray() == id; }

void Places::go(const char* id) {
    for (int i = 0; i < count(); ++i)
        if (tabData(i).toList().value(0).toByteArray() == id) setCurrentIndex(i);
}

void Places::follow(const QString& link) {
    const QString kind = link.section(u':', 0, 0), id = link.section(u':', 1);
    if (kind == QLatin1String("place")) return go(id.toLatin1().constData());
    const bool isView = kind == QLatin1String("view");
    const QString panel = isView ? QStringLiteral("views") : id;
    m_panels.open(panel);
    if (auto* views = qobject_cast<ViewPanel*>(m_panels.find(panel)->widget()); views && isView) views->choose(id);
}

} // namespace trainyard
