// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/PictureStyle.h"

#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

QColor roleColour(const Theme& theme, const Role& role) {
    switch (role.kind) {
    case Role::Kind::text: return theme.text;
    case Role::Kind::muted: return Theme::mix(theme.muted, theme.surface, std::max(0.2, 1 - 0.22 * role.index));
    case Role::Kind::accent: return theme.accent;
    case Role::Kind::warning: return theme.warning;
    case Role::Kind::problem: return theme.problem;
    case Role::Kind::good: return theme.good;
    case Role::Kind::ghost: return theme.ghost(theme.muted);
    case Role::Kind::activity: return theme.activity(static_cast<Activity>(role.index));
    case Role::Kind::job: return theme.job(JobId(role.index));
    case Role::Kind::hue: return theme.series(role.index);
    }
    return theme.text;
}

std::optional<Activity> textureOf(const Role& role) {
    if (role.kind != Role::Kind::activity) return std::nullopt;
    return static_cast<Activity>(role.index);
}

QColor scaleColour(const Theme& theme, const ColourScale& scale, double value) {
    if (!std::isfinite(value)) return theme.load(-1);
    if (scale.kind == ColourScale::Kind::categorical)
        return theme.series(static_cast<std::size_t>(std::max(0.0, value)));
    double share = scale.to != scale.from ? (value - scale.from) / (scale.to - scale.from) : 1;
    if (scale.logarithmic && scale.from > 0 && scale.to > scale.from)
        share = std::log(std::max(value, scale.from) / scale.from) / std::log(scale.to / scale.from);
    share = std::clamp(share, 0.0, 1.0);
    switch (scale.kind) {
    case ColourScale::Kind::accent: return Theme::mix(theme.accent, theme.surface, 0.08 + 0.82 * share);
    case ColourScale::Kind::diverging: {
        const QColor end = theme.activity(share < 0.5 ? Activity::compute : Activity::discarded);
        return Theme::mix(end, theme.surface, 0.08 + 0.88 * std::abs(2 * share - 1));
    }
    default: return theme.load(share);
    }
}

QPen picturePen(const QColor& colour, double width, Dash dash) {
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap);
    if (dash == Dash::dashed) pen.setDashPattern({4, 3});
    if (dash == Dash::longDashed) pen.setDashPattern({6, 3});
    if (dash == Dash::dotted) pen.setDashPattern({1, 2});
    return pen;
}

QColor inkOn(const Theme& theme, const QColor& ground) {
    return Theme::contrast(theme.text, ground) >= Theme::contrast(theme.surface, ground) ? theme.text : theme.surface;
}

QString quantityWords(double value, const std::string& unit, int digits) {
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    if (unit == "s") return durationText(value);
    if (unit == "count") return countText(std::llround(value));
    const QString number = numberText(value, digits);
    return unit.empty() ? number : QStringLiteral("%1 %2").arg(number, coreText(unit));
}

namespace picture_style {
/// With as many digits as the others of its column: 0.110 beside 0.102.
QString readingWords(const Quantity& reading) {
    const QString words = quantityWords(reading.value, reading.unit, reading.digits);
    if (!reading.unit.empty() || !std::isfinite(reading.value) || reading.value == std::round(reading.value))
        return words;
    const QString padded = QString::asprintf("%#.*g", reading.digits, reading.value);
    const bool isPlain =
        !padded.contains(QLatin1Char('e')) && !padded.endsWith(QLatin1Char('.')) && padded.startsWith(words);
    return isPlain ? padded : words;
}
} // namespace picture_style

std::vector<LegendEntry> legendEntries(const Theme& theme, const Picture& picture) {
    const auto* chart = std::get_if<Chart>(&picture);
    const auto scaleOf = [&] {
        if (const auto* diagram = std::get_if<Diagram>(&picture)) return diagram->scale;
        if (!chart) return ColourScale{};
        for (const Plot& plot : chart->plots)
            for (const Series& series : plot.series)
                if (series.kind == Series::Kind::cells) return series.cells.scale;
        return ColourScale{};
    };
    std::vector<LegendEntry> entries;
    for (const LegendItem& item : legendOf(picture)) {
        LegendEntry entry{.label = coreText(item.label), .value = {}, .swatch = LegendEntry::Swatch::none};
        entry.value = item.text.empty() && item.value ? picture_style::readingWords(*item.value) : coreText(item.text);
        if (item.isAbove) entry.value.prepend(QStringLiteral("▲ "));
        switch (item.swatch) {
        case LegendItem::Swatch::none: break;
        case LegendItem::Swatch::box:
        case LegendItem::Swatch::cell: entry.swatch = LegendEntry::Swatch::box; break;
        case LegendItem::Swatch::line: entry.swatch = LegendEntry::Swatch::line; break;
        case LegendItem::Swatch::dashes: entry.swatch = LegendEntry::Swatch::dashes; break;
        case LegendItem::Swatch::longDashes: entry.swatch = LegendEntry::Swatch::longDashes; break;
        case LegendItem::Swatch::dots: entry.swatch = LegendEntry::Swatch::dots; break;
        }
        entry.colour = item.scaled ? scaleColour(theme, scaleOf(), *item.scaled) : roleColour(theme, item.role);
        entry.ghost = item.ghost;
        if (item.ghost) entry.colour = theme.ghost(entry.colour);
        if (item.swatch == LegendItem::Swatch::box) entry.activity = textureOf(item.role);
        entry.job = item.ref.job;
        entries.push_back(std::move(entry));
    }
    return entries;
}

QString readingsOf(const Picture& picture) {
    if (const Text& nothing = emptyOf(picture); !nothing.pattern.empty()) return coreText(nothing);
    QStringList parts;
    for (const LegendEntry& entry : legendEntries(Theme::print(), picture))
        if (!entry.value.isEmpty()) parts << QStringLiteral("%1: %2").arg(entry.label, entry.value);
    return parts.join(QStringLiteral(", "));
}

bool isSelected(const PictureStyle& look, const ElementRef& ref) {
    if (ref.machine.valid())
        return std::find(look.machines.begin(), look.machines.end(), ref.machine) != look.machines.end();
    return ref.job.valid() && !ref.worker && ref.job == look.job;
}

} // namespace trainyard
