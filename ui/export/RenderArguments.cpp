// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/RenderArguments.h"

#include "base/Format.h"
#include "charts/ViewChoice.h"
#include "export/FileWords.h"
#include "theme/CoreText.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard {

namespace render_arguments {

using Refusal = std::optional<QString>;

/// A finite number, whole where it must be.
CLI::Validator numberBetween(double least, double most, const char* unit, bool whole = false) {
    return CLI::Validator(
        [=](const std::string& text) {
            const auto given = parseNumber(text);
            if (given && std::isfinite(*given) && *given >= least && *given <= most &&
                (!whole || *given == std::floor(*given)))
                return std::string();
            return "must be " + formatNumber(least) + " … " + formatNumber(most) + " " + unit + ", not " + text;
        },
        "");
}

CLI::Validator notEmpty() {
    return CLI::Validator([](const std::string& text) { return text.empty() ? "needs a value" : std::string(); }, "");
}

CLI::Validator amongWords(const QStringList& words) {
    std::set<std::string> known;
    for (const QString& word : words) known.insert(word.toStdString());
    return CLI::Validator(
        [=](const std::string& text) {
            return known.contains(text) ? std::string() : "accepts " + CLI::detail::join(known, ", ") + ", not " + text;
        },
        "");
}

QStringList idsOf(const std::vector<ExportView>& all) {
    QStringList ids;
    for (const ExportView& view : all) ids << view.id;
    return ids;
}

QStringList unitIds() {
    QStringList ids;
    for (const TimeUnit& unit : timeUnits()) ids << unit.id;
    return ids;
}

/// A size as it is written.
struct Size {
    double width = 0, height = 0;
    double perUnit = 0; ///< pixels at 96 per inch in one unit; 0: pixels of the PNG
};
std::optional<Size> sizeFrom(QString text) {
    Size size;
    if (text.endsWith(QLatin1String("mm"))) size.perUnit = 96 / 25.4;
    if (size.perUnit > 0 || text.endsWith(QLatin1String("px"))) text.chop(2);
    const QStringList sides = text.split(QLatin1Char('x'));
    const auto w = parseNumber(sides.value(0).toStdString()), h = parseNumber(sides.value(1).toStdString());
    if (sides.size() != 2 || !w || !h || !(*w > 0) || !(*h > 0) || !std::isfinite(*w) || !std::isfinite(*h))
        return std::nullopt;
    size.width = *w;
    size.height = *h;
    return size;
}

} // namespace render_arguments

using namespace render_arguments;

struct RenderOptions::Given {
    CLI::App& app;
    std::string record, out, ghost, size, theme = "print", unit, view, job, file, video;
    std::vector<std::string> views, formats, titles, horizontal, vertical, settings;
    std::optional<double> width, height, from, to, at, speed;
    std::optional<int> dotsPerInch, framesPerSecond;
    bool logarithmic = false, byUpdate = false, noFooter = false, frames = false;

    explicit Given(CLI::App& to) : app(to) { declare(); }
    void declare();
    void declareWhatExcludes() const;
    bool has(const char* option) const { return app.count(option) > 0; }
    /// The first of these that was given, with its dashes; empty: none.
    QString firstOf(const char* options) const;
    bool isMovie() const { return frames || !video.empty(); }
    QStringList titled() const;
    Refusal takeView(RenderArguments& to) const;
    Refusal takeMovie(RenderArguments& to, const std::optional<Size>& given) const;
    Refusal takeFigures(RenderArguments& to, const std::optional<Size>& given) const;
    Refusal useless(const RenderArguments& to, const std::optional<Size>& given) const;
    Refusal uselessForMovie() const;
    Refusal uselessForViews(const QStringList& chosen) const;
    void takeTexts(RenderArguments& to) const;
};

