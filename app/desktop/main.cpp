// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard: the window. Reads the command line, builds objects, connects, shows.
#include "base/StandardStreams.h"
#include "export/FileWords.h"
#include "export/Render.h"
#include "export/RenderArguments.h"
#include "session/JournalPlace.h"
#include "shell/FileActions.h"
#include "shell/MainWindow.h"
#include "shell/Places.h"
#include "shell/ThemeChoice.h"
#include "theme/EnglishPlurals.h"
#include "theme/Icons.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <memory>
#include <string_view>
#include <unistd.h>

namespace {

using namespace trainyard;

constexpr int failed = 1, badUsage = 2;

void declareArguments(QCommandLineParser& parser) {
    parser.setApplicationDescription(
        QApplication::translate("main", "Explore how clusters schedule distributed machine learning"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("file"), QApplication::translate("main", "Scenario to open and play"),
                                 QStringLiteral("[FILE]"));
    parser.addOption(
        {QStringLiteral("render"),
         QApplication::translate("main", "Writes the views of a run record (with --out DIR), without a window"),
         QStringLiteral("RECORD")});
    parser.addOption(
        {QStringLiteral("out"), QApplication::translate("main", "Where --render writes"), QStringLiteral("DIR")});
    for (const RenderOption& option : renderOptions())
        parser.addOption(
            {QLatin1String(option.name),
             QApplication::translate("main", "With --render: %1").arg(QApplication::translate("Render", option.help)),
             QLatin1String(option.value)});
    parser.addOption(
        {QStringLiteral("bench"),
         QApplication::translate("main", "Measures the window's performance with trainyard-bench; needs no display")});
    parser.addOption({QStringLiteral("json"), QApplication::translate("main", "Prints the measurements as JSON")});
}

/// Why these arguments, without those that Qt takes, cannot be used; empty: they can.
QString wrongArguments(QCommandLineParser& parser, const QStringList& arguments) {
    if (!parser.parse(arguments)) return parser.errorText();
    if (parser.positionalArguments().size() > 1)
        return QApplication::translate("main", "One file can be opened, %1 were given")
            .arg(parser.positionalArguments().size());
    const auto needs = [&](const QString& option, const QString& other) {
        return parser.isSet(option) && !parser.isSet(other)
                   ? QApplication::translate("main", "%1 belongs to --%2, which is not given")
                         .arg((option.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + option, other)
                   : QString();
    };
    const QString render = QStringLiteral("render");
    QStringList wrong{needs(QStringLiteral("out"), render), needs(QStringLiteral("json"), QStringLiteral("bench"))};
    for (const RenderOption& option : renderOptions()) wrong << needs(QLatin1String(option.name), render);
    wrong.removeAll(QString());
    return wrong.value(0);
}

int refuseArguments(const QString& why) {
    std::fprintf(stderr, "trainyard: %s\nTry 'trainyard --help'.\n", qPrintable(why));
    return badUsage;
}

int print(const QString& text) {
    if (std::fputs(qPrintable(text), stdout) >= 0 && std::fflush(stdout) == 0) return 0;
    std::fprintf(stderr, "trainyard: standard output could not be written\n");
    return failed;
}

int runWindow(const QString& file) {
    ThemeChoice theme;
    const ResourcePaths resources = ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString());
    const QString journals = journalDirectory();
    takeOverJournals(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/journal"),
                     journals);
    Workspace workspace(std::make_shared<const Registry>(Registry::builtin()), resources, journals);
    MainWindow window(workspace, theme);
    window.restoreLayout();
    window.show();
    if (!file.isEmpty())
        window.files().open(file);
    else if (!window.restoreSession())
        window.places().go("start");
    if (!window.places().isAt("start")) window.files().offerRecovery();
    return QApplication::exec();
}

/// Measurements of the window and pictures of it are made by a program of their own, which is not installed.
int runBench(char** argv) {
    const QString program =
        QFileInfo(QStringLiteral("/proc/self/exe")).canonicalPath() + QStringLiteral("/trainyard-bench");
    execv(qPrintable(program), argv);
    std::fprintf(stderr, "trainyard: this needs %s, which is built with the tests\n", qPrintable(program));
    return badUsage;
}

} // namespace

int main(int argc, char** argv) {
    guardStandardStreams();
    const auto given = [&](const char* option) {
        return std::any_of(argv + 1, argv + argc, [&](const char* a) {
            return std::string_view(a).substr(0, std::string_view(option).size()) == option;
        });
    };
    if (given("--bench") || given("--screenshot")) return runBench(argv);
    const bool forQt =
        std::any_of(argv + 1, argv + argc,
                    [](const char* a) { return a[0] == '-' && a[1] > '-' && std::string_view(a) != "-o"; }) ||
        given("--platform") || given("--style") || given("--display") || given("--session");
    if (!forQt) { // wrong ones are refused without a display, too
        QCommandLineParser parser;
        declareArguments(parser);
        QStringList arguments;
        for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
        if (const QString why = wrongArguments(parser, arguments); !why.isEmpty() && !given("--render"))
            return refuseArguments(why);
    }
    const bool withoutDisplay =
        given("--render") || given("--help") || given("--version") || given("-h") || given("-v");
    if (withoutDisplay && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (given("--render") && qEnvironmentVariableIsEmpty("FC_LANG"))
        qputenv("FC_LANG", "en"); // fontconfig would choose figures' fonts by the user's language
    QTemporaryDir runtime;        // a machine without logins has none, and Qt would complain about it
    if (withoutDisplay && qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
    QApplication application(argc, argv);
    EnglishPlurals english;
    QCoreApplication::installTranslator(&english);
    std::setlocale(LC_NUMERIC, "C"); // QApplication set the user's; numbers in files stay in C
    QApplication::setOrganizationName(QStringLiteral("Trainyard"));
    QApplication::setApplicationName(QStringLiteral("Trainyard"));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.trainyard.Trainyard"));
    QApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/trainyard.svg")));
    if (given("--render")) {
        QStringList words; // Qt has taken its own; names of files need not be UTF-8
        for (int i = 0; i < argc; ++i) words << wordOf(argv[i]);
        return renderRecord(words);
    }
    QCommandLineParser parser;
    declareArguments(parser);
    if (const QString why = wrongArguments(parser, QApplication::arguments()); !why.isEmpty())
        return refuseArguments(why);
    if (parser.isSet(QStringLiteral("help"))) return print(parser.helpText());
    if (parser.isSet(QStringLiteral("version")))
        return print(QStringLiteral("trainyard (Trainyard) " TRAINYARD_VERSION "\n"));
    parser.process(application); // --help-all ends here
    return runWindow(parser.positionalArguments().value(0));
}
