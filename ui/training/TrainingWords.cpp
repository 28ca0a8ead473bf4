// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/TrainingWords.h"

#include "theme/CoreText.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"
#include "training/TrainingCharts.h"

#include <QCoreApplication>
#include <QStringList>

namespace trainyard {

namespace training_words {

class Words {
    Q_DECLARE_TR_FUNCTIONS(TrainingWords)
public:
    static QString rules(GraphRules rules) {
        return rules == GraphRules::faithful ? tr("faithful rules") : tr("corrected rules");
    }
    static QString seeds(const SeedRange& seeds) {
        return seeds.count == 1 ? QString::number(seeds.first)
                                : tr("%1 to %2").arg(seeds.first).arg(seeds.first + seeds.count - 1);
    }
    static QString loads(const AgentTask& task) {
        const auto number = [](double load) { return QString::number(load, 'g', 3); };
        return task.leastLoad == task.mostLoad
                   ? tr("load %1").arg(number(task.leastLoad))
                   : tr("loads %1 to %2").arg(number(task.leastLoad), number(task.mostLoad));
    }
    static QString plan(const AgentPlan& plan, const std::filesystem::path& resources);
    static QString progress(const WatchedTraining& watched);
    static QString stage(const WatchedStage& stage) {
        return stage.law.empty() ? tr("distillation, %1").arg(rules(stage.rules))
                                 : tr("deadlines %1, %2").arg(QString::fromStdString(stage.title), rules(stage.rules));
    }
    static QString outcome(const WatchedTraining& watched);
};

QString percent(double share) { return QString::number(100 * share, 'f', 1) + QStringLiteral(" %"); }

QString row(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td style='color:%1; padding-right:8px'>%2</td><td>%3</td></tr>")
        .arg(Theme::current().muted.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
}

QStringList names(const std::vector<std::string>& from) {
    QStringList out;
    for (const std::string& each : from) out << QString::fromStdString(each);
    return out;
}

QString Words::plan(const AgentPlan& plan, const std::filesystem::path& resources) {
    QString out = QStringLiteral("<p style='margin:0 0 4px 0'><b>%1</b></p>")
                      .arg(QString::fromStdString(plan.title).toHtmlEscaped());
    if (!plan.notes.empty())
        out += QStringLiteral("<p style='margin:0 0 4px 0'>%1</p>")
                   .arg(QString::fromStdString(plan.notes).toHtmlEscaped());
    out += QStringLiteral("<table cellspacing=0 cellpadding=1>");
    out += row(plan.profiles ? tr("Profiles") : tr("Graphs"), names(plan.graphs).join(QStringLiteral(", ")));
    double iterations = 0;
    for (const AgentTask& task : plan.tasks) {
        const QString what = task.distils() ? tr("%1; deadlines %2; %3") : tr("%1; deadlines %2; %3; a graph network");
        QStringList laws;
        for (const std::string& each : task.laws) laws << QString::fromStdString(lawTitle(each, resources));
        out += row(tr("Agent for"), what.arg(rules(task.rules), laws.join(QStringLiteral(", ")), loads(task)));
        iterations += static_cast<double>(task.laws.size()) * stageSize(task, false).iterations;
        if (task.distils()) iterations += stageSize(task, true).iterations;
    }
    out += row(tr("Network"),
               tr("%1 × %2 × %3 servers").arg(plan.network.groups).arg(plan.network.racks).arg(plan.network.servers));
    out +=
        row(tr("Training"), tr("%1 iterations; its episodes are drawn from the seed below").arg(countText(iterations)));
    out += row(tr("Validation"),
               tr("seeds %1, of %2 arrivals: the best candidate is kept")
                   .arg(seeds(plan.validation), countText(static_cast<double>(plan.validationArrivals))));
    out += row(tr("Test"), tr("seeds %1: never used while training").arg(seeds(plan.test)));
    return out + QStringLiteral("</table>");
}

QString Words::progress(const WatchedTraining& watched) {
    const auto& p = watched.progress;
    QStringList parts{tr("Iteration %1 of %2").arg(p.iterationsDone).arg(p.iterationsAll)};
    const WatchedStage& at = watched.stages[watched.stage];
    if (!watched.done) {
        parts << stage(at);
        if (p.iteration > 0) parts << tr("%1 in time").arg(percent(p.reward));
        if (at.best) parts << tr("best candidate %1 blocked").arg(percent(at.best->blocking));
    }
    return parts.join(QStringLiteral(" · "));
}

QString Words::outcome(const WatchedTraining& watched) {
    int laws = 0, better = 0;
    for (const WatchedStage& each : watched.stages) {
        if (each.law.empty()) continue;
        if (!each.best || !each.constant || !each.floor) return {};
        ++laws;
        better += each.best->blocking < std::min(each.constant->blocking, each.floor->blocking) ? 1 : 0;
    }
    return tr("On the validation seeds the agent blocks less than the best constant and the best floor for %1 of %2 laws of deadlines.")
        .arg(better)
        .arg(laws);
}

} // namespace training_words

using namespace training_words;

QString planInWords(const AgentPlan& plan, const std::filesystem::path& resources) {
    return Words::plan(plan, resources);
}
QString progressInWords(const WatchedTraining& watched) { return Words::progress(watched); }
QString stageInWords(const WatchedStage& stage) { return Words::stage(stage); }
QString outcomeInWords(const WatchedTraining& watched) { return Words::outcome(watched); }

QString problemsInWords(const Problems& problems) {
    constexpr std::size_t most = 8; // readable beside a form
    QStringList lines;
    for (const Problem& problem : problems) {
        if (static_cast<std::size_t>(lines.size()) == most) {
            lines << QStringLiteral("…");
            break;
        }
        QString line;
        if (!problem.file.empty()) line += QString::fromStdString(problem.file);
        if (!problem.file.empty() && problem.line > 0) line += QStringLiteral(":%1").arg(problem.line);
        if (!problem.file.empty()) line += QStringLiteral(": ");
        if (!problem.pointer.empty()) line += QString::fromStdString(problem.pointer) + QStringLiteral(": ");
        lines << line + coreText(problem.message);
    }
    return lines.join(u'\n');
}

} // namespace trainyard