void RenderOptions::Given::declare() {
    const auto say = [](const char* text) { return QCoreApplication::translate("Render", text).toStdString(); };
    auto* render = app.add_option(
        "--render", record, say(QT_TRANSLATE_NOOP("Render", "Writes the views of a run record, without a window")));
    render->type_name("RECORD")->check(notEmpty());
    const auto option = [&](const char* name, auto& value, const char* kind, const char* help) {
        return app.add_option(name, value, say(help))->type_name(kind)->needs(render)->check(notEmpty());
    };
    const auto flag = [&](const char* name, bool& value, const char* help) {
        return app.add_flag(name, value, say(help))->needs(render)->disable_flag_override();
    };
    const auto list = [&](const char* name, std::vector<std::string>& value, const char* kind, const char* help) {
        return option(name, value, kind, help)->allow_extra_args(false);
    };
    option("--out", out, "DIR", QT_TRANSLATE_NOOP("Render", "Where it writes"));
    list("--views", views, "LIST",
         QT_TRANSLATE_NOOP("Render", "Only these views, by name, separated by commas; default: all"))
        ->delimiter(','); // known once there is an application: lanes are painted
    list("--formats", formats, "LIST", QT_TRANSLATE_NOOP("Render", "Only these formats of svg,pdf,png,csv"))
        ->delimiter(',')
        ->check(amongWords(exportFormats()));
    option("--size", size, "SIZE",
           QT_TRANSLATE_NOOP("Render", "Size of a figure or a frame, like 160x75mm or 1200x560px"));
    option("--width", width, "PIXELS", QT_TRANSLATE_NOOP("Render", "Width only"))
        ->check(numberBetween(320, 16384, "pixels"));
    option("--height", height, "PIXELS", QT_TRANSLATE_NOOP("Render", "Height only"))
        ->check(numberBetween(320, 16384, "pixels"));
    option("--dpi", dotsPerInch, "N", QT_TRANSLATE_NOOP("Render", "Dots per inch of PNG; default: 96"))
        ->check(numberBetween(leastDots, mostDots, "dots per inch", true));
    option("--theme", theme, "THEME", QT_TRANSLATE_NOOP("Render", "print, light or dark"))
        ->check(amongWords({QStringLiteral("print"), QStringLiteral("light"), QStringLiteral("dark")}));
    list("--title", titles, "TEXT", QT_TRANSLATE_NOOP("Render", "Title; for one view: loss=TEXT"));
    list("--x-title", horizontal, "TEXT",
         QT_TRANSLATE_NOOP("Render", "Title of the horizontal axis; for one view: loss=TEXT"));
    list("--y-title", vertical, "TEXT",
         QT_TRANSLATE_NOOP("Render", "Title of the vertical axis; for one view: loss=TEXT"));
    option("--time-unit", unit, "UNIT", QT_TRANSLATE_NOOP("Render", "Unit of the time axis: d, h, min, s, ms or us"))
        ->check(amongWords(unitIds()));
    option("--from", from, "SECONDS", QT_TRANSLATE_NOOP("Render", "Start of the time axis"))
        ->check(numberBetween(0, 1e12, "seconds"));
    option("--to", to, "SECONDS", QT_TRANSLATE_NOOP("Render", "End of the time axis"))
        ->check(numberBetween(0, 1e12, "seconds"));
    option("--at", at, "SECONDS",
           QT_TRANSLATE_NOOP("Render", "Instant of the cluster and the tables; default: the end"))
        ->check(numberBetween(0, 1e12, "seconds"));
    flag("--log", logarithmic, QT_TRANSLATE_NOOP("Render", "Logarithmic loss axis"));
    flag("--by-update", byUpdate, QT_TRANSLATE_NOOP("Render", "Loss against parameter updates"));
    option("--ghost", ghost, "RECORD",
           QT_TRANSLATE_NOOP("Render", "A record whose lines are drawn dashed for comparison"));
    option("--view", view, "ID", QT_TRANSLATE_NOOP("Render", "Only this view, written to the file of -o"));
    option("--job", job, "KEY",
           QT_TRANSLATE_NOOP("Render", "The job that views show; default: the first that has workers"));
    list("--set", settings, "OPTION=VALUE", QT_TRANSLATE_NOOP("Render", "An option of the view"));
    option("-o", file, "FILE", QT_TRANSLATE_NOOP("Render", "Output file; format by its ending: svg, pdf, png or csv"));
    flag("--no-footer", noFooter, QT_TRANSLATE_NOOP("Render", "No footer with the run's details under figures"));
    flag("--frames", frames, QT_TRANSLATE_NOOP("Render", "Writes the run as numbered frames instead of charts"));
    option("--fps", framesPerSecond, "N", QT_TRANSLATE_NOOP("Render", "Frames per second; default: 25"))
        ->check(numberBetween(1, mostFramesPerSecond, "frames per second", true));
    option("--speed", speed, "X",
           QT_TRANSLATE_NOOP("Render", "Simulated seconds per second; default: the whole run in 20 s"))
        ->check(numberBetween(1e-9, 1e9, "simulated seconds per second"));
    option("--video", video, "FORMAT", QT_TRANSLATE_NOOP("Render", "Also a video, mp4 or webm, made by ffmpeg"))
        ->check(amongWords({QStringLiteral("mp4"), QStringLiteral("webm")}));
    declareWhatExcludes();
}

