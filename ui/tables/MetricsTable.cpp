// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/MetricsTable.h"

#include "lanes/TimelineAction.h"
#include "run/files/RunRecord.h"
#include "session/Provenance.h"
#include "tables/JobsModel.h"
#include "tables/MetricsModel.h"
#include "tables/TableLook.h"
#include "theme/ActionReason.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace trainyard {

namespace metrics_table {
constexpr int wholeRun = -1, eachJob = -2;
}

class MetricsTable::Filter final : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void set(int scope, const QString& text) {
        m_scope = scope;
        m_text = text;
        invalidateFilter();
    }
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex at = sourceModel()->index(row, MetricsModel::metric, parent);
        const int job = at.data(MetricsModel::jobRole).toInt();
        if (m_scope == metrics_table::eachJob ? job < 0 : job != m_scope) return false;
        return m_text.isEmpty() || at.data().toString().contains(m_text, Qt::CaseInsensitive) ||
               at.data(Qt::ToolTipRole).toString().contains(m_text, Qt::CaseInsensitive);
    }

private:
    int m_scope = metrics_table::wholeRun;
    QString m_text;
};

MetricsTable::MetricsTable(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new MetricsModel(workspace, this)), m_filter(new Filter(this)),
      m_view(new QTableView), m_scope(new QComboBox), m_search(new QLineEdit),
      m_add(new QPushButton(tr("Add to Timeline"))), m_addAction(new QAction(tr("Add to &Timeline"), this)) {
    setProperty("panel", true);
    m_filter->setSourceModel(m_model);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 6, 8, 6);
    line->setSpacing(8);
    m_scope->setAccessibleName(tr("Metrics of"));
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_scope->setMinimumContentsLength(14);
    m_search->setPlaceholderText(tr("Search metrics"));
    m_search->setAccessibleName(tr("Search metrics"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(260);
    auto* copy = new QPushButton(tr("Copy as CSV"));
    copy->setToolTip(tr("Copies the listed metrics with full precision and the run's details"));
    for (QPushButton* button : {m_add, copy}) button->setFocusPolicy(Qt::TabFocus); // after a click Space plays
    line->addWidget(m_scope);
    line->addWidget(m_search, 1);
    line->addStretch(1);
    line->addWidget(m_add);
    line->addWidget(copy);
    column->addLayout(line);
    column->addWidget(m_view, 1);
    makeView();
    connect(m_scope, &QComboBox::currentIndexChanged, this, &MetricsTable::takeFilter);
    connect(m_search, &QLineEdit::textChanged, this, &MetricsTable::takeFilter);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(csv()); });
    connect(m_model, &QAbstractItemModel::modelReset, this, &MetricsTable::fillScope);
    connect(m_model, &MetricsModel::computed, this, &MetricsTable::refreshAdd);
    connect(&workspace.histories(), &Histories::changed, this, &MetricsTable::refreshAdd);
    connect(m_add, &QPushButton::clicked, m_addAction, &QAction::trigger);
    connect(m_addAction, &QAction::triggered, this, [this] {
        QString whyNone;
        m_workspace.histories().add(chosen(whyNone));
    });
    m_addAction->setObjectName(QStringLiteral("addToTimeline"));
    setActionHelp(m_addAction, timelineHelp());
    addAction(m_addAction);
    fillScope();
}

void MetricsTable::makeView() {
    m_view->setModel(m_filter);
    dressTable(*m_view, tr("Metrics"), {36, 18, 18, 18});
    m_view->setDragEnabled(true);
    m_view->setDragDropMode(QAbstractItemView::DragOnly);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MetricsTable::refreshAdd);
    refreshAdd();
}

std::vector<HistorySubject> MetricsTable::chosen(QString& whyNone) const {
    std::vector<HistorySubject> subjects;
    whyNone = tr("Choose a metric in the list first");
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        const int row = m_filter->mapToSource(index).row();
        if (const QString why = m_model->whyNotFollow(row); why.isEmpty())
            subjects.push_back(m_model->subject(row));
        else
            whyNone = why;
    }
    return subjects;
}

void MetricsTable::refreshAdd() {
    QString whyNone;
    const auto subjects = chosen(whyNone);
    const QString why = whyNotOnTimeline(m_workspace.histories(), subjects, whyNone);
    m_add->setEnabled(why.isEmpty());
    m_add->setToolTip(why.isEmpty() ? timelineHelp() : why);
    setActionAvailable(m_addAction, why);
}

void MetricsTable::fillScope() {
    const auto workload = m_workspace.runs().current().workload;
    if (m_scope->count() > 0 && workload && workload == m_scopeOf.lock()) return;
    m_scopeOf = workload;
    const QString chosen = m_scope->currentText();
    {
        const QSignalBlocker quiet(m_scope);
        m_scope->clear();
        m_scope->addItem(tr("Whole run"), metrics_table::wholeRun);
        m_scope->addItem(tr("Each job"), metrics_table::eachJob);
        if (workload)
            for (std::size_t j = 0; j < workload->jobs.size(); ++j)
                m_scope->addItem(jobName(workload->jobs[j]), static_cast<int>(j));
        m_scope->setCurrentIndex(std::max(0, m_scope->findText(chosen)));
    }
    takeFilter();
}

void MetricsTable::takeFilter() {
    const int scope = m_scope->currentData().toInt();
    m_filter->set(scope, m_search->text().trimmed());
    refreshAdd();
    m_view->setColumnHidden(MetricsModel::job, scope != metrics_table::eachJob);
}

QString MetricsTable::csv() const {
    const RunProvenance provenance = provenanceOf(m_workspace.runs().current());
    return QString::fromStdString(provenanceAbove(provenance)) + m_model->csv([this](int row) {
        return m_filter->filterAcceptsRow(row, {});
    }) + QString::fromStdString(provenanceBelow(provenance));
}

void MetricsTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_model->setActive(true);
}

void MetricsTable::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_model->setActive(false);
}

} // namespace trainyard
