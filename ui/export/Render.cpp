// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/Render.h"

#include "analysis/TrainingChoices.h"
#include "base/ProblemLine.h"
#include "export/RenderArguments.h"
#include "plots/RunFold.h"
#include "session/Provenance.h"
#include "session/RecordedRun.h"

#include <QCoreApplication>
#include <QTextStream>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace trainyard {

namespace render {

/// The usual lanes of a run, with another beneath those that compare runs.
LaneSource lanesOver(const RunData& run, RunData ghost) {
    struct Pair {
        Pair(const RunData& above, RunData beneath) : shown(above), ghost(std::move(beneath)) { ghost.update(); }
        RunFold shown, ghost; // the first only says which run it is
    };
    ghost.id = run.id + 1;
    const auto pair = std::make_shared<const Pair>(run, std::move(ghost));
    return [pair, lanes = standardLanes()] {
        std::vector<LaneView> views = lanes();
        for (LaneView& view : views) {
            view.look.run = &pair->shown;
            view.look.ghost = &pair->ghost;
            view.look.ghostName = pair->ghost.run().label;
        }
        return views;
    };
}

} // namespace render

int renderRecord(const QStringList& words) {
    QTextStream errors(stderr), output(stdout);
    RenderArguments arguments;
    if (const auto complaint = parseRenderArguments(words, arguments)) {
        errors << QStringLiteral("trainyard --render: ") << *complaint << Qt::endl << renderUsage() << Qt::flush;
        return 2;
    }
    const auto report = [&](const Problems& problems) {
        for (const Problem& problem : problems)
            errors << QString::fromStdString(problemLine(problem, "trainyard")) << Qt::endl;
    };
    const auto record = readRecord(arguments.record.toStdString());
    report(record.problems());
    if (!record) return 2;
    RunData run = recordedRun(record.value());
    const auto isNamed = [&](const Job& job) { return job.key == arguments.charts.job.toStdString(); };
    if (!arguments.charts.job.isEmpty() && std::ranges::none_of(record->workload->jobs, isNamed)) {
        errors << QStringLiteral("trainyard: ")
               << QCoreApplication::translate("Render", "--job: there is no job %1").arg(arguments.charts.job)
               << Qt::endl;
        return 2;
    }
    run.id = 1;
    run.resources = ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString()).root;
    LaneSource lanes = standardLanes();
    if (!arguments.ghost.isEmpty()) {
        const auto ghost = readRecord(arguments.ghost.toStdString());
        report(ghost.problems());
        if (!ghost) return 2;
        lanes = render::lanesOver(run, recordedRun(ghost.value()));
    }
    std::error_code ignored;
    if (arguments.charts.views.isEmpty() &&
        std::filesystem::equivalent(arguments.record.toStdString(), arguments.charts.directory.toStdString(), ignored))
        for (const ExportView& view : exportViews(lanes))
            if (!view.isTable()) arguments.charts.views << view.id; // a record has tables of its own, of the same names
    const ExportResult result = arguments.movie ? exportMovie(run, record.value(), *arguments.movie, lanes)
                                                : exportFigures(run, record.value(), arguments.charts, lanes);
    report(result.problems);
    for (const QString& file : result.files) output << file << Qt::endl;
    if (result.replaced > 0)
        errors << QCoreApplication::translate("Render", "trainyard: warning: %1 of these files replaced older ones")
                      .arg(result.replaced)
               << Qt::endl;
    output.flush();
    if (output.status() != QTextStream::Ok || std::fflush(stdout) != 0) {
        errors << QCoreApplication::translate("Render", "trainyard: standard output could not be written") << Qt::endl;
        return 1;
    }
    return hasErrors(result.problems) ? 1 : 0;
}

} // namespace trainyard
