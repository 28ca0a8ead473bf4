// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/ThemeSheet.h"

#include "theme/Theme.h"

#include <QRegularExpression>

#include <cmath>
#include <utility>

namespace trainyard {

namespace theme_sheet {

const char* const text = R"(
QToolTip { background: @raised; color: @text; border: 1px solid @hairline; padding: 6px 8px; }
QMainWindow::separator { background: @window; width: 6px; height: 6px; }
QMainWindow::separator:hover { background: @hairline; }
QMenuBar { background: @window; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @raised; border: 1px solid @hairline; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 6px; }
QMenu::icon { padding-left: 6px; }
QToolBar { background: @surface; border: 0; border-bottom: 1px solid @hairline; spacing: 2px; padding: 4px 8px; }
QToolBar::separator { background: @hairline; width: 1px; margin: 6px 6px; }
QToolBarExtension { padding: 0px; width: 20px; image: url(:/icons/chevron-@scheme.svg); }
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 5px; background: transparent; }
QToolButton:hover:enabled { background: @hover; }
QToolButton:pressed, QToolButton:checked { background: @accentSoft; }
QToolButton:focus { border-color: @accent; }
QToolButton[framed="true"] { border-color: @hairline; background: @raised; padding: 3px 8px; }
QToolButton[framed="true"]:hover:enabled { background: @hover; }
QToolButton[framed="true"]:focus { border-color: @accent; }
QToolButton[framed="true"][popupMode="2"] { padding-right: 22px; }
QToolButton[text="⋯"]::menu-indicator { image: none; }
QToolButton[framed="true"]::menu-indicator { image: url(:/icons/chevron-@scheme.svg); width: 10px; height: 10px;
    subcontrol-origin: padding; subcontrol-position: right center; right: 6px; }
QPushButton { border: 1px solid @hairline; border-radius: 6px; padding: 5px 14px; background: @raised; }
QPushButton:hover:enabled { background: @hover; }
QPushButton:pressed { background: @accentSoft; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @disabled; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: @accentHover; }
QPushButton[primary="true"]:focus { border: 2px solid @text; padding: 4px 13px; }
QPushButton[primary="true"]:disabled { background: @raised; color: @disabled; border-color: @hairline; }
QStatusBar { background: @window; border-top: 1px solid @hairline; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: @muted; padding: 2px 8px; }
QDockWidget { color: @text; titlebar-close-icon: url(:/icons/dock-close-@scheme.svg);
    titlebar-normal-icon: url(:/icons/dock-float-@scheme.svg); }
QDockWidget::title { background: @surface; padding: 7px 12px; border-bottom: 1px solid @hairline; text-align: left; }
QDockWidget::close-button, QDockWidget::float-button { border: 0; border-radius: 4px; padding: 1px; background: transparent;
    icon-size: 14px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: @hover; }
QSpinBox, QDoubleSpinBox { background: @raised; border: 1px solid @hairline; border-radius: 6px; padding: 3px 4px 3px 6px;
    selection-background-color: @accent; selection-color: @onAccent; }
QSpinBox:focus, QDoubleSpinBox:focus { border-color: @accent; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 18px; border: 0; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 18px;
    border: 0; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/spin-up-@scheme.svg); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/spin-down-@scheme.svg); width: 9px; height: 9px; }