void RenderOptions::Given::declareWhatExcludes() const {
    const auto exclude = [this](const char* option, std::initializer_list<const char*> others) {
        for (const char* other : others) app.get_option(option)->excludes(app.get_option(other));
    };
    exclude("--view", {"--views"});
    exclude("--size", {"--width", "--height"});
    exclude("-o", {"--out", "--formats", "--frames", "--video"});
    for (const char* movie : {"--frames", "--video"})
        exclude(movie, {"--views", "--formats", "--at", "--dpi", "--x-title", "--y-title", "--no-footer"});
}

QString RenderOptions::Given::firstOf(const char* options) const {
    for (const QString& name : QString::fromLatin1(options).split(QLatin1Char(' ')))
        if (has(qPrintable(name))) return name;
    return {};
}

/// Views that were given texts of their own, as in loss=TEXT.
QStringList RenderOptions::Given::titled() const {
    const QStringList ids = idsOf(exportViews(standardLanes()));
    QStringList out;
    for (const auto* texts : {&titles, &horizontal, &vertical})
        for (const std::string& text : *texts)
            if (const QString id = wordOf(text).section(u'=', 0, 0); wordOf(text).contains(u'=') && ids.contains(id))
                out << id;
    return out;
}

/// "Text" for every view, "loss=Text" for one.
void RenderOptions::Given::takeTexts(RenderArguments& to) const {
    const QStringList all = idsOf(exportViews(standardLanes()));
    const auto take = [&](const std::vector<std::string>& given, QString FigureTexts::*member) {
        for (const std::string& each : given) {
            const QString text = wordOf(each), id = text.section(u'=', 0, 0);
            const bool ofOne = text.contains(u'=') && all.contains(id);
            for (const QString& view : ofOne ? QStringList{id} : all)
                to.charts.texts[view].*member = ofOne ? text.section(u'=', 1) : text;
        }
    };
    take(titles, &FigureTexts::title);
    take(horizontal, &FigureTexts::horizontal);
    take(vertical, &FigureTexts::vertical);
}

/// One view, with --set as its options and -o as its file, whose ending says the format.
Refusal RenderOptions::Given::takeView(RenderArguments& to) const {
    QString id = wordOf(view);
    if (id.isEmpty() && to.charts.views.size() == 1 && findView(to.charts.views.front().toStdString()))
        id = to.charts.views.front(); // with --out
    if (id.isEmpty())
        return file.empty() && settings.empty()
                   ? Refusal()
                   : QCoreApplication::translate("Render", "-o and --set belong to one view: --view is missing");
    const View* found = findView(id.toStdString());
    if (!found) {
        QStringList known;
        for (const View& each : trainyard::views()) known << QString::fromStdString(each.id);
        return QCoreApplication::translate("Render", "--view accepts %1, not %2")
            .arg(known.join(QStringLiteral(", ")), id);
    }
    to.charts.views = QStringList{id};
    for (const std::string& setting : settings) {
        const auto option = optionsFrom(*found, {setting});
        if (!option)
            return QCoreApplication::translate("Render", "--set %1: %2")
                .arg(wordOf(setting), coreText(option.problems().front().message));
        for (const auto& [key, value] : *option) to.charts.viewOptions[found->id].insert_or_assign(key, value);
    }
    if (file.empty()) return {};
    const QFileInfo info(to.charts.file);
    if (!exportFormats().contains(info.suffix()))
        return QCoreApplication::translate("Render", "-o writes %1, by the ending of the file, not %2")
            .arg(exportFormats().join(QStringLiteral(", ")), to.charts.file);
    to.charts.formats = QStringList{info.suffix()};
    to.charts.directory = info.path();
    return {};
}

Refusal RenderOptions::Given::uselessForMovie() const {
    if (!titled().isEmpty())
        return QCoreApplication::translate("Render", "--title %1=… has no effect on frames: they have one title, "
                                                     "--title TEXT")
            .arg(titled().front());
    if (has("--job") && !has("--view"))
        return QCoreApplication::translate("Render", "--job has no effect on frames without --view");
    return {};
}

