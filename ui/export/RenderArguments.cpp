// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/RenderArguments.h"

#include "base/Format.h"
#include "charts/ViewChoice.h"
#include "export/UselessOptions.h"
#include "theme/CoreText.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace render_arguments {

using OptionProblem = std::optional<QString>;

/// A finite one: nan and inf are none.
std::optional<double> number(const QString& text) {
    const auto given = parseNumber(text.toStdString());
    return given && std::isfinite(*given) ? given : std::nullopt;
}

/// The options as they were given; sizes become those of figures and frames when all are known.
struct Reading {
    RenderArguments& out;
    MovieOptions movie = {};
    bool frames = false;
    std::optional<double> width, height; ///< as given
    double perUnit = 0;                  ///< pixels at 96 per inch in one unit of size; 0: pixels of the PNG

    QString view;
    QStringList settings; ///< option=value, of the view
    ChosenOptions chosen = {};

    OptionProblem take(const QString& name, const QString& value);
    OptionProblem takeViewOptions();
    OptionProblem finish();
    OptionProblem finishFrames();
    OptionProblem finishFigures();
    QString sizeOption() const;
    OptionProblem takeSide(const QString& name, const QString& value);
    OptionProblem takeSize(const QString& value);
    OptionProblem takeList(const QString& name, const QString& value);
    OptionProblem takeTheme(const QString& value);
    OptionProblem takeText(const QString& name, const QString& value);
    OptionProblem takeNumber(const QString& name, const QString& value);
    OptionProblem takeUnit(const QString& value);
};

OptionProblem Reading::takeSide(const QString& name, const QString& value) {
    const auto pixels = number(value);
    if (!pixels || *pixels < 320 || *pixels > 16384)
        return QCoreApplication::translate("Render", "--%1 must be 320 … 16384 pixels, not %2").arg(name, value);
    (name == QLatin1String("width") ? width : height) = *pixels;
    perUnit = 0;
    return {};
}

OptionProblem Reading::takeSize(const QString& value) {
    QString text = value;
    double unit = 0;
    if (text.endsWith(QLatin1String("mm"))) unit = 96 / 25.4;
    if (unit > 0 || text.endsWith(QLatin1String("px"))) text.chop(2);
    const QStringList sides = text.split(QLatin1Char('x'));
    const auto w = number(sides.value(0)), h = number(sides.value(1));
    if (sides.size() != 2 || !w || !h || *w <= 0 || *h <= 0)
        return QCoreApplication::translate("Render", "--size is like 160x75mm or 1200x560px, not %1").arg(value);
    width = w;
    height = h;
    perUnit = unit;
    return {};
}

OptionProblem Reading::takeList(const QString& name, const QString& value) {
    const QStringList list = value.split(QLatin1Char(','), Qt::SkipEmptyParts);
    const bool views = name == QLatin1String("views");
    if (list.isEmpty()) return QCoreApplication::translate("Render", "--%1 needs at least one name").arg(name);
    QStringList known = exportFormats();
    if (views) {
        known.clear();
        for (const ExportView& view : exportViews(standardLanes())) known << view.id;
    }
    for (const QString& each : list)
        if (!known.contains(each))
            return QCoreApplication::translate("Render", "--%1 accepts %2, not %3")
                .arg(name, known.join(QStringLiteral(", ")), each);
    (views ? out.charts.views : out.charts.formats) = list;
    return {};
}

OptionProblem Reading::takeTheme(const QString& value) {
    if (value == QLatin1String("dark"))
        out.charts.theme = movie.theme = Theme::darkTheme();
    else if (value == QLatin1String("light"))
        out.charts.theme = movie.theme = Theme::light();
    else if (value == QLatin1String("print"))
        out.charts.theme = movie.theme = Theme::print();
    else
        return QCoreApplication::translate("Render", "--theme is print, light or dark, not %1").arg(value);
    return {};
}

/// "Text" for every view, "loss=Text" for one.
OptionProblem Reading::takeText(const QString& name, const QString& value) {
    QStringList ids;
    for (const ExportView& view : exportViews(standardLanes())) ids << view.id;
    QString text = value;
    const QString before = value.section(QLatin1Char('='), 0, 0);
    if (value.contains(QLatin1Char('=')) && ids.contains(before)) {
        ids = {before};
        chosen.titled << before;
        text = value.section(QLatin1Char('='), 1);
    }
    for (const QString& id : ids) {
        FigureTexts& texts = out.charts.texts[id];
        (name == QLatin1String("title")     ? texts.title
         : name == QLatin1String("x-title") ? texts.horizontal
                                            : texts.vertical) = text;
    }
    if (name == QLatin1String("title") && ids.size() > 1) movie.title = text;
    return {};
}

