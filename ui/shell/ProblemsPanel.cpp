#include "shell/ProblemsPanel.h"

#include "tables/ProblemsModel.h"

#include <QHeaderView>

namespace trainyard {

ProblemsPanel::ProblemsPanel(Workspace& workspace, QWidget* parent)
    : QTableView(parent), m_workspace(workspace), m_problems(new ProblemsModel(this)) {
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
    connect(this, &QTableView::activated, this,
            [this](const QModelIndex& at) { jumpTo(m_problems->at(at.row())); });
    refresh();
}

void ProblemsPanel::jumpTo(const Problem& problem) {
    const QStringList path =
        QString::fromStdString(problem.pointer).split(QLatin1Char('/'), Qt::SkipEmptyParts);
    const Scenario& s = m_workspace.document().scenario();
    const auto select = [this](const auto& entities, uint index) {
        if (index < entities.size())
            m_workspace.selection().selectEntities({QString::fromStdString(entities[index].key)});
    };
    if (path.size() >= 3 && path[0] == QLatin1String("cluster")) {
        const uint index = path[2].toUInt();
        if (path[1] == QLatin1String("machines")) select(s.cluster.machines, index);
        if (path[1] == QLatin1String("switches")) select(s.cluster.switches, index);
        if (path[1] == QLatin1String("racks")) select(s.cluster.racks, index);
        if (path[1] == QLatin1String("links")) select(s.cluster.links, index);
    }
    if (path.size() >= 2 && path[0] == QLatin1String("jobs") && path[1].toUInt() < s.jobs.size()) {
        // The run's jobs are in order of arrival, the file's are not.
        const auto& workload = m_workspace.runs().current().workload;
        for (std::size_t j = 0; workload && j < workload->jobs.size(); ++j)
            if (workload->jobs[j].key == s.jobs[path[1].toUInt()].key)
                m_workspace.selection().selectJob(JobId(j));
    }
    if (path.size() >= 2 && path[0] == QLatin1String("policies"))
        for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization,
                                  PolicyFamily::parameters, PolicyFamily::partitioner})
            if (path[1] ==
                QLatin1String(familyName(family).data(), static_cast<qsizetype>(familyName(family).size())))
                Q_EMIT policyRequested(family);
}

} // namespace trainyard
