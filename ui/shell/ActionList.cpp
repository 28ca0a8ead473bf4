// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ActionList.h"

#include "theme/ActionReason.h"
#include "theme/Icons.h"

#include <QSettings>

namespace trainyard {

namespace action_list {

constexpr const char* idProperty = "commandId";

QString settingOf(const QString& id) { return QStringLiteral("shortcuts/") + id; }

} // namespace action_list

QAction* ActionList::add(const Spec& spec, const QObject* context, std::function<void()> slot) {
    auto* action = new QAction(spec.text, this);
    if (*spec.icon) action->setIcon(icon(spec.icon));
    action->setCheckable(spec.checkable);
    action->setShortcut(spec.keys);
    connect(action, &QAction::triggered, context, std::move(slot));
    return enter(spec.id, action, spec.help);
}

QAction* ActionList::adopt(const char* id, QAction* action, const QString& help) { return enter(id, action, help); }

QAction* ActionList::enter(const char* id, QAction* action, const QString& help) {
    const QString name = QLatin1String(id);
    action->setProperty(action_list::idProperty, name);
    m_defaults.insert(name, action->shortcut());
    const QSettings settings;
    if (const QVariant kept = settings.value(action_list::settingOf(name)); kept.isValid())
        action->setShortcut(QKeySequence(kept.toString(), QKeySequence::PortableText));
    if (!help.isEmpty())
        setActionHelp(action, help);
    else if (!actionHelp(action).isEmpty())
        refreshActionTip(action);
    m_actions << action;
    return action;
}

QAction* ActionList::find(const QString& id) const {
    for (QAction* action : m_actions)
        if (idOf(action) == id) return action;
    return nullptr;
}

QString ActionList::idOf(const QAction* action) { return action->property(action_list::idProperty).toString(); }

QString ActionList::helpOf(const QAction* action) { return actionHelp(action); }

QKeySequence ActionList::defaultKeys(const QAction* action) const { return m_defaults.value(idOf(action)); }

QAction* ActionList::holderOf(const QKeySequence& keys, const QAction* except) const {
    if (keys.isEmpty()) return nullptr;
    for (QAction* action : m_actions)
        if (action != except && action->shortcut() == keys) return action;
    return nullptr;
}

void ActionList::setKeys(QAction* action, const QKeySequence& keys) {
    action->setShortcut(keys);
    const QString setting = action_list::settingOf(idOf(action));
    QSettings settings;
    if (keys == defaultKeys(action))
        settings.remove(setting);
    else
        settings.setValue(setting, keys.toString(QKeySequence::PortableText));
    if (!helpOf(action).isEmpty()) refreshActionTip(action);
    Q_EMIT keysChanged();
}

void ActionList::setAvailable(QAction* action, const QString& whyNot) { setActionAvailable(action, whyNot); }

} // namespace trainyard
