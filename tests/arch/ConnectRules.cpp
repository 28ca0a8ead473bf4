// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The rules about who may connect to whom (ArchitectureRules.h).
#include "arch/ArchitectureRules.h"

#include <QMap>
#include <QRegularExpression>
#include <QSet>

namespace trainyard::test {

namespace {

QString problem(const SourceFile& file, int line, const QString& what) {
    return QStringLiteral("%1:%2: %3").arg(file.path).arg(line).arg(what);
}

// The argument list of each connect( in the code, with its place.
QList<QPair<qsizetype, QString>> connectCalls(const SourceFile& file) {
    static const QRegularExpression start(QStringLiteral("\\bconnect\\s*\\("));
    QList<QPair<qsizetype, QString>> calls;
    for (auto it = start.globalMatch(file.code); it.hasNext();) {
        const auto match = it.next();
        auto end = match.capturedEnd();
        for (int depth = 1; end < file.code.size() && depth > 0; ++end) {
            if (file.code[end] == u'(') ++depth;
            if (file.code[end] == u')') --depth;
        }
        calls.append({match.capturedStart(), file.code.mid(match.capturedEnd(), end - match.capturedEnd())});
    }
    return calls;
}

/// Names of the classes in front of "::".
QSet<QString> classesIn(const QString& arguments) {
    static const QRegularExpression word(QStringLiteral("\\b([A-Z][A-Za-z0-9]*)::"));
    QSet<QString> names;
    for (auto it = word.globalMatch(arguments); it.hasNext();) names.insert(it.next().captured(1));
    return names;
}

/// Folders of the window whose objects are seen side by side, and know each other only through the session.
bool holdsPanels(const QString& folder) {
    static const QSet<QString> composing{QStringLiteral("session"), QStringLiteral("theme"), QStringLiteral("shell")};
    return !composing.contains(folder);
}

/// Each class declared in a header of such a folder, with that folder.
QMap<QString, QString> panelClasses(const SourceTree& tree) {
    static const QRegularExpression declared(QStringLiteral("^(?:class|struct) ([A-Z]\\w*)[^;{]*\\{"),
                                             QRegularExpression::MultilineOption);
    QMap<QString, QString> classes;
    for (const auto& file : tree.files()) {
        const QString folder = file.path.section(QLatin1Char('/'), 1, 1);
        if (!file.isUnder("ui/") || !file.isHeader() || !holdsPanels(folder)) continue;
        for (auto it = declared.globalMatch(file.code); it.hasNext();) classes.insert(it.next().captured(1), folder);
    }
    return classes;
}

} // namespace

Findings pagesDoNotConnect(const SourceTree& tree) {
    QSet<QString> pages;
    for (const auto& file : tree.files())
        if (file.isUnder("ui/pages/") && file.isHeader()) pages.insert(file.stem());
    Findings findings;
    for (const auto& file : tree.files()) {
        if (!file.isUnder("ui/") && !file.isUnder("app/")) continue;
        for (const auto& include : file.includes) {
            const QString stem = include.what.section(QLatin1Char('/'), -1).section(QLatin1Char('.'), 0, 0);
            if (file.isUnder("ui/pages/") && include.quoted && pages.contains(stem) && stem != file.stem())
                findings.append(problem(file, include.line,
                                        QStringLiteral("a page does not know %1; go through the session").arg(stem)));
        }
        for (const auto& [at, arguments] : connectCalls(file)) {
            QSet<QString> named;
            for (const QString& name : classesIn(arguments))
                if (pages.contains(name)) named.insert(name);
            if (named.size() > 1)
                findings.append(
                    problem(file, file.lineOf(at), QStringLiteral("connects two pages; go through the session")));
        }
    }
    return findings;
}

Findings panelsDoNotConnect(const SourceTree& tree) {
    static const QRegularExpression byText(QStringLiteral("\\b(SIGNAL|SLOT)\\s*\\("));
    const QMap<QString, QString> classes = panelClasses(tree);
    Findings findings;
    for (const auto& file : tree.files()) {
        const QString mine = file.path.section(QLatin1Char('/'), 1, 1);
        if (!file.isUnder("ui/")) continue;
        for (auto it = byText.globalMatch(file.code); it.hasNext();)
            findings.append(problem(file, file.lineOf(it.next().capturedStart()),
                                    QStringLiteral("name signals and slots as members, not as text")));
        if (!holdsPanels(mine)) continue;
        for (const auto& [at, arguments] : connectCalls(file)) {
            QMap<QString, QString> others; // folder → one of its classes
            for (const QString& name : classesIn(arguments))
                if (const QString folder = classes.value(name); !folder.isEmpty() && folder != mine)
                    others.insert(folder, name);
            // A page is made of parts, and listens to each of them; it does not join two.
            const int allowed = mine == QStringLiteral("pages") ? 1 : 0;
            if (others.size() > allowed)
                findings.append(problem(file, file.lineOf(at),
                                        QStringLiteral("ui/%1 connects to %2 of ui/%3; go through the session, "
                                                       "or let the shell connect them")
                                            .arg(mine, others.last(), others.lastKey())));
        }
    }
    return findings;
}

} // namespace trainyard::test
