// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A sweep under way beside the window's thread, with the rows that are done so far; kept and resumed as comparisons are. Owned by the tab that
// shows it.
#include "run/compare/Sweep.h"
#include "session/BackgroundWork.h"

#include <QString>

namespace trainyard {

class BackgroundSweep final : public QObject {
    Q_OBJECT
public:
    explicit BackgroundSweep(QObject* parent = nullptr);
    ~BackgroundSweep() override;

    void start(SweepRequest request, const QString& folder);
    void stop() { m_stop.request_stop(); }

    bool isRunning() const { return m_running; }
    bool isPartial() const { return m_running || m_stopped; }
    const SweepRequest* request() const { return m_request ? &*m_request : nullptr; }
    const std::vector<SweepRow>& rows() const { return m_rows; }
    const Problems& problems() const { return m_problems; }
    std::size_t all() const;

Q_SIGNALS:
    void changed();
    void ended();

private:
    struct Shared;
    void look();

    std::optional<SweepRequest> m_request;
    std::vector<SweepRow> m_rows;
    Problems m_problems;
    std::shared_ptr<Shared> m_shared;
    std::stop_source m_stop;
    bool m_running = false, m_stopped = false;
    QTimer m_look;
    BackgroundWork m_work; ///< last: what it does uses the rest
};

} // namespace trainyard