OptionProblem Reading::takeNumber(const QString& name, const QString& value) {
    struct Range {
        const char* name;
        double least, most;
        const char* unit;
    };
    static constexpr Range ranges[] = {{"dpi", leastDots, mostDots, "dots per inch"},
                                       {"from", 0, 1e12, "seconds"},
                                       {"to", 0, 1e12, "seconds"},
                                       {"at", 0, 1e12, "seconds"},
                                       {"fps", 1, mostFramesPerSecond, "frames per second"},
                                       {"speed", 1e-9, 1e9, "simulated seconds per second"}};
    const Range& range = *std::find_if(std::begin(ranges), std::end(ranges),
                                       [&](const Range& r) { return name == QLatin1String(r.name); });
    const auto given = number(value);
    const bool whole = name == QLatin1String("dpi") || name == QLatin1String("fps");
    if (!given || *given < range.least || *given > range.most || (whole && *given != std::floor(*given)))
        return QCoreApplication::translate("Render", "--%1 must be %2 … %3 %4, not %5")
            .arg(name, QString::number(range.least), QString::number(range.most), QLatin1String(range.unit), value);
    if (name == QLatin1String("dpi"))
        out.charts.dotsPerInch = static_cast<int>(*given);
    else if (name == QLatin1String("from"))
        out.charts.from = movie.from = given;
    else if (name == QLatin1String("to"))
        out.charts.to = movie.to = given;
    else if (name == QLatin1String("at"))
        out.charts.at = given;
    else if (name == QLatin1String("fps"))
        movie.framesPerSecond = static_cast<int>(*given);
    else
        movie.speed = *given;
    return {};
}

OptionProblem Reading::takeUnit(const QString& value) {
    QStringList known;
    for (const TimeUnit& unit : timeUnits()) known << unit.id;
    if (!known.contains(value))
        return QCoreApplication::translate("Render", "--time-unit is one of %1, not %2")
            .arg(known.join(QStringLiteral(", ")), value);
    out.charts.unit = movie.unit = value;
    return {};
}

OptionProblem Reading::take(const QString& name, const QString& value) {
    chosen.given << name;
    const auto is = [&](const char* option) { return name == QLatin1String(option); };
    if (is("render")) out.record = value;
    if (is("ghost")) out.ghost = value;
    if (is("view")) view = value;
    if (is("job")) out.charts.job = value;
    if (is("set")) settings << value;
    if (is("o")) out.charts.file = value;
    if (is("out")) out.charts.directory = movie.directory = value;
    if (is("width") || is("height")) return takeSide(name, value);
    if (is("size")) return takeSize(value);
    if (is("views") || is("formats")) return takeList(name, value);
    if (is("theme")) return takeTheme(value);
    if (is("title") || is("x-title") || is("y-title")) return takeText(name, value);
    if (is("time-unit")) return takeUnit(value);
    if (is("dpi") || is("from") || is("to") || is("at") || is("fps") || is("speed")) return takeNumber(name, value);
    if (is("log")) out.charts.logarithmic = movie.logarithmic = true;
    if (is("by-update")) out.charts.byUpdate = movie.byUpdate = true;
    if (is("no-footer")) out.charts.footer = false;
    if (is("frames")) frames = true;
    if (is("video")) {
        if (value != QLatin1String("mp4") && value != QLatin1String("webm"))
            return QCoreApplication::translate("Render", "--video is mp4 or webm, not %1").arg(value);
        if (const QString why = whyNoVideo(); !why.isEmpty()) return why;
        frames = true;
        movie.video = value;
    }
    return {};
}

/// One view as one file, whose ending says the format.
OptionProblem Reading::takeViewOptions() {
    const View* found = findView(view.toStdString());
    if (!found) {
        QStringList known;
        for (const View& each : views()) known << QString::fromStdString(each.id);
        return QCoreApplication::translate("Render", "--view accepts %1, not %2")
            .arg(known.join(QStringLiteral(", ")), view);
    }
    out.charts.views = QStringList{view};
    for (const QString& setting : settings) {
        const auto option = optionsFrom(*found, {setting.toStdString()});
        if (!option)
            return QCoreApplication::translate("Render", "--set %1: %2")
                .arg(setting, coreText(option.problems().front().message));
        for (const auto& [key, value] : *option) out.charts.viewOptions[found->id].insert_or_assign(key, value);
    }
    if (out.charts.file.isEmpty()) return {};
    const QFileInfo file(out.charts.file);
    if (!exportFormats().contains(file.suffix()))
        return QCoreApplication::translate("Render", "-o writes %1, by the ending of the file, not %2")
            .arg(exportFormats().join(QStringLiteral(", ")), out.charts.file);
    out.charts.formats = QStringList{file.suffix()};
    out.charts.directory = file.path();
    return {};
}

