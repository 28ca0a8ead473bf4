// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/ExplanationText.h"

#include "analysis/PictureParts.h"
#include "policy/Registry.h"
#include "record/CheckRelation.h"
#include "tables/JobsModel.h"
#include "theme/CoreText.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace trainyard {

namespace explanation_text {

QString plain(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }
/// "8.094×10⁻²³" as on axes.
QString digits(double v) {
    return QString::fromStdString(std::abs(v) >= 999.5 && std::abs(v) < 1e15 ? groupedText(v, 4)
                                                                             : quantityText(v, {}, 4));
}
QString say(const char* text) { return QCoreApplication::translate("Explanation", text); }

/// Explanations are recorded with the keys of files; people read names. A list of keys is "m2, m4".
QString named(const Workload* workload, const std::string& word) {
    if (!workload) return QString::fromStdString(word);
    for (const Job& job : workload->jobs)
        if (job.key == word) return jobName(job);
    QStringList parts = QString::fromStdString(word).split(QStringLiteral(", "));
    for (QString& part : parts) part = shownMachine(workload, part.toStdString());
    return parts.join(QStringLiteral(", "));
}

/// A name from the core without the marks of a program: "remaining_s" is "remaining".
QString wordsOf(const std::string& name) {
    QString words = coreText(name);
    if (words.endsWith(QLatin1String("_s"))) words.chop(2);
    return words.replace(u'_', u' ').toHtmlEscaped();
}

QString valueOf(const std::string& name, double value) {
    return QString::fromStdString(name).endsWith(QLatin1String("_s")) ? timeSpanText(value).toHtmlEscaped()
                                                                      : digits(value);
}

QString numberWords(const NamedNumber& number) {
    if (number.name == "room for workers")
        return QCoreApplication::translate("Explanation", "room for %n worker(s)", nullptr,
                                           static_cast<int>(number.value));
    return QStringLiteral("%1: %2").arg(wordsOf(number.name), valueOf(number.name, number.value));
}

/// "needs 11 cpu, 64 free"; "room for 3 of 4 workers"; other numbers with their limit, as they are to each other.
QString checkWords(const Check& check) {
    constexpr std::string_view free = "free ";
    if (std::string_view(check.name).substr(0, free.size()) == free && check.comparison == Comparison::atMost)
        return say(QT_TRANSLATE_NOOP("Explanation", "needs %1 %2, %3 free"))
            .arg(digits(check.value), wordsOf(check.name.substr(free.size())), digits(check.limit));
    if (check.name == "room for workers")
        return check.passed() ? QCoreApplication::translate("Explanation", "room for %n worker(s)", nullptr,
                                                            static_cast<int>(check.limit))
                              : QCoreApplication::translate("Explanation", "room for %1 of %n worker(s)", nullptr,
                                                            static_cast<int>(check.limit))
                                    .arg(digits(check.value));
    if (check.name == "room for servers")
        return check.passed() ? QCoreApplication::translate("Explanation", "room for %n server(s)", nullptr,
                                                            static_cast<int>(check.limit))
                              : QCoreApplication::translate("Explanation", "room for %1 of %n server(s)", nullptr,
                                                            static_cast<int>(check.limit))
                                    .arg(digits(check.value));
    if (check.name == "free blocks" && !check.passed())
        return say(QT_TRANSLATE_NOOP("Explanation", "no block of servers is free"));
    if (check.name == "blocks on the empty cluster" && !check.passed())
        return say(QT_TRANSLATE_NOOP("Explanation", "no block even on the empty cluster"));
    if (check.name == "all tasks placed")
        return check.passed() ? say(QT_TRANSLATE_NOOP("Explanation", "all tasks can be placed"))
                              : say(QT_TRANSLATE_NOOP("Explanation", "not all tasks can be placed together"));
    if (check.name == "in time")
        return check.passed() ? say(QT_TRANSLATE_NOOP("Explanation", "in time"))
                              : say(QT_TRANSLATE_NOOP("Explanation", "not in time"));
    if (check.name == "chosen")
        return check.passed() ? say(QT_TRANSLATE_NOOP("Explanation", "chosen"))
                              : say(QT_TRANSLATE_NOOP("Explanation", "not chosen"));
    if (check.name == "up" && !check.passed()) return say(QT_TRANSLATE_NOOP("Explanation", "down"));
    return QStringLiteral("%1 %2 %3 %4")
        .arg(wordsOf(check.name), valueOf(check.name, check.value),
             QString::fromUtf8(relationOf(check)).toHtmlEscaped(), valueOf(check.name, check.limit));
}

} // namespace explanation_text

QString explanationSummary(const Explanation& e, const Workload* workload) {
    Text summary = e.summary;
    for (std::string& argument : summary.arguments)
        argument = explanation_text::named(workload, argument).toStdString();
    return coreText(summary);
}

QString policyText(PolicyFamily family, const std::string& id) {
    static const Registry registry = Registry::builtin();
    const PolicyInfo* info = registry.find(family, id);
    return info ? coreText(info->label) : QString::fromStdString(id);
}

QString shownMachine(const Workload* workload, const std::string& key) {
    const MachineId id = workload ? workload->cluster.machine(key) : MachineId();
    return QString::fromStdString(id.valid() && !workload->machine(id).name.empty() ? workload->machine(id).name : key);
}

QString explanationHtml(const Explanation& e, const Workload* workload, const QString& between) {
    const Theme theme = Theme::current();
    QString html =
        QStringLiteral("<p style='margin-bottom:2px'><span style='color:%1'>%2 · %3%4</span><br><b>%5</b></p>")
            .arg(theme.muted.name(), clockText(e.time), policyText(e.family, e.policy).toHtmlEscaped(),
                 workload && e.job.valid() ? QStringLiteral(" · ") + jobName(workload->job(e.job)).toHtmlEscaped()
                                           : QString(),
                 explanationSummary(e, workload).toHtmlEscaped());
    constexpr std::size_t mostCandidates = 12;
    html += QStringLiteral("<table cellspacing=0 cellpadding=0>");
    for (std::size_t i = 0; i < std::min(e.candidates.size(), mostCandidates); ++i) {
        const Candidate& c = e.candidates[i];
        const bool chosen = std::find(e.chosen.begin(), e.chosen.end(), i) != e.chosen.end();
        QStringList facts;
        for (const NamedNumber& n : c.numbers) facts << explanation_text::numberWords(n);
        for (const Check& check : c.checks)
            facts << QStringLiteral("<span style='color:%1'>%2 %3</span>")
                         .arg((check.passed() ? theme.good : theme.problem).name(),
                              check.passed() ? QStringLiteral("✓") : QStringLiteral("✗"),
                              explanation_text::checkWords(check));
        html +=
            QStringLiteral("<tr><td style='padding-right:8px; padding-bottom:2px'>%1</td><td "
                           "style='padding-bottom:2px'>%2</td></tr>")
                .arg(chosen
                         ? QStringLiteral("<b>%1</b>").arg(explanation_text::named(workload, c.label).toHtmlEscaped())
                         : explanation_text::named(workload, c.label).toHtmlEscaped(),
                     facts.join(between));
    }
    html += QStringLiteral("</table>");
    if (e.candidates.size() > mostCandidates)
        html += QStringLiteral("<p style='color:%1'>%2</p>")
                    .arg(theme.muted.name(), QCoreApplication::translate("Inspector", "… and %1 more")
                                                 .arg(e.candidates.size() - mostCandidates));
    return html;
}

} // namespace trainyard
