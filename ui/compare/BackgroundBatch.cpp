// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/BackgroundBatch.h"

#include <QDir>

namespace trainyard {

BackgroundBatch::BackgroundBatch(QObject* parent) : QObject(parent) {
    constexpr int refresh = 100; // milliseconds
    m_look.setInterval(refresh);
    connect(&m_look, &QTimer::timeout, this, &BackgroundBatch::look);
}

void BackgroundBatch::Progress::operator()(std::size_t done, std::size_t all) const {
    const std::scoped_lock lock(counts->mutex);
    counts->waiting = counts->waiting && counts->done == done;
    counts->done = done;
    counts->all = all;
}

void BackgroundBatch::Progress::setWaiting() const {
    const std::scoped_lock lock(counts->mutex);
    counts->waiting = true;
}

void BackgroundBatch::Progress::setFound(std::size_t found) const {
    const std::scoped_lock lock(counts->mutex);
    counts->found = found;
}

KeptResults BackgroundBatch::keptIn(const QString& folder, Problems& unkept, const Progress& progress) {
    if (!QDir().mkpath(folder)) {
        unkept.push_back(
            {.code = "result-store",
             .message = {TRAINYARD_TEXT("{0} cannot be made: results are not kept"), {folder.toStdString()}}});
        return {};
    }
    auto store = ResultStore::open((folder + QLatin1Char('/') + QLatin1String(ResultStore::fileName)).toStdString(),
                                   [progress](const Problem&) { progress.setWaiting(); });
    if (store) return KeptResults(std::move(store).value(), true);
    unkept = store.problems();
    return {};
}

void BackgroundBatch::begin(std::size_t all, std::function<Finish(const std::stop_token&, const Progress&)> work) {
    auto counts = m_counts = std::make_shared<Counts>();
    counts->all = m_all = all;
    m_done = m_found = 0;
    m_seconds = 0;
    m_running = true;
    m_waiting = false;
    m_clock.start();
    m_look.start();
    m_stop = m_work.start([this, number = ++m_number, counts,
                           work = std::move(work)](const std::stop_token& stop) -> BackgroundWork::Result {
        return [this, number, finish = work(stop, Progress{counts})] {
            if (number != m_number) return; // forgotten
            m_look.stop();
            look();
            finish();
            m_running = false;
            Q_EMIT changed();
            Q_EMIT ended();
        };
    });
    Q_EMIT changed();
}

void BackgroundBatch::forget() {
    stop();
    ++m_number;
    m_look.stop();
    m_running = false;
    m_done = m_all = m_found = 0;
    clear();
    Q_EMIT changed();
}

double BackgroundBatch::secondsLeft() const {
    constexpr std::size_t least = 3; // earlier it is a guess
    if (!m_running || m_done < m_found + least || m_all <= m_done) return -1;
    return m_seconds * static_cast<double>(m_all - m_done) / static_cast<double>(m_done - m_found);
}

void BackgroundBatch::look() {
    m_seconds = static_cast<double>(m_clock.elapsed()) * 1e-3;
    {
        const std::scoped_lock lock(m_counts->mutex);
        m_done = m_counts->done;
        m_all = m_counts->all;
        m_found = m_counts->found;
        m_waiting = m_counts->waiting;
    }
    take();
    Q_EMIT changed();
}

} // namespace trainyard
