// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Each architecture rule fails on a small tree that breaks it, names the place, and is silent where the rule
// is kept.
#include "arch/ArchitectureRules.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace trainyard::test;

namespace {

using Sources = QMap<QString, QString>;
using Rule = Findings (*)(const SourceTree&);

// Lays the files into an empty folder and applies the rule.
Findings apply(Rule rule, const Sources& sources) {
    const QTemporaryDir root;
    for (auto it = sources.begin(); it != sources.end(); ++it) {
        const QString path = root.filePath(it.key());
        QDir().mkpath(path.section(QLatin1Char('/'), 0, -2));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
        file.write(it.value().toUtf8());
    }
    return rule(SourceTree(root.path()));
}

// "path:line" of each finding: what the checker must point at.
QStringList places(const Findings& findings) {
    QStringList places;
    for (const auto& finding : findings) places.append(finding.section(QLatin1Char(':'), 0, 1));
    return places;
}

} // namespace

class tst_ArchitectureRules : public QObject {
    Q_OBJECT
private slots:
    void commentsAndLiteralsAreBlanked_data();
    void commentsAndLiteralsAreBlanked();
    void finds_data();
    void finds();
    void buildTreesAndHiddenFoldersAreNoFolders();
};

void tst_ArchitectureRules::commentsAndLiteralsAreBlanked_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* text, const char* code) {
        QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(code);
    };
    row("line comment", "a // b\nc", "a     \nc");
    row("block comment keeps lines", "a/*\n*/b", "a  \n  b");
    row("string with escape", "f(\"a\\\"b\") c", "f(      ) c");
    row("raw string", "R\"(x\"y)\" z", "         z");
    row("raw string with delimiter", "R\"q(a)\"b)q\" z", "            z");
    row("character", "'\\'' z", "     z");
    row("digit separator", "1'000 'x'", "1'000    ");
    row("comment in a string", "\"//\" z", "     z");
    row("quote in a comment", "// don't\nz", "        \nz");
}

void tst_ArchitectureRules::commentsAndLiteralsAreBlanked() {
    QFETCH(QString, text);
    QFETCH(QString, code);
    QCOMPARE(withoutCommentsAndLiterals(text), code);
}

