#include "theme/TabOrder.h"

#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <vector>

namespace trainyard {

namespace tab_order {

struct Stop {
    QWidget* widget;
    QRect place; ///< in the root
    int row = 0;
};

class Keeper final : public QObject {
public:
    explicit Keeper(QWidget& root) : QObject(&root), m_root(root) {
        m_soon.setSingleShot(true);
        connect(&m_soon, &QTimer::timeout, this, [this] { orderTabs(m_root); });
        root.installEventFilter(this);
        m_soon.start(0);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) m_soon.start(0);
        return false;
    }

private:
    QWidget& m_root;
    QTimer m_soon;
};

} // namespace tab_order

QWidget* orderTabs(QWidget& root) {
    std::vector<tab_order::Stop> stops;
    for (QWidget* each : root.findChildren<QWidget*>())
        if ((each->focusPolicy() & Qt::TabFocus) && !each->focusProxy() && each->isVisibleTo(&root) &&
            each->window() == root.window())
            stops.push_back({each, QRect(each->mapTo(&root, QPoint()), each->size())});
    const auto middle = [](const tab_order::Stop& stop) { return stop.place.center().y(); };
    std::stable_sort(stops.begin(), stops.end(),
                     [&](const auto& a, const auto& b) { return middle(a) < middle(b); });
    for (std::size_t i = 1; i < stops.size(); ++i) { // in one row: the middle lies within the one before
        const QRect& before = stops[i - 1].place;
        const bool same = middle(stops[i]) <= before.bottom() && before.center().y() >= stops[i].place.top();
        stops[i].row = stops[i - 1].row + (same ? 0 : 1);
    }
    std::stable_sort(stops.begin(), stops.end(), [](const auto& a, const auto& b) {
        return a.row != b.row ? a.row < b.row : a.place.left() < b.place.left();
    });
    for (std::size_t i = 1; i < stops.size(); ++i) QWidget::setTabOrder(stops[i - 1].widget, stops[i].widget);
    return stops.empty() ? nullptr : stops.back().widget;
}

void keepTabsInOrder(QWidget& root) {
    new tab_order::Keeper(root);
}

} // namespace trainyard
