// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/EntityTable.h"

#include "session/EntityNames.h"
#include "session/NewElements.h"
#include "tables/TableCellDelegate.h"
#include "theme/Theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <set>

namespace trainyard {

namespace entity_table {

/// What an empty table says.
QString hint(EntityRef::Kind kind) {
    using Kind = EntityRef::Kind;
    switch (kind) {
    case Kind::machine: return EntityTable::tr("No machines yet. Add one here or on the canvas.");
    case Kind::link:
        return EntityTable::tr("No links yet. Add one here, or drag from one machine to another on the canvas.");
    case Kind::switchNode: return EntityTable::tr("No switches. Machines can also be linked to each other.");
    case Kind::rack: return EntityTable::tr("No racks. A rack groups machines.");
    case Kind::device: return EntityTable::tr("No devices. A device sets the speed of its machines.");
    case Kind::job: return EntityTable::tr("No jobs yet. Add one to have something to run.");
    case Kind::generator:
        return EntityTable::tr("No generators. A generator creates many similar jobs that arrive one after another.");
    case Kind::fault: return EntityTable::tr("No faults. A fault takes a machine or a link down, once or repeatedly.");
    case Kind::variant:
    case Kind::settings:
    case Kind::cluster: break;
    }
    return {};
}

} // namespace entity_table

EntityTable::EntityTable(Workspace& workspace, EntityRef::Kind kind, QWidget* parent)
    : QTableView(parent), m_workspace(workspace), m_model(new EntityTableModel(workspace.document(), kind, this)),
      m_sorted(new QSortFilterProxyModel(this)) {
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(EntityTableModel::sortRole);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setFilterKeyColumn(-1);
    m_sorted->setDynamicSortFilter(false); // a row stays where it is while it is edited
    setModel(m_sorted);
    setItemDelegate(new TableCellDelegate({&workspace.registry()}, this));
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectItems);
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false); // Tab leaves the table; arrows move in it
    setAccessibleName(kindText(kind, 2).remove(QStringLiteral("2 ")));
    verticalHeader()->setDefaultSectionSize(26);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(40);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &EntityTable::giveSelection);
    connect(&workspace.selection(), &Selection::changed, this, &EntityTable::takeSelection);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        fitColumns();
        takeSelection();
    });
}

/// By the titles and the first rows: measuring a thousand rows would take longer than reading them.
void EntityTable::fitColumns() {
    const QFontMetrics metrics = fontMetrics();
    for (int c = 0; c < m_model->columnCount(); ++c) {
        int width = metrics.horizontalAdvance(m_model->headerData(c, Qt::Horizontal).toString()) + 30;
        for (int r = 0; r < std::min(m_model->rowCount(), 40); ++r)
            width = std::max(width, metrics.horizontalAdvance(m_model->index(r, c).data().toString()) + 28);
        setColumnWidth(c, std::clamp(width, 56, 260));
    }
}

void EntityTable::setFilter(const QString& text) {
    m_sorted->setFilterFixedString(text);
    takeSelection();
}

void EntityTable::showEvent(QShowEvent* event) {
    m_model->setActive(true);
    QTableView::showEvent(event);
    takeSelection();
}

void EntityTable::hideEvent(QHideEvent* event) {
    m_model->setActive(false);
    QTableView::hideEvent(event);
}

std::vector<EntityRef> EntityTable::selectedRows() const {
    std::set<std::size_t> rows;
    for (const QItemSelectionRange& range : selectionModel()->selection())
        for (int r = range.top(); r <= range.bottom(); ++r)
            rows.insert(static_cast<std::size_t>(m_sorted->mapToSource(m_sorted->index(r, 0)).row()));
    std::vector<EntityRef> found;
    for (const std::size_t row : rows) found.push_back({m_model->kind(), row});
    return found;
}

void EntityTable::giveSelection() {
    if (m_busy || !isVisible()) return;
    const auto rows = selectedRows();
    if (rows.empty()) return;
    m_busy = true;
    selectEntities(m_workspace, rows);
    m_busy = false;
}

void EntityTable::takeSelection() {
    if (m_busy || !isVisible()) return;
    std::vector<EntityRef> wanted;
    for (const auto& group : selectedEntities(m_workspace))
        if (group.front().kind == m_model->kind()) wanted = group;
    if (wanted == selectedRows()) return;
    m_busy = true;
    QItemSelection rows;
    QModelIndex first;
    for (const EntityRef& entity : wanted) {
        const QModelIndex at = m_sorted->mapFromSource(m_model->index(static_cast<int>(entity.index), 0));
        if (!at.isValid()) continue;
        if (!first.isValid()) first = at;
        rows.select(at, at.siblingAtColumn(m_model->columnCount() - 1));
    }
    selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    if (first.isValid()) {
        selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        scrollTo(first);
    }
    m_busy = false;
}

void EntityTable::reveal(const std::vector<EntityRef>& entities) {
    if (entities.empty()) return;
    m_model->sync();
    selectEntities(m_workspace, entities);
    takeSelection();
    setFocus();
}

void EntityTable::addRow() {
    if (m_model->kind() != EntityRef::Kind::fault) return reveal({addElement(m_workspace.document(), m_model->kind())});
    const QStringList& keys = m_workspace.selection().entities();
    reveal({addFault(m_workspace.document(), keys.isEmpty() ? std::string() : keys.first().toStdString(),
                     m_workspace.shownTime().toSeconds())});
}

void EntityTable::addJobRow(JobKind kind) { reveal({addJob(m_workspace.document(), kind)}); }

