// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "drawing/TimeScale.h"

#include "base/Format.h"
#include "base/RoundSteps.h"

#include <QCoreApplication>
#include <QObject>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

double TimeScale::tickStep(double pixels) const {
    const double least = pixels / std::max(pixelsPerSecond(), 1e-300);
    if (least <= 0.5) return roundStep(least);
    static constexpr std::array<double, 17> round{1,   2,   5,    10,   15,   30,    60,    120,  300,
                                                  600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
    for (const double step : round)
        if (step >= least) return step;
    double days = 1;
    for (int i = 0; days * 86400 < least && i < 40; ++i) days *= i % 3 == 1 ? 2.5 : 2;
    return days * 86400;
}

std::vector<double> TimeScale::ticks(double step) const { return multiplesWithin(from, to, step); }

QString clockUnit(double seconds) {
    return seconds < 3600 ? QCoreApplication::translate("TimeScale", "min:s")
                          : QCoreApplication::translate("TimeScale", "h:min:s");
}

QString clockText(double seconds, double step) {
    int decimals = 0;
    for (double unit = 1; decimals < 9 && step < unit * 0.9999999; unit /= 10) ++decimals;
    // Rounded once, in whole units of the last digit, so that 59.9996 never reads 00:60.000.
    const double scale = std::pow(10.0, decimals);
    const double limited = std::clamp(seconds, 0.0, 9.2e9);
    const auto units = static_cast<qint64>(std::llround(limited * scale));
    const auto perSecond = static_cast<qint64>(scale);
    const qint64 whole = units / perSecond;
    const auto two = [](qint64 n) { return QStringLiteral("%1").arg(n, 2, 10, QLatin1Char('0')); };
    QString text;
    const qint64 days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60;
    if (days > 0) text = QStringLiteral("%1 d ").arg(days);
    if (days > 0)
        text += two(hours) + QLatin1Char(':');
    else if (hours > 0)
        text += QString::number(hours) + QLatin1Char(':');
    text += two(minutes) + QLatin1Char(':') + two(whole % 60);
    if (decimals > 0)
        text += QLatin1Char('.') + QStringLiteral("%1").arg(units % perSecond, decimals, 10, QLatin1Char('0'));
    return text;
}

QString durationText(double seconds) {
    const double s = std::abs(seconds);
    const auto number = [&](double unit) { return QString::fromStdString(formatNumber(seconds / unit, 3)); };
    if (s >= 3600) return QObject::tr("%1 h").arg(number(3600));
    if (s >= 100) return QObject::tr("%1 min").arg(number(60));
    if (s >= 0.9995 || s == 0) return QObject::tr("%1 s").arg(number(1));
    if (s >= 0.9995e-3) return QObject::tr("%1 ms").arg(number(1e-3));
    if (s >= 0.9995e-6) return QObject::tr("%1 µs").arg(number(1e-6));
    return QObject::tr("%1 ns").arg(number(1e-9));
}

QString numberText(double value, int digits) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    const double size = std::abs(value);
    const bool isGrouped = size >= 1000 && size < 1e6; // 80,000, not 8×10⁴
    const bool whole = isGrouped && (value == std::round(value) || digits <= (size < 1e4 ? 4 : size < 1e5 ? 5 : 6));
    QString text = QString::number(value, whole ? 'f' : 'g', whole ? 0 : digits); // always in the C locale
    const auto e = text.indexOf(QLatin1Char('e'));
    if (e < 0) {
        const auto point = text.indexOf(QLatin1Char('.'));
        for (auto at = (point < 0 ? text.size() : point) - 3; at > (value < 0 ? 1 : 0); at -= 3)
            text.insert(at, QLatin1Char(','));
        return text.replace(QLatin1Char('-'), QChar(0x2212));
    }
    static constexpr char16_t raised[] = u"⁰¹²³⁴⁵⁶⁷⁸⁹";
    QString power;
    const int exponent = text.mid(e + 1).toInt();
    if (exponent < 0) power += QChar(0x207B);
    for (const QChar c : QString::number(std::abs(exponent))) power += QChar(raised[c.digitValue()]);
    return text.left(e).replace(QLatin1Char('-'), QChar(0x2212)) + QStringLiteral("×10") + power;
}

} // namespace trainyard