QComboBox[long="true"] { combobox-popup: 0; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @muted; padding: 6px 12px; border: 0; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:hover:!selected { color: @text; }
QTabWidget::pane { border: 0; border-top: 1px solid @hairline; }
QHeaderView { background: @surface; }
QHeaderView::section { background: @surface; color: @muted; border: 0; border-bottom: 1px solid @hairline; padding: 5px 8px; }
QTableView, QTreeView, QListView { background: @surface; border: 0; selection-background-color: @accentSoft;
    selection-color: @text; outline: 0; }
QTableView::item { padding: 2px 8px; border-bottom: 1px solid @grid; }
QTreeView { icon-size: 16px; }
QTreeView::item { padding: 3px 2px; }
QTreeView::item:hover, QListView::item:hover { background: @hover; }
QTreeView::item:selected { background: @accentSoft; color: @text; }
QTableCornerButton::section { background: @surface; border: 0; }
QScrollArea { border: 0; background: @surface; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @scroll; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSlider:horizontal { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; background: @track; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }
QSlider::handle:horizontal { background: @raised; border: 1.5px solid @accent; width: 12px; height: 12px; margin: -5px 0;
    border-radius: 7px; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { background: @accent; }
QSlider::sub-page:horizontal:disabled { background: @track; }
QSlider::handle:horizontal:disabled { border-color: @disabled; }
QLineEdit { background: @raised; border: 1px solid @hairline; border-radius: 6px; padding: 3px 6px;
    selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:focus { border-color: @accent; }
QPlainTextEdit { background: @raised; border: 1px solid @hairline; border-radius: 6px; padding: 2px 4px;
    selection-background-color: @accent; selection-color: @onAccent; }
QPlainTextEdit:focus { border-color: @accent; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QComboBox { background: @raised; border: 1px solid @hairline; border-radius: 6px; padding: 4px 8px; min-height: 18px; }
QComboBox:hover { background: @hover; }
QComboBox:focus { border-color: @accent; }
QComboBox:disabled { color: @disabled; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/chevron-@scheme.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @hairline; padding: 4px;
    selection-background-color: @accentSoft; selection-color: @text; outline: 0; }
QCheckBox { spacing: 8px; border: 1px solid transparent; border-radius: 4px; }
QCheckBox:focus { border-color: @accent; }
QCheckBox::indicator, QAbstractItemView::indicator { width: 14px; height: 14px; border: 1.5px solid @muted; border-radius: 4px; background: @raised; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/check-@scheme.svg); }
QCheckBox::indicator:focus { border-color: @accent; }
QFrame[card="true"] { background: @raised; border: 1px solid @hairline; border-radius: 8px; }
QWidget[panel="true"] { background: @surface; }
QLineEdit[problem="true"], QComboBox[problem="true"], QAbstractSpinBox[problem="true"], QPlainTextEdit[problem="true"] { border-color: @problem; }
QLineEdit[problem="warning"], QComboBox[problem="warning"], QAbstractSpinBox[problem="warning"], QPlainTextEdit[problem="warning"] { border-color: @warning; }
QLabel[problem="true"] { color: @problem; }
QLabel[problem="warning"] { color: @warning; }
QLabel[muted="true"] { color: @muted; }
QLabel[heading="true"] { color: @muted; font-weight: 600; }
QLabel[title="true"] { font-size: 13pt; font-weight: 600; }
QLabel[clock="true"] { font-size: 13pt; font-weight: 600; }
QLabel[display="true"] { font-size: 18pt; font-weight: 600; }
QTabBar#places { background: @window; }
QTabBar#places::tab { padding: 5px 14px; font-weight: 600; }
QListView#gallery { background: @window; }
QListView#gallery::item:hover { background: transparent; }
QTextBrowser { background: @surface; border: 0; selection-background-color: @accent; selection-color: @onAccent; }
QToolButton[row="true"] { text-align: left; padding: 4px 0px; }
QProgressBar { background: @track; border: 0; border-radius: 4px; max-height: 8px; min-height: 8px; }
QProgressBar::chunk { background: @accent; border-radius: 4px; }
)";

/// Every length of a style sheet, larger; hairlines stay.
QString scaled(QString sheet, double scale) {
    static const QRegularExpression length(QStringLiteral("(\\d+(?:\\.\\d+)?)(px|pt)"));
    QString out;
    qsizetype from = 0;
    for (auto it = length.globalMatch(sheet); it.hasNext();) {
        const auto match = it.next();
        const double value = match.captured(1).toDouble();
        out += sheet.mid(from, match.capturedStart() - from);
        out += QString::number(value <= 1 ? value : std::round(value * scale)) + match.captured(2);
        from = match.capturedEnd();
    }
    return out + sheet.mid(from);
}

} // namespace theme_sheet

QString themeSheet(const Theme& t, double scale) {
    QString sheet = QString::fromUtf8(theme_sheet::text);
    if (scale != 1) sheet = theme_sheet::scaled(std::move(sheet), scale);
    const auto name = [](const QColor& c) { return c.name(); };
    // Longer names first, so that no name is a prefix of one still to come.
    const std::pair<const char*, QString> values[] = {
        {"@accentHover", name(Theme::mix(t.accent, t.text, 0.85))},
        {"@accentSoft", name(t.selected())},
        {"@accent", name(t.accent)},
        {"@onAccent", name(t.onAccent())},
        {"@disabled", name(t.disabled())},
        {"@hairline", name(t.hairline)},
        {"@surface", name(t.surface)},
        {"@raised", name(t.raised)},
        {"@scheme", t.dark ? QStringLiteral("dark") : QStringLiteral("light")},
        {"@problem", name(t.problem)},
        {"@warning", name(t.warning)},
        {"@scroll", name(Theme::mix(t.muted, t.surface, 0.35))},
        {"@window", name(t.window)},
        {"@muted", name(t.muted)},
        {"@track", name(Theme::mix(t.muted, t.surface, 0.25))},
        {"@hover", name(t.hover())},
        {"@grid", name(t.grid)},
        {"@text", name(t.text)},
    };
    for (const auto& [key, value] : values) sheet.replace(QLatin1String(key), value);
    return sheet;
}

} // namespace trainyard
