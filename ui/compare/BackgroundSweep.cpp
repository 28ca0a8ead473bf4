// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/BackgroundSweep.h"

#include <QDir>

namespace trainyard {

/// Written by the sweep's threads, read by the window's.
struct BackgroundSweep::Shared {
    std::mutex mutex;
    std::vector<SweepRow> rows;
};

BackgroundSweep::BackgroundSweep(QObject* parent) : QObject(parent) {
    constexpr int refresh = 150; // milliseconds
    m_look.setInterval(refresh);
    connect(&m_look, &QTimer::timeout, this, &BackgroundSweep::look);
}

BackgroundSweep::~BackgroundSweep() { m_stop.request_stop(); }

std::size_t BackgroundSweep::all() const {
    if (!m_request) return 0;
    std::size_t out = m_request->seeds.size();
    for (const SweepAxis& axis : m_request->axes) out *= axis.values.size();
    return out;
}

void BackgroundSweep::start(SweepRequest request, const QString& folder) {
    if (m_running) return;
    m_problems.clear();
    if (QDir().mkpath(folder)) {
        auto store =
            ResultStore::open((folder + QLatin1Char('/') + QLatin1String(ResultStore::fileName)).toStdString());
        if (store)
            request.kept = KeptResults(std::move(store).value(), true);
        else
            m_problems = store.problems();
    }
    auto shared = m_shared = std::make_shared<Shared>();
    request.finished = [shared](const SweepRow& row) {
        if (row.digest.empty()) return; // failed: its problem is shown
        const std::scoped_lock lock(shared->mutex);
        shared->rows.push_back(row);
    };
    m_request = request;
    m_rows.clear();
    m_running = true;
    m_stopped = false;
    m_look.start();
    m_stop = m_work.start(
        [this, request = std::move(request)](const std::stop_token& stop) mutable -> BackgroundWork::Result {
            request.stop = stop;
            const auto done = sweep(request);
            const Problems problems = done ? done->problems : done.problems();
            const bool stopped = done && done->stopped;
            return [this, problems, stopped] {
                m_look.stop();
                m_problems.insert(m_problems.end(), problems.begin(), problems.end());
                m_running = false;
                m_stopped = stopped;
                look();
                Q_EMIT ended();
            };
        });
    Q_EMIT changed();
}

void BackgroundSweep::look() {
    {
        const std::scoped_lock lock(m_shared->mutex);
        m_rows.insert(m_rows.end(), m_shared->rows.begin(), m_shared->rows.end());
        m_shared->rows.clear();
    }
    Q_EMIT changed();
}

} // namespace trainyard
