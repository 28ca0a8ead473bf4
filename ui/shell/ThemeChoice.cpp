#include "shell/ThemeChoice.h"

#include "theme/Theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QSettings>

namespace trainyard {

namespace {
QString themeSetting() {
    return QStringLiteral("theme");
}
} // namespace

ThemeChoice::ThemeChoice(QObject* parent) : QObject(parent), m_systemIsDark(Theme::current().dark) {
    const QString kept = QSettings().value(themeSetting()).toString();
    choose(kept == QLatin1String("dark") ? dark : kept == QLatin1String("light") ? light : system, false);
}

void ThemeChoice::choose(Kind kind, bool remember) {
    m_kind = kind;
    const bool isDark = kind == dark || (kind == system && m_systemIsDark);
    (isDark ? Theme::darkTheme() : Theme::light()).apply(*qApp);
    if (remember)
        QSettings().setValue(themeSetting(), kind == dark    ? QStringLiteral("dark")
                                             : kind == light ? QStringLiteral("light")
                                                             : QString());
    if (m_actions) m_actions->actions().at(kind)->setChecked(true);
    Q_EMIT changed();
}

void ThemeChoice::addTo(QMenu* menu) {
    m_actions = new QActionGroup(this);
    for (const auto& [kind, text] :
         {std::pair{system, tr("As the &System")}, {light, tr("&Light")}, {dark, tr("&Dark")}}) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(kind == m_kind);
        m_actions->addAction(action);
        connect(action, &QAction::triggered, this, [this, k = kind] { choose(k); });
    }
}

} // namespace trainyard
