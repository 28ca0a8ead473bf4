// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/FieldText.h"

#include "base/Format.h"
#include "theme/CoreText.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace trainyard {

namespace field_text {

using Kind = FieldInfo::Kind;

QString number(double value) { return QString::fromStdString(formatNumber(value)); }

/// Any JSON value; undefined if it is none. Wrapped, since QJsonDocument takes only lists and objects.
QJsonValue parse(const std::string& json) {
    const QByteArray wrapped = '[' + QByteArray::fromStdString(json) + ']';
    return QJsonDocument::fromJson(wrapped).array().at(0);
}

QString listText(const QJsonArray& list) {
    QStringList parts;
    for (const QJsonValue& item : list) parts << (item.isString() ? item.toString() : number(item.toDouble()));
    return parts.join(QStringLiteral(", "));
}

QStringList splitList(const QString& text) {
    QStringList parts;
    for (const QString& part : text.split(QRegularExpression(QStringLiteral("[,;\\s]+")), Qt::SkipEmptyParts))
        parts << part;
    return parts;
}

TypedValue numbersFrom(const QString& text, qsizetype wanted) {
    QStringList written;
    for (const QString& part : splitList(text)) {
        const auto value = parseNumber(part.toStdString());
        if (!value) return {{}, QCoreApplication::translate("FieldText", "“%1” is not a number").arg(part)};
        written << number(*value);
    }
    if (wanted > 0 && written.size() != wanted)
        return {
            {},
            QCoreApplication::translate("FieldText", "%n number(s) required, separated by commas", nullptr, wanted)};
    return {"[" + written.join(QStringLiteral(", ")).toStdString() + "]", {}};
}

TypedValue boundsFrom(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^\\s*(\\d+)(?:\\s*(?:–|-|\\.\\.|to)\\s*(\\d+))?\\s*$"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {{}, QCoreApplication::translate("FieldText", "Must be a whole number (4) or a range (2–8)")};
    const QString least = match.captured(1), most = match.captured(2);
    if (most.isEmpty() || most == least) return {std::to_string(least.toLongLong()), {}};
    return {QStringLiteral("{\"min\": %1, \"max\": %2}").arg(least.toLongLong()).arg(most.toLongLong()).toStdString(),
            {}};
}

TypedValue numberFrom(const FieldInfo& field, QString text) {
    const QString unit = QString::fromStdString(field.unit);
    if (!unit.isEmpty() && text.endsWith(unit)) text = text.chopped(unit.size()).trimmed();
    if (field.kind == Kind::integer) {
        static const QRegularExpression whole(QStringLiteral("^-?\\d{1,20}$"));
        if (whole.match(text).hasMatch()) { // as written: a seed has more digits than a double
            const bool minus = text.startsWith(QLatin1Char('-'));
            QString digits = minus ? text.mid(1) : text;
            while (digits.size() > 1 && digits.startsWith(QLatin1Char('0'))) digits.remove(0, 1);
            return {((minus && digits != QLatin1String("0") ? QStringLiteral("-") : QString()) + digits).toStdString(),
                    {}};
        }
    }
    const auto value = parseNumber(text.toStdString());
    if (!value || !std::isfinite(*value))
        return {{}, QCoreApplication::translate("FieldText", "“%1” is not a number").arg(text)};
    if (field.kind == Kind::integer && (*value != std::floor(*value) || std::abs(*value) > 9e15))
        return {{}, QCoreApplication::translate("FieldText", "Must be a whole number")};
    return {field.kind == Kind::integer ? std::to_string(static_cast<long long>(*value)) : formatNumber(*value), {}};
}

TypedValue flagFrom(const QString& text) {
    const QString word = text.toLower();
    for (const QString& yes : {QCoreApplication::translate("FieldText", "on"), QStringLiteral("true"),
                               QStringLiteral("yes"), QStringLiteral("1")})
        if (word == yes.toLower()) return {"true", {}};
    for (const QString& no : {QCoreApplication::translate("FieldText", "off"), QStringLiteral("false"),
                              QStringLiteral("no"), QStringLiteral("0")})
        if (word == no.toLower()) return {"false", {}};
    return {{}, QCoreApplication::translate("FieldText", "Must be on or off")};
}

TypedValue wordFrom(const FieldInfo& field, const QString& text) {
    QStringList words;
    for (const std::string& word : field.words) {
        words << wordText(field, word);
        const QString written = QString::fromStdString(word);
        if (words.last().compare(text, Qt::CaseInsensitive) == 0 || written.compare(text, Qt::CaseInsensitive) == 0)
            return {jsonText(written), {}};
    }
    return {{}, QCoreApplication::translate("FieldText", "Must be one of %1").arg(words.join(QStringLiteral(", ")))};
}

TypedValue jsonFrom(const QString& text) {
    QJsonParseError error;
    const QByteArray wrapped = "[" + text.toUtf8() + "]";
    const QJsonDocument read = QJsonDocument::fromJson(wrapped, &error);
    if (error.error == QJsonParseError::NoError && read.array().size() == 1) return {text.toStdString(), {}};
    const auto before = text.toUtf8().left(std::max(0, error.offset - 1)).count('\n');
    return {{},
            QCoreApplication::translate("FieldText", "Not valid JSON: %1, in line %2")
                .arg(error.errorString())
                .arg(before + 1)};
}

ParamValue paramOf(const QJsonValue& value, const ParamField* field) {
    if (value.isBool()) return value.toBool();
    if (value.isString()) return value.toString().toStdString();
    const double number = value.toDouble();
    const bool whole = number == std::floor(number) && std::abs(number) < 9e15;
    if (whole && (!field || field->type == ParamType::integer)) return static_cast<std::int64_t>(number);
    return number;
}

} // namespace field_text

