// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Work beside the window's thread: pieces run one after the other on one thread, and what each returns is
// then done by the thread that owns this object. The thread begins with the first piece.
#include <QObject>
#include <QTimer>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace trainyard {

class BackgroundWork final : public QObject {
    Q_OBJECT
public:
    using Result = std::function<void()>; ///< may be empty
    using Piece = std::function<Result(const std::stop_token&)>;

    explicit BackgroundWork(QObject* parent = nullptr);
    /// Asks the piece under way to stop and waits for it; nothing else is begun, and no result done.
    ~BackgroundWork() override;

    /// Stopping the source asks the piece to return early, or never to begin; its result is still done.
    std::stop_source start(Piece piece);

    /// One that lives as long as the application, for short pieces whose owner may go before they are done:
    /// their results must look whether it is still there.
    static BackgroundWork& shared();

private:
    void run(const std::stop_token& stop);
    void takeResults();

    struct Queued {
        Piece piece;
        std::stop_source stop;
    };
    std::mutex m_mutex; ///< guards the two queues and what is under way
    std::condition_variable_any m_more;
    std::deque<Queued> m_pieces;
    std::stop_source m_current{std::nostopstate}; ///< of the piece under way
    std::deque<Result> m_results;
    std::size_t m_underWay = 0; ///< pieces whose results have not been taken
    QTimer m_look;              ///< for results, while any is to come
    std::jthread m_thread;
};

} // namespace trainyard
