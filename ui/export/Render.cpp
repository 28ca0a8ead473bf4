// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/Render.h"

#include "analysis/TrainingChoices.h"
#include "base/ControlCharacters.h"
#include "base/ProblemLine.h"
#include "export/FileWords.h"
#include "export/RenderArguments.h"
#include "export/StopSignals.h"
#include "run/files/RunFiles.h"
#include "session/Provenance.h"
#include "session/RecordedRun.h"
#include "session/ShownIndex.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHash>
#include <QTextStream>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace trainyard {

namespace render {

/// The usual lanes of a run, with another beneath those that compare runs.
LaneSource lanesOver(const RunData& run, RunData ghost, const OptionsOfViews& options) {
    struct Pair {
        Pair(const RunData& above, RunData beneath) : shown(above), ghost(std::move(beneath)) { ghost.update(); }
        ShownIndex shown, ghost; // the first only says which run it is
    };
    ghost.id = run.id + 1;
    const auto pair = std::make_shared<const Pair>(run, std::move(ghost));
    return [pair, lanes = standardLanes(options)] {
        std::vector<LaneView> views = lanes();
        for (LaneView& view : views) {
            view.look.run = &pair->shown;
            view.look.ghost = &pair->ghost;
            view.look.ghostName = pair->ghost.run().label;
        }
        return views;
    };
}

/// The directory that files go to, as messages name it.
QString shownDirectory(const QString& directory) {
    const QString shown = qEnvironmentVariable("TRAINYARD_SHOWN_DIRECTORY");
    return shown.isEmpty() ? readableWord(directory) : shown;
}

/// Names a file of the directory as whoever started this program knows it.
QString lineOf(Problem problem, const QString& directory) {
    const std::filesystem::path into = bytesOf(directory), file = problem.file;
    const bool within = !problem.file.empty() && (file == into || file.parent_path() == into);
    const std::string name = file == into ? std::string() : file.filename().string();
    if (within) problem.file = (std::filesystem::path(shownDirectory(directory).toStdString()) / name).string();
    if (within && name.empty()) problem.file = shownDirectory(directory).toStdString();
    return readableWord(wordOf(escapedControls(problemLine(problem, "trainyard"))));
}

/// "gantt, stragglers, loss.svg": views of which all formats are there, and files of the last.
QString viewsOf(const QStringList& files, qsizetype allFormats) {
    QStringList views;
    QHash<QString, QStringList> formats;
    for (const QString& file : files) {
        const QFileInfo info(file);
        if (!views.contains(info.completeBaseName())) views << info.completeBaseName();
        formats[info.completeBaseName()] << info.suffix();
    }
    QStringList parts;
    for (const QString& view : views)
        if (formats[view].size() == allFormats)
            parts << readableWord(view);
        else
            for (const QString& format : formats[view]) parts << readableWord(view) + QLatin1Char('.') + format;
    return parts.join(QStringLiteral(", "));
}

/// How far it came when it was stopped.
QString stoppedLine(const ExportResult& result, const RenderArguments& arguments) {
    const auto count = static_cast<int>(result.files.size());
    if (count == 0) return QCoreApplication::translate("Render", "trainyard: stopped before anything was drawn");
    if (arguments.movie)
        return QCoreApplication::translate("Render", "trainyard: stopped while frames were drawn, after %n file(s)",
                                           nullptr, count);
    const QStringList& formats = arguments.charts.formats;
    return QCoreApplication::translate("Render",
                                       "trainyard: stopped while charts were drawn, after %n file(s): %1; the others "
                                       "are missing",
                                       nullptr, count)
        .arg(viewsOf(result.files, (formats.isEmpty() ? exportFormats() : formats).size()));
}

/// Files' names, a line each, with the bytes that they have.
bool printNames(const QStringList& files) {
    bool printed = true;
    for (const QString& file : files) printed &= std::fputs((bytesOf(file) + "\n").c_str(), stdout) >= 0;
    return std::fflush(stdout) == 0 && printed;
}

/// A record has tables of its own; its pictures lie beside them, or in their folder there.
void leaveTablesOfTheRecord(RenderArguments& arguments) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const auto whole = [&](const QString& path) { return fs::weakly_canonical(fs::absolute(bytesOf(path)), ignored); };
    const fs::path record = whole(arguments.record), into = whole(arguments.charts.directory);
    if (!arguments.charts.views.isEmpty() || (into != record && into != record / picturesFolder)) return;
    for (const ExportView& view : exportViews(standardLanes()))
        if (!view.isTable()) arguments.charts.views << view.id;
    arguments.charts.leaveOutEmpty = true; // as where no views are named
}

/// Its exit status.
int tellWhatIsThere(const ExportResult& result, const RenderArguments& arguments, int signal) {
    QTextStream errors(stderr);
    const bool printed = printNames(result.files);
    if (result.replaced > 0)
        errors << QCoreApplication::translate("Render", "trainyard: warning: %1 of these files replaced older ones")
                      .arg(result.replaced)
               << Qt::endl;
    if (result.cancelled) {
        errors << stoppedLine(result, arguments) << Qt::endl;
        return 128 + signal;
    }
    if (!printed) {
        errors << QCoreApplication::translate("Render", "trainyard: standard output could not be written") << Qt::endl;
        return 1;
    }
    const bool isOthers = !result.problems.empty() && result.problems.front().code == "other-record";
    return isOthers ? 2 : hasErrors(result.problems) ? 1 : 0;
}

} // namespace render

int renderRecord(const QStringList& words) {
    QTextStream errors(stderr);
    RenderArguments arguments;
    if (const auto problem = parseRenderArguments(words, arguments)) {
        errors << QStringLiteral("trainyard --render: ") << readableWord(*problem) << Qt::endl
               << renderUsage() << Qt::flush;
        return 2;
    }
    const StopSignals signals;
    const auto report = [&](const Problems& problems) {
        for (const Problem& problem : problems)
            errors << render::lineOf(problem, arguments.charts.directory) << Qt::endl;
    };
    const auto record = readRecord(bytesOf(arguments.record));
    report(record.problems());
    if (!record) return 2;
    RunData run = recordedRun(record.value());
    const auto isNamed = [&](const Job& job) { return job.key == arguments.charts.job.toStdString(); };
    if (!arguments.charts.job.isEmpty() && std::ranges::none_of(record->workload->jobs, isNamed)) {
        errors << QStringLiteral("trainyard: ")
               << QCoreApplication::translate("Render", "--job: there is no job %1")
                      .arg(readableWord(arguments.charts.job))
               << Qt::endl;
        return 2;
    }
    run.id = 1;
    run.resources = ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString()).root;
    LaneSource lanes = standardLanes(arguments.charts.viewOptions);
    if (!arguments.ghost.isEmpty()) {
        const auto ghost = readRecord(bytesOf(arguments.ghost));
        report(ghost.problems());
        if (!ghost) return 2;
        lanes = render::lanesOver(run, recordedRun(ghost.value()), arguments.charts.viewOptions);
    }
    render::leaveTablesOfTheRecord(arguments);
    ExportControl control;
    control.progress = [&](double) { return signals.caught() == 0; };
    const ExportResult result = arguments.movie ? exportMovie(run, record.value(), *arguments.movie, lanes, control)
                                                : exportFigures(run, record.value(), arguments.charts, lanes, control);
    report(result.problems);
    return render::tellWhatIsThere(result, arguments, signals.caught());
}

} // namespace trainyard
