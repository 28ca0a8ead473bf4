// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ThemeChoice.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QSettings>

namespace trainyard {

namespace theme_choice {

constexpr double projectorScale = 1.5;
const char *const kindSetting = "theme", *const projectorSetting = "projector", *const hatchesSetting = "hatches";

QString nameOf(ThemeChoice::Kind kind) {
    switch (kind) {
    case ThemeChoice::light: return QStringLiteral("light");
    case ThemeChoice::dark: return QStringLiteral("dark");
    case ThemeChoice::highContrast: return QStringLiteral("high-contrast");
    case ThemeChoice::system: break;
    }
    return {};
}

} // namespace theme_choice

ThemeChoice::ThemeChoice(QObject* parent) : QObject(parent), m_systemIsDark(Theme::current().dark) {
    const QSettings settings;
    m_kind = kindOf(settings.value(QLatin1String(theme_choice::kindSetting)).toString());
    m_projector = settings.value(QLatin1String(theme_choice::projectorSetting)).toBool();
    m_hatches = settings.value(QLatin1String(theme_choice::hatchesSetting), true).toBool();
    apply();
}

ThemeChoice::Kind ThemeChoice::kindOf(const QString& name) {
    for (const Kind kind : {light, dark, highContrast})
        if (name == theme_choice::nameOf(kind)) return kind;
    return system;
}

Theme ThemeChoice::theme() const {
    Theme theme = m_kind == highContrast                                   ? Theme::highContrastTheme()
                  : m_kind == dark || (m_kind == system && m_systemIsDark) ? Theme::darkTheme()
                                                                           : Theme::light();
    theme.hatches = m_hatches;
    return theme;
}

double ThemeChoice::scale() const { return m_projector ? theme_choice::projectorScale : 1; }

void ThemeChoice::applySheet() { theme().applySheet(*qApp, scale()); }

void ThemeChoice::apply() {
    theme().apply(*qApp, scale());
    if (!qApp->styleSheet().isEmpty()) applySheet();
    if (m_actions) m_actions->actions().at(m_kind)->setChecked(true);
    Q_EMIT changed();
}

void ThemeChoice::choose(Kind kind, bool remember) {
    m_kind = kind;
    if (remember) QSettings().setValue(QLatin1String(theme_choice::kindSetting), theme_choice::nameOf(kind));
    apply();
}

void ThemeChoice::setProjector(bool on, bool remember) {
    if (m_projector == on) return;
    m_projector = on;
    if (remember) QSettings().setValue(QLatin1String(theme_choice::projectorSetting), on);
    apply();
}

void ThemeChoice::setHatches(bool on) {
    if (m_hatches == on) return;
    m_hatches = on;
    QSettings().setValue(QLatin1String(theme_choice::hatchesSetting), on);
    apply();
}

void ThemeChoice::addTo(QMenu* menu) {
    m_actions = new QActionGroup(this);
    for (const auto& [kind, text] : {std::pair{system, tr("Follow &System")},
                                     {light, tr("&Light")},
                                     {dark, tr("&Dark")},
                                     {highContrast, tr("&High Contrast")}}) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(kind == m_kind);
        m_actions->addAction(action);
        connect(action, &QAction::triggered, this, [this, k = kind] { choose(k); });
    }
}

} // namespace trainyard
