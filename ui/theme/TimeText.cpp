// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/TimeText.h"

#include "analysis/PictureParts.h"
#include "base/Format.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace trainyard {

QString clockText(SimTime t) {
    const qint64 milliseconds = (t.ns + 500'000) / 1'000'000;
    const qint64 seconds = milliseconds / 1000, days = seconds / 86400;
    const QLatin1Char zero('0');
    const QString minutesAndSeconds =
        QStringLiteral("%1:%2").arg(seconds / 60 % 60, 2, 10, zero).arg(seconds % 60, 2, 10, zero);
    if (days > 0)
        return QCoreApplication::translate("TimeText", "%1 d %2:%3")
            .arg(days)
            .arg(seconds / 3600 % 24, 2, 10, zero)
            .arg(minutesAndSeconds);
    const QString fraction = QStringLiteral(".%1").arg(milliseconds % 1000, 3, 10, zero);
    if (seconds >= 3600) return QStringLiteral("%1:%2").arg(seconds / 3600).arg(minutesAndSeconds) + fraction;
    return minutesAndSeconds + fraction;
}

QString timeSpanText(double seconds) {
    const auto number = [](double v) { return QString::fromStdString(formatNumber(v, 3)); };
    if (!std::isfinite(seconds)) return QStringLiteral("–");
    if (seconds == 0) return QCoreApplication::translate("TimeText", "0 s");
    if (std::abs(seconds) < 1e-3) return QCoreApplication::translate("TimeText", "%1 µs").arg(number(seconds * 1e6));
    if (std::abs(seconds) < 1) return QCoreApplication::translate("TimeText", "%1 ms").arg(number(seconds * 1e3));
    if (seconds < 100) return QCoreApplication::translate("TimeText", "%1 s").arg(number(seconds));
    const auto whole = static_cast<qint64>(std::llround(seconds));
    const QLatin1Char zero('0');
    if (whole < 3600)
        return QCoreApplication::translate("TimeText", "%1:%2 min").arg(whole / 60).arg(whole % 60, 2, 10, zero);
    if (whole < 86400 * 2)
        return QCoreApplication::translate("TimeText", "%1 h %2 min")
            .arg(whole / 3600)
            .arg(whole / 60 % 60, 2, 10, zero);
    return QCoreApplication::translate("TimeText", "%1 d %2 h").arg(whole / 86400).arg(whole / 3600 % 24);
}

QString countText(double count) {
    constexpr double most = 1e15; // larger ones have more digits than they mean, or than an integer holds
    if (!(std::abs(count) < most))
        return QString::fromStdString(quantityText(count, {}, 4)).replace(u'-', QChar(0x2212));
    return QLocale(QLocale::English).toString(std::llround(count));
}

QString shortCountText(double count) { return QString::fromStdString(shortCount(count)); }

QString timeLeftText(double seconds) { return timeSpanText(std::ceil(seconds)); }

} // namespace trainyard
