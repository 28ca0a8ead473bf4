#include "theme/Theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

namespace {

// Okabe, Ito (2008): eight colours that people with any common colour vision can tell apart.
constexpr QRgb okabeBlue = 0xff0072b2, okabeSky = 0xff56b4e9, okabeOrange = 0xffe69f00,
               okabeVermillion = 0xffd55e00, okabeGreen = 0xff009e73, okabePurple = 0xffcc79a7,
               okabeYellow = 0xfff0e442, okabeBlack = 0xff000000;

// Cividis (Nuñez, Anderton, Renslow 2018) at ten equal steps.
constexpr std::array<QRgb, 10> cividis = {0xff00204d, 0xff00306f, 0xff39486b, 0xff575c6d, 0xff707173,
                                          0xff8a8779, 0xffa69d75, 0xffc4b56c, 0xffe4cf5b, 0xffffea46};

Qt::BrushStyle textureOf(Activity a) {
    switch (a) {
    case Activity::transfer:
        return Qt::BDiagPattern;
    case Activity::waiting:
        return Qt::Dense6Pattern;
    case Activity::discarded:
        return Qt::DiagCrossPattern;
    case Activity::failed:
        return Qt::CrossPattern;
    case Activity::compute:
    case Activity::update:
        break;
    }
    return Qt::NoBrush;
}

const char* const themeStyleSheet = R"(
QToolTip { background: @raised; color: @text; border: 1px solid @hairline; padding: 6px 8px; }
QMainWindow::separator { background: @window; width: 6px; height: 6px; }
QMainWindow::separator:hover { background: @hairline; }
QMenuBar { background: @window; padding: 2px 4px; }
QMenuBar::item { padding: 4px 10px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @raised; border: 1px solid @hairline; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 6px; }
QMenu::icon { padding-left: 6px; }
QToolBar { background: @surface; border: 0; border-bottom: 1px solid @hairline; spacing: 2px; padding: 4px 8px; }
QToolBar::separator { background: @hairline; width: 1px; margin: 6px 6px; }
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 5px; background: transparent; }
QToolButton:hover:enabled { background: @hover; }
QToolButton:pressed, QToolButton:checked { background: @accentSoft; }
QToolButton:focus { border-color: @accent; }
QToolButton[framed="true"] { border-color: @hairline; background: @raised; padding: 3px 8px; }
QToolButton[framed="true"]:hover:enabled { background: @hover; }
QToolButton[framed="true"]:focus { border-color: @accent; }
QToolButton[framed="true"][popupMode="2"] { padding-right: 22px; }
QToolButton[framed="true"]::menu-indicator { image: url(:/icons/chevron-@scheme.svg); width: 10px; height: 10px;
    subcontrol-origin: padding; subcontrol-position: right center; right: 6px; }
QPushButton { border: 1px solid @hairline; border-radius: 6px; padding: 5px 14px; background: @raised; }
QPushButton:hover:enabled { background: @hover; }
QPushButton:pressed { background: @accentSoft; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @disabled; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: @accentHover; }
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
QComboBox { background: @raised; border: 1px solid @hairline; border-radius: 6px; padding: 4px 8px; min-height: 18px; }
QComboBox:hover { background: @hover; }
QComboBox:focus { border-color: @accent; }
QComboBox:disabled { color: @disabled; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/chevron-@scheme.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @hairline; padding: 4px;
    selection-background-color: @accentSoft; selection-color: @text; outline: 0; }
QCheckBox { spacing: 8px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1.5px solid @muted; border-radius: 4px; background: @raised; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/check-@scheme.svg); }
QCheckBox::indicator:focus { border-color: @accent; }
QFrame[card="true"] { background: @raised; border: 1px solid @hairline; border-radius: 8px; }
QWidget[panel="true"] { background: @surface; }
QLineEdit[problem="true"], QComboBox[problem="true"], QPlainTextEdit[problem="true"] { border-color: @problem; }
QLabel[problem="true"] { color: @problem; }
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

// What the application wears is kept with it; the theme itself is a value.
constexpr const char *hatchesProperty = "themeHatches", *scaleProperty = "themeScale",
                     *fontSizeProperty = "themeFontSize";

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

