// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "arch/ArchitectureRules.h"

#include <QMap>
#include <QRegularExpression>
#include <QSet>

namespace trainyard::test {

namespace {

QString finding(const SourceFile& file, int line, const QString& what) {
    return QStringLiteral("%1:%2: %3").arg(file.path).arg(line).arg(what);
}

const QStringList& coreLayers() {
    static const QStringList layers{QStringLiteral("base"),     QStringLiteral("model"),    QStringLiteral("record"),
                                    QStringLiteral("learning"), QStringLiteral("planning"), QStringLiteral("policy"),
                                    QStringLiteral("scenario"), QStringLiteral("engine"),   QStringLiteral("analysis"),
                                    QStringLiteral("run"),      QStringLiteral("training"), QStringLiteral("studies")};
    return layers;
}

// Within the window, from what everything uses to what uses everything; a folder includes only those before it.
int windowRank(const QString& folder) {
    static const QStringList order{QStringLiteral("theme"),     QStringLiteral("session"), QStringLiteral("canvas"),
                                   QStringLiteral("drawing"),   QStringLiteral("lanes"),   QStringLiteral("forms"),
                                   QStringLiteral("charts"),    QStringLiteral("tables"),  QStringLiteral("export"),
                                   QStringLiteral("transport"), QStringLiteral("gallery"), QStringLiteral("compare"),
                                   QStringLiteral("training"),  QStringLiteral("pages"),   QStringLiteral("shell")};
    const auto at = order.indexOf(folder);
    return static_cast<int>(at < 0 ? order.size() : at);
}

// What the window may see of the core: values, records, runs, and of the policies only what the registry
// tells.
bool windowMaySee(const QString& include) {
    const QString layer = include.section(QLatin1Char('/'), 0, 0);
    static const QSet<QString> open{QStringLiteral("base"),     QStringLiteral("model"),    QStringLiteral("record"),
                                    QStringLiteral("scenario"), QStringLiteral("analysis"), QStringLiteral("run"),
                                    QStringLiteral("training"), QStringLiteral("studies")};
    return open.contains(layer) || include == QStringLiteral("policy/Registry.h");
}

QString checkCoreInclude(const SourceFile& file, const QString& include) {
    const QString mine = file.path.section(QLatin1Char('/'), 1, 1);
    const QString other = include.section(QLatin1Char('/'), 0, 0);
    if (!coreLayers().contains(mine)) return QStringLiteral("core/%1 is not one of the layers").arg(mine);
    if (coreLayers().indexOf(other) <= coreLayers().indexOf(mine)) return {};
    return QStringLiteral("%1 is above %2: only %2 and the layers beneath it may be included").arg(other, mine);
}

QString checkWindowInclude(const SourceTree& tree, const SourceFile& file, const QString& include) {
    const QString other = include.section(QLatin1Char('/'), 0, 0);
    if (tree.contains(QStringLiteral("core/") + include))
        return windowMaySee(include)
                   ? QString()
                   : QStringLiteral("the window sees base, model, record, scenario, analysis, run, training, studies "
                                    "and policy/Registry.h of the core, not %1")
                         .arg(include);
    const QString mine = file.path.section(QLatin1Char('/'), 1, 1);
    if (windowRank(other) <= windowRank(mine)) return {};
    return QStringLiteral("ui/%1 is above ui/%2").arg(other, mine);
}

QString checkInclude(const SourceTree& tree, const SourceFile& file, const QString& include) {
    const bool isCore = tree.contains(QStringLiteral("core/") + include);
    const bool isWindow = tree.contains(QStringLiteral("ui/") + include);
    const bool isLocal = tree.contains(file.folder() + QLatin1Char('/') + include);
    if (!isCore && !isWindow && !isLocal)
        return QStringLiteral("\"%1\" is no file of core, ui or this folder; write \"layer/File.h\"").arg(include);
    if (file.isUnder("core/")) {
        if (!isCore) return QStringLiteral("\"%1\" is not of the core; write \"layer/File.h\"").arg(include);
        return checkCoreInclude(file, include);
    }
    if (file.isUnder("ui/"))
        return isLocal && !isWindow && !isCore ? QStringLiteral("write \"folder/File.h\" for \"%1\"").arg(include)
                                               : checkWindowInclude(tree, file, include);
    if (file.isUnder("app/cli/") && isWindow) return QStringLiteral("the command line has no window");
    if (file.isUnder("app/desktop/") && isCore && !windowMaySee(include))
        return QStringLiteral("the desktop program sees of the core what the window sees, not %1").arg(include);
    return {};
}

struct HeavyHeader {
    const char* include; // pattern of the included name
    const char* allowed; // pattern of the paths that may include it
    const char* where;   // the same for people
};

// Seconds of compile time, or a dependency that only one place may know. Tests may include what they test
// with.
const HeavyHeader heavyHeaders[] = {
    {"^qcustomplot\\.h$", "^ui/charts/Chart[A-Za-z]*\\.cpp$", "ui/charts/Chart*.cpp"},
    {"^(QtCharts|QChart|QChartView|Q[A-Za-z]*(Series|Axis|BarSet))(/|$)", "^ui/compare/ComparisonChart\\.cpp$",
     "ui/compare/ComparisonChart.cpp"},
    {"^nlohmann/(?!json_fwd)", "^(core/(record|scenario|run|studies)/.*\\.cpp|app/cli/.*\\.cpp|tests/.*)$",
     ".cpp files of record, scenario, run, studies and app/cli, and tests"},
    {"^nlohmann/json_fwd", "^(core/(record|scenario|run)/.*|app/cli/.*|tests/.*)$",
     "record, scenario, run, app/cli and tests"},
    {"^(unsupported/)?Eigen/", "^(core/(learning|planning)/.*\\.cpp|tests/.*)$", ".cpp files of learning and planning"},
    {"^(oneapi/)?tbb/|^tbb\\.h$", "^core/(base/Parallel\\.cpp|run/.*\\.cpp)$", "base/Parallel.cpp and run"},
    {"^glpk\\.h$", "^core/planning/.*\\.cpp$", ".cpp files of planning"},
    {"^benchmark/", "^app/cli/Bench[A-Za-z]*\\.cpp$", "app/cli/Bench*.cpp"},
    {"^CLI/", "^(app/.*|ui/export/RenderArguments)\\.cpp$", ".cpp files of app and what reads --render"},
    {"^Random123/", "^(core/base/Random\\.cpp|tests/.*)$", "base/Random.cpp"},
    {"^boost/(math|graph)/", "^.*\\.cpp$", ".cpp files"},
    {"^spdlog/", "^app/.*\\.cpp$", ".cpp files of app"},
    {"^sqlite3\\.h$", "^(core/run/.*\\.cpp|tests/run/tst_ResultStore\\.cpp|tests/support/StoreLock\\.h)$",
     ".cpp files of run"},
    {"^(QtWidgets|QtGui|QtCore|QtSvg|QtConcurrent|QtPrintSupport)(/Qt[A-Za-z]+)?$", "^$", "no file: name the classes"},
};

Findings findInCode(const SourceTree& tree, const char* folder, const QString& pattern, const QString& what) {
    Findings findings;
    const QRegularExpression expression(pattern, QRegularExpression::MultilineOption);
    for (const auto& file : tree.files()) {
        if (!file.isUnder(folder)) continue;
        for (auto it = expression.globalMatch(file.code); it.hasNext();) {
            const auto match = it.next();
            findings.append(finding(file, file.lineOf(match.capturedStart()), what.arg(match.captured().simplified())));
        }
    }
    return findings;
}

} // namespace

Findings includesFollowTheLayers(const SourceTree& tree) {
    Findings findings;
    for (const auto& file : tree.files()) {
        if (file.isUnder("tests/")) continue;
        for (const auto& include : file.includes) {
            if (!include.quoted || include.what.endsWith(QStringLiteral(".moc"))) continue;
            const QString wrong = checkInclude(tree, file, include.what);
            if (!wrong.isEmpty()) findings.append(finding(file, include.line, wrong));
        }
    }
    return findings;
}

Findings coreHasNoQt(const SourceTree& tree) {
    static const QRegularExpression qt(QStringLiteral("^(Q[A-Z]|Qt[A-Z0-9]|q[a-z]+\\.h$)"));
    Findings findings;
    for (const auto& file : tree.files()) {
        if (!file.isUnder("core/") && !file.isUnder("app/cli/")) continue;
        for (const auto& include : file.includes)
            if (qt.match(include.what).hasMatch())
                findings.append(finding(file, include.line, QStringLiteral("no Qt here: <%1>").arg(include.what)));
    }
    return findings;
}

Findings heavyHeadersStayInTheirPlaces(const SourceTree& tree) {
    Findings findings;
    for (const auto& heavy : heavyHeaders) {
        const QRegularExpression included{QLatin1String(heavy.include)};
        const QRegularExpression allowed{QLatin1String(heavy.allowed)};
        for (const auto& file : tree.files())
            for (const auto& include : file.includes)
                if (included.match(include.what).hasMatch() && !allowed.match(file.path).hasMatch())
                    findings.append(
                        finding(file, include.line,
                                QStringLiteral("<%1> belongs in %2").arg(include.what, QLatin1String(heavy.where))));
    }
    return findings;
}

Findings fileNamesAreUnique(const SourceTree& tree) {
    Findings findings;
    QMap<QString, const SourceFile*> seen;
    for (const auto& file : tree.files()) {
        if (file.name() == QStringLiteral("main.cpp")) continue;
        const SourceFile*& first = seen[file.stem()];
        if (!first)
            first = &file;
        else if (first->folder() != file.folder())
            findings.append(
                finding(file, 1, QStringLiteral("there is %1 too; a name belongs to one place").arg(first->path)));
    }
    return findings;
}

Findings ownHeaderComesFirst(const SourceTree& tree) {
    Findings findings;
    for (const auto& file : tree.files()) {
        if (file.isHeader()) continue;
        const QString own = file.folder() + QLatin1Char('/') + file.stem() + QStringLiteral(".h");
        if (!tree.contains(own)) continue;
        if (file.includes.isEmpty() ||
            file.includes.first().what.section(QLatin1Char('/'), -1) != own.section(QLatin1Char('/'), -1))
            findings.append(finding(file, 1, QStringLiteral("include %1 first").arg(own)));
    }
    return findings;
}

Findings policiesAreNotNamedElsewhere(const SourceTree& tree) {
    static const QRegularExpression declared(QStringLiteral("\\{\\.id = \"([^\"]+)\""));
    static const QRegularExpression mayName(
        QStringLiteral("^(core/scenario/Scenario\\.h|core/studies/.*|app/cli/Bench[A-Za-z]*\\.cpp|tests/.*)$"));
    // Words that other things are called too.
    static const QSet<QString> ordinary{QStringLiteral("none"),     QStringLiteral("min"),    QStringLiteral("max"),
                                        QStringLiteral("constant"), QStringLiteral("random"), QStringLiteral("static"),
                                        QStringLiteral("fair")};
    QMap<QString, QString> homes; // by quoted id
    for (const auto& file : tree.files())
        if (file.isUnder("core/policy/") && file.path.count(QLatin1Char('/')) >= 3)
            for (auto it = declared.globalMatch(file.text); it.hasNext();)
                if (const QString id = it.next().captured(1); !ordinary.contains(id))
                    homes[QLatin1Char('"') + id + QLatin1Char('"')] = file.path;
    Findings findings;
    for (const auto& file : tree.files()) {
        if (mayName.match(file.path).hasMatch()) continue;
        const QStringList lines = file.text.split(QLatin1Char('\n'));
        for (int l = 0; l < lines.size(); ++l) {
            const QString code = lines[l].section(QStringLiteral("//"), 0, 0);
            for (auto home = homes.begin(); code.contains(QLatin1Char('"')) && home != homes.end(); ++home)
                if (code.contains(home.key()) && file.path != home.value())
                    findings.append(finding(
                        file, l + 1,
                        QStringLiteral("%1 is named; ask the policy, or say it in %2").arg(home.key(), home.value())));
        }
    }
    return findings;
}

Findings headersAreGuarded(const SourceTree& tree) {
    Findings findings;
    for (const auto& file : tree.files())
        if (file.isHeader() && !file.code.trimmed().startsWith(QStringLiteral("#pragma once")))
            findings.append(finding(file, 1, QStringLiteral("begin with #pragma once")));
    return findings;
}

Findings nothingIsLeftOpen(const SourceTree& tree) {
    // Assembled, so that this file does not find itself.
    const QStringList words{QStringLiteral("TO") + QStringLiteral("DO"), QStringLiteral("FIX") + QStringLiteral("ME"),
                            QStringLiteral("XX") + QStringLiteral("X"), QStringLiteral("HA") + QStringLiteral("CK")};
    const QRegularExpression open(QStringLiteral("\\b(%1)\\b").arg(words.join(QLatin1Char('|'))));
    Findings findings;
    for (const auto& file : tree.files())
        for (auto it = open.globalMatch(file.text); it.hasNext();) {
            const auto match = it.next();
            findings.append(finding(file, file.lineOf(match.capturedStart()),
                                    QStringLiteral("%1: finish it, or leave it out").arg(match.captured())));
        }
    return findings;
}

Findings coreNeverPrintsOrExits(const SourceTree& tree) {
    return findInCode(
        tree, "core/",
        QStringLiteral("\\bstd::(cout|cerr|clog)\\b|\\b(printf|fprintf|puts|exit|_Exit|quick_exit|abort)\\s*\\("),
        QStringLiteral("the core neither prints nor exits: %1"));
}

Findings noMutableStatics(const SourceTree& tree) {
    // A declaration that begins with static or thread_local, is not constant, and is no function: no
    // parenthesis before = { ;
    const QString pattern =
        QStringLiteral("^[ \\t]*(inline[ \\t]+)?(static|thread_local)\\s+(?!(const|constexpr|constinit const)\\b)"
                       "(?![^;={(]*\\bconst\\b)[^;={()]*[;={]");
    Findings findings;
    for (const auto* folder : {"core/", "ui/", "app/"})
        findings += findInCode(tree, folder, pattern, QStringLiteral("a mutable static: %1"));
    return findings;
}

Findings mainWindowIsThin(const SourceTree& tree) {
    Findings findings;
    for (const auto& file : tree.files()) {
        const auto lines = file.text.count(u'\n');
        if (file.name() == QStringLiteral("MainWindow.cpp") && lines > 300)
            findings.append(
                finding(file, 301, QStringLiteral("%1 lines; at most 300: menus, docks, layout").arg(lines)));
    }
    return findings;
}

Findings mapListsTheFolders(const SourceTree& tree) {
    // A line of the map: - `core/base/`: what is there. `…/*/` stands for every folder beneath.
    static const QRegularExpression entry(QStringLiteral("^- `([^`]+)/`: \\S"));
    const QString map = QStringLiteral("docs/map.md");
    Findings findings;
    QSet<QString> listed, used;
    const QStringList lines = tree.read(map).split(QLatin1Char('\n'));
    for (int i = 0; i < lines.size(); ++i) {
        const QString folder = entry.match(lines[i]).captured(1);
        if (folder.isEmpty()) continue;
        if (listed.contains(folder))
            findings.append(QStringLiteral("%1:%2: %3 is listed twice").arg(map).arg(i + 1).arg(folder));
        listed.insert(folder);
    }
    for (const auto& folder : tree.folders()) {
        QString by = folder;
        for (QString up = folder; !listed.contains(by) && up.contains(QLatin1Char('/'));) {
            up = up.section(QLatin1Char('/'), 0, -2);
            by = up + QStringLiteral("/*");
        }
        if (listed.contains(by))
            used.insert(by);
        else
            findings.append(QStringLiteral("%1:1: no line for %2/").arg(map, folder));
    }
    for (const auto& folder : listed)
        if (!used.contains(folder)) findings.append(QStringLiteral("%1:1: there is no folder %2/").arg(map, folder));
    findings.sort();
    return findings;
}

Findings pagesLinkToWhatIsThere(const SourceTree& tree) {
    static const QRegularExpression link(QStringLiteral(R"re(\]\(([^)#\s]+)[^)]*\)|\bsrc(?:set)?="([^"]+)")re"));
    Findings findings;
    for (const auto& page : tree.pages()) {
        const QStringList lines = tree.read(page).split(QLatin1Char('\n'));
        const QString folder =
            page.contains(QLatin1Char('/')) ? page.section(QLatin1Char('/'), 0, -2) + QLatin1Char('/') : QString();
        for (int i = 0; i < lines.size(); ++i)
            for (auto it = link.globalMatch(lines[i]); it.hasNext();) {
                const auto match = it.next();
                const QString target = match.captured(1) + match.captured(2);
                if (target.contains(QStringLiteral(":")) || tree.contains(folder + target)) continue;
                findings.append(
                    QStringLiteral("%1:%2: leads to %3, which is not there").arg(page).arg(i + 1).arg(target));
            }
    }
    return findings;
}

} // namespace trainyard::test