void tst_ArchitectureRules::finds_data() {
    QTest::addColumn<Sources>("sources");
    QTest::addColumn<QStringList>("expected");
    QTest::addColumn<void*>("rule");
    const auto row = [](const char* name, Rule rule, const QList<QPair<const char*, const char*>>& files,
                        const QStringList& expected) {
        Sources sources;
        for (const auto& [path, text] : files) sources.insert(QString::fromUtf8(path), QString::fromUtf8(text));
        QTest::newRow(name) << sources << expected << reinterpret_cast<void*>(rule);
    };
    const auto at = [](auto... place) { return QStringList{QString::fromUtf8(place)...}; };
    const QPair<const char*, const char*> base{"core/base/A.h", "#pragma once\n"},
        engine{"core/engine/E.h", "#pragma once\n"}, registry{"core/policy/Registry.h", "#pragma once\n"},
        policy{"core/policy/Scheduler.h", "#pragma once\n"};

    const QPair<const char*, const char*> lone{"core/policy/scheduler/Lone.cpp",
                                               "Entry lone() { return {{.id = \"lone-wolf\"}}; }\n"};
    row("policy in its own file", policiesAreNotNamedElsewhere, {lone}, {});
    row("policy named elsewhere", policiesAreNotNamedElsewhere,
        {lone, {"core/run/R.cpp", "\nbool b = id == \"lone-wolf\";\n"}}, at("core/run/R.cpp:2"));
    row("policy named by another policy", policiesAreNotNamedElsewhere,
        {lone, {"core/policy/scheduler/Pack.cpp", "auto id = \"lone-wolf\";\n"}},
        at("core/policy/scheduler/Pack.cpp:1"));
    row("policy named in a comment, a study, a test", policiesAreNotNamedElsewhere,
        {lone,
         {"core/run/R.cpp", "// \"lone-wolf\"\n"},
         {"core/studies/S.cpp", "auto id = \"lone-wolf\";\n"},
         {"tests/run/tst_R.cpp", "auto id = \"lone-wolf\";\n"}},
        {});

    row("lower layer", includesFollowTheLayers, {base, {"core/run/R.cpp", "#include \"base/A.h\"\n"}}, {});
    row("higher layer", includesFollowTheLayers, {engine, {"core/base/B.cpp", "\n#include \"engine/E.h\"\n"}},
        at("core/base/B.cpp:2"));
    row("include in a comment", includesFollowTheLayers,
        {engine, {"core/base/B.cpp", "/*\n#include \"engine/E.h\"\n*/\n"}}, {});
    row("no such file", includesFollowTheLayers, {{"core/base/B.cpp", "#include \"base/Gone.h\"\n"}},
        at("core/base/B.cpp:1"));
    row("without its layer", includesFollowTheLayers, {base, {"core/base/B.cpp", "#include \"A.h\"\n"}},
        at("core/base/B.cpp:1"));
    row("unknown layer", includesFollowTheLayers, {base, {"core/util/U.cpp", "#include \"base/A.h\"\n"}},
        at("core/util/U.cpp:1"));
    row("core sees the window", includesFollowTheLayers,
        {{"ui/shell/W.h", ""}, {"core/run/R.cpp", "#include \"shell/W.h\"\n"}}, at("core/run/R.cpp:1"));
    row("window sees the engine", includesFollowTheLayers,
        {engine,
         registry,
         policy,
         {"ui/lanes/P.cpp",
          "#include \"policy/Registry.h\"\n#include \"engine/E.h\"\n#include \"policy/Scheduler.h\"\n"}},
        at("ui/lanes/P.cpp:2", "ui/lanes/P.cpp:3"));
    row("session sees the shell", includesFollowTheLayers,
        {{"ui/shell/W.h", ""}, {"ui/session/S.cpp", "#include \"shell/W.h\"\n"}}, at("ui/session/S.cpp:1"));
    row("shell sees the session", includesFollowTheLayers,
        {{"ui/session/S.h", ""}, {"ui/shell/W.cpp", "#include \"session/S.h\"\n"}}, {});
    row("tables see exports", includesFollowTheLayers,
        {{"ui/export/E.h", ""}, {"ui/tables/T.cpp", "#include \"export/E.h\"\n"}}, at("ui/tables/T.cpp:1"));
    row("exports see tables", includesFollowTheLayers,
        {{"ui/tables/T.h", ""}, {"ui/export/E.cpp", "#include \"tables/T.h\"\n"}}, {});
    row("command line sees the window", includesFollowTheLayers,
        {{"ui/shell/W.h", ""}, {"app/cli/C.cpp", "#include \"shell/W.h\"\n"}}, at("app/cli/C.cpp:1"));
    row("desktop sees the engine", includesFollowTheLayers,
        {engine, {"app/desktop/D.cpp", "#include \"engine/E.h\"\n"}}, at("app/desktop/D.cpp:1"));

    row("Qt in core", coreHasNoQt,
        {{"core/base/B.cpp", "#include <string>\n#include <QString>\n"},
         {"app/cli/C.cpp", "#include <QtCore/QFile>\n"}},
        at("app/cli/C.cpp:1", "core/base/B.cpp:2"));
    row("Qt in the window", coreHasNoQt, {{"ui/shell/W.cpp", "#include <QString>\n"}}, {});

    row("QCustomPlot elsewhere", heavyHeadersStayInTheirPlaces,
        {{"ui/charts/ChartLane.cpp", "#include <qcustomplot.h>\n"},
         {"ui/charts/ChartLane.h", "#include <qcustomplot.h>\n"},
         {"ui/shell/W.cpp", "#include <qcustomplot.h>\n"}},
        at("ui/charts/ChartLane.h:1", "ui/shell/W.cpp:1"));
    row("JSON in a header", heavyHeadersStayInTheirPlaces,
        {{"core/run/R.h", "#include <nlohmann/json.hpp>\n"},
         {"core/run/R.cpp", "#include <nlohmann/json.hpp>\n"},
         {"core/run/Forward.h", "#include <nlohmann/json_fwd.hpp>\n"},
         {"core/engine/E.cpp", "#include <nlohmann/json_fwd.hpp>\n"}},
        at("core/run/R.h:1", "core/engine/E.cpp:1"));
    row("Eigen", heavyHeadersStayInTheirPlaces,
        {{"core/learning/L.cpp", "#include <Eigen/Dense>\n"},
         {"core/engine/E.cpp", "#include <Eigen/Dense>\n"},
         {"core/learning/L.h", "#include <unsupported/Eigen/NonLinearOptimization>\n"}},
        at("core/engine/E.cpp:1", "core/learning/L.h:1"));
    row("TBB", heavyHeadersStayInTheirPlaces,
        {{"core/base/Parallel.cpp", "#include <tbb/task_arena.h>\n"},
         {"core/learning/L.cpp", "#include <oneapi/tbb/parallel_for.h>\n"}},
        at("core/learning/L.cpp:1"));
    row("GLPK and benchmarks", heavyHeadersStayInTheirPlaces,
        {{"core/planning/Lp.cpp", "#include <glpk.h>\n"},
         {"core/policy/P.cpp", "#include <glpk.h>\n"},
         {"app/cli/BenchEngine.cpp", "#include <benchmark/benchmark.h>\n"},
         {"app/cli/Run.cpp", "#include <benchmark/benchmark.h>\n"}},
        at("core/policy/P.cpp:1", "app/cli/Run.cpp:1"));
    row("Qt Charts and umbrellas", heavyHeadersStayInTheirPlaces,
        {{"ui/tables/T.cpp", "#include <QtWidgets>\n#include <QtCharts/QChart>\n"},
         {"ui/compare/ComparisonChart.cpp", "#include <QChartView>\n"}},
        at("ui/tables/T.cpp:2", "ui/tables/T.cpp:1"));

    row("same name twice", fileNamesAreUnique, {{"core/base/A.h", ""}, {"ui/shell/A.cpp", ""}}, at("ui/shell/A.cpp:1"));
    row("pair, and two mains", fileNamesAreUnique,
        {{"core/base/A.h", ""}, {"core/base/A.cpp", ""}, {"app/cli/main.cpp", ""}, {"app/desktop/main.cpp", ""}}, {});

    row("own header second", ownHeaderComesFirst,
        {base, {"core/base/A.cpp", "#include <string>\n#include \"base/A.h\"\n"}}, at("core/base/A.cpp:1"));
    row("own header first", ownHeaderComesFirst,
        {base, {"core/base/A.cpp", "// A\n#include \"base/A.h\"\n#include <string>\n"}}, {});

    row("no guard", headersAreGuarded, {{"core/base/A.h", "// A\nint a();\n"}}, at("core/base/A.h:1"));
    row("guard after a comment", headersAreGuarded, {{"core/base/A.h", "// A\n#pragma once\n"}}, {});

    row("open ends", nothingIsLeftOpen,
        {{"core/base/A.cpp", "int a; // TO"
                             "DO later\n"},
         {"tests/core/t.cpp", "\n// FIX"
                              "ME\n"}},
        at("core/base/A.cpp:1", "tests/core/t.cpp:2"));

    row("printing and exiting", coreNeverPrintsOrExits,
        {{"core/base/A.cpp", "// std::cout\nvoid f() {\n  std::cout << 1;\n  exit(1);\n}\n"},
         {"app/cli/C.cpp", "std::cout << 1;\n"}},
        at("core/base/A.cpp:3", "core/base/A.cpp:4"));

    row("mutable statics", noMutableStatics,
        {{"core/base/A.cpp", "static int counter = 0;\nvoid f() {\n    static std::map<int, int> cache;\n    "
                             "thread_local int t{0};\n}\n"}},
        at("core/base/A.cpp:1", "core/base/A.cpp:3", "core/base/A.cpp:4"));
    row("constant statics and static functions", noMutableStatics,
        {{"core/base/A.h", "static const int a = 0;\nstatic constexpr int b{1};\nstatic A of(int x = 1);\n"
                           "static bool g() { return true; }\nstatic QString const c = "
                           "{};\nstatic_assert(sizeof(int) == 4);\n"}},
        {});

    const QPair<const char*, const char*> lab{"ui/pages/LabPage.h", ""}, learn{"ui/pages/LearnPage.h", ""};
    row("a page knows another", pagesDoNotConnect,
        {lab, learn, {"ui/pages/LabPage.cpp", "#include \"pages/LabPage.h\"\n#include \"pages/LearnPage.h\"\n"}},
        at("ui/pages/LabPage.cpp:2"));
    row("the shell connects two pages", pagesDoNotConnect,
        {lab,
         learn,
         {"ui/shell/W.cpp", "\nconnect(a, &LabPage::opened,\n  b, &LearnPage::open);\nconnect(a, "
                            "&LabPage::opened, [](){ x(); });\n"}},
        at("ui/shell/W.cpp:2"));

    const QPair<const char*, const char*> lane{"ui/lanes/Lane.h", "class Lane final : public QWidget {\n};\n"},
        table{"ui/tables/Table.h", "class Lane;\nclass Table final\n    : public QWidget {\n};\n"},
        gallery{"ui/gallery/Cards.h", "class Cards : public QWidget {\n};\n"},
        axis{"ui/session/Axis.h", "class Axis final : public QObject {\n};\n"};
    row("panels meet in the session", panelsDoNotConnect,
        {lane,
         table,
         axis,
         {"ui/tables/Table.cpp", "connect(axis, &Axis::moved, this, &Table::follow);\n"},
         {"ui/shell/W.cpp", "connect(lane, &Lane::clicked, table, &Table::show);\n"}},
        {});
    row("a panel listens to another", panelsDoNotConnect,
        {lane, table, {"ui/tables/Table.cpp", "\nconnect(lane, &Lane::clicked, this, &Table::show);\n"}},
        at("ui/tables/Table.cpp:2"));
    row("a panel drives another", panelsDoNotConnect,
        {lane,
         table,
         {"ui/lanes/Lane.cpp", "connect(axis, &Axis::moved, this, [t] { static_cast<Table*>(t)->x(Table::y); });\n"}},
        at("ui/lanes/Lane.cpp:1"));
    row("a page listens to its parts, but joins no two", panelsDoNotConnect,
        {lane,
         gallery,
         {"ui/pages/Page.cpp", "connect(c, &Cards::chosen, this, &Page::open);\n"
                               "connect(c, &Cards::chosen, l, &Lane::show);\n"}},
        at("ui/pages/Page.cpp:2"));
    row("signals as text", panelsDoNotConnect,
        {{"ui/shell/W.cpp", "connect(a, SIGNAL(clicked()), b, SLOT(show()));\n"}},
        at("ui/shell/W.cpp:1", "ui/shell/W.cpp:1"));

    const QByteArray long300 = QByteArray("\n").repeated(300), long301 = QByteArray("\n").repeated(301);
    row("thin main window", mainWindowIsThin, {{"ui/shell/MainWindow.cpp", long300.constData()}}, {});
    row("thick main window", mainWindowIsThin, {{"ui/shell/MainWindow.cpp", long301.constData()}},
        at("ui/shell/MainWindow.cpp:301"));

    row("map is true", mapListsTheFolders,
        {{"docs/map.md", "- `docs/`: docs\n- `core/`: core\n- `core/*/`: layers\n"}, {"core/base/a/A.h", ""}}, {});
    row("map lacks a folder, and has one too many", mapListsTheFolders,
        {{"docs/map.md", "- `docs/`: docs\n- `core/`: core\n- `gone/`: gone\n"}, {"core/base/A.h", ""}},
        at("docs/map.md:1", "docs/map.md:1"));
    row("map says a folder twice, and one without a word", mapListsTheFolders,
        {{"docs/map.md", "- `docs/`: docs\n- `docs/`: docs\n- `core/`: \n"}, {"core/A.h", ""}},
        at("docs/map.md:1", "docs/map.md:2"));
    row("links that lead nowhere", pagesLinkToWhatIsThere,
        {{"core/A.h", ""},
         {"README.md", "[a](core/A.h) [b](gone.md)\n<img src=\"no.png\"> [c](https://example.org/x) [d](#below)\n"},
         {"docs/x.md", "[up](../README.md#top) [down](core/A.h)\n"}},
        at("README.md:1", "README.md:2", "docs/x.md:1"));
    row("no map", mapListsTheFolders, {{"core/A.h", ""}}, at("docs/map.md:1"));
}

void tst_ArchitectureRules::finds() {
    QFETCH(Sources, sources);
    QFETCH(QStringList, expected);
    QFETCH(void*, rule);
    const Findings findings = apply(reinterpret_cast<Rule>(rule), sources);
    QVERIFY2(places(findings) == expected, qPrintable(QLatin1Char('\n') + findings.join(QLatin1Char('\n'))));
}

void tst_ArchitectureRules::buildTreesAndHiddenFoldersAreNoFolders() {
    const QTemporaryDir root;
    for (const auto* folder : {"build/ci", "out/a", ".git/objects", ".ci", "core/base", "core/empty"}) {
        const QString path = root.filePath(QLatin1String(folder));
        QVERIFY(QDir().mkpath(path));
        if (path.endsWith(QStringLiteral("empty"))) continue;
        QFile file(path + QStringLiteral("/file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QCOMPARE(SourceTree(root.path()).folders(),
             (QStringList{QStringLiteral(".ci"), QStringLiteral("core"), QStringLiteral("core/base")}));
}

TRAINYARD_TEST(tst_ArchitectureRules)
#include "tst_ArchitectureRules.moc"
