// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ExportSettings.h"

#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace trainyard {

namespace export_settings {

PrintTheme themeNamed(const QString& name, PrintTheme usual) {
    return name == QLatin1String("dark")    ? PrintTheme::dark
           : name == QLatin1String("light") ? PrintTheme::light
           : name == QLatin1String("print") ? PrintTheme::print
                                            : usual;
}

QString nameOf(PrintTheme theme) {
    return theme == PrintTheme::dark    ? QStringLiteral("dark")
           : theme == PrintTheme::light ? QStringLiteral("light")
                                        : QStringLiteral("print");
}

} // namespace export_settings

Theme exportTheme(PrintTheme which) {
    return which == PrintTheme::dark    ? Theme::darkTheme()
           : which == PrintTheme::light ? Theme::light()
                                        : Theme::print();
}

ExportSettings ExportSettings::remembered() {
    QSettings kept;
    kept.beginGroup(QStringLiteral("export"));
    ExportSettings s;
    const auto value = [&](const char* name, const auto& usual) { return kept.value(QLatin1String(name), usual); };
    s.wanted = value("wanted", s.wanted).toStringList();
    s.unwanted = value("unwanted", s.unwanted).toStringList();
    QStringList formats = value("formats", s.formats).toStringList();
    formats.removeIf([](const QString& format) { return !exportFormats().contains(format); });
    s.formats = formats;
    s.folder = value("folder", QString()).toString();
    if (s.folder.isEmpty()) s.folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    s.millimetres = value("millimetres", s.millimetres).toBool();
    const auto side = [](double wide) { return wide >= leastSide ? std::min(wide, mostSide) : leastSide; }; // NaN, too
    for (auto [name, size] : {std::pair("size", &s.size), std::pair("chart-size", &s.chartSize)}) {
        const QSizeF given = value(name, *size).toSizeF();
        *size = {side(given.width()), side(given.height())};
    }
    s.dotsPerInch = std::clamp(value("dots-per-inch", s.dotsPerInch).toInt(), leastDots, mostDots);
    s.theme = export_settings::themeNamed(value("theme", QString()).toString(), s.theme);
    s.shownRange = value("shown-range", s.shownRange).toBool();
    s.unit = value("time-unit", s.unit).toString();
    s.footer = value("footer", s.footer).toBool();
    s.ghost = value("ghost", s.ghost).toBool();
    const QSize frame = value("frame", s.frame).toSize();
    s.frame = {std::clamp(frame.width(), leastFrameSide, mostFrameSide),
               std::clamp(frame.height(), leastFrameSide, mostFrameSide)};
    s.framesPerSecond = std::clamp(value("frames-per-second", s.framesPerSecond).toInt(), 1, mostFramesPerSecond);
    s.video = value("video", s.video).toString();
    s.frameTheme = export_settings::themeNamed(value("frame-theme", QString()).toString(), s.frameTheme);
    s.frameGhost = value("frame-ghost", s.frameGhost).toBool();
    return s;
}

void ExportSettings::remember() const {
    QSettings kept;
    kept.beginGroup(QStringLiteral("export"));
    const auto keep = [&](const char* name, const QVariant& value) { kept.setValue(QLatin1String(name), value); };
    keep("wanted", wanted);
    keep("unwanted", unwanted);
    keep("formats", formats);
    keep("folder", folder);
    keep("millimetres", millimetres);
    keep("size", size);
    keep("chart-size", chartSize);
    keep("dots-per-inch", dotsPerInch);
    keep("theme", export_settings::nameOf(theme));
    keep("shown-range", shownRange);
    keep("time-unit", unit);
    keep("footer", footer);
    keep("ghost", ghost);
    keep("frame", frame);
    keep("frames-per-second", framesPerSecond);
    keep("video", video);
    keep("frame-theme", export_settings::nameOf(frameTheme));
    keep("frame-ghost", frameGhost);
}

bool ExportSettings::wants(const ExportView& view) const {
    if (wanted.contains(view.id) || unwanted.contains(view.id)) return wanted.contains(view.id);
    return (view.kind == ViewKind::lane && !view.empty) || view.kind == ViewKind::cluster;
}

ExportOptions ExportSettings::charts() const {
    return {.directory = folder,
            .formats = formats,
            .size = size,
            .dotsPerInch = dotsPerInch,
            .theme = exportTheme(theme),
            .unit = unit,
            .footer = footer,
            .ghost = ghost,
            .leaveOutEmpty = true};
}

} // namespace trainyard
