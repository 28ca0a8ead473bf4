// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/RealField.h"

#include "base/Format.h"

namespace trainyard {

std::optional<double> RealField::numberIn(const QString& text) const {
    QString digits = text;
    if (!suffix().isEmpty() && digits.endsWith(suffix())) digits.chop(suffix().size());
    return parseNumber(digits.trimmed().toStdString());
}

QString RealField::textFromValue(double value) const { return QString::fromStdString(formatNumber(value, 6)); }

double RealField::valueFromText(const QString& text) const { return numberIn(text).value_or(value()); }

QValidator::State RealField::validate(QString& text, int&) const {
    const auto number = numberIn(text);
    return number && *number >= minimum() && *number <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

} // namespace trainyard
