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
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using namespace trainyard;

constexpr int failed = 1, badUsage = 2;

/// What is given beside --render and its options.
struct Arguments {
    std::string file;
    bool bench = false, json = false;
};

int print(const std::string& text) {
    if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return 0;
    std::fprintf(stderr, "trainyard: standard output could not be written\n");
    return failed;
}

/// An exit status where nothing else is to be done: help and version are printed, wrong arguments refused. `words`: without the
/// program's name.
std::optional<int> parse(std::vector<std::string> words, Arguments& out) {
    const auto say = [](const char* text) { return QApplication::translate("main", text).toStdString(); };
    CLI::App app(say(QT_TRANSLATE_NOOP("main", "Explore how clusters schedule distributed machine learning")),
                 "trainyard");
    app.add_option("file", out.file, say(QT_TRANSLATE_NOOP("main", "Scenario to open and play")));
    app.set_help_all_flag("--help-all", say(QT_TRANSLATE_NOOP("main", "Shows all options")));
    app.set_version_flag("-v,--version", "trainyard (Trainyard) " TRAINYARD_VERSION);
    const RenderOptions render(app);
    auto* bench = app.add_flag(
        "--bench", out.bench,
        say(QT_TRANSLATE_NOOP("main", "Measures the window's performance with trainyard-bench; needs no display")));
    app.add_flag("--json", out.json, say(QT_TRANSLATE_NOOP("main", "Prints the measurements as JSON")))->needs(bench);
    std::reverse(words.begin(), words.end()); // as CLI11 wants them
    try {
        app.parse(words);
    } catch (const CLI::CallForVersion& version) {
        return print(std::string(version.what()) + "\n");
    } catch (const CLI::Success&) { return print(app.help()); } catch (const CLI::ParseError& wrong) {
        std::fprintf(stderr, "trainyard: %s\nTry 'trainyard --help'.\n", wrong.what());
        return badUsage;
    }
    return {};
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
    Arguments arguments;
    if (!forQt && !given("--render")) // without a display, too
        if (const auto status = parse({argv + 1, argv + argc}, arguments)) return *status;
    const bool withoutDisplay = given("--render");
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
    std::vector<std::string> left; // Qt has taken its own
    for (const QString& word : QApplication::arguments().mid(1)) left.push_back(word.toStdString());
    if (const auto status = parse(std::move(left), arguments)) return *status;
    return runWindow(QString::fromStdString(arguments.file));
}
