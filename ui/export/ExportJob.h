// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One export at a time on a thread of its own, with its progress and the time it still takes, to be cancelled
// at any moment. Lives on the window's thread; the export controller owns it, the status bar shows it.
#include "export/ExportWork.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace trainyard {

class ExportJob final : public QObject {
    Q_OBJECT
public:
    explicit ExportJob(QObject* parent = nullptr);
    ~ExportJob() override; ///< cancels and waits

    using Work = std::function<ExportResult(const ExportControl&)>;
    /// Nothing happens while another export goes on. `what`: "Exporting charts".
    void start(const QString& what, Work work);
    void cancel();
    bool isRunning() const { return m_thread.joinable(); }
    const QString& what() const { return m_what; }
    double share() const { return m_share; }                ///< done, 0 … 1
    double seconds() const;                                 ///< since it began
    const ExportResult& result() const { return m_result; } ///< of the last that ended

Q_SIGNALS:
    void started();
    void progressed();
    void finished();

private:
    /// What its thread and ours tell each other.
    struct Shared {
        const std::function<void()>* toPaint = nullptr;
        double share = 0;
        bool ended = false;
        ExportResult result;
    };
    void run(const std::stop_token& stop, const Work& work);
    void paint(const std::stop_token& stop, const std::function<void()>& f);
    void look();

    std::mutex m_mutex; ///< guards m_shared
    std::condition_variable_any m_painted;
    Shared m_shared;
    double m_share = 0;
    QString m_what;
    QElapsedTimer m_since;
    ExportResult m_result;
    QTimer m_look;
    std::jthread m_thread;
};

} // namespace trainyard
