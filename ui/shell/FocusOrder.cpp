// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/FocusOrder.h"

#include "theme/Theme.h"

#include <QApplication>
#include <QDockWidget>
#include <QFocusEvent>
#include <QMainWindow>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

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
        if (focusPart(*parts[i])) return true;
    }
    return false;
}

bool focusPart(QWidget& part) {
    const auto stops = tabStops(part);
    if (stops.empty()) return false;
    const auto last = std::find(stops.begin(), stops.end(), part.focusWidget());
    focus_order::giveKeyboard(last == stops.end() ? stops.front() : *last, true);
    return true;
}

FocusFrame::FocusFrame(QMainWindow& window) : QWidget(&window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    QApplication::instance()->installEventFilter(this);
}

void FocusFrame::frame(QWidget* widget) {
    m_framed = widget;
    setVisible(widget != nullptr);
    if (widget) place();
}

void FocusFrame::place() {
    const auto* tabs = qobject_cast<QTabBar*>(m_framed);
    const QRect part = tabs ? tabs->tabRect(tabs->currentIndex()) : m_framed->rect();
    QRect seen = QRect(m_framed->mapTo(parentWidget(), part.topLeft()), part.size()); // of what may be scrolled
    for (const QWidget* each = m_framed; each; each = each == parentWidget() ? nullptr : each->parentWidget())
        seen &= QRect(each->mapTo(parentWidget(), QPoint()), each->size());
    setGeometry(seen);
    raise();
}

bool FocusFrame::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != window()) return false;
    constexpr QSize large(160, 60); // what is smaller is a control, which has a border of its own
    switch (event->type()) {
    case QEvent::FocusIn: {
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        const bool byKey = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
        const bool bare = (qobject_cast<QTabBar*>(widget) && !m_mouse) ||
                          (widget->width() >= large.width() && widget->height() >= large.height() &&
                           !qobject_cast<QPlainTextEdit*>(widget));
        frame(byKey && bare ? widget : nullptr);
        break;
    }
    case QEvent::FocusOut: frame(nullptr); break;
    case QEvent::MouseButtonPress:
        m_mouse = true;
        frame(nullptr);
        break;
    case QEvent::ShortcutOverride: m_mouse = false; break;
    case QEvent::Paint:
        if (widget == m_framed) place();
        break;
    case QEvent::KeyPress: {
        const int key = static_cast<QKeyEvent*>(event)->key();
        auto* button = qobject_cast<QAbstractButton*>(widget);
        if ((key != Qt::Key_Return && key != Qt::Key_Enter) || !button || !button->isEnabled()) break;
        if (!qobject_cast<QPushButton*>(button) && !qobject_cast<QToolButton*>(button)) break;
        button->click();
        return true;
    }
    default: break;
    }
    return false;
}

void FocusFrame::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(QPen(Theme::current().accent, 2));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

} // namespace trainyard
