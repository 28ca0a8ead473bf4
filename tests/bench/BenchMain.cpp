// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-bench: measures the window, or makes a picture of it, for scripts. It neither sees nor changes what a
// person has set. Usage: [--json], or --screenshot FILE with the other options.
#include "bench/BenchOptions.h"

#include "canvas/CanvasView.h"
#include "charts/ViewPanel.h"
#include "shell/ExportActions.h"
#include "shell/FileActions.h"
#include "shell/Inspector.h"
#include "shell/MainWindow.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/ThemeChoice.h"
#include "support/PseudoTranslator.h"
#include "theme/EnglishPlurals.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <memory>

using namespace trainyard;

namespace {

BenchOptions readOptions(const QApplication& application) {
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("Scenario to open and play"),
                                 QStringLiteral("[FILE]"));
    for (const char* name : {"bench", "json", "memory", "comparison", "training", "projector"})
        parser.addOption(QCommandLineOption(QLatin1String(name)));
    for (const char* name : {"screenshot", "size", "theme", "at", "panels", "language", "change", "select", "link",
                             "place", "compare", "sweep", "chart", "page", "jobs"})
        parser.addOption({QLatin1String(name), QString(), QStringLiteral("value")});
    parser.process(application);
    const auto value = [&](const char* name) { return parser.value(QLatin1String(name)); };
    const auto list = [&](const char* name) { return value(name).split(QLatin1Char(','), Qt::SkipEmptyParts); };
    BenchOptions options{.file = parser.positionalArguments().value(0),
                         .screenshot = value("screenshot"),
                         .language = value("language"),
                         .change = value("change"),
                         .select = list("select"),
                         .link = value("link"),
                         .theme = value("theme"),
                         .panels = list("panels"),
                         .compare = value("compare").split(QLatin1Char(';'), Qt::SkipEmptyParts),
                         .sweep = list("sweep"),
                         .place = value("place"),
                         .page = value("page"),
                         .chart = value("chart").toInt(),
                         .projector = parser.isSet(QStringLiteral("projector")),
                         .json = parser.isSet(QStringLiteral("json")),
                         .memory = parser.isSet(QStringLiteral("memory")),
                         .comparison = parser.isSet(QStringLiteral("comparison")),
                         .training = parser.isSet(QStringLiteral("training"))};
    if (parser.isSet(QStringLiteral("at"))) options.atSeconds = value("at").toDouble();
    if (parser.isSet(QStringLiteral("jobs"))) options.jobs = std::clamp(value("jobs").toInt(), 1, 1000);
    const QStringList size = value("size").split(QLatin1Char('x'));
    if (size.size() == 2 && size[0].toInt() > 0 && size[1].toInt() > 0)
        options.size = {size[0].toInt(), size[1].toInt()};
    return options;
}

/// "views/rates": a view of that panel; "inspector/2": the inspector's third page.
void showPanel(MainWindow& window, const QString& wanted) {
    const QString id = wanted.section(QLatin1Char('/'), 0, 0);
    if (id == QLatin1String("inspector")) {
        window.inspector().setCurrentIndex(wanted.section(QLatin1Char('/'), 1).toInt());
        return;
    }
    if (id == QLatin1String("export"))
        window.exports().show();
    else
        window.panels().show(id);
    if (auto* views = window.findChild<ViewPanel*>(); views && id == QLatin1String("views"))
        views->choose(wanted.section(QLatin1Char('/'), 1));
}

int runWindow(const BenchOptions& options, const QElapsedTimer& sinceStart) {
    ThemeChoice theme;
    if (!options.theme.isEmpty()) theme.choose(ThemeChoice::kindOf(options.theme), false);
    if (options.projector) theme.setProjector(true, false);
    Workspace workspace(std::make_shared<const Registry>(Registry::builtin()),
                        ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString()), {});
    MainWindow window(workspace, theme);
    window.resize(options.size);
    window.show();
    window.resize(options.size);
    if (options.file.isEmpty())
        window.places().go("start");
    else
        window.files().open(options.file);
    if (!options.panels.isEmpty()) QApplication::processEvents(); // space is shared out first
    for (const QString& panel : options.panels) showPanel(window, panel);
    if (!options.screenshot.isEmpty()) return takeScreenshot(window, workspace, options);
    window.places().go("lab");
    QApplication::processEvents();
    while (window.canvas().paintTimes().empty()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
    return runBench(window, workspace, options, static_cast<double>(sinceStart.nsecsElapsed()) * 1e-9);
}

} // namespace

int main(int argc, char** argv) {
    QElapsedTimer sinceStart;
    sinceStart.start();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir throwaway; // for a machine without logins, which has no folder of its own, and for settings
    if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR")) qputenv("XDG_RUNTIME_DIR", throwaway.path().toLocal8Bit());
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // QApplication set the user's; numbers in files stay in C
    QApplication::setOrganizationName(QStringLiteral("Trainyard"));
    QApplication::setApplicationName(QStringLiteral("Trainyard"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, throwaway.path());
    const BenchOptions options = readOptions(application);
    EnglishPlurals english;
    PseudoTranslator pseudo;
    QCoreApplication::installTranslator(&english);
    if (options.language == QLatin1String("pseudo")) QCoreApplication::installTranslator(&pseudo);
    return runWindow(options, sinceStart);
}