QString filledIn(const Theme& t, double scale) {
    QString sheet = QString::fromLatin1(themeStyleSheet);
    if (scale != 1) sheet = scaled(std::move(sheet), scale);
    const auto name = [](const QColor& c) { return c.name(); };
    // Longer names first, so that no name is a prefix of one still to come.
    const std::pair<const char*, QString> values[] = {
        {"@accentHover", name(Theme::mix(t.accent, t.text, 0.85))},
        {"@accentSoft", name(Theme::mix(t.accent, t.surface, t.dark ? 0.28 : 0.14))},
        {"@accent", name(t.accent)},
        {"@onAccent", name(t.dark ? QColor(0x10, 0x18, 0x22) : QColor(Qt::white))},
        {"@disabled", name(Theme::mix(t.muted, t.surface, 0.5))},
        {"@hairline", name(t.hairline)},
        {"@surface", name(t.surface)},
        {"@raised", name(t.raised)},
        {"@scheme", t.dark ? QStringLiteral("dark") : QStringLiteral("light")},
        {"@problem", name(t.problem)},
        {"@scroll", name(Theme::mix(t.muted, t.surface, 0.35))},
        {"@window", name(t.window)},
        {"@muted", name(t.muted)},
        {"@track", name(Theme::mix(t.muted, t.surface, 0.25))},
        {"@hover", name(Theme::mix(t.text, t.surface, 0.06))},
        {"@grid", name(t.grid)},
        {"@text", name(t.text)},
    };
    for (const auto& [key, value] : values) sheet.replace(QLatin1String(key), value);
    return sheet;
}

} // namespace

Theme Theme::light() {
    return {.dark = false,
            .window = QColor(0xF5F6F7),
            .surface = QColor(0xFFFFFF),
            .raised = QColor(0xFFFFFF),
            .hairline = QColor(0xD9DCE0),
            .text = QColor(0x1C1F23),
            .muted = QColor(0x5B636D),
            .accent = QColor(0x0B6BCB),
            .problem = QColor(0xB3261E),
            .warning = QColor(0x8A5A00),
            .good = QColor(0x1B6E3C),
            .grid = QColor(0xECEEF0)};
}

Theme Theme::darkTheme() {
    return {.dark = true,
            .window = QColor(0x1B1D20),
            .surface = QColor(0x232629),
            .raised = QColor(0x2B2F33),
            .hairline = QColor(0x3A3F45),
            .text = QColor(0xE8EAED),
            .muted = QColor(0xA0A8B2),
            .accent = QColor(0x5AA9F7),
            .problem = QColor(0xF2B8B5),
            .warning = QColor(0xF5C26B),
            .good = QColor(0x7FD6A0),
            .grid = QColor(0x2F3338)};
}

Theme Theme::highContrastTheme() {
    return {.dark = true,
            .window = QColor(Qt::black),
            .surface = QColor(Qt::black),
            .raised = QColor(Qt::black),
            .hairline = QColor(0xC8C8C8),
            .text = QColor(Qt::white),
            .muted = QColor(0xDADADA),
            .accent = QColor(0xFFD60A),
            .problem = QColor(0xFFB4AB),
            .warning = QColor(0xFFC04D),
            .good = QColor(0x8CF5AE),
            .grid = QColor(0x5A5A5A),
            .highContrast = true};
}

Theme Theme::print() {
    return light();
}

Theme Theme::current() {
    const QColor worn = QApplication::palette().color(QPalette::Window);
    Theme theme = worn.rgb() == QColor(Qt::black).rgb() ? highContrastTheme()
                  : worn.lightnessF() < 0.5             ? darkTheme()
                                                        : light();
    const QVariant hatches = qApp->property(hatchesProperty);
    theme.hatches = !hatches.isValid() || hatches.toBool();
    return theme;
}

double Theme::scale() {
    const QVariant scale = qApp->property(scaleProperty);
    return scale.isValid() ? scale.toDouble() : 1;
}

QColor Theme::activity(Activity a) const {
    switch (a) {
    case Activity::compute:
        return QColor::fromRgb(okabeBlue);
    case Activity::transfer:
        return QColor::fromRgb(okabeSky);
    case Activity::waiting:
        return QColor::fromRgb(okabeOrange);
    case Activity::discarded:
        return QColor::fromRgb(okabeVermillion);
    case Activity::update:
        return QColor::fromRgb(okabeGreen);
    case Activity::failed:
        return QColor::fromRgb(okabePurple);
    }
    return muted;
}

