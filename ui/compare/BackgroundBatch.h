// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Many runs under way beside the window's thread. What is done is kept in a store in a folder, which the command line reads as well:
// stopping loses nothing, and starting the same again goes on. Comparisons, sweeps and studies derive from it and say what is run
// and what has come of it.
#include "run/compare/ResultStore.h"
#include "session/BackgroundWork.h"

#include <QElapsedTimer>
#include <QString>

namespace trainyard {

class BackgroundBatch : public QObject {
    Q_OBJECT
public:
    ~BackgroundBatch() override { m_stop.request_stop(); } ///< what is done is kept

    void stop() { m_stop.request_stop(); }
    /// Stops it, and nothing of it is shown any more: it was of another document.
    void forget();
    bool isRunning() const { return m_running; }
    std::size_t done() const { return m_done; }
    bool onlyFound() const { return m_found == m_done; } ///< nothing was run: all was kept from before
    std::size_t all() const { return m_all; }            ///< runs, as far as it is known
    double secondsTaken() const { return m_seconds; }
    /// If it goes on like this; negative: not known yet.
    double secondsLeft() const;
    /// For another process that has locked the store of results; nothing has been done since.
    bool isWaiting() const { return m_waiting; }

Q_SIGNALS:
    void changed(); ///< a few times a second while it runs
    void ended();

protected:
    explicit BackgroundBatch(QObject* parent);
    struct Counts {
        std::mutex mutex;
        std::size_t done = 0, all = 0, found = 0;
        bool waiting = false;
    };
    /// Told from any thread.
    struct Progress {
        std::shared_ptr<Counts> counts;
        void operator()(std::size_t done, std::size_t all) const;
        void setFound(std::size_t found) const; ///< of those done: kept from before, which took no time
        void setWaiting() const;                ///< for the store; ends with the next run that is done
    };
    using Finish = std::function<void()>; ///< on the window's thread

    /// The store of a folder, made if need be; why nothing is kept goes to `unkept`. Called by `work`: another process may have locked it.
    static KeptResults keptIn(const QString& folder, Problems& unkept, const Progress& progress);
    /// `work` runs on its thread, tells its progress from any, and hands back what the window takes over before ended().
    void begin(std::size_t all, std::function<Finish(const std::stop_token&, const Progress&)> work);
    /// What has come so far, taken over on the window's thread before changed().
    virtual void take() {}
    virtual void clear() = 0; ///< of forget(): as before the first start

private:
    void look();

    std::shared_ptr<Counts> m_counts;
    std::stop_source m_stop;
    bool m_running = false, m_waiting = false;
    int m_number = 0; ///< of the start that is shown
    std::size_t m_done = 0, m_all = 0, m_found = 0;
    double m_seconds = 0;
    QElapsedTimer m_clock;
    QTimer m_look;
    BackgroundWork m_work; ///< last: what it does uses the rest
};

} // namespace trainyard