/// What options mean together.
OptionProblem Reading::finish() {
    if (out.record.isEmpty()) return QCoreApplication::translate("Render", "no record is given");
    chosen.frames = frames;
    chosen.views = view.isEmpty() ? out.charts.views : QStringList{view};
    if (view.isEmpty() && out.charts.views.size() == 1 && findView(out.charts.views.front().toStdString()))
        view = out.charts.views.front(); // with --out
    if (!view.isEmpty())
        if (const auto problem = takeViewOptions()) return problem;
    if (view.isEmpty() && !(out.charts.file.isEmpty() && settings.isEmpty()))
        return QCoreApplication::translate("Render", "-o and --set belong to one view: --view is missing");
    chosen.formats = out.charts.formats;
    chosen.sizeInPixels = perUnit == 0 && (width || height);
    if (const auto useless = uselessOption(chosen)) return useless;
    if (out.charts.directory.isEmpty())
        return QCoreApplication::translate("Render", "--out is missing: name a directory for the charts");
    if (out.charts.from && out.charts.to && *out.charts.to <= *out.charts.from)
        return QCoreApplication::translate("Render", "--to must be later than --from");
    return frames ? finishFrames() : finishFigures();
}

/// The option that gave a size.
QString Reading::sizeOption() const {
    for (const char* option : {"size", "width"})
        if (chosen.given.contains(QLatin1String(option))) return QStringLiteral("--") + QLatin1String(option);
    return QStringLiteral("--height");
}

OptionProblem Reading::finishFrames() {
    if (perUnit > 0)
        return QCoreApplication::translate("Render", "frames have a size in pixels, like --size 1280x800px");
    const double w = width.value_or(movie.size.width()), h = height.value_or(movie.size.height());
    if (std::min(w, h) < leastFrameSide || std::max(w, h) > mostFrameSide)
        return QCoreApplication::translate("Render", "%1: a frame has %2 … %3 pixels on each side")
            .arg(sizeOption())
            .arg(leastFrameSide)
            .arg(mostFrameSide);
    movie.size = {static_cast<int>(w), static_cast<int>(h)};
    movie.view = view;
    movie.job = out.charts.job;
    if (const auto set = out.charts.viewOptions.find(view.toStdString()); set != out.charts.viewOptions.end())
        movie.viewOptions = set->second;
    out.movie = movie;
    return {};
}

/// What is not given stays as large on paper.
OptionProblem Reading::finishFigures() {
    const double unit = perUnit > 0 ? perUnit : 96.0 / out.charts.dotsPerInch;
    if (width) out.charts.size.setWidth(*width * unit);
    if (height) out.charts.size.setHeight(*height * unit);
    const QSizeF size = out.charts.size;
    const auto millimetres = [](double side) { return QString::number(side / 96 * 25.4, 'g', 4); };
    if (std::min(size.width(), size.height()) < leastSide || std::max(size.width(), size.height()) > mostSide)
        return QCoreApplication::translate(
                   "Render",
                   "%1: a figure has %2 … %3 mm on each side; at %4 dots per inch this one would have %5 × %6 mm")
            .arg(sizeOption(), millimetres(leastSide), millimetres(mostSide), QString::number(out.charts.dotsPerInch),
                 millimetres(size.width()), millimetres(size.height()));
    return {};
}

} // namespace render_arguments

