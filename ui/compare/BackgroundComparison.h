// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A comparison under way beside the window's thread, with what has come of it so far. What is done is kept in a store beside the scenario's
// file (or in the user's data folder for one without), which the command line reads as well: stopping loses nothing, and starting the
// same again goes on. Owned by the tab that shows it.
#include "run/compare/Comparison.h"
#include "session/BackgroundWork.h"

#include <QElapsedTimer>
#include <QString>

namespace trainyard {

class BackgroundComparison final : public QObject {
    Q_OBJECT
public:
    explicit BackgroundComparison(QObject* parent = nullptr);
    ~BackgroundComparison() override; ///< stops it; what is done is kept

    /// `folder`: where results are kept, made if need be. Problems that do not prevent it are in the result.
    void start(ComparisonRequest request, const QString& folder);
    void stop();

    bool isRunning() const { return m_running; }
    /// Null before the first start.
    const ComparisonRequest* request() const { return m_request ? &*m_request : nullptr; }
    /// As far as it has come, summarised; null before the first run is done.
    const std::shared_ptr<const ComparisonResult>& result() const { return m_result; }
    bool isPartial() const { return m_running || (m_result && m_result->stopped); }
    std::size_t done() const { return m_done; }
    std::size_t all() const { return m_all; }
    /// Seconds until the end if it goes on like this; negative: not known yet.
    double secondsLeft() const;
    double secondsTaken() const { return m_seconds; }
    const QString& folder() const { return m_folder; }

    /// Beside the scenario's file, else in the user's data.
    static QString folderFor(const QString& scenarioFile, const QString& name);

Q_SIGNALS:
    void changed(); ///< a few times a second while it runs
    void ended();

private:
    struct Shared;
    void look();
    void finish(std::shared_ptr<const ComparisonResult> result);

    std::optional<ComparisonRequest> m_request;
    std::shared_ptr<const ComparisonResult> m_result;
    std::shared_ptr<Shared> m_shared;
    std::stop_source m_stop;
    QString m_folder;
    bool m_running = false;
    std::size_t m_done = 0, m_all = 0;
    double m_seconds = 0;
    QElapsedTimer m_clock;
    QTimer m_look;
    BackgroundWork m_work; ///< last: what it does uses the rest
};

} // namespace trainyard
