// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/FocusOrder.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QScrollArea>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <tuple>
#include <utility>

namespace trainyard {

namespace focus_order {

bool isStop(const QWidget& widget) {
    return widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) && !widget.focusProxy();
}

std::vector<QWidget*> shownChildren(const QWidget& parent) {
    std::vector<QWidget*> found;
    for (QObject* each : parent.children())
        if (auto* child = qobject_cast<QWidget*>(each); child && child->isVisible() && !child->isWindow())
            found.push_back(child);
    return found;
}

/// Runs of siblings that a straight line parts, from top to bottom or from left to right.
std::vector<std::vector<QWidget*>> partedBy(std::vector<QWidget*> siblings, bool across) {
    constexpr int touching = 3; // pixels that neighbours may overlap
    const auto from = [&](const QWidget* w) { return across ? w->y() : w->x(); };
    const auto to = [&](const QWidget* w) { return from(w) + (across ? w->height() : w->width()); };
    std::stable_sort(siblings.begin(), siblings.end(),
                     [&](const QWidget* a, const QWidget* b) { return from(a) < from(b); });
    std::vector<std::vector<QWidget*>> runs;
    int end = 0;
    for (QWidget* each : siblings) {
        if (runs.empty() || from(each) + touching >= end) runs.emplace_back();
        runs.back().push_back(each);
        end = runs.back().size() == 1 ? to(each) : std::max(end, to(each));
    }
    return runs;
}

/// Rows, and in a row columns, in these rows again, as deep as lines part them; what overlaps, as it was
/// made.
void sortBySight(std::vector<QWidget*>& siblings) {
    if (siblings.size() < 2) return;
    for (const bool across : {true, false}) {
        auto runs = partedBy(siblings, across);
        if (runs.size() < 2) continue;
        siblings.clear();
        for (auto& run : runs) {
            sortBySight(run);
            siblings.insert(siblings.end(), run.begin(), run.end());
        }
        return;
    }
}

void collect(QWidget& widget, std::vector<QWidget*>& stops) {
    if (isStop(widget)) stops.push_back(&widget);
    auto children = shownChildren(widget);
    sortBySight(children);
    for (QWidget* child : children) collect(*child, stops);
}

enum class Place { top, upper, left, middle, right, bottom, status, over };

Place placeOf(Qt::DockWidgetArea area) {
    switch (area) {
    case Qt::LeftDockWidgetArea: return Place::left;
    case Qt::RightDockWidgetArea: return Place::right;
    case Qt::TopDockWidgetArea: return Place::upper;
    default: return Place::bottom;
    }
}

/// Where the panels are whose tabs these are: the nearest below or above.
Place placeOf(const QTabBar& tabs, const QMainWindow& window, const std::vector<QWidget*>& all) {
    Place place = Place::bottom;
    int least = window.height();
    for (QWidget* each : all) {
        auto* dock = qobject_cast<QDockWidget*>(each);
        if (!dock) continue;
        const QRect at = dock->geometry(), own = tabs.geometry();
        if (at.left() > own.center().x() || at.right() < own.center().x()) continue;
        const int far = std::min(std::abs(at.top() - own.bottom()), std::abs(own.top() - at.bottom()));
        if (far < least) least = far, place = placeOf(window.dockWidgetArea(dock));
    }
    return place;
}

Place placeOf(QWidget* part, const QMainWindow& window, const std::vector<QWidget*>& all) {
    if (part == window.centralWidget()) return Place::middle;
    if (part == window.menuWidget() || qobject_cast<QToolBar*>(part)) return Place::top;
    if (qobject_cast<QStatusBar*>(part)) return Place::status;
    if (auto* dock = qobject_cast<QDockWidget*>(part)) return placeOf(window.dockWidgetArea(dock));
    if (auto* tabs = qobject_cast<QTabBar*>(part)) return placeOf(*tabs, window, all);
    return Place::over;
}

void giveKeyboard(QWidget* widget, bool next) {
    widget->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    // Coming from without, a scroll area does not see to it by itself.
    for (QWidget* each = widget->parentWidget(); each; each = each->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(each);
            area && area->widget() && area->widget()->isAncestorOf(widget))
            area->ensureWidgetVisible(widget);
}

/// The stop that has the keyboard, or the one that what has it belongs to; `stops.size()` if there is none.
std::size_t currentOf(const std::vector<QWidget*>& stops) {
    for (const QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget())
        if (const auto found = std::find(stops.begin(), stops.end(), at); found != stops.end())
            return static_cast<std::size_t>(found - stops.begin());
    return stops.size();
}

} // namespace focus_order

std::vector<QWidget*> tabStops(QWidget& root) {
    std::vector<QWidget*> stops;
    focus_order::collect(root, stops);
    return stops;
}

std::vector<QWidget*> partsOf(QMainWindow& window) {
    using focus_order::Place;
    const auto all = focus_order::shownChildren(window);
    std::vector<std::pair<Place, QWidget*>> placed;
    for (QWidget* each : all) placed.emplace_back(focus_order::placeOf(each, window, all), each);
    std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.first, a.second->y(), a.second->x()) < std::tuple(b.first, b.second->y(), b.second->x());
    });
    std::vector<QWidget*> parts;
    for (const auto& [place, part] : placed) parts.push_back(part);
    return parts;
}

bool tabThrough(const std::vector<QWidget*>& parts, bool next) {
    std::vector<QWidget*> stops;
    for (QWidget* part : parts) focus_order::collect(*part, stops);
    if (stops.empty()) return false;
    const std::size_t now = focus_order::currentOf(stops), count = stops.size();
    const std::size_t to = now == count ? (next ? 0 : count - 1) : (now + (next ? 1 : count - 1)) % count;
    focus_order::giveKeyboard(stops[to], next);
    return true;
}

bool tabToPart(const std::vector<QWidget*>& parts, bool next) {
    const auto at = std::find_if(parts.begin(), parts.end(), [focus = QApplication::focusWidget()](QWidget* part) {
        return part == focus || part->isAncestorOf(focus);
    });
    const std::size_t count = parts.size();
    std::size_t i = at == parts.end() ? (next ? count - 1 : 0) : static_cast<std::size_t>(at - parts.begin());
    for (std::size_t tried = 0; tried < count; ++tried) {
        i = (i + (next ? 1 : count - 1)) % count;
        if (qobject_cast<QTabBar*>(parts[i])) continue; // it goes with its panel
        const auto stops = tabStops(*parts[i]);
        if (stops.empty()) continue;
        const auto last = std::find(stops.begin(), stops.end(), parts[i]->focusWidget());
        focus_order::giveKeyboard(last == stops.end() ? stops.front() : *last, next);
        return true;
    }
    return false;
}

} // namespace trainyard
