// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/ChoiceText.h"

#include "theme/CoreText.h"

#include <QCoreApplication>

namespace trainyard {

QString choiceText(const Registry& registry, PolicyFamily family, const Choice& choice) {
    const PolicyInfo* info = registry.find(family, choice.id);
    if (!info) return QString::fromStdString(choice.id); // a problem that is told elsewhere
    QStringList values;
    for (const ParamField& field : info->schema.fields()) {
        const auto given = choice.parameters.find(field.key);
        if (given == choice.parameters.end() || given->second == field.defaultValue) continue;
        const QString label = coreText(field.label);
        if (const bool* on = std::get_if<bool>(&given->second)) {
            values << (*on ? label : QCoreApplication::translate("ChoiceText", "%1: no").arg(label));
            continue;
        }
        const QString unit = field.unit.empty() ? QString() : u' ' + QString::fromStdString(field.unit);
        QString value = QString::fromStdString(toString(given->second));
        if (field.type == ParamType::choice && !field.open) value.replace(u'-', u' '); // as its form writes it
        values << label + u' ' + value + unit;
    }
    const QString label = coreText(info->label);
    return values.isEmpty() ? label : QStringLiteral("%1 (%2)").arg(label, values.join(QStringLiteral(", ")));
}

} // namespace trainyard