void EntityTable::duplicateRows() {
    const auto rows = selectedRows();
    if (!rows.empty()) reveal(duplicateElements(m_workspace.document(), rows));
}

void EntityTable::deleteRows() {
    const auto rows = selectedRows();
    if (rows.empty()) return;
    m_workspace.selection().clear();
    m_workspace.document().removeElements(rows);
}

void EntityTable::clearCells() {
    std::vector<EntityTableModel::CellText> cells;
    for (const QModelIndex& at : selectionModel()->selectedIndexes()) {
        const QModelIndex source = m_sorted->mapToSource(at);
        const auto field = m_model->fieldAt(source);
        if (field && !field->required) cells.push_back({source.row(), source.column(), {}});
    }
    if (!cells.empty()) m_model->setTexts(tr("Clear %n cell(s)", nullptr, cells.size()), cells);
}

void EntityTable::copy() const {
    std::map<int, std::map<int, QString>> cells; // as shown
    for (const QModelIndex& at : selectionModel()->selectedIndexes())
        cells[at.row()][horizontalHeader()->visualIndex(at.column())] = at.data().toString();
    QStringList lines;
    for (const auto& [row, columns] : cells) {
        QStringList texts;
        for (const auto& [column, text] : columns) texts << text;
        lines << texts.join(QLatin1Char('\t'));
    }
    if (!lines.isEmpty()) QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void EntityTable::paste() {
    QString text = QApplication::clipboard()->text();
    text.remove(QLatin1Char('\r'));
    while (text.endsWith(QLatin1Char('\n'))) text.chop(1);
    if (text.isEmpty()) return;
    std::vector<EntityTableModel::CellText> cells;
    const QStringList lines = text.split(QLatin1Char('\n'));
    if (lines.size() == 1 && !text.contains(QLatin1Char('\t')) && selectionModel()->selectedIndexes().size() > 1) {
        for (const QModelIndex& at : selectionModel()->selectedIndexes()) {
            const QModelIndex source = m_sorted->mapToSource(at);
            cells.push_back({source.row(), source.column(), text});
        }
    } else {
        const QModelIndex from = currentIndex();
        int fresh = m_model->rowCount();
        for (int r = 0; r < lines.size(); ++r) {
            const int shown = std::max(0, from.row()) + r;
            const int row =
                shown < m_sorted->rowCount() ? m_sorted->mapToSource(m_sorted->index(shown, 0)).row() : fresh++;
            const QStringList texts = lines[r].split(QLatin1Char('\t'));
            for (int c = 0; c < texts.size(); ++c) {
                const int place = horizontalHeader()->visualIndex(std::max(0, from.column())) + c;
                const int column = horizontalHeader()->logicalIndex(place);
                if (column >= 0 && texts[c] != QStringLiteral("–")) cells.push_back({row, column, texts[c]});
            }
        }
    }
    if (!cells.empty()) m_model->setTexts(tr("Paste %n cell(s)", nullptr, cells.size()), cells);
}

void EntityTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_sorted->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(Theme::current().muted);
    painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     m_model->rowCount() > 0 ? tr("No row has this text.") : entity_table::hint(m_model->kind()));
}

bool EntityTable::event(QEvent* event) {
    // These mean something else to the window, but here the table's.
    if (event->type() == QEvent::ShortcutOverride && state() != EditingState) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool control = key->modifiers() == Qt::ControlModifier;
        if (key->matches(QKeySequence::Copy) || key->matches(QKeySequence::Paste) || key->key() == Qt::Key_Delete ||
            key->key() == Qt::Key_Insert || key->matches(QKeySequence::SelectAll) ||
            (control && (key->key() == Qt::Key_D || key->key() == Qt::Key_Minus)) ||
            (key->modifiers() == Qt::NoModifier && !key->text().isEmpty() && key->text().front().isPrint()) ||
            key->key() == Qt::Key_Left || key->key() == Qt::Key_Right || key->key() == Qt::Key_Home ||
            key->key() == Qt::Key_End) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

void EntityTable::keyPressEvent(QKeyEvent* event) {
    const bool control = event->modifiers() == Qt::ControlModifier;
    if (event->matches(QKeySequence::Copy)) return copy();
    if (event->matches(QKeySequence::Paste)) return paste();
    if (event->key() == Qt::Key_Insert) return addRow();
    if (event->key() == Qt::Key_Delete) return clearCells();
    if (control && event->key() == Qt::Key_D) return duplicateRows();
    if (control && event->key() == Qt::Key_Minus) return deleteRows();
    QTableView::keyPressEvent(event);
}

void EntityTable::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    const auto add = [&](const QString& text, const QKeySequence& keys, auto slot) {
        QAction* action = menu.addAction(text, this, slot);
        action->setShortcut(keys);
        return action;
    };
    add(tr("&Copy"), QKeySequence::Copy, &EntityTable::copy);
    add(tr("&Paste"), QKeySequence::Paste, &EntityTable::paste);
    add(tr("Back to the De&fault"), Qt::Key_Delete, &EntityTable::clearCells);
    menu.addSeparator();
    add(tr("&Add"), Qt::Key_Insert, &EntityTable::addRow);
    add(tr("D&uplicate"), QKeyCombination(Qt::ControlModifier, Qt::Key_D), &EntityTable::duplicateRows);
    add(tr("&Delete Rows"), QKeyCombination(Qt::ControlModifier, Qt::Key_Minus), &EntityTable::deleteRows);
    menu.exec(event->globalPos());
}

} // namespace trainyard
