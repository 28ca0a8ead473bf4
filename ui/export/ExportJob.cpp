// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ExportJob.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace trainyard {

// As BackgroundWork does, the window's thread looks for what the other has to say, through a mutex of our
// own.
ExportJob::ExportJob(QObject* parent) : QObject(parent) {
    constexpr int refresh = 5; // milliseconds; each picture waits for as long
    m_look.setInterval(refresh);
    connect(&m_look, &QTimer::timeout, this, &ExportJob::look);
}

ExportJob::~ExportJob() {
    m_thread.request_stop();
    if (m_thread.joinable()) m_thread.join(); // before what it uses goes
}

void ExportJob::start(const QString& what, Work work) {
    if (isRunning()) return;
    m_what = what;
    m_share = 0;
    m_shared = Shared();
    m_result = ExportResult();
    m_since.start();
    m_thread = std::jthread([this, work = std::move(work)](const std::stop_token& stop) { run(stop, work); });
    m_look.start();
    Q_EMIT started();
}

void ExportJob::run(const std::stop_token& stop, const Work& work) {
    ExportControl control;
    control.paint = [&](const std::function<void()>& f) { paint(stop, f); };
    control.progress = [&](double share) {
        const std::scoped_lock lock(m_mutex);
        m_shared.share = std::max(m_shared.share, share);
        return !stop.stop_requested();
    };
    ExportResult result;
    try {
        result = work(control);
    } catch (const std::exception& failure) {
        result.problems.push_back({.code = "export-failed", .message = {"{0}", {failure.what()}}});
    }
    const std::scoped_lock lock(m_mutex);
    m_shared.result = std::move(result);
    m_shared.ended = true;
}

/// On its thread: waits until ours has painted. Once it is to stop, nothing more is.
void ExportJob::paint(const std::stop_token& stop, const std::function<void()>& f) {
    std::unique_lock lock(m_mutex);
    if (stop.stop_requested()) return;
    m_shared.toPaint = &f;
    m_painted.wait(lock, stop, [this] { return m_shared.toPaint == nullptr; });
    m_shared.toPaint = nullptr;
}

void ExportJob::look() {
    {
        const std::scoped_lock lock(m_mutex);
        // Under the lock: while this is painted, the other thread waits for nothing else.
        if (const auto* paint = std::exchange(m_shared.toPaint, nullptr)) (*paint)();
        m_share = m_shared.share;
    }
    m_painted.notify_one();
    Q_EMIT progressed();
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_shared.ended) return;
        m_result = std::move(m_shared.result);
    }
    m_look.stop();
    m_thread.join();
    m_thread = {};
    Q_EMIT finished();
}

void ExportJob::cancel() { m_thread.request_stop(); }

double ExportJob::seconds() const { return m_since.isValid() ? static_cast<double>(m_since.elapsed()) * 1e-3 : 0; }

} // namespace trainyard
