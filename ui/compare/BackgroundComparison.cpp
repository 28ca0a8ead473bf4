// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/BackgroundComparison.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include <chrono>
#include <utility>

namespace trainyard {

/// Written by the comparison's threads, read by the window's.
struct BackgroundComparison::Latest {
    std::mutex mutex;
    std::shared_ptr<const ComparisonResult> result;
};

namespace background_comparison {

using Clock = std::chrono::steady_clock;

/// When a summary is made while runs end: the more runs, the longer that takes and the rarer it is done.
class SummaryTimes {
public:
    /// One thread at a time. A summary if it is time for one.
    std::shared_ptr<const ComparisonResult> summary(const ComparisonResult& soFar, std::size_t baseline) {
        const auto now = Clock::now();
        if (now < m_next) return nullptr;
        auto copy = std::make_shared<ComparisonResult>(soFar);
        summarise(*copy, baseline);
        const auto took = Clock::now() - now;
        m_next = Clock::now() + std::max<Clock::duration>(std::chrono::milliseconds(150), 20 * took);
        return copy;
    }

private:
    Clock::time_point m_next = Clock::now() + std::chrono::milliseconds(100);
};

} // namespace background_comparison

QString BackgroundComparison::folderFor(const QString& scenarioFile, const QString& name) {
    const QFileInfo file(scenarioFile);
    if (!scenarioFile.isEmpty() && QFileInfo(file.path()).isWritable())
        return file.dir().filePath(file.completeBaseName() + QStringLiteral("-comparison"));
    QString plain = name;
    plain.replace(QRegularExpression(QStringLiteral("[^A-Za-z0-9._-]+")), QStringLiteral("-"));
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("comparisons/") + plain.left(80));
}

void BackgroundComparison::start(ComparisonRequest request, const QString& folder) {
    if (isRunning()) return;
    m_folder = folder;
    auto latest = m_latest = std::make_shared<Latest>();
    auto times = std::make_shared<background_comparison::SummaryTimes>();
    request.grown = [latest, times, baseline = request.baseline](const ComparisonResult& soFar) {
        if (auto made = times->summary(soFar, baseline)) {
            const std::scoped_lock lock(latest->mutex);
            latest->result = std::move(made);
        }
    };
    m_request = request;
    m_result = nullptr;
    begin(request.arms.size() * request.seeds.size(),
          [this, request, folder](const std::stop_token& stop, const Progress& progress) mutable -> Finish {
              if (!request.stop.stop_requested()) request.stop = stop;
              Problems unkept;
              request.kept = keptIn(folder, unkept, progress);
              request.progress = progress;
              request.finished = [progress, found = std::size_t{0}](const ComparisonRun& run) mutable {
                  if (run.found) progress.setFound(++found);
              };
              auto result = std::make_shared<ComparisonResult>(compare(request));
              result->problems.insert(result->problems.begin(), unkept.begin(), unkept.end());
              return [this, result] { m_result = result; };
          });
}

void BackgroundComparison::takeTitles(const std::vector<ComparisonArm>& arms) {
    if (!m_request) return;
    for (ComparisonArm& arm : m_request->arms)
        if (const auto found = std::ranges::find(arms, arm); found != arms.end()) arm.title = found->title;
}

void BackgroundComparison::take() {
    const std::scoped_lock lock(m_latest->mutex);
    if (m_latest->result) m_result = std::exchange(m_latest->result, nullptr);
}

} // namespace trainyard
