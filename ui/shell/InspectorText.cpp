// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/InspectorText.h"

#include "analysis/LoggedTasks.h"
#include "analysis/PictureParts.h"
#include "canvas/CanvasTips.h"
#include "model/KnownLosses.h"
#include "model/ResourceLabel.h"
#include "tables/ExplanationText.h"
#include "tables/JobsModel.h"
#include "theme/CoreText.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string_view>

namespace trainyard {

namespace {

QString plain(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }
QString digits(double v) { return QString::fromStdString(groupedText(v, 4)); }

/// Two columns: what, and how much.
class HtmlTable {
public:
    void heading(const QString& text) {
        m_html += QStringLiteral("<tr><td colspan=2 style='padding-top:8px; padding-bottom:4px'><b>%1</b></td></tr>")
                      .arg(text);
    }
    void row(const QString& name, const QString& value) {
        m_html += QStringLiteral("<tr><td style='color:%1; padding-right:12px; padding-bottom:3px'>%2</td>"
                                 "<td style='padding-bottom:3px'>%3</td></tr>")
                      .arg(Theme::current().muted.name(), name, value);
    }
    void note(const QString& text) {
        m_html += QStringLiteral("<tr><td colspan=2 style='color:%1; padding-bottom:3px'>%2</td></tr>")
                      .arg(Theme::current().muted.name(), text);
    }
    QString html() const {
        return QStringLiteral("<table cellspacing=0 cellpadding=0>") + m_html + QStringLiteral("</table>");
    }

private:
    QString m_html;
};

QString resourcesText(const Cluster& cluster, const ResourceVector& amounts) {
    QStringList parts;
    for (std::size_t r = 0; r < cluster.resourceNames.size(); ++r)
        if (amounts.micro(r) != 0)
            parts << digits(amounts.amount(r)) + QLatin1Char(' ') + plain(resourceLabel(cluster.resourceNames[r]));
    return parts.isEmpty() ? QCoreApplication::translate("Inspector", "nothing") : parts.join(QStringLiteral(", "));
}

bool hasEnded(JobPhase phase) {
    return phase == JobPhase::finished || phase == JobPhase::rejected || phase == JobPhase::failed;
}

} // namespace

QString inspectorNow(const ClusterState& state, SimTime now, const InspectorSubject& subject) {
    HtmlTable table;
    const Workload& w = state.workload();
    table.row(QCoreApplication::translate("Inspector", "Time"), clockText(now));
    if (subject.job.valid() && subject.job.index() < w.jobs.size()) {
        const JobState& j = state.job(subject.job);
        const Job& job = w.job(subject.job);
        table.heading(jobName(job).toHtmlEscaped());
        table.row(QCoreApplication::translate("Inspector", "State"),
                  (hasEnded(j.phase) ? QCoreApplication::translate("Inspector", "%1 %2 ago")
                                     : QCoreApplication::translate("Inspector", "%1 for %2"))
                      .arg(jobPhaseText(w, job, j.phase, subject.over), timeSpanText((now - j.since).toSeconds())));
        if (job.kind() == JobKind::graph) {
            if (j.degree > 0) table.row(QCoreApplication::translate("Inspector", "Parts"), countText(j.degree));
        } else {
            table.row(QCoreApplication::translate("Inspector", "Updates"), countText(static_cast<double>(j.updates)));
            if (j.hasLoss && mayHaveLosses(job))
                table.row(QCoreApplication::translate("Inspector", "Loss"),
                          j.lastLossUpdate == j.updates
                              ? digits(j.lastLoss)
                              : QCoreApplication::translate("Inspector", "%1, at update %2")
                                    .arg(digits(j.lastLoss), countText(static_cast<double>(j.lastLossUpdate))));
            table.row(QCoreApplication::translate("Inspector", "Samples used"), countText(j.samplesUsed));
        }
        for (std::size_t i = 0; i < std::min<std::size_t>(j.placement.workers.size(), 16); ++i) {
            if (!j.placement.workers[i].valid()) continue;
            static constexpr const char* phases[] = {
                QT_TRANSLATE_NOOP("Inspector", "idle"),      QT_TRANSLATE_NOOP("Inspector", "reading"),
                QT_TRANSLATE_NOOP("Inspector", "computing"), QT_TRANSLATE_NOOP("Inspector", "sending"),
                QT_TRANSLATE_NOOP("Inspector", "waiting"),   QT_TRANSLATE_NOOP("Inspector", "blocked")};
            QString text = shownMachine(&w, w.machine(j.placement.workers[i]).key).toHtmlEscaped();
            if (logsTasks(w, job))
                text += QStringLiteral(", ") +
                        QCoreApplication::translate("Inspector", phases[static_cast<int>(j.workers[i].phase)]);
            table.row(QCoreApplication::translate("Inspector", "Worker %1").arg(i + 1), text);
        }
        for (std::size_t i = 0; i < std::min<std::size_t>(j.placement.servers.size(), 16); ++i)
            if (j.placement.servers[i].valid())
                table.row(QCoreApplication::translate("Inspector", "Server %1").arg(i + 1),
                          shownMachine(&w, w.machine(j.placement.servers[i]).key).toHtmlEscaped());
    }
    for (const QString& key : subject.entities) {
        const MachineId id = w.cluster.machine(key.toStdString());
        if (!id.valid()) continue;
        table.heading(plain(w.machine(id).name.empty() ? w.machine(id).key : w.machine(id).name));
        if (!state.machine(id).up)
            table.row(QCoreApplication::translate("Inspector", "State"),
                      QCoreApplication::translate("Inspector", "down"));
        table.row(QCoreApplication::translate("Inspector", "Free"), resourcesText(w.cluster, state.machine(id).free));
    }
    for (std::size_t i = 0; i < w.cluster.links.size(); ++i) {
        const Link& link = w.cluster.links[i];
        if (!subject.entities.contains(QString::fromStdString(link.key)) || link.key.empty()) continue;
        table.heading(plain(link.from) + QStringLiteral(" – ") + plain(link.to));
        table.row(QCoreApplication::translate("Inspector", "There"), rateText(state.linkLoads()[2 * i]));
        table.row(QCoreApplication::translate("Inspector", "Back"), rateText(state.linkLoads()[2 * i + 1]));
    }
    if (!subject.job.valid() && subject.entities.isEmpty()) {
        const auto count = [&](JobPhase phase) {
            return static_cast<std::size_t>(std::ranges::count(state.jobs(), phase, &JobState::phase));
        };
        const auto row = [&](const QString& name, std::size_t jobs) {
            table.row(name, countText(static_cast<double>(jobs)));
        };
        const std::size_t blocked = blockedJobs(state), rejected = count(JobPhase::rejected) - blocked;
        row(subject.over ? QCoreApplication::translate("Inspector", "Unfinished")
                         : QCoreApplication::translate("Inspector", "Running"),
            count(JobPhase::running));
        row(QCoreApplication::translate("Inspector", "Queued"), count(JobPhase::waiting));
        row(QCoreApplication::translate("Inspector", "Finished"), count(JobPhase::finished));
        if (rejected > 0) row(QCoreApplication::translate("Inspector", "Rejected"), rejected);
        if (blocked > 0) row(QCoreApplication::translate("Inspector", "Blocked"), blocked);
        table.note(QCoreApplication::translate("Inspector", "Select a machine, a link or a job to see what it does."));
    }
    return table.html();
}

namespace {

/// What of a demand a machine lacks, or how many tasks it has room for.
QString roomText(const Cluster& cluster, const MachineState& machine, const ResourceVector& demand, std::int64_t room) {
    if (!machine.up) return QCoreApplication::translate("Inspector", "down");
    if (room > 0)
        return QCoreApplication::translate("Inspector", "room for %n worker(s)", nullptr, static_cast<int>(room));
    for (std::size_t r = 0; r < cluster.resourceNames.size(); ++r)
        if (demand.micro(r) > machine.free.micro(r))
            return QCoreApplication::translate("Inspector", "needs %1 %2, %3 free")
                .arg(digits(demand.amount(r)), plain(resourceLabel(cluster.resourceNames[r])),
                     digits(machine.free.amount(r)));
    return {};
}

/// Why a waiting job does not run: what it needs, and what each machine has for it.
QString whyWaiting(const ClusterState& state, SimTime now, JobId id) {
    constexpr std::size_t mostMachines = 12;
    const Workload& w = state.workload();
    const JobState& waiting = state.job(id);
    const Job& job = w.job(id);
    const Theme theme = Theme::current();
    std::int64_t room = 0;
    QString rows;
    for (std::size_t m = 0; m < w.cluster.machines.size(); ++m) {
        const MachineState& machine = state.machine(MachineId(m));
        const std::int64_t here = machine.up ? job.workerDemand.copiesIn(machine.free, job.workers.maximum) : 0;
        room += here;
        if (m >= mostMachines) continue;
        rows += QStringLiteral("<tr><td style='padding-right:8px; padding-bottom:2px'>%1</td>"
                               "<td style='padding-bottom:2px; color:%2'>%3 %4</td></tr>")
                    .arg(shownMachine(&w, w.cluster.machines[m].key).toHtmlEscaped(),
                         (here > 0 ? theme.good : theme.problem).name(),
                         here > 0 ? QStringLiteral("✓") : QStringLiteral("✗"),
                         roomText(w.cluster, machine, job.workerDemand, here));
    }
    const QString verdict =
        room < job.workers.minimum
            ? QCoreApplication::translate("Inspector", "There is room for %1 of the minimum of %2 workers.")
                  .arg(room)
                  .arg(job.workers.minimum)
            : QCoreApplication::translate(
                  "Inspector", "There is room for its workers. It waits for other jobs first, or for room for "
                               "its servers.");
    QString html = QStringLiteral("<p style='margin-bottom:2px'><b>%1</b><br>%2<br>%3</p>")
                       .arg(QCoreApplication::translate("Inspector", "%1 has waited for %2")
                                .arg(jobName(job).toHtmlEscaped(), timeSpanText((now - waiting.since).toSeconds())),
                            verdict,
                            QCoreApplication::translate("Inspector", "A worker needs %1.")
                                .arg(resourcesText(w.cluster, job.workerDemand)));
    html += QStringLiteral("<table cellspacing=0 cellpadding=0>%1</table>").arg(rows);
    if (w.cluster.machines.size() > mostMachines)
        html += QStringLiteral("<p style='color:%1'>%2</p>")
                    .arg(theme.muted.name(), QCoreApplication::translate("Inspector", "… and %1 more")
                                                 .arg(w.cluster.machines.size() - mostMachines));
    return html;
}

/// The machines among what is selected, by key.
std::set<std::string, std::less<>> machinesAmong(const QStringList& entities, const Workload* workload) {
    std::set<std::string, std::less<>> out;
    for (const QString& entity : entities)
        if (std::string key = entity.toStdString(); workload && workload->cluster.machine(key).valid())
            out.insert(std::move(key));
    return out;
}

/// Whether it names one of the machines, alone or in a list. Asked of very many, so it copies nothing.
bool concerns(const Explanation& why, const std::set<std::string, std::less<>>& machines) {
    if (machines.empty()) return true;
    const auto namesOne = [&](std::string_view words) {
        constexpr std::string_view between = ", ";
        for (;;) {
            const auto end = words.find(between);
            if (machines.contains(words.substr(0, end))) return true;
            if (end == words.npos) return false;
            words.remove_prefix(end + between.size());
        }
    };
    return std::ranges::any_of(why.summary.arguments, namesOne) || std::ranges::any_of(why.chosen, [&](std::size_t i) {
               return i < why.candidates.size() && namesOne(why.candidates[i].label);
           });
}

/// The latest attempt that was refused: of the job, of any job that looked at the machines, or of any.
QString refusalHtml(const ExplanationLog& explanations, const Workload* workload, SimTime now, JobId job,
                    const std::set<std::string, std::less<>>& machines) {
    constexpr std::size_t mostSearched = 2000; // several times a second
    const std::size_t count = explanations.refusals();
    for (std::size_t i = count; i-- > 0 && count - i < mostSearched;) {
        const Explanation& refusal = *explanations.refusal(i);
        const bool looks = machines.empty() || std::ranges::any_of(refusal.candidates, [&](const Candidate& candidate) {
                               return machines.contains(candidate.label);
                           });
        if (refusal.time <= now && looks && (!job.valid() || refusal.job == job))
            return explanationHtml(refusal, workload);
    }
    return {};
}

/// The latest decisions that concern the job and the machines; of an invalid job, of no machines: any.
QString decisionsHtml(const ExplanationLog& explanations, const Workload* workload, SimTime now, JobId job,
                      const std::set<std::string, std::less<>>& machines) {
    QString html = refusalHtml(explanations, workload, now, job, machines);
    int left = 5;
    // The panel is renewed several times a second: of a machine only the latest decisions are searched.
    std::size_t searched = machines.empty() ? std::numeric_limits<std::size_t>::max() : 20'000;
    for (std::size_t i = explanations.size(); i-- > 0 && left > 0 && searched-- > 0;) {
        const Explanation& why = explanations[i];
        if (why.time > now || (job.valid() && why.job.valid() && why.job != job) || !concerns(why, machines)) continue;
        html += explanationHtml(why, workload);
        --left;
    }
    return html;
}

} // namespace

QString inspectorWhy(const ExplanationLog* explanations, const Workload* workload, const ClusterState* state,
                     SimTime now, const InspectorSubject& subject) {
    QString html;
    const JobId job = subject.job;
    const auto machines = machinesAmong(subject.entities, workload);
    if (state && job.valid() && job.index() < state->jobs().size() && state->job(job).phase == JobPhase::waiting)
        html += whyWaiting(*state, now, job);
    if (explanations) {
        QString decisions = decisionsHtml(*explanations, workload, now, job, machines);
        if (decisions.isEmpty() && job.valid() && !machines.empty()) // a machine beside the job, which never came there
            decisions = decisionsHtml(*explanations, workload, now, job, {});
        html += decisions;
    }
    if (!html.isEmpty()) return html;
    return QStringLiteral("<p style='color:%1'>%2</p>")
        .arg(Theme::current().muted.name(),
             job.valid()         ? QCoreApplication::translate("Inspector", "No decision about this job so far.")
             : !machines.empty() ? QCoreApplication::translate("Inspector", "No decision about this machine so far.")
                                 : QCoreApplication::translate("Inspector", "No decision so far."));
}

} // namespace trainyard