/// Options that only some kinds of views follow.
Refusal RenderOptions::Given::uselessForViews(const QStringList& chosen) const {
    if (chosen.isEmpty()) return {};
    for (const QString& id : titled())
        if (!chosen.contains(id))
            return QCoreApplication::translate("Render", "%1 is given a title, and is not among the views").arg(id);
    std::set<ViewKind> kinds;
    for (const ExportView& each : exportViews(standardLanes()))
        if (chosen.contains(each.id)) // a table of an instant has no axes, like the cluster
            kinds.insert(each.isTable() && each.view ? ViewKind::cluster : each.kind);
    using enum ViewKind;
    struct Rule {
        const char* options;
        std::set<ViewKind> kinds; ///< that follow them
        const char* needed;
    };
    const Rule rules[] = {
        {"--time-unit", {lane}, QT_TRANSLATE_NOOP("Render", "views over time")},
        {"--from --to", {lane, events}, QT_TRANSLATE_NOOP("Render", "views over time and events")},
        {"--x-title --y-title", {lane, ViewKind::view}, QT_TRANSLATE_NOOP("Render", "views with axes")},
        {"--at", {ViewKind::view, cluster}, QT_TRANSLATE_NOOP("Render", "views of one instant")},
        {"--job", {ViewKind::view}, QT_TRANSLATE_NOOP("Render", "views of one job (trainyard-cli list views)")}};
    const auto refused = [](const QString& option, const char* needed) {
        return QCoreApplication::translate("Render", "%1 has no effect on the chosen views: it is for %2")
            .arg(option, QCoreApplication::translate("Render", needed));
    };
    if (const QString option = firstOf("--log --by-update");
        !option.isEmpty() && !chosen.contains(QStringLiteral("loss")))
        return refused(option, QT_TRANSLATE_NOOP("Render", "the view loss"));
    const LaneSource lanes = standardLanes();
    const auto compares = [&](const LaneView& lane) {
        return lane.painter->comparesRuns() && chosen.contains(lane.id);
    };
    if (has("--ghost") && std::ranges::none_of(lanes(), compares))
        return refused(QStringLiteral("--ghost"), QT_TRANSLATE_NOOP("Render", "lines over time"));
    for (const Rule& rule : rules)
        if (const QString option = firstOf(rule.options);
            !option.isEmpty() && std::ranges::none_of(kinds, [&](ViewKind kind) { return rule.kinds.contains(kind); }))
            return refused(option, rule.needed);
    return {};
}

/// The first option that would change nothing beside the others.
Refusal RenderOptions::Given::useless(const RenderArguments& to, const std::optional<Size>& given) const {
    if (isMovie()) return uselessForMovie();
    if (const QString option = firstOf("--fps --speed"); !option.isEmpty())
        return QCoreApplication::translate("Render", "%1 has no effect without --frames").arg(option);
    if (auto refusal = uselessForViews(to.charts.views)) return refusal;
    const QStringList& chosen = to.charts.formats;
    if (chosen == QStringList{QStringLiteral("csv")})
        if (const QString option = firstOf("--size --width --height --dpi --theme --title --x-title --y-title "
                                           "--time-unit --log --by-update --ghost --no-footer");
            !option.isEmpty())
            return QCoreApplication::translate("Render", "%1 has no effect on CSV").arg(option);
    const bool inPixels = (given && given->perUnit == 0) || width || height;
    if (has("--dpi") && !chosen.isEmpty() && !chosen.contains(QStringLiteral("png")) && !inPixels)
        return QCoreApplication::translate("Render", "--dpi has no effect without --formats png");
    return {};
}

Refusal RenderOptions::Given::takeMovie(RenderArguments& to, const std::optional<Size>& given) const {
    MovieOptions movie;
    if (given && given->perUnit > 0)
        return QCoreApplication::translate("Render", "--size: frames have a size in pixels, like 1280x800px");
    const double w = given ? given->width : width.value_or(movie.size.width());
    const double h = given ? given->height : height.value_or(movie.size.height());
    if (std::min(w, h) < leastFrameSide || std::max(w, h) > mostFrameSide)
        return QCoreApplication::translate("Render", "%1: a frame has %2 … %3 pixels on each side")
            .arg(firstOf("--size --width --height"))
            .arg(leastFrameSide)
            .arg(mostFrameSide);
    if (!video.empty())
        if (const QString why = whyNoVideo(); !why.isEmpty()) return why;
    movie.size = {static_cast<int>(w), static_cast<int>(h)};
    movie.directory = to.charts.directory;
    movie.theme = has("--theme") ? to.charts.theme : movie.theme;
    movie.from = from;
    movie.to = this->to;
    movie.unit = to.charts.unit;
    movie.framesPerSecond = framesPerSecond.value_or(movie.framesPerSecond);
    movie.speed = speed.value_or(movie.speed);
    movie.video = wordOf(video);
    movie.view = wordOf(view);
    movie.job = to.charts.job;
    if (!titles.empty()) movie.title = wordOf(titles.back());
    if (const auto set = to.charts.viewOptions.find(view); set != to.charts.viewOptions.end())
        movie.viewOptions = set->second;
    to.movie = movie;
    return {};
}