bool claimFormKey(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->modifiers() != Qt::NoModifier) return false;
    switch (key->key()) {
    case Qt::Key_Space:
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End: event->accept(); return true;
    default: return false;
    }
}

std::string jsonText(const QString& text) {
    const QByteArray wrapped = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return wrapped.mid(1, wrapped.size() - 2).toStdString();
}

QString plainText(const std::string& json) { return field_text::parse(json).toString(); }

std::string jsonOf(const ParamValue& value) {
    const auto* word = std::get_if<std::string>(&value);
    return word ? jsonText(QString::fromStdString(*word)) : toString(value);
}

ParamValue paramFrom(const std::string& json, const ParamField* field) {
    return field_text::paramOf(field_text::parse(json), field);
}

QString wordText(const FieldInfo& field, const std::string& word) {
    const QString text = QString::fromStdString(word);
    return field.open ? text : QString(text).replace(QLatin1Char('-'), QLatin1Char(' '));
}

std::string amountOf(const std::string& json, const std::string& resource) {
    const QJsonObject amounts = field_text::parse(json).toObject();
    const auto it = amounts.find(QString::fromStdString(resource));
    return it == amounts.end() ? std::string() : formatNumber(it->toDouble());
}

QString fieldText(const FieldInfo& field, const std::string& json) {
    using Kind = FieldInfo::Kind;
    if (json.empty()) return {};
    switch (field.kind) {
    case Kind::flag:
        return json == "true" ? QCoreApplication::translate("FieldText", "on")
                              : QCoreApplication::translate("FieldText", "off");
    case Kind::text: return plainText(json);
    case Kind::word: return wordText(field, plainText(json).toStdString());
    case Kind::integer:
    case Kind::number: return QString::fromStdString(json);
    case Kind::numbers:
    case Kind::texts:
    case Kind::pair: return field_text::listText(field_text::parse(json).toArray());
    case Kind::bounds: {
        const QJsonValue value = field_text::parse(json);
        if (!value.isObject()) return QString::fromStdString(json);
        return QStringLiteral("%1–%2")
            .arg(value[QLatin1String("min")].toInteger())
            .arg(value[QLatin1String("max")].toInteger());
    }
    case Kind::choice: return QString::fromStdString(choiceFrom(json, nullptr).id);
    case Kind::amounts: {
        QStringList parts;
        const QJsonObject amounts = field_text::parse(json).toObject();
        for (auto it = amounts.begin(); it != amounts.end(); ++it)
            parts << field_text::number(it->toDouble()) + QLatin1Char(' ') + it.key();
        return parts.join(QStringLiteral(", "));
    }
    case Kind::parameters:
    case Kind::list: return QString::fromStdString(json);
    case Kind::group: return {};
    }
    return {};
}

