// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ProblemsPanel.h"

#include "tables/ProblemsModel.h"
#include "theme/Theme.h"

#include <QHeaderView>
#include <QPainter>

namespace trainyard {

ProblemsPanel::ProblemsPanel(Workspace& workspace, QWidget* parent)
    : QTableView(parent), m_workspace(workspace), m_problems(new ProblemsModel(this)) {
    setTabKeyNavigation(false); // Tab leaves the table
    setModel(m_problems);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Problems"));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(28);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(ProblemsModel::message, QHeaderView::Stretch);
    setColumnWidth(ProblemsModel::place, 240);
    setColumnWidth(ProblemsModel::file, 200);
    const auto refresh = [this] { m_problems->setProblems(m_workspace.problems()); };
    connect(&workspace, &Workspace::problemsChanged, this, refresh);
    connect(this, &QTableView::activated, this, [this](const QModelIndex& at) { jumpTo(m_problems->at(at.row())); });
    refresh();
}

void ProblemsPanel::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_problems->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(Theme::current().muted);
    painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
}

QString ProblemsPanel::emptyText() const {
    return tr("No problems: the scenario can run. What is wrong with it would be listed here, each with its place.");
}

void ProblemsPanel::jumpTo(const Problem& problem) {
    const auto [entity, path] = entityAt(m_workspace.document().scenario(), problem.pointer);
    const std::string policies = "/policies/";
    if (entity.kind != EntityRef::Kind::settings || !path.starts_with(policies)) {
        Q_EMIT entityRequested(entity, path);
        return;
    }
    const std::string named = path.substr(policies.size());
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        if (named.substr(0, named.find('/')) == familyName(family)) Q_EMIT policyRequested(family);
}

} // namespace trainyard