QBrush Theme::activityPattern(Activity a) const {
    const Qt::BrushStyle style = hatches ? textureOf(a) : Qt::NoBrush;
    return style == Qt::NoBrush
               ? QBrush()
               : QBrush(mix(activity(a), dark ? QColor(Qt::black) : QColor(Qt::white), 0.45), style);
}

QBrush Theme::activityBrush(Activity a) const {
    const QBrush pattern = activityPattern(a);
    if (pattern.style() == Qt::NoBrush) return activity(a);
    QImage tile(8, 8, QImage::Format_RGB32);
    tile.fill(activity(a));
    QPainter painter(&tile);
    painter.fillRect(tile.rect(), pattern);
    painter.end();
    return QBrush(tile);
}

QColor Theme::job(JobId id) const {
    if (!id.valid()) return muted;
    // Neighbours in this order differ in hue and in lightness; yellow and black come last, being weak on one
    // of the grounds.
    static constexpr std::array<QRgb, 8> order = {okabeBlue, okabeOrange,     okabeGreen,  okabePurple,
                                                  okabeSky,  okabeVermillion, okabeYellow, okabeBlack};
    QColor colour = QColor::fromRgb(order[id.index() % order.size()]);
    if (colour == QColor(Qt::black)) colour = dark ? QColor(0xC8, 0xCD, 0xD3) : QColor(0x44, 0x4B, 0x54);
    if (!dark && colour.rgb() == okabeYellow) colour = QColor(0xD8, 0xC8, 0x1A);
    if (dark && colour.rgb() == okabeBlue) colour = QColor(0x2E, 0x93, 0xD6);
    return colour;
}

bool Theme::jobStriped(JobId id) const {
    return id.valid() && id.index() / 8 % 2 == 1;
}

QColor Theme::load(double share) const {
    if (share < 0 || std::isnan(share)) return mix(muted, surface, 0.35);
    // The darkest end would vanish on the dark ground.
    const double s = std::clamp(dark ? 0.22 + 0.78 * share : share, 0.0, 1.0) * (cividis.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(s), cividis.size() - 2);
    return mix(QColor::fromRgb(cividis[below + 1]), QColor::fromRgb(cividis[below]),
               s - static_cast<double>(below));
}

QFont Theme::tabular() const {
    // Interface fonts set figures of equal width by default; a heading weight keeps clocks readable from
    // afar.
    QFont font = QApplication::font();
    font.setStyleHint(QFont::SansSerif);
    return font;
}

QColor Theme::mix(const QColor& a, const QColor& b, double share) {
    const auto channel = [share](int x, int y) {
        return static_cast<int>(std::lround(x * share + y * (1 - share)));
    };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

QPalette Theme::palette() const {
    QPalette p;
    const QColor disabled = mix(muted, surface, 0.5);
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::Base, surface);
    p.setColor(QPalette::AlternateBase, mix(text, surface, 0.03));
    p.setColor(QPalette::Button, raised);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        p.setColor(role, text);
        p.setColor(QPalette::Disabled, role, disabled);
    }
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::PlaceholderText, muted);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, dark ? QColor(0x10, 0x18, 0x22) : QColor(Qt::white));
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::Mid, hairline);
    p.setColor(QPalette::Midlight, mix(hairline, surface, 0.5));
    p.setColor(QPalette::Light, raised);
    p.setColor(QPalette::Dark, mix(hairline, text, 0.8));
    p.setColor(QPalette::Shadow, mix(window, QColor(Qt::black), 0.5));
    return p;
}

void Theme::apply(QApplication& application, double scale) const {
    application.setStyle(QStringLiteral("Fusion"));
    QFont font = application.font();
    if (!application.property(fontSizeProperty).isValid())
        application.setProperty(fontSizeProperty, std::max(10.0, font.pointSizeF())); // as the system has it
    font.setPointSizeF(application.property(fontSizeProperty).toDouble() * scale);
    application.setFont(font);
    application.setProperty(hatchesProperty, hatches);
    application.setProperty(scaleProperty, scale);
    application.setPalette(palette());
    QToolTip::setPalette(palette());
    application.setStyleSheet(filledIn(*this, scale));
}

} // namespace trainyard
