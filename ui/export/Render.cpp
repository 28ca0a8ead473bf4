#include "export/Render.h"

#include "export/Provenance.h"
#include "export/RenderArguments.h"
#include "run/Catalogue.h"
#include "run/RateChoices.h"
#include "scenario/ScenarioFile.h"

#include <QCoreApplication>
#include <QTextStream>

#include <cstdio>
#include <filesystem>

namespace trainyard {

int renderRecord(const QStringList& words) {
    QTextStream errors(stderr), output(stdout);
    RenderArguments arguments;
    if (const auto complaint = parseRenderArguments(words, arguments)) {
        errors << QStringLiteral("trainyard --render: ") << *complaint << Qt::endl
               << renderUsage() << Qt::flush;
        return 2;
    }
    const auto report = [&](const Problems& problems) {
        for (const Problem& problem : problems) errors << QString::fromStdString(problem.text()) << Qt::endl;
    };
    const Registry registry = Registry::builtin();
    const auto record = readRecord(arguments.record.toStdString(), registry);
    report(record.problems());
    if (!record) return 2;
    RunData run{
        .id = 1, .seed = record.value().seed, .workload = record.value().workload, .log = record.value().log};
    const auto loaded = parseScenario(record.value().scenarioText, record.value().scenarioName, registry);
    if (loaded) run.scenario = std::make_shared<const Scenario>(loaded.value().scenario);
    auto choices = std::make_shared<RateChoices>();
    choices->add(record.value().explanations);
    run.choices = std::move(choices);
    run.resources = ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString()).root;
    std::error_code ignored;
    if (arguments.charts.views.isEmpty() &&
        std::filesystem::equivalent(arguments.record.toStdString(), arguments.charts.directory.toStdString(),
                                    ignored))
        for (const ExportView& view : exportViews(standardLanes()))
            if (!view.isTable())
                arguments.charts.views << view.id; // a record has tables of its own, of the same names
    const ExportResult result = arguments.movie ? exportMovie(run, record.value(), *arguments.movie)
                                                : exportFigures(run, record.value(), arguments.charts);
    report(result.problems);
    for (const QString& file : result.files) output << file << Qt::endl;
    if (result.replaced > 0)
        errors << QCoreApplication::translate("Render", "%1 of these files took the place of older ones")
                      .arg(result.replaced)
               << Qt::endl;
    return hasErrors(result.problems) ? 1 : 0;
}

} // namespace trainyard
