// trainyard: the window. Reads the command line, builds objects, connects, shows.
#include "Start.h"

#include "canvas/CanvasView.h"
#include "charts/ViewPanel.h"
#include "export/Render.h"
#include "export/RenderArguments.h"
#include "shell/ExportActions.h"
#include "shell/FileActions.h"
#include "shell/MainWindow.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/PseudoTranslator.h"
#include "shell/ThemeChoice.h"
#include "theme/Icons.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <memory>
#include <string_view>

namespace {

using namespace trainyard;

constexpr int badUsage = 2;

/// Options that are for scripts stay out of --help.
QCommandLineOption hiddenOption(const QString& name, const QString& value) {
    QCommandLineOption option(name, QString(), value);
    option.setFlags(QCommandLineOption::HiddenFromHelp);
    return option;
}

StartOptions readOptions(const QApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::translate("main", "Explore how clusters schedule distributed machine learning"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("file"),
                                 QApplication::translate("main", "Scenario to open and play"),
                                 QStringLiteral("[FILE]"));
    parser.addOption({QStringLiteral("render"),
                      QApplication::translate(
                          "main", "Writes the views of a run record (with --out DIR), without a window"),
                      QStringLiteral("RECORD")});
    parser.addOption({QStringLiteral("out"), QApplication::translate("main", "Where --render writes"),
                      QStringLiteral("DIR")});
    for (const RenderOption& option : renderOptions())
        parser.addOption({QLatin1String(option.name),
                          QApplication::translate("main", "With --render: %1")
                              .arg(QApplication::translate("Render", option.help)),
                          QLatin1String(option.value)});
    parser.addOption({QStringLiteral("bench"),
                      QApplication::translate("main", "Measures the window itself, without a display")});
    parser.addOption(
        {QStringLiteral("json"), QApplication::translate("main", "Prints the measurements as JSON")});
    // Pictures also take --size, --theme, --at.
    for (const char* name : {"screenshot", "panels", "language", "change", "select", "link"})
        parser.addOption(hiddenOption(QLatin1String(name), QStringLiteral("value")));
    QCommandLineOption projector(QStringLiteral("projector"));
    projector.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(projector);
    parser.process(application);
    StartOptions options;
    options.projector = parser.isSet(projector);
    options.panels = parser.value(QStringLiteral("panels")).split(QLatin1Char(','), Qt::SkipEmptyParts);
    options.file = parser.positionalArguments().value(0);
    options.bench = parser.isSet(QStringLiteral("bench"));
    options.json = parser.isSet(QStringLiteral("json"));
    options.screenshot = parser.value(QStringLiteral("screenshot"));
    options.theme = parser.value(QStringLiteral("theme"));
    options.language = parser.value(QStringLiteral("language"));
    options.change = parser.value(QStringLiteral("change"));
    options.select = parser.value(QStringLiteral("select")).split(QLatin1Char(','), Qt::SkipEmptyParts);
    options.link = parser.value(QStringLiteral("link"));
    if (parser.isSet(QStringLiteral("at"))) options.atSeconds = parser.value(QStringLiteral("at")).toDouble();
    const QStringList size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
    if (size.size() == 2 && size[0].toInt() > 0 && size[1].toInt() > 0)
        options.size = {size[0].toInt(), size[1].toInt()};
    return options;
}

int runWindow(const StartOptions& options, const QElapsedTimer& sinceStart) {
    const bool scripted = options.bench || !options.screenshot.isEmpty();
    QTemporaryDir throwaway; // scripts neither see nor change what a person has set
    if (scripted) {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, throwaway.path());
    }
    PseudoTranslator pseudo;
    if (options.language == QStringLiteral("pseudo")) {
        QCoreApplication::installTranslator(&pseudo);
    } else if (!options.language.isEmpty()) {
        std::fprintf(stderr, "trainyard: there is no language \"%s\"; there is pseudo\n",
                     qPrintable(options.language));
        return badUsage;
    }
    ThemeChoice theme;
    if (!options.theme.isEmpty()) theme.choose(ThemeChoice::kindOf(options.theme), false);
    if (options.projector) theme.setProjector(true, false);
    const ResourcePaths resources =
        ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString());
    const QString journals =
        QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/journal");
    Workspace workspace(std::make_shared<const Registry>(Registry::builtin()), resources,
                        scripted ? QString() : journals);
    MainWindow window(workspace, theme);
    if (scripted)
        window.resize(options.size);
    else
        window.restoreLayout();
    window.show();
    if (scripted) window.resize(options.size);
    if (!options.file.isEmpty())
        window.files().open(options.file);
    else if (scripted || !window.restoreSession())
        window.places().go("start");
    if (!options.panels.isEmpty()) QApplication::processEvents(); // space is shared out first
    for (const QString& panel : options.panels) { // "views/rates": a view of that panel
        const QString id = panel.section(QLatin1Char('/'), 0, 0);
        if (id == QLatin1String("export"))
            window.exports().show();
        else
            window.panels().show(id);
        if (auto* views = window.findChild<ViewPanel*>(); views && id == QLatin1String("views"))
            views->choose(panel.section(QLatin1Char('/'), 1));
    }
    if (options.bench) {
        window.places().go("lab");
        QApplication::processEvents();
        while (window.canvas().paintTimes().empty())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
        return runBench(window, workspace, options, static_cast<double>(sinceStart.nsecsElapsed()) * 1e-9);
    }
    if (!options.screenshot.isEmpty()) return takeScreenshot(window, workspace, options);
    if (!window.places().isAt("start")) window.files().offerRecovery();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    QElapsedTimer sinceStart;
    sinceStart.start();
    const auto given = [&](const char* option) {
        return std::any_of(argv + 1, argv + argc, [&](const char* a) {
            return std::string_view(a).substr(0, std::string_view(option).size()) == option;
        });
    };
    const bool withoutDisplay = given("--bench") || given("--render") || given("--help") || given("--version") ||
                                given("-h") || given("-v");
    if (withoutDisplay && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir runtime; // a machine without logins has none, and Qt would complain about it
    if (withoutDisplay && qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // QApplication set the user's; numbers in files stay in C
    QApplication::setOrganizationName(QStringLiteral("Trainyard"));
    QApplication::setApplicationName(QStringLiteral("Trainyard"));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.trainyard.Trainyard"));
    QApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/trainyard.svg")));
    if (given("--render")) return renderRecord(QApplication::arguments());
    return runWindow(readOptions(application), sinceStart);
}
