#include "plots/Render.h"

#include "plots/Figure.h"
#include "plots/FigureFiles.h"
#include "plots/RunFold.h"
#include "run/AtomicFile.h"
#include "run/RunRecord.h"
#include "scenario/ScenarioFile.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QTextStream>

#include <cstdio>
#include <optional>

namespace trainyard {

namespace figure_export {

struct RenderArguments {
    QString record;
    ExportOptions options;
};

/// The run in few words, for the figure's foot: without the scenario itself.
QString figureFooter(const RunRecipe& recipe) {
    const QString line = QString::fromStdString(provenance(recipe));
    return line.left(line.indexOf(QStringLiteral(" run=")));
}

std::optional<QString> parseRenderArguments(const QStringList& words, RenderArguments& out) {
    for (qsizetype i = 1; i < words.size(); ++i) { // the first is the program's name
        const QString& word = words[i];
        if (!word.startsWith(QStringLiteral("--")))
            return QCoreApplication::translate("Render", "one record at a time: what is %1?").arg(word);
        if (i + 1 == words.size()) return QCoreApplication::translate("Render", "%1 needs a value").arg(word);
        const QString value = words[++i];
        if (word == QStringLiteral("--render")) {
            out.record = value;
        } else if (word == QStringLiteral("--out")) {
            out.options.directory = value;
        } else if (word == QStringLiteral("--width") || word == QStringLiteral("--height")) {
            bool ok = false;
            const int pixels = value.toInt(&ok);
            if (!ok || pixels < 320 || pixels > 16384)
                return QCoreApplication::translate("Render", "%1 must be 320 … 16384 pixels, not %2")
                    .arg(word, value);
            if (word == QStringLiteral("--width"))
                out.options.size.setWidth(pixels);
            else
                out.options.size.setHeight(pixels);
        } else if (word == QStringLiteral("--theme")) {
            if (value == QStringLiteral("dark"))
                out.options.theme = Theme::darkTheme();
            else if (value == QStringLiteral("light"))
                out.options.theme = Theme::light();
            else if (value != QStringLiteral("print"))
                return QCoreApplication::translate("Render", "the theme is print, light or dark, not %1")
                    .arg(value);
        } else {
            return QCoreApplication::translate("Render", "unknown option %1").arg(word);
        }
    }
    if (out.record.isEmpty()) return QCoreApplication::translate("Render", "no record is given");
    if (out.options.directory.isEmpty())
        return QCoreApplication::translate("Render", "--out is missing: where do the charts go?");
    return std::nullopt;
}

} // namespace figure_export

using namespace figure_export;

RunRecipe recipeOf(const RunData& run) {
    RunRecipe recipe{.seed = run.seed, .version = TRAINYARD_VERSION};
    if (run.scenario) {
        recipe.scenarioText = writeScenario(*run.scenario);
        recipe.scenarioName = run.scenario->title;
        recipe.mode = run.scenario->mode;
    }
    if (!run.log) return recipe;
    recipe.digest = run.log->digest();
    run.log->walk(0, run.log->size(), [&](const Event& e) {
        if (e.type == EventType::command)
            recipe.commands.push_back({e.time, static_cast<CommandKind>(e.aux), e.a, e.b, e.value});
    });
    return recipe;
}

ExportResult exportFigures(const RunData& run, const RunRecipe& recipe, const ExportOptions& options) {
    ExportResult result;
    const std::filesystem::path directory(options.directory.toStdString());
    result.problems = probeDirectory(directory);
    if (hasErrors(result.problems)) return result;
    RunFold fold(run);
    fold.update();
    const QByteArray line = QByteArray::fromStdString(provenance(recipe));
    const QString footer = figureFooter(recipe);
    const QString title = run.scenario ? QString::fromStdString(run.scenario->title) : QString();
    const auto write = [&](const QString& name, const QByteArray& bytes) {
        const auto path = directory / name.toStdString();
        const Problems problems = writeFileAtomically(
            path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        result.problems.insert(result.problems.end(), problems.begin(), problems.end());
        if (!hasErrors(problems)) result.files << QString::fromStdString(path.string());
    };
    for (const FigureSpec& spec : figureSpecs()) {
        const FigureText text{
            title.isEmpty() ? spec.heading : QStringLiteral("%1: %2").arg(spec.heading, title), line};
        const DrawFigure draw = [&](QPainter& painter, QSizeF size, bool vector) {
            paintFigure(painter, size, options.theme, spec, fold, title, footer, vector);
        };
        write(spec.fileName + QStringLiteral(".svg"), svgFigure(options.size, text, draw));
        write(spec.fileName + QStringLiteral(".pdf"), pdfFigure(options.size, text, draw));
        write(spec.fileName + QStringLiteral(".png"), pngFigure(options.size, text, draw));
        QBuffer table;
        table.open(QIODevice::WriteOnly);
        writeTable(table, spec.kind, fold, {QStringLiteral("# ") + QString::fromLatin1(line)});
        write(spec.fileName + QStringLiteral(".csv"), table.data());
    }
    return result;
}

ExportResult exportRun(const RunData& run, const ExportOptions& options) {
    if (!run.log || !run.workload) {
        ExportResult nothing;
        nothing.problems.push_back(
            {.code = "nothing-has-run",
             .message = {TRAINYARD_TEXT("there is no run to export yet: press play first"), {}}});
        return nothing;
    }
    return exportFigures(run, recipeOf(run), options);
}

int renderRecord(const QStringList& words) {
    QTextStream errors(stderr), output(stdout);
    RenderArguments arguments;
    if (const auto complaint = parseRenderArguments(words, arguments)) {
        errors << QStringLiteral("trainyard --render: ") << *complaint << Qt::endl
               << QStringLiteral(
                      "usage: trainyard --render RECORD --out DIR [--width PIXELS] [--height PIXELS] "
                      "[--theme print|light|dark]")
               << Qt::endl;
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
    const ExportResult result = exportFigures(run, record.value(), arguments.options);
    report(result.problems);
    for (const QString& file : result.files) output << file << Qt::endl;
    return hasErrors(result.problems) ? 1 : 0;
}

} // namespace trainyard