TypedValue typedValue(const FieldInfo& field, const QString& typed) {
    using Kind = FieldInfo::Kind;
    const QString text = typed.trimmed();
    if (text.isEmpty() && field.kind != Kind::text) {
        if (!field.required) return {};
        return {{}, QCoreApplication::translate("FieldText", "A value is needed here")};
    }
    switch (field.kind) {
    case Kind::flag: return field_text::flagFrom(text);
    case Kind::text: return {text.isEmpty() && !field.required ? std::string() : jsonText(text), {}};
    case Kind::word: return field_text::wordFrom(field, text);
    case Kind::integer:
    case Kind::number: return field_text::numberFrom(field, text);
    case Kind::numbers: return field_text::numbersFrom(text, 0);
    case Kind::pair: return field_text::numbersFrom(text, 2);
    case Kind::texts: {
        QStringList written;
        for (const QString& part : field_text::splitList(text)) written << QString::fromStdString(jsonText(part));
        return {"[" + written.join(QStringLiteral(", ")).toStdString() + "]", {}};
    }
    case Kind::bounds: return field_text::boundsFrom(text);
    case Kind::choice: return {jsonText(text), {}};
    case Kind::amounts:
    case Kind::parameters:
    case Kind::list:
    case Kind::group: return field_text::jsonFrom(text);
    }
    return {};
}

QString rangeProblem(const FieldInfo& field, const std::string& json) {
    using Kind = FieldInfo::Kind;
    if (field.kind != Kind::integer && field.kind != Kind::number) return {};
    const auto value = parseNumber(json);
    if (!value) return {};
    const QString unit = field.unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(field.unit);
    const auto shown = [](double limit) { return QString::fromStdString(formatNumber(limit, 6)); };
    if (field.aboveMinimum && *value <= field.minimum)
        return QCoreApplication::translate("FieldText", "Must be more than %1%2").arg(shown(field.minimum), unit);
    if (*value < field.minimum)
        return QCoreApplication::translate("FieldText", "Must be at least %1%2").arg(shown(field.minimum), unit);
    if (*value > field.maximum)
        return QCoreApplication::translate("FieldText", "Must be at most %1%2").arg(shown(field.maximum), unit);
    return {};
}

QString fieldHelp(const FieldInfo& field) {
    using Kind = FieldInfo::Kind;
    QStringList lines{QStringLiteral("<b>%1</b>").arg(coreText(field.label).toHtmlEscaped()),
                      coreText(field.help).toHtmlEscaped()};
    if (!field.effect.empty())
        lines << QCoreApplication::translate("FieldText", "What this changes: %1")
                     .arg(coreText(field.effect).toHtmlEscaped());
    const QString unit = field.unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(field.unit);
    const bool numeric = field.kind == Kind::integer || field.kind == Kind::number || field.kind == Kind::bounds;
    if (numeric && field.maximum > field.minimum)
        lines << (field.aboveMinimum ? QCoreApplication::translate("FieldText", "More than %1, up to %2%3")
                                     : QCoreApplication::translate("FieldText", "From %1 to %2%3"))
                     .arg(QString::fromStdString(formatNumber(field.minimum, 6)),
                          QString::fromStdString(formatNumber(field.maximum, 6)), unit);
    if (field.kind == Kind::bounds)
        lines << QCoreApplication::translate(
            "FieldText", "A number, as in 4, or a range, as in 2–8, within which the scheduler chooses");
    if (field.required)
        lines << QCoreApplication::translate("FieldText", "Required");
    else if (const QString standard = fieldText(field, field.fallback); !standard.isEmpty())
        lines << QCoreApplication::translate("FieldText", "Default: %1%2").arg(standard.toHtmlEscaped(), unit);
    lines << QCoreApplication::translate("FieldText", "In the file: %1").arg(QString::fromStdString(field.key));
    return lines.join(QStringLiteral("<br>"));
}

Choice choiceFrom(const std::string& json, const ParamSchema* schema) {
    const QJsonValue value = field_text::parse(json);
    if (value.isString()) return {value.toString().toStdString(), {}};
    Choice choice{value[QLatin1String("id")].toString().toStdString(), {}};
    const QJsonObject parameters = value[QLatin1String("parameters")].toObject();
    for (auto it = parameters.begin(); it != parameters.end(); ++it) {
        const std::string key = it.key().toStdString();
        choice.parameters.emplace(key, field_text::paramOf(*it, schema ? schema->find(key) : nullptr));
    }
    return choice;
}

std::string jsonOf(const Choice& choice) {
    const std::string id = jsonText(QString::fromStdString(choice.id));
    if (choice.parameters.empty()) return id;
    std::string members;
    for (const auto& [key, value] : choice.parameters)
        members += (members.empty() ? "" : ", ") + jsonText(QString::fromStdString(key)) + ": " + jsonOf(value);
    return "{\"id\": " + id + ", \"parameters\": {" + members + "}}";
}

} // namespace trainyard
