#include "tables/TableLook.h"

#include <QHeaderView>
#include <QTableView>

namespace trainyard {

void dressTable(QTableView& view, const QString& accessibleName, std::initializer_list<int> letters) {
    view.setAccessibleName(accessibleName);
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setTabKeyNavigation(false);
    view.verticalHeader()->hide();
    // One height for all: measuring each of a million rows would take seconds.
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + 8);
    view.horizontalHeader()->setHighlightSections(false);
    view.horizontalHeader()->setStretchLastSection(true);
    view.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    int column = 0;
    for (const int width : letters) view.setColumnWidth(column++, width * view.fontMetrics().averageCharWidth());
}

} // namespace trainyard
