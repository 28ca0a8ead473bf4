// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/BackgroundComparison.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include <chrono>

namespace trainyard {

/// Written by the comparison's threads, read by the window's.
struct BackgroundComparison::Shared {
    std::mutex mutex;
    std::size_t done = 0, all = 0;
    std::shared_ptr<const ComparisonResult> latest;
};

namespace background_comparison {

using Clock = std::chrono::steady_clock;

/// Adds runs as they end and publishes a summary now and then: the more runs, the longer that takes and the rarer it is done.
class Summaries {
public:
    explicit Summaries(const ComparisonRequest& request)
        : m_baseline(request.baseline), m_result(emptyResult(request)) {}

    /// One thread at a time. A summary if it is time for one.
    std::shared_ptr<const ComparisonResult> add(const ComparisonRun& run) {
        addRun(m_result, run);
        const auto now = Clock::now();
        if (now < m_next) return nullptr;
        auto copy = std::make_shared<ComparisonResult>(m_result);
        summarise(*copy, m_baseline);
        const auto took = Clock::now() - now;
        m_next = Clock::now() + std::max<Clock::duration>(std::chrono::milliseconds(150), 20 * took);
        return copy;
    }

private:
    std::size_t m_baseline;
    ComparisonResult m_result;
    Clock::time_point m_next = Clock::now() + std::chrono::milliseconds(100);
};

} // namespace background_comparison

BackgroundComparison::BackgroundComparison(QObject* parent) : QObject(parent) {
    constexpr int refresh = 100; // milliseconds
    m_look.setInterval(refresh);
    connect(&m_look, &QTimer::timeout, this, &BackgroundComparison::look);
}

BackgroundComparison::~BackgroundComparison() { m_stop.request_stop(); }

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
    if (m_running) return;
    m_folder = folder;
    Problems unkept;
    if (!QDir().mkpath(folder))
        unkept.push_back(
            {.code = "result-store",
             .message = {TRAINYARD_TEXT("{0} cannot be made: results are not kept"), {folder.toStdString()}}});
    else if (auto store =
                 ResultStore::open((folder + QLatin1Char('/') + QLatin1String(ResultStore::fileName)).toStdString()))
        request.kept = KeptResults(std::move(store).value(), true);
    else
        unkept = store.problems();
    auto shared = m_shared = std::make_shared<Shared>();
    shared->all = request.arms.size() * request.seeds.size();
    auto summaries = std::make_shared<background_comparison::Summaries>(request);
    request.progress = [shared](std::size_t done, std::size_t all) {
        const std::scoped_lock lock(shared->mutex);
        shared->done = done;
        shared->all = all;
    };
    request.finished = [shared, summaries](const ComparisonRun& run) {
        if (auto latest = summaries->add(run)) {
            const std::scoped_lock lock(shared->mutex);
            shared->latest = std::move(latest);
        }
    };
    m_request = request;
    m_result = nullptr;
    m_done = 0;
    m_all = shared->all;
    m_running = true;
    m_clock.start();
    m_look.start();
    m_stop = m_work.start([this, request = std::move(request), unkept](const std::stop_token& stop) mutable {
        request.stop = stop;
        auto result = std::make_shared<ComparisonResult>(compare(request));
        result->problems.insert(result->problems.begin(), unkept.begin(), unkept.end());
        return [this, result] { finish(result); };
    });
    Q_EMIT changed();
}

void BackgroundComparison::stop() { m_stop.request_stop(); }

double BackgroundComparison::secondsLeft() const {
    if (!m_running || m_done < 3 || m_all <= m_done) return -1;
    return m_seconds * static_cast<double>(m_all - m_done) / static_cast<double>(m_done);
}

void BackgroundComparison::look() {
    m_seconds = static_cast<double>(m_clock.elapsed()) * 1e-3;
    {
        const std::scoped_lock lock(m_shared->mutex);
        m_done = m_shared->done;
        m_all = m_shared->all;
        if (m_shared->latest) m_result = std::move(m_shared->latest);
        m_shared->latest = nullptr;
    }
    Q_EMIT changed();
}

void BackgroundComparison::finish(std::shared_ptr<const ComparisonResult> result) {
    m_look.stop();
    look();
    m_result = std::move(result);
    m_running = false;
    Q_EMIT changed();
    Q_EMIT ended();
}

} // namespace trainyard
