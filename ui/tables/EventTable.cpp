// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/EventTable.h"

#include "record/EventMeanings.h"
#include "tables/JobsModel.h"
#include "tables/TableLook.h"
#include "theme/ElidedComboBox.h"
#include "theme/TimeText.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

namespace trainyard {

EventTable::EventTable(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new EventTableModel(workspace, this)), m_view(new QTableView),
      m_types(new QComboBox), m_jobs(new QComboBox), m_machines(new QComboBox),
      m_selection(new QCheckBox(tr("Selected only"))), m_count(new QLabel) {
    setProperty("panel", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 6, 12, 6);
    line->setSpacing(8);
    m_types->addItem(tr("All events"));
    for (const EventMeaning& each : eventMeanings())
        m_types->addItem(eventTypeText(each.type), static_cast<int>(each.type));
    for (QComboBox* box : {m_types, m_jobs, m_machines}) keepListShort(*box);
    m_types->setAccessibleName(tr("Type of event"));
    m_jobs->setAccessibleName(tr("Job"));
    m_machines->setAccessibleName(tr("Machine"));
    m_selection->setToolTip(tr("Only what concerns the selected job, machines or links"));
    for (QComboBox* box : {m_types, m_jobs, m_machines}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8); // on a small projector
        box->setMaxVisibleItems(20);
        line->addWidget(box, 1);
        connect(box, &QComboBox::currentIndexChanged, this, &EventTable::takeFilter);
    }
    connect(m_selection, &QCheckBox::toggled, this, &EventTable::takeFilter);
    m_count->setProperty("muted", true);
    line->addWidget(m_selection);
    line->addStretch(1);
    line->addWidget(m_count);
    column->addLayout(line);
    column->addWidget(m_view, 1);
    makeView();
    m_soon.setSingleShot(true);
    m_soon.setInterval(50);
    connect(&m_soon, &QTimer::timeout, this, &EventTable::followCursor);
    const auto followSoon = [this] {
        if (isVisible() && !m_soon.isActive()) m_soon.start();
    };
    connect(&workspace, &Workspace::shownChanged, this, followSoon);
    connect(m_model, &EventTableModel::grown, this, followSoon);
    connect(m_model, &EventTableModel::grown, this, &EventTable::refreshCount);
    connect(m_model, &QAbstractItemModel::modelReset, this, &EventTable::fillNames);
    fillNames();
}

void EventTable::makeView() {
    m_view->setModel(m_model);
    dressTable(*m_view, tr("Events"), {14, 22, 20, 28, 28});
    // Times of a run of some days stand there whole: cut, those of many events look alike.
    const int longest = m_view->fontMetrics().horizontalAdvance(clockText(SimTime::seconds(999'999)));
    m_view->setColumnWidth(EventTableModel::time, longest + 2 * m_view->fontMetrics().averageCharWidth() + 8);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid() && !m_following) m_workspace.axis().setCursor(m_model->timeOf(now.row()));
    });
    connect(m_view, &QTableView::clicked, this,
            [this](const QModelIndex& at) { m_workspace.axis().setCursor(m_model->timeOf(at.row())); });
}

/// Jobs and machines of the run, keeping what is chosen where it is still there.
void EventTable::fillNames() {
    const auto workload = m_workspace.runs().current().workload;
    if (workload && workload == m_namesOf.lock()) return;
    m_namesOf = workload;
    const QString job = m_jobs->currentText(), machine = m_machines->currentData().toString();
    const QSignalBlocker quiet[] = {QSignalBlocker(m_jobs), QSignalBlocker(m_machines)};
    m_jobs->clear();
    m_machines->clear();
    m_jobs->addItem(tr("All jobs"));
    m_machines->addItem(tr("All machines"));
    if (workload) {
        for (std::size_t i = 0; i < workload->jobs.size(); ++i)
            m_jobs->addItem(jobName(workload->jobs[i]), static_cast<uint>(i));
        for (const Machine& m : workload->cluster.machines)
            m_machines->addItem(QString::fromStdString(m.name.empty() ? m.key : m.name), QString::fromStdString(m.key));
    }
    m_jobs->setCurrentIndex(std::max(0, m_jobs->findText(job)));
    m_machines->setCurrentIndex(machine.isEmpty() ? 0 : std::max(0, m_machines->findData(machine)));
    QMetaObject::invokeMethod(this, &EventTable::takeFilter, Qt::QueuedConnection);
}

void EventTable::takeFilter() {
    EventTableModel::Filter filter;
    if (m_types->currentIndex() > 0) filter.type = static_cast<EventType>(m_types->currentData().toInt());
    if (m_jobs->currentIndex() > 0) filter.job = JobId(m_jobs->currentData().toUInt());
    filter.machine = m_machines->currentData().toString();
    filter.selectionOnly = m_selection->isChecked();
    m_model->setFilter(filter);
}

void EventTable::followCursor() {
    const int row = m_model->rowAt(m_workspace.shownTime());
    const QModelIndex current = m_view->currentIndex();
    // Several events share an instant: a chosen one stays chosen.
    if (current.isValid() && m_model->timeOf(current.row()) == m_model->timeOf(row)) return;
    m_following = true;
    if (row < 0) {
        m_view->selectionModel()->clear();
    } else {
        const QModelIndex at = m_model->index(row, std::max(0, current.column()));
        m_view->selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        m_view->scrollTo(at, QAbstractItemView::PositionAtCenter);
    }
    m_following = false;
}

void EventTable::refreshCount() {
    const auto rows = static_cast<double>(m_model->rowCount());
    m_count->setText(m_model->isFiltered()
                         ? tr("%1 of %2 event(s)", nullptr, m_model->events())
                               .arg(countText(rows), countText(static_cast<double>(m_model->events())))
                         : tr("%1 event(s)", nullptr, m_model->rowCount()).arg(countText(rows)));
}

void EventTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_model->setActive(true);
}

void EventTable::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_model->setActive(false);
}

} // namespace trainyard
