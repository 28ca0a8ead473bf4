// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/NamedParts.h"

#include "analysis/View.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace trainyard {

namespace named_parts {

struct Part {
    const char *name, *link;
};
/// Words that mean a panel or a place only where the text says that they do.
constexpr Part titled[] = {{"Jobs", "panel:jobs"},         {"Metrics", "panel:metrics"}, {"Events", "panel:events"},
                           {"Problems", "panel:problems"}, {"Views", "panel:views"},     {"Compare", "place:compare"}};
/// Words that always mean it.
constexpr Part phrases[] = {{"Gantt chart", "panel:lanes"},
                            {"straggler strip", "panel:lanes"},
                            {"loss curves", "panel:lanes"},
                            {"inspector", "panel:inspector"}};

/// By their English titles, as texts of scenarios and of the help have them.
struct Names {
    Names() {
        for (const auto& part : titled) links.insert(QLatin1String(part.name), QLatin1String(part.link));
        const auto parts = escaped(links.keys());
        for (const View& view : trainyard::views()) {
            const QString title = QString::fromStdString(view.title.english());
            groups << QString::fromStdString(view.group.english());
            if (links.contains(title)) continue; // a panel of that name shows the same
            links.insert(title, QStringLiteral("view:") + QString::fromStdString(view.id));
            views << title;
        }
        QStringList words;
        for (const auto& part : phrases) {
            links.insert(QLatin1String(part.name), QLatin1String(part.link));
            words << QLatin1String(part.name);
        }
        const QString any = escaped(views).join(u'|'), called = parts.join(u'|');
        inText.setPattern(
            QStringLiteral(R"((?<!\w)(?:%1|%2|(?:%3)(?=:)|(?<=\btab |\bpanel |\bplace |\bin )(?:%3))(?!\w))")
                .arg(any, escaped(words).join(u'|'), called));
        inText.setPatternOptions(QRegularExpression::UseUnicodePropertiesOption);
        setOff.setPattern(QStringLiteral(R"((\*{1,2})(%1)\1(?!\*))").arg(any));
    }

    /// The longest first: of two that begin alike it is the one that is meant.
    static QStringList escaped(QStringList names) {
        std::ranges::stable_sort(names, [](const QString& a, const QString& b) { return a.size() > b.size(); });
        for (QString& name : names) name = QRegularExpression::escape(name);
        return names;
    }

    QHash<QString, QString> links;
    QStringList views, groups;
    QRegularExpression inText, setOff;
};

const Names& names() {
    static const Names all;
    return all;
}

/// With what is found replaced, and the rest as `rest` makes it.
template <class Link, class Rest>
QString replaced(const QString& text, const QRegularExpression& what, const Link& link, const Rest& rest) {
    QString out;
    qsizetype from = 0;
    for (auto it = what.globalMatch(text); it.hasNext();) {
        const auto found = it.next();
        out += rest(text.sliced(from, found.capturedStart() - from)) + link(found);
        from = found.capturedEnd();
    }
    return out + rest(text.sliced(from));
}

} // namespace named_parts

QString linkedText(const QString& text) {
    const auto& names = named_parts::names();
    return named_parts::replaced(
        text, names.inText,
        [&](const auto& found) {
            const QString name = found.captured();
            return QStringLiteral("<a href=\"%1\">%2</a>").arg(names.links.value(name), name.toHtmlEscaped());
        },
        [](const QString& rest) { return rest.toHtmlEscaped(); });
}

QString linkedMarkdown(const QString& markdown) {
    const auto& names = named_parts::names();
    return named_parts::replaced(
        markdown, names.setOff,
        [&](const auto& found) {
            const QString name = found.captured(2);
            if (names.groups.contains(name) && found.capturedLength(1) == 1) return found.captured(); // the heading
            return QStringLiteral("[%1](%2)").arg(found.captured(), names.links.value(name));
        },
        [](const QString& rest) { return rest; });
}

} // namespace trainyard
