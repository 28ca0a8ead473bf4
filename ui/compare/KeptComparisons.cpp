// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/KeptComparisons.h"

#include "run/compare/ArmTitles.h"
#include "run/compare/Seeds.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "theme/CoreText.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard {

namespace kept_comparisons {

QDir place(const QString& folder) { return QDir(folder + QStringLiteral("/comparisons")); }
QString fileOf(const QString& folder, const QString& name) {
    return place(folder).filePath(name + QStringLiteral(".csv"));
}

/// "Full synchronization, Asynchronous, seeds 1-20", as a file can be named. Policies beyond some length are counted.
QString nameFor(const ComparisonRequest& request) {
    constexpr qsizetype most = 80; // characters of policies
    QString arms;
    const auto titles = armTitles(*request.scenario, *request.registry, request.arms);
    for (std::size_t a = 0; a < titles.size(); ++a) {
        const QString title = coreText(titles[a]);
        if (a > 0 && arms.size() + title.size() > most) {
            arms += QCoreApplication::translate("KeptComparisons", " and %n more", nullptr,
                                                static_cast<int>(titles.size() - a));
            break;
        }
        arms += (a > 0 ? QStringLiteral(", ") : QString()) + title.left(most);
    }
    const QString name = QCoreApplication::translate("KeptComparisons", "%1, seeds %2")
                             .arg(arms, QString::fromStdString(seedsText(request.seeds)).left(40));
    const QRegularExpression notInNames(QStringLiteral("[/\\\\*?\"<>|\\x00-\\x1f]"));
    return QString(name).remove(u':').replace(notInNames, QStringLiteral("-"));
}

/// Equal for comparisons that differ in titles only.
std::string withoutTitles(RunProvenance provenance) {
    if (auto request = comparisonFrom(provenance.comparison)) {
        for (ComparisonArm& arm : request->arms) arm.title.clear();
        provenance.comparison = comparisonText(*request);
    }
    return provenanceText(provenance);
}

Problems write(const QString& folder, const KeptComparison& kept) {
    return replaceFile(fileOf(folder, kept.name).toStdString(),
                       provenanceAbove(kept.provenance) + provenanceBelow(kept.provenance));
}

} // namespace kept_comparisons

using namespace kept_comparisons;

std::vector<KeptComparison> keptComparisons(const QString& folder, const QString& scenarioName) {
    std::vector<KeptComparison> out;
    for (const QFileInfo& file :
         place(folder).entryInfoList({QStringLiteral("*.csv")}, QDir::Files, QDir::Time)) { // the latest first
        const auto read = readProvenance(file.filePath().toStdString());
        if (!read || !*read || (*read)->comparison.empty() || (*read)->scenarioName != scenarioName.toStdString())
            continue;
        out.push_back({file.completeBaseName(), file.lastModified(), **read});
    }
    return out;
}

Result<KeptComparison> keepComparison(const QString& folder, const ComparisonRequest& request,
                                      const QString& scenarioName) {
    KeptComparison out{{}, QDateTime::currentDateTime(), comparisonProvenance(request, scenarioName.toStdString())};
    const auto kept = keptComparisons(folder, scenarioName);
    const auto same = std::ranges::find(kept, withoutTitles(out.provenance),
                                        [](const KeptComparison& k) { return withoutTitles(k.provenance); });
    out.name = same != kept.end() ? same->name : nameFor(request);
    const QString plain = out.name;
    for (int n = 2; same == kept.end() && QFileInfo::exists(fileOf(folder, out.name)); ++n)
        out.name = QStringLiteral("%1 (%2)").arg(plain).arg(n);
    place(folder).mkpath(QStringLiteral("."));
    if (const Problems problems = write(folder, out); !problems.empty()) return problems;
    return out;
}

Problems retitleComparison(const QString& folder, KeptComparison& kept, const ComparisonRequest& request) {
    kept.provenance.comparison = comparisonText(request);
    if (Problems problems = write(folder, kept); !problems.empty()) return problems;
    if (QFile file(fileOf(folder, kept.name)); file.open(QIODevice::ReadWrite))
        file.setFileTime(kept.made, QFileDevice::FileModificationTime);
    return {};
}

bool renameComparison(const QString& folder, const QString& from, const QString& to) {
    const QString name = to.trimmed();
    return !name.isEmpty() && !name.startsWith(u'.') && !name.contains(u'/') && !name.contains(u'\\') &&
           !QFileInfo::exists(fileOf(folder, name)) && QFile::rename(fileOf(folder, from), fileOf(folder, name));
}

void removeComparison(const QString& folder, const QString& name) { QFile::remove(fileOf(folder, name)); }

Result<ComparisonRequest> requestOf(const KeptComparison& kept) {
    auto out = comparisonFrom(kept.provenance.comparison);
    if (!out) return out;
    auto loaded = parseScenario(kept.provenance.scenarioText, kept.provenance.scenarioName);
    if (!loaded) return loaded.problems();
    out->scenario = std::make_shared<const Scenario>(std::move(loaded).value().scenario);
    out->mode = kept.provenance.mode;
    return out;
}

} // namespace trainyard
