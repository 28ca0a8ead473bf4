// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/BackgroundWork.h"

#include <QCoreApplication>

namespace trainyard {

// The window's thread looks for results, as it does for frames of a run, instead of being told through Qt's
// event queue: what passes through a mutex of our own, ThreadSanitizer can follow.
BackgroundWork::BackgroundWork(QObject* parent) : QObject(parent) {
    constexpr int refresh = 16; // milliseconds
    m_look.setInterval(refresh);
    connect(&m_look, &QTimer::timeout, this, &BackgroundWork::takeResults);
}

BackgroundWork::~BackgroundWork() {
    m_thread.request_stop();
    {
        const std::scoped_lock lock(m_mutex);
        m_current.request_stop();
    }
    if (m_thread.joinable()) m_thread.join(); // before the queues go
}

std::stop_source BackgroundWork::start(Piece piece) {
    std::stop_source source;
    {
        const std::scoped_lock lock(m_mutex);
        m_pieces.push_back({std::move(piece), source});
    }
    m_more.notify_one();
    ++m_underWay;
    m_look.start();
    if (!m_thread.joinable()) m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
    return source;
}

BackgroundWork& BackgroundWork::shared() {
    if (auto* there = qApp->findChild<BackgroundWork*>(QString(), Qt::FindDirectChildrenOnly)) return *there;
    return *new BackgroundWork(qApp);
}

void BackgroundWork::run(const std::stop_token& stop) {
    for (;;) {
        Queued next;
        {
            std::unique_lock lock(m_mutex);
            if (!m_more.wait(lock, stop, [this] { return !m_pieces.empty(); }) || stop.stop_requested()) return;
            next = std::move(m_pieces.front());
            m_pieces.pop_front();
            m_current = next.stop;
        }
        Result result = next.piece(next.stop.get_token());
        next.piece = {}; // what it holds goes before the result is known
        if (stop.stop_requested()) return;
        const std::scoped_lock lock(m_mutex);
        m_results.push_back(std::move(result));
    }
}

void BackgroundWork::takeResults() {
    std::deque<Result> results;
    {
        const std::scoped_lock lock(m_mutex);
        results.swap(m_results);
    }
    m_underWay -= results.size();
    if (m_underWay == 0) m_look.stop();
    for (const Result& result : results)
        if (result) result();
}

} // namespace trainyard
