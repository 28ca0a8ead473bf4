// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/ToolStrip.h"

#include "session/NewElements.h"
#include "theme/Icons.h"
#include "theme/Theme.h"

#include <QGridLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace trainyard {

ToolStrip::ToolStrip(CanvasTools& tools, CanvasView& canvas)
    : QFrame(canvas.viewport()), m_tools(tools), m_canvas(canvas), m_grid(new QGridLayout(this)) {
    setProperty("card", true);
    setCursor(Qt::ArrowCursor);
    setAccessibleName(tr("Drawing tools"));
    m_grid->setContentsMargins(3, 3, 3, 3);
    m_grid->setSpacing(1);
    addThing(CanvasTools::Thing::machine, "machine", tr("Machine"),
             tr("Drag it onto the cluster, or click here and then on the canvas; it copies the machine "
                "selected last"));
    addThing(CanvasTools::Thing::switchNode, "switch", tr("Switch"),
             tr("Drag it onto the cluster, or click here and then on the canvas"));
    addThing(CanvasTools::Thing::rack, "rack", tr("Rack"),
             tr("Drag it onto the cluster, or click here and then on the canvas; it contains one machine"));
    addJobButton();
    QToolButton* fromTemplate =
        add("template", tr("Template…"), tr("A whole cluster: star, tree, fat tree, ring, torus, mesh"));
    connect(fromTemplate, &QToolButton::clicked, this, &ToolStrip::templateRequested);
    connect(&tools, &CanvasTools::armedChanged, this, &ToolStrip::refresh);
    takeScale();
    fitInto(QWIDGETSIZE_MAX);
}

void ToolStrip::takeScale() {
    for (QToolButton* button : m_buttons) button->setIconSize(QSize(20, 20) * Theme::scale());
}

void ToolStrip::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) takeScale();
}

void ToolStrip::fitInto(int height) {
    const int all = static_cast<int>(m_buttons.size());
    int least = 0;
    for (const QToolButton* button : m_buttons) least = std::max(least, button->sizeHint().height());
    const QMargins around = m_grid->contentsMargins();
    const int room = height - around.top() - around.bottom() - 2 * frameWidth();
    const int fitting = std::clamp((room + m_grid->spacing()) / (least + m_grid->spacing()), 1, all);
    const int columns = (all + fitting - 1) / fitting, rows = (all + columns - 1) / columns;
    if (std::exchange(m_rows, rows) != rows)
        for (int i = 0; i < all; ++i) m_grid->addWidget(m_buttons[static_cast<std::size_t>(i)], i % rows, i / rows);
    m_grid->activate();
    resize(sizeHint());
}

void ToolStrip::addJobButton() {
    QToolButton* button = add("job", tr("Job"), tr("Adds a job of one of three kinds; the scheduler places it"));
    auto* menu = new QMenu(button);
    for (const JobKindText& kind : jobKinds())
        menu->addAction(tr("%1: %2").arg(kind.name, kind.sentence), this,
                        [this, kind = kind.kind] { Q_EMIT jobRequested(kind); });
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
}

QToolButton* ToolStrip::add(const char* iconName, const QString& name, const QString& help) {
    auto* button = new QToolButton;
    button->setIcon(icon(iconName));
    button->setAccessibleName(name);
    button->setAccessibleDescription(help);
    button->setToolTip(QStringLiteral("<b>%1</b><br>%2").arg(name.toHtmlEscaped(), help.toHtmlEscaped()));
    m_buttons.push_back(button);
    return button;
}

void ToolStrip::addThing(CanvasTools::Thing thing, const char* iconName, const QString& name, const QString& help) {
    QToolButton* button = add(iconName, name, help);
    button->setCheckable(true);
    button->installEventFilter(this);
    connect(button, &QToolButton::clicked, this, [this, thing](bool on) {
        if (on)
            m_tools.arm(thing);
        else
            m_tools.disarm();
    });
    m_things.emplace_back(thing, button);
}

QToolButton* ToolStrip::button(CanvasTools::Thing wanted) const {
    for (const auto& [thing, button] : m_things)
        if (thing == wanted) return button;
    return nullptr;
}

void ToolStrip::refresh() {
    for (const auto& [thing, button] : m_things) button->setChecked(m_tools.armed() == thing);
}

/// Pulled off the button, the thing follows the mouse until it is let go over the canvas.
bool ToolStrip::eventFilter(QObject* watched, QEvent* event) {
    const bool moves = event->type() == QEvent::MouseMove, ends = event->type() == QEvent::MouseButtonRelease;
    if (!moves && !ends) return QFrame::eventFilter(watched, event);
    auto* button = static_cast<QToolButton*>(watched);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QPoint at = m_canvas.viewport()->mapFromGlobal(mouse->globalPosition().toPoint());
    if (moves && mouse->buttons().testFlag(Qt::LeftButton) && !button->rect().contains(mouse->pos())) {
        if (!std::exchange(m_dragging, true)) {
            button->setDown(false);
            for (const auto& [thing, own] : m_things)
                if (own == button) m_tools.arm(thing);
        }
        m_tools.follow(at);
        return true;
    }
    if (!ends || !std::exchange(m_dragging, false)) return QFrame::eventFilter(watched, event);
    button->setDown(false);
    if (m_canvas.viewport()->rect().contains(at) && !geometry().contains(at)) m_tools.placeAt(at);
    m_tools.disarm();
    return true;
}

} // namespace trainyard
