// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/UselessOptions.h"

#include "export/ExportViews.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace trainyard {

namespace useless_options {

using OptionProblem = std::optional<QString>;

QString word(const QString& option) {
    return (option.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + option;
}

QStringList names(const char* words) { return QString::fromLatin1(words).split(QLatin1Char(' ')); }

OptionProblem without(const QString& option, const QString& needed) {
    return QCoreApplication::translate("Render", "%1 has no effect without %2").arg(word(option), needed);
}

OptionProblem beside(const QString& option, const QString& other) {
    return QCoreApplication::translate("Render", "%1 has no effect beside %2: leave one of them out")
        .arg(word(option), other);
}

/// The first of these that was given.
OptionProblem firstOf(const QStringList& given, const char* options) {
    for (const QString& option : names(options))
        if (given.contains(option)) return option;
    return {};
}

OptionProblem twiceOrTwoWays(const ChosenOptions& chosen) {
    for (const QString& option : chosen.given)
        if (chosen.given.count(option) > 1 &&
            !names("title x-title y-title set log by-update no-footer frames").contains(option))
            return QCoreApplication::translate("Render", "%1 is given twice").arg(word(option));
    if (chosen.given.contains(QStringLiteral("view")) && chosen.given.contains(QStringLiteral("views")))
        return beside(QStringLiteral("view"), QStringLiteral("--views"));
    if (chosen.given.contains(QStringLiteral("size")))
        if (const auto side = firstOf(chosen.given, "width height")) return beside(*side, QStringLiteral("--size"));
    if (chosen.given.contains(QStringLiteral("o")))
        if (const auto other = firstOf(chosen.given, "out formats frames video"))
            return beside(*other, QStringLiteral("-o, the one file that is written"));
    return {};
}

OptionProblem ofFrames(const ChosenOptions& chosen) {
    if (chosen.given.contains(QStringLiteral("views")))
        return QCoreApplication::translate("Render",
                                           "--views has no effect on frames: --view names the one that is shown "
                                           "in place of the cluster");
    if (const auto option = firstOf(chosen.given, "formats at dpi x-title y-title no-footer"))
        return QCoreApplication::translate("Render", "%1 has no effect on frames").arg(word(*option));
    if (!chosen.titled.isEmpty())
        return QCoreApplication::translate("Render", "--title %1=… has no effect on frames: they have one title, "
                                                     "--title TEXT")
            .arg(chosen.titled.front());
    if (chosen.given.contains(QStringLiteral("job")) && !chosen.given.contains(QStringLiteral("view")))
        return without(QStringLiteral("job"), QStringLiteral("--view"));
    return {};
}

/// Options that only some kinds of views follow.
OptionProblem ofViews(const ChosenOptions& chosen) {
    if (chosen.views.isEmpty()) return {};
    for (const QString& view : chosen.titled)
        if (!chosen.views.contains(view))
            return QCoreApplication::translate("Render", "%1 is given a title, and is not among the views").arg(view);
    std::set<ViewKind> kinds;
    for (const ExportView& view : exportViews(standardLanes()))
        if (chosen.views.contains(view.id)) kinds.insert(view.kind);
    const auto isAny = [&](std::initializer_list<ViewKind> of) {
        return std::any_of(of.begin(), of.end(), [&](ViewKind kind) { return kinds.contains(kind); });
    };
    const auto refused = [&](const char* options, const char* needed) -> OptionProblem {
        const auto option = firstOf(chosen.given, options);
        if (!option) return {};
        return QCoreApplication::translate("Render", "%1 has no effect on the chosen views: it is for %2")
            .arg(word(*option), QCoreApplication::translate("Render", needed));
    };
    OptionProblem out;
    if (!chosen.views.contains(QStringLiteral("loss")))
        out = refused("log by-update ghost", QT_TRANSLATE_NOOP("Render", "the view loss"));
    if (!out && !isAny({ViewKind::lane})) out = refused("time-unit", QT_TRANSLATE_NOOP("Render", "views over time"));
    if (!out && !isAny({ViewKind::lane, ViewKind::events}))
        out = refused("from to", QT_TRANSLATE_NOOP("Render", "views over time and events"));
    if (!out && !isAny({ViewKind::lane, ViewKind::view}))
        out = refused("x-title y-title", QT_TRANSLATE_NOOP("Render", "views with axes"));
    if (!out && !isAny({ViewKind::view, ViewKind::cluster, ViewKind::jobs, ViewKind::metrics}))
        out = refused("at", QT_TRANSLATE_NOOP("Render", "views of one instant"));
    if (!out && !isAny({ViewKind::view}))
        out = refused("job", QT_TRANSLATE_NOOP("Render", "views of one job (trainyard-cli list views)"));
    return out;
}

OptionProblem ofFormats(const ChosenOptions& chosen) {
    if (chosen.formats.isEmpty()) return {};
    if (chosen.formats == QStringList{QStringLiteral("csv")})
        if (const auto option = firstOf(chosen.given, "size width height dpi theme title x-title y-title time-unit "
                                                      "log by-update ghost no-footer"))
            return QCoreApplication::translate("Render", "%1 has no effect on CSV").arg(word(*option));
    if (chosen.given.contains(QStringLiteral("dpi")) && !chosen.formats.contains(QStringLiteral("png")) &&
        !chosen.sizeInPixels)
        return without(QStringLiteral("dpi"), QStringLiteral("--formats png"));
    return {};
}

} // namespace useless_options

std::optional<QString> uselessOption(const ChosenOptions& chosen) {
    using namespace useless_options;
    if (auto problem = twiceOrTwoWays(chosen)) return problem;
    if (chosen.frames) return ofFrames(chosen);
    if (const auto option = firstOf(chosen.given, "fps speed")) return without(*option, QStringLiteral("--frames"));
    if (auto problem = ofViews(chosen)) return problem;
    return ofFormats(chosen);
}

} // namespace trainyard