const std::vector<RenderOption>& renderOptions() {
    static const std::vector<RenderOption> options{
        {"views", "LIST", QT_TRANSLATE_NOOP("Render", "Only these views, by name, separated by commas; default: all")},
        {"formats", "LIST", QT_TRANSLATE_NOOP("Render", "Only these formats of svg,pdf,png,csv")},
        {"size", "SIZE", QT_TRANSLATE_NOOP("Render", "Size of a figure or a frame, like 160x75mm or 1200x560px")},
        {"width", "PIXELS", QT_TRANSLATE_NOOP("Render", "Width only")},
        {"height", "PIXELS", QT_TRANSLATE_NOOP("Render", "Height only")},
        {"dpi", "N", QT_TRANSLATE_NOOP("Render", "Dots per inch of PNG; default: 96")},
        {"theme", "THEME", QT_TRANSLATE_NOOP("Render", "print, light or dark")},
        {"title", "TEXT", QT_TRANSLATE_NOOP("Render", "Title; for one view: loss=TEXT")},
        {"x-title", "TEXT", QT_TRANSLATE_NOOP("Render", "Title of the horizontal axis; for one view: loss=TEXT")},
        {"y-title", "TEXT", QT_TRANSLATE_NOOP("Render", "Title of the vertical axis; for one view: loss=TEXT")},
        {"time-unit", "UNIT", QT_TRANSLATE_NOOP("Render", "Unit of the time axis: d, h, min, s, ms or us")},
        {"from", "SECONDS", QT_TRANSLATE_NOOP("Render", "Start of the time axis")},
        {"to", "SECONDS", QT_TRANSLATE_NOOP("Render", "End of the time axis")},
        {"at", "SECONDS", QT_TRANSLATE_NOOP("Render", "Instant of the cluster and the tables; default: the end")},
        {"log", "", QT_TRANSLATE_NOOP("Render", "Logarithmic loss axis")},
        {"by-update", "", QT_TRANSLATE_NOOP("Render", "Loss against parameter updates")},
        {"ghost", "RECORD", QT_TRANSLATE_NOOP("Render", "A record whose losses are drawn dashed for comparison")},
        {"view", "ID", QT_TRANSLATE_NOOP("Render", "Only this view, written to the file of -o")},
        {"job", "KEY", QT_TRANSLATE_NOOP("Render", "The job that views show; default: the first that has workers")},
        {"set", "OPTION=VALUE", QT_TRANSLATE_NOOP("Render", "An option of the view")},
        {"o", "FILE", QT_TRANSLATE_NOOP("Render", "Output file; format by its ending: svg, pdf, png or csv")},
        {"no-footer", "", QT_TRANSLATE_NOOP("Render", "No footer with the run's details under figures")},
        {"frames", "", QT_TRANSLATE_NOOP("Render", "Writes the run as numbered frames instead of charts")},
        {"fps", "N", QT_TRANSLATE_NOOP("Render", "Frames per second; default: 25")},
        {"speed", "X", QT_TRANSLATE_NOOP("Render", "Simulated seconds per second; default: the whole run in 20 s")},
        {"video", "FORMAT", QT_TRANSLATE_NOOP("Render", "Also a video, mp4 or webm, made by ffmpeg")}};
    return options;
}

std::optional<QString> parseRenderArguments(const QStringList& given, RenderArguments& out) {
    render_arguments::Reading reading{out};
    for (qsizetype i = 1; i < given.size(); ++i) { // the first is the program's name
        const QString& word = given[i];
        if (!word.startsWith(QLatin1String("--")) && word != QLatin1String("-o"))
            return QCoreApplication::translate("Render", "one record at a time; unexpected argument %1").arg(word);
        const QString name =
            word == QLatin1String("-o") ? QStringLiteral("o") : word.mid(2).section(QLatin1Char('='), 0, 0);
        const auto& options = renderOptions();
        const auto option = std::find_if(options.begin(), options.end(),
                                         [&](const RenderOption& o) { return name == QLatin1String(o.name); });
        const bool known = option != options.end() || name == QLatin1String("render") || name == QLatin1String("out");
        if (!known) return QCoreApplication::translate("Render", "unknown option %1").arg(word);
        const bool hasValue = word.startsWith(QLatin1String("--")) && word.contains(QLatin1Char('='));
        QString value;
        if (option != options.end() && !*option->value) {
            if (hasValue) return QCoreApplication::translate("Render", "--%1 takes no value").arg(name);
        } else {
            if (hasValue)
                value = word.section(QLatin1Char('='), 1);
            else if (i + 1 < given.size())
                value = given[++i];
            if (value.isEmpty()) return QCoreApplication::translate("Render", "%1 needs a value").arg(word);
        }
        if (const auto problem = reading.take(name, value)) return problem;
    }
    return reading.finish();
}

QString optionWord(const RenderOption& option) {
    const QString name = QLatin1String(option.name);
    return (name.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + name;
}

QString renderUsage() {
    QString text = QCoreApplication::translate("Render", "usage: trainyard --render RECORD --out DIR [options]") +
                   QLatin1Char('\n');
    for (const RenderOption& option : renderOptions())
        text += QStringLiteral("  %1\n").arg(
            QStringLiteral("%1 %2").arg(optionWord(option), QLatin1String(option.value)).leftJustified(20) +
            QCoreApplication::translate("Render", option.help));
    return text;
}

} // namespace trainyard
