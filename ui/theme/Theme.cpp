// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/Theme.h"

#include "theme/ThemeSheet.h"

#include <QApplication>
#include <QFontDatabase>
#include <QImage>
#include <QPainter>
#include <QProxyStyle>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

namespace {

// Okabe, Ito (2008): eight colours that people with any common colour vision can tell apart.
constexpr QRgb okabeBlue = 0xff0072b2, okabeSky = 0xff56b4e9, okabeOrange = 0xffe69f00, okabeVermillion = 0xffd55e00,
               okabeGreen = 0xff009e73, okabePurple = 0xffcc79a7;

/// None is one of a job or an activity; found like those of jobs, below: of any two, people with any common colour vision see which
/// is which.
constexpr std::array<QRgb, 8> seriesOnLight = {0xff5090a4, 0xff382c18, 0xffa88414, 0xff6020a4,
                                               0xff0c6404, 0xffc45cff, 0xff002c4c, 0xff804c60},
                              seriesOnDark = {0xffb4c4ff, 0xff807c14, 0xfffbff74, 0xffa858eb,
                                              0xff4cc838, 0xffcc5874, 0xff98ffeb, 0xffacacac};

// Jobs: found by a search for ten colours with a contrast of 3:1 and more on every ground of their theme that stay apart from
// each other, from the activities' and from errors, for people with any common colour vision (Machado, Oliveira, Fernandes
// 2009); tst_Theme holds contrasts and distances. Neighbours are the farthest apart.
constexpr std::array<QRgb, 10> jobsOnLight = {0xff255958, 0xff329000, 0xff7d718e, 0xff505a00, 0xffab6ef0,
                                              0xffa87b5c, 0xffcc0e70, 0xff0356ca, 0xff69483b, 0xff8d0a92},
                               jobsOnDark = {0xff27e4cd, 0xff909abd, 0xff82c474, 0xffe8bcff, 0xffa39145,
                                             0xff9365e6, 0xff598a85, 0xfffda2b1, 0xffdccf36, 0xffab6d5f};

// Cividis (Nuñez, Anderton, Renslow 2018) at ten equal steps.
constexpr std::array<QRgb, 10> cividis = {0xff00204d, 0xff00306f, 0xff39486b, 0xff575c6d, 0xff707173,
                                          0xff8a8779, 0xffa69d75, 0xffc4b56c, 0xffe4cf5b, 0xffffea46};

Qt::BrushStyle textureOf(Activity a) {
    switch (a) {
    case Activity::transfer: return Qt::BDiagPattern;
    case Activity::waiting: return Qt::Dense6Pattern;
    case Activity::discarded: return Qt::DiagCrossPattern;
    case Activity::failed: return Qt::CrossPattern;
    case Activity::compute:
    case Activity::update: break;
    }
    return Qt::NoBrush;
}

// What the application wears is kept with it; the theme itself is a value.
constexpr const char *hatchesProperty = "themeHatches", *scaleProperty = "themeScale",
                     *fontSizeProperty = "themeFontSize";

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

Theme Theme::print() { return light(); }

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

int Theme::scaled(double pixels) { return static_cast<int>(std::lround(pixels * scale())); }

double Theme::contrast(const QColor& a, const QColor& b) {
    static const auto channels = [] {
        std::array<double, 256> linear{};
        for (std::size_t i = 0; i < linear.size(); ++i) {
            const double c = static_cast<double>(i) / 255;
            linear[i] = c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        }
        return linear;
    }();
    const auto luminance = [](const QColor& colour) {
        const auto channel = [](int c) { return channels[static_cast<std::size_t>(c)]; };
        return 0.2126 * channel(colour.red()) + 0.7152 * channel(colour.green()) + 0.0722 * channel(colour.blue());
    };
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor Theme::disabled() const {
    const double least = highContrast ? 7 : 4.5;
    for (double share = 0.5; share < 1; share += 0.01) {
        const QColor paler = mix(muted, surface, share);
        if (contrast(paler, surface) >= least && contrast(paler, window) >= least && contrast(paler, raised) >= least &&
            contrast(paler, mix(text, surface, 0.03)) >= least)
            return paler;
    }
    return muted;
}

QColor Theme::ghost(const QColor& colour) const {
    constexpr double least = 3; // WCAG 2.1, of what is no text
    for (double share = 0.55; share < 1; share += 0.05) {
        const QColor paler = mix(colour, surface, share);
        if (contrast(paler, surface) >= least) return paler;
    }
    return colour;
}

QColor Theme::hover() const { return mix(text, surface, 0.06); }

QColor Theme::rest(double share, const QColor& ground) const {
    constexpr double least = 0.42; // 3.2:1 on black
    return mix(muted, ground, highContrast ? std::max(share, least) : share);
}

QColor Theme::selected() const { return mix(accent, surface, highContrast ? 0.28 : dark ? 0.18 : 0.14); }

QColor Theme::onAccent() const { return dark ? QColor(0x10, 0x18, 0x22) : QColor(Qt::white); }

QColor Theme::activity(Activity a) const {
    switch (a) {
    case Activity::compute: return QColor::fromRgb(okabeBlue);
    case Activity::transfer: return QColor::fromRgb(okabeSky);
    case Activity::waiting: return QColor::fromRgb(okabeOrange);
    case Activity::discarded: return QColor::fromRgb(okabeVermillion);
    case Activity::update: return QColor::fromRgb(okabeGreen);
    case Activity::failed: return QColor::fromRgb(okabePurple);
    }
    return muted;
}

QBrush Theme::activityPattern(Activity a) const {
    const Qt::BrushStyle style = hatches ? textureOf(a) : Qt::NoBrush;
    return style == Qt::NoBrush ? QBrush()
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

QColor Theme::series(std::size_t index) const {
    const auto& colours = dark ? seriesOnDark : seriesOnLight;
    return QColor::fromRgb(colours[index % colours.size()]);
}

QColor Theme::job(JobId id) const {
    if (!id.valid()) return muted;
    const auto& colours = dark ? jobsOnDark : jobsOnLight;
    return QColor::fromRgb(colours[id.index() % colours.size()]);
}

QColor Theme::job(JobId id, bool hasOwn) const {
    const auto pale = [](const Theme& theme) { return theme.ghost(theme.muted); };
    static const QColor onLight = pale(light()), onDark = pale(darkTheme()), inHighContrast = pale(highContrastTheme());
    return hasOwn ? job(id) : highContrast ? inHighContrast : dark ? onDark : onLight;
}

bool Theme::jobStriped(JobId id) const { return id.valid() && id.index() / jobsOnLight.size() % 2 == 1; }

QColor Theme::load(double share) const {
    if (share < 0 || std::isnan(share)) return mix(muted, surface, 0.35);
    // The darkest end would vanish on the dark ground.
    const double s = std::clamp(dark ? 0.22 + 0.78 * share : share, 0.0, 1.0) * (cividis.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(s), cividis.size() - 2);
    return mix(QColor::fromRgb(cividis[below + 1]), QColor::fromRgb(cividis[below]), s - static_cast<double>(below));
}

QFont Theme::tabular() const {
    // Interface fonts set figures of equal width by default; a heading weight keeps clocks readable from
    // afar.
    QFont font = QApplication::font();
    font.setStyleHint(QFont::SansSerif);
    return font;
}

QColor Theme::mix(const QColor& a, const QColor& b, double share) {
    const auto channel = [share](int x, int y) { return static_cast<int>(std::lround(x * share + y * (1 - share))); };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::Base, surface);
    p.setColor(QPalette::AlternateBase, mix(text, surface, 0.03));
    p.setColor(QPalette::Button, raised);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        p.setColor(role, text);
        p.setColor(QPalette::Disabled, role, disabled());
    }
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::PlaceholderText, muted);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, onAccent());
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::Mid, hairline);
    p.setColor(QPalette::Midlight, mix(hairline, surface, 0.5));
    p.setColor(QPalette::Light, raised);
    p.setColor(QPalette::Dark, mix(hairline, text, 0.8));
    p.setColor(QPalette::Shadow, mix(window, QColor(Qt::black), 0.5));
    return p;
}

namespace theme {

/// Lists lay out their check boxes by the style underneath, whatever the style sheet draws: as large as the sheet's, so that
/// texts stand beside them at every scale.
class LabStyle final : public QProxyStyle {
public:
    LabStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        constexpr double box = 17; // with its border
        if (metric == PM_IndicatorWidth || metric == PM_IndicatorHeight) return Theme::scaled(box);
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
};

} // namespace theme

void Theme::apply(QApplication& application, double scale) const {
    application.setStyle(new theme::LabStyle);
    QFont font = application.font();
    if (!application.property(fontSizeProperty).isValid())
        application.setProperty(fontSizeProperty, std::max(10.0, font.pointSizeF())); // as the system has it
    font.setPointSizeF(application.property(fontSizeProperty).toDouble() * scale);
    application.setProperty(scaleProperty, scale); // known to who hears of the font
    application.setFont(font);
    application.setProperty(hatchesProperty, hatches);
    application.setPalette(palette());
    QToolTip::setPalette(palette());
}

void Theme::applySheet(QApplication& application, double scale) const {
    application.setStyleSheet(themeSheet(*this, scale));
}

} // namespace trainyard
