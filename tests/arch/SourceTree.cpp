// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "arch/SourceTree.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard::test {

namespace {

// Where the literal or comment that begins at `at` ends (one past it); `at` itself where none begins there.
qsizetype endOfQuiet(const QString& text, qsizetype at) {
    const auto until = [&](const QString& close, qsizetype from) {
        const auto found = text.indexOf(close, from);
        return found < 0 ? text.size() : found + close.size();
    };
    const QStringView rest = QStringView(text).mid(at);
    if (rest.startsWith(u"//")) {
        const auto found = text.indexOf(QLatin1Char('\n'), at);
        return found < 0 ? text.size() : found;
    }
    if (rest.startsWith(u"/*")) return until(QStringLiteral("*/"), at + 2);
    if (rest.startsWith(u"R\"")) {
        const auto open = text.indexOf(QLatin1Char('('), at);
        return until(QLatin1Char(')') + text.mid(at + 2, open - at - 2) + QLatin1Char('"'), open);
    }
    const QChar quote = text[at];
    // An apostrophe after a digit or letter separates digits (1'000).
    const bool literal = quote == u'"' || (quote == u'\'' && (at == 0 || !text[at - 1].isLetterOrNumber()));
    if (!literal) return at;
    for (auto i = at + 1; i < text.size(); ++i) {
        if (text[i] == u'\\')
            ++i;
        else if (text[i] == quote || text[i] == u'\n')
            return i + 1;
    }
    return text.size();
}

QList<Include> includesOf(const QString& text, const QString& code) {
    static const QRegularExpression pattern(QStringLiteral(R"re(^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"])re"),
                                            QRegularExpression::MultilineOption);
    QList<Include> includes;
    for (auto it = pattern.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        const auto start = match.capturedStart(1);
        if (code[text.indexOf(QLatin1Char('#'), match.capturedStart())] != u'#') continue; // inside a comment
        includes.append({match.captured(2), match.captured(1) == QStringLiteral("\""),
                         static_cast<int>(QStringView(text).left(start).count(u'\n')) + 1});
    }
    return includes;
}

} // namespace

QString withoutCommentsAndLiterals(const QString& text) {
    QString code = text;
    for (qsizetype i = 0; i < text.size();) {
        const auto end = endOfQuiet(text, i);
        if (end == i) {
            ++i;
            continue;
        }
        for (auto k = i; k < end; ++k)
            if (code[k] != u'\n') code[k] = u' ';
        i = end;
    }
    return code;
}

int SourceFile::lineOf(qsizetype offset) const {
    return static_cast<int>(QStringView(text).left(offset).count(u'\n')) + 1;
}

SourceTree::SourceTree(const QString& root) : m_root(root) {
    for (const auto* top : {"core", "ui", "app", "tests"}) {
        QDirIterator it(m_root + QLatin1Char('/') + QLatin1String(top),
                        {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            SourceFile file;
            file.path = QDir(m_root).relativeFilePath(it.next());
            file.text = read(file.path);
            file.code = withoutCommentsAndLiterals(file.text);
            file.includes = includesOf(file.text, file.code);
            m_files.append(file);
        }
    }
    std::sort(m_files.begin(), m_files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
}

bool SourceTree::contains(const QString& path) const { return QFile::exists(m_root + QLatin1Char('/') + path); }

QStringList SourceTree::folders() const {
    QStringList found;
    QDirIterator it(m_root, QDir::Dirs | QDir::NoDotAndDotDot | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = QDir(m_root).relativeFilePath(it.next());
        const QString top = path.section(QLatin1Char('/'), 0, 0);
        const bool hidden = top.startsWith(QLatin1Char('.')) && top != QStringLiteral(".ci");
        const bool made = top == QStringLiteral("build") || top == QStringLiteral("out");
        if (hidden || made) continue;
        // A folder without a file anywhere beneath is not part of the project (git does not keep it).
        if (QDirIterator(it.filePath(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories).hasNext())
            found.append(path);
    }
    found.sort();
    return found;
}

QStringList SourceTree::pages() const {
    const QStringList markdown{QStringLiteral("*.md")};
    QStringList found = QDir(m_root).entryList(markdown, QDir::Files);
    QDirIterator it(m_root + QStringLiteral("/docs"), markdown, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) found.append(QDir(m_root).relativeFilePath(it.next()));
    found.sort();
    return found;
}

QString SourceTree::read(const QString& path) const {
    QFile file(m_root + QLatin1Char('/') + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace trainyard::test
