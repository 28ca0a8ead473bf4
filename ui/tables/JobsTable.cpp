// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/JobsTable.h"

#include "tables/JobsModel.h"
#include "theme/Theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include <algorithm>

namespace trainyard {

namespace {

/// Numbers of updates with a bar beneath them that says how much is done.
class ProgressDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const Theme theme = Theme::current();
        const QRectF track(option.rect.left() + 8, option.rect.bottom() - 4, option.rect.width() - 16, 2);
        const double share = index.data(JobsModel::progressRole).toDouble();
        painter->fillRect(track, Theme::mix(theme.muted, theme.surface, 0.2));
        painter->fillRect(QRectF(track.topLeft(), QSizeF(track.width() * share, track.height())), theme.accent);
    }
};

} // namespace

JobsTable::JobsTable(Workspace& workspace, QWidget* parent)
    : QTableView(parent), m_workspace(workspace), m_sorted(new QSortFilterProxyModel(this)) {
    setTabKeyNavigation(false); // Tab leaves the table
    m_sorted->setSourceModel(new JobsModel(workspace, this));
    m_sorted->setSortRole(JobsModel::sortRole);
    setModel(m_sorted);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setShowGrid(false);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder); // in order of arrival until a header is clicked
    setItemDelegateForColumn(JobsModel::progress, new ProgressDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Jobs"));
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->setSectionResizeMode(JobsModel::name, QHeaderView::Stretch);
    fitColumns();
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid())
            m_workspace.selection().selectJob(JobId(static_cast<std::size_t>(m_sorted->mapToSource(now).row())));
    });
    connect(&workspace.selection(), &Selection::changed, this, &JobsTable::takeSelection);
    connect(m_sorted, &QAbstractItemModel::modelReset, this, &JobsTable::takeSelection);
}

/// What columns usually hold is whole, also in larger type; the names have the rest.
void JobsTable::fitColumns() {
    const int widths[] = {180, 84, 104, 140, 152, 96, 112};
    const QString usual[] = {{},
                             tr("analytic"),
                             tr("not arrived"),
                             QStringLiteral("1,000 / 1,000"),
                             {},
                             QStringLiteral("3.09×10³⁰¹"),
                             QStringLiteral("10:41 min")};
    constexpr int around = 36;
    for (int c = 1; c < JobsModel::columns; ++c) {
        const QString head = model()->headerData(c, Qt::Horizontal).toString(); // whose own font may change later
        setColumnWidth(c, std::max({widths[c], fontMetrics().horizontalAdvance(head) + around,
                                    fontMetrics().horizontalAdvance(usual[c]) + around}));
    }
    // Beside columns as wide as that names would have nothing: on a projector the table scrolls.
    const bool large = Theme::scale() > 1;
    horizontalHeader()->setSectionResizeMode(JobsModel::name, large ? QHeaderView::Interactive : QHeaderView::Stretch);
    if (large) setColumnWidth(JobsModel::name, static_cast<int>(widths[JobsModel::name] * Theme::scale()));
    verticalHeader()->setDefaultSectionSize(std::max(28, fontMetrics().height() + 12));
}

void JobsTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange && model()) fitColumns();
}

void JobsTable::takeSelection() {
    const QSignalBlocker quiet(selectionModel());
    const JobId job = m_workspace.selection().job();
    const QModelIndex row =
        job.valid() ? m_sorted->mapFromSource(m_sorted->sourceModel()->index(static_cast<int>(job.index()), 0))
                    : QModelIndex();
    selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (row.isValid()) scrollTo(row);
    viewport()->update();
}

} // namespace trainyard
