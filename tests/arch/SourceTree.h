// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The sources as text: which files there are, what they include, and their code without comments and
// literals. Read by the architecture rules (ArchitectureRules.h); knows nothing of what is allowed.
#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard::test {

struct Include {
    QString what;        // base/Result.h, QWidget
    bool quoted = false; // "…" and not <…>
    int line = 0;
};

struct SourceFile {
    QString path; // relative to the root: core/base/Result.h
    QString text; // as written
    QString code; // the same length and lines, comments and contents of literals blanked
    QList<Include> includes;

    bool isHeader() const { return path.endsWith(QStringLiteral(".h")); }
    QString folder() const { return path.section(QLatin1Char('/'), 0, -2); }
    QString name() const { return path.section(QLatin1Char('/'), -1); }
    QString stem() const { return name().section(QLatin1Char('.'), 0, 0); }
    bool isUnder(const char* folder) const { return path.startsWith(QLatin1String(folder)); }
    int lineOf(qsizetype offset) const;
};

/// All .h and .cpp files under core, ui, app and tests of `root`, by path; and the folders of the whole tree.
class SourceTree {
public:
    explicit SourceTree(const QString& root);

    const QList<SourceFile>& files() const { return m_files; }
    bool contains(const QString& path) const;
    /// Every folder but the root, without build trees, results and hidden ones (.ci is kept); no slash at the
    /// end.
    QStringList folders() const;
    /// The Markdown files of the root and under docs.
    QStringList pages() const;
    /// Text of any file of the tree; empty where it is absent.
    QString read(const QString& path) const;

private:
    QString m_root;
    QList<SourceFile> m_files; // sorted by path
};

/// The text with comments and the contents of string and character literals blanked; line ends stay where
/// they are.
QString withoutCommentsAndLiterals(const QString& text);

} // namespace trainyard::test