/// What is not given stays as large on paper.
Refusal RenderOptions::Given::takeFigures(RenderArguments& to, const std::optional<Size>& given) const {
    const double unit = given && given->perUnit > 0 ? given->perUnit : 96.0 / to.charts.dotsPerInch;
    if (given || width) to.charts.size.setWidth((given ? given->width : *width) * unit);
    if (given || height) to.charts.size.setHeight((given ? given->height : *height) * unit);
    const QSizeF figure = to.charts.size;
    const auto millimetres = [](double side) { return QString::number(side / 96 * 25.4, 'g', 4); };
    if (std::min(figure.width(), figure.height()) < leastSide || std::max(figure.width(), figure.height()) > mostSide)
        return QCoreApplication::translate(
                   "Render",
                   "%1: a figure has %2 … %3 mm on each side; at %4 dots per inch this one would have %5 × %6 mm")
            .arg(firstOf("--size --width --height"), millimetres(leastSide), millimetres(mostSide),
                 QString::number(to.charts.dotsPerInch), millimetres(figure.width()), millimetres(figure.height()));
    return {};
}

RenderOptions::RenderOptions(CLI::App& app) : m_given(std::make_unique<Given>(app)) {}
RenderOptions::~RenderOptions() = default;

std::optional<QString> RenderOptions::take(RenderArguments& out) const {
    const Given& g = *m_given;
    if (g.record.empty()) return QCoreApplication::translate("Render", "no record is given");
    out.record = wordOf(g.record);
    out.ghost = wordOf(g.ghost);
    ExportOptions& charts = out.charts;
    charts.directory = wordOf(g.out);
    charts.file = wordOf(g.file);
    for (const std::string& id : g.views) charts.views << wordOf(id);
    for (const std::string& format : g.formats) charts.formats << wordOf(format);
    charts.dotsPerInch = g.dotsPerInch.value_or(charts.dotsPerInch);
    charts.theme = g.theme == "dark" ? Theme::darkTheme() : g.theme == "light" ? Theme::light() : Theme::print();
    charts.from = g.from;
    charts.to = g.to;
    charts.at = g.at;
    charts.unit = wordOf(g.unit);
    charts.footer = !g.noFooter;
    if (g.logarithmic) charts.viewOptions["loss"]["scale"] = std::string("logarithmic");
    if (g.byUpdate) charts.viewOptions["loss"]["against"] = std::string("updates");
    charts.job = wordOf(g.job);
    g.takeTexts(out);
    const QStringList known = idsOf(exportViews(standardLanes()));
    for (const QString& id : charts.views)
        if (!known.contains(id))
            return QCoreApplication::translate("Render", "--views accepts %1, not %2")
                .arg(known.join(QStringLiteral(", ")), id);
    if (auto refusal = g.takeView(out)) return refusal;
    const auto size = g.size.empty() ? std::nullopt : sizeFrom(wordOf(g.size));
    if (!g.size.empty() && !size)
        return QCoreApplication::translate("Render", "--size is like 160x75mm or 1200x560px, not %1")
            .arg(wordOf(g.size));
    if (auto refusal = g.useless(out, size)) return refusal;
    if (charts.directory.isEmpty())
        return QCoreApplication::translate("Render", "--out is missing: name a directory for the charts");
    if (charts.from && charts.to && *charts.to <= *charts.from)
        return QCoreApplication::translate("Render", "--to must be later than --from");
    return g.isMovie() ? g.takeMovie(out, size) : g.takeFigures(out, size);
}

std::optional<QString> parseRenderArguments(const QStringList& words, RenderArguments& out) {
    CLI::App app;
    app.set_help_flag();
    const RenderOptions options(app);
    std::vector<std::string> given; // the last first, without the program's name
    for (qsizetype i = words.size(); i-- > 1;) given.push_back(bytesOf(words[i]));
    try {
        app.parse(given);
    } catch (const CLI::ParseError& error) { return wordOf(error.what()); }
    return options.take(out);
}

QStringList renderOptionNames() {
    CLI::App app;
    app.set_help_flag();
    const RenderOptions options(app);
    QStringList names;
    for (const CLI::Option* option : app.get_options()) names << QString::fromStdString(option->get_name());
    return names;
}

QString renderUsage() {
    CLI::App app;
    app.set_help_flag();
    const RenderOptions options(app);
    return QString::fromStdString(app.help("trainyard"));
}

} // namespace trainyard
