#pragma once
// Tab goes in the order that is seen: for panels whose controls are made and taken away while they are used, so
// that the order in which they were made says nothing.
class QWidget;

namespace trainyard {

/// Goes through the visible controls in `root` row by row, each from left to right. To be called when the layout has
/// been done. The last one; null if there is none.
QWidget* orderTabs(QWidget& root);
/// Orders them anew, in a moment, whenever the layout of `root` changes.
void keepTabsInOrder(QWidget& root);

} // namespace trainyard
