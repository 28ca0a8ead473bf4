// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ComparePage.h"

#include "compare/ClaimsTab.h"
#include "compare/ParameterTab.h"
#include "compare/PoliciesTab.h"
#include "compare/TwoRunsTab.h"

#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace trainyard {

ComparePage::ComparePage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_tabs(new QTabWidget), m_policies(new PoliciesTab(workspace)),
      m_parameter(new ParameterTab(workspace)), m_runs(new TwoRunsTab(workspace)), m_claims(new ClaimsTab(workspace)) {
    setObjectName(QStringLiteral("compare-page"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_tabs->setObjectName(QStringLiteral("compare-tabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setAccessibleName(tr("What to compare"));
    column->addWidget(m_tabs);
    add("policies", tr("Policies"), m_policies);
    add("parameter", tr("Parameter"), m_parameter);
    add("runs", tr("Two Runs"), m_runs);
    add("claims", tr("Claims"), m_claims);
    connect(m_claims, &ClaimsTab::scenarioWanted, this, &ComparePage::scenarioWanted);
    connect(m_policies, &PoliciesTab::sideBySideWanted, this, [this](const RunData& baseline, const RunData& arm) {
        go("runs");
        m_runs->show(baseline, arm);
    });
    setFocusProxy(m_tabs);
    setWhatsThis(tr("Policies compared over many seeds, with confidence intervals."));
}

void ComparePage::add(const char* id, const QString& title, QWidget* tab) {
    tab->setObjectName(QLatin1String("compare-") + QLatin1String(id));
    m_tabs->addTab(tab, title);
}

void ComparePage::go(const char* id) {
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_tabs->widget(i)->objectName() == QLatin1String("compare-") + QLatin1String(id))
            m_tabs->setCurrentIndex(i);
}

} // namespace trainyard
