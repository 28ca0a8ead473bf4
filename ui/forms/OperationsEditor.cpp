// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/OperationsEditor.h"

#include "forms/OperationsModel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace operations_editor {

constexpr int mostRows = 10; // on view; the others are scrolled to

/// "/job/graph/operations" → "/job/graph"
std::string graphPath(const std::string& operations) { return operations.substr(0, operations.rfind('/')); }

} // namespace operations_editor

OperationsEditor::OperationsEditor(QWidget* parent)
    : FieldEditor(parent), m_model(new OperationsModel(this)), m_table(new QTableView), m_add(new QToolButton),
      m_remove(new QToolButton) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    m_table->setTabKeyNavigation(false); // Tab goes on to the next control
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->installEventFilter(this);
    column->addWidget(m_table);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    const auto button = [&](QToolButton* which, const QString& text) {
        which->setText(text);
        which->setProperty("framed", true);
        buttons->addWidget(which);
    };
    button(m_add, tr("Add Operation"));
    button(m_remove, tr("Remove"));
    buttons->addStretch(1);
    column->addLayout(buttons);
    m_add->setToolTip(tr("Adds an operation after the last"));
    setFocusProxy(m_table);

    connect(m_model, &OperationsModel::edited, this,
            [this](const ComputationGraph& graph) { Q_EMIT edited(m_path, OperationsModel::jsonOf(graph)); });
    connect(m_model, &OperationsModel::refused, this, &FieldEditor::refused);
    connect(m_model, &OperationsModel::modelReset, this, [this] {
        fitHeight();
        refreshButtons();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OperationsEditor::refreshButtons);
    connect(m_add, &QToolButton::clicked, this, [this] {
        m_model->add();
        m_table->setCurrentIndex(m_model->index(m_model->rowCount() - 1, OperationsModel::name));
    });
    connect(m_remove, &QToolButton::clicked, this, &OperationsEditor::removeSelected);
    refreshButtons();
}

QWidget* OperationsEditor::control() const { return m_table; }

void OperationsEditor::show(const FieldInfo& field, const std::vector<std::string>& values) {
    m_path = operations_editor::graphPath(field.path);
    m_several = valuesDiffer(values);
    m_model->setGraph(m_several ? ComputationGraph{} : OperationsModel::graphFrom(values.front()));
    m_table->setEnabled(!m_several);
    m_table->setToolTip(m_several ? tr("The selected jobs have different operations: select one of them") : QString());
    fitHeight();
    refreshButtons();
}

void OperationsEditor::fitHeight() {
    const int rows = std::clamp(m_model->rowCount(), 2, operations_editor::mostRows);
    const int row = m_table->fontMetrics().height() + 8;
    m_table->verticalHeader()->setDefaultSectionSize(row);
    m_table->resizeColumnsToContents();
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows * row +
                            m_table->horizontalScrollBar()->sizeHint().height() + 2 * m_table->frameWidth());
}

void OperationsEditor::refreshButtons() {
    const bool any = m_table->selectionModel()->hasSelection();
    m_add->setEnabled(!m_several);
    m_remove->setEnabled(any);
    m_remove->setToolTip(any ? tr("Removes the selected operations and the dependencies on them")
                             : tr("No operation is selected"));
}

void OperationsEditor::removeSelected() {
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedIndexes()) rows.push_back(index.row());
    if (!rows.empty()) m_model->remove(rows);
}

bool OperationsEditor::eventFilter(QObject*, QEvent* event) {
    const auto isDelete = [&] { return static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete; };
    if (event->type() == QEvent::ShortcutOverride && isDelete()) {
        event->accept(); // not what is selected in the cluster
        return true;
    }
    if (event->type() != QEvent::KeyPress || !isDelete()) return false;
    removeSelected();
    return true;
}

} // namespace trainyard
