// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A sweep under way, with the rows that are done so far. Owned by the tab that shows it.
#include "compare/BackgroundBatch.h"
#include "run/compare/Sweep.h"

namespace trainyard {

class BackgroundSweep final : public BackgroundBatch {
    Q_OBJECT
public:
    explicit BackgroundSweep(QObject* parent = nullptr) : BackgroundBatch(parent) {}

    void start(SweepRequest request, const QString& folder);
    bool isPartial() const { return isRunning() || m_stopped; }
    const SweepRequest* request() const { return m_request ? &*m_request : nullptr; }
    const std::vector<SweepRow>& rows() const { return m_rows; }
    const Problems& problems() const { return m_problems; }

private:
    struct Fresh;
    void take() override;
    void clear() override {
        m_request.reset();
        m_rows.clear();
        m_problems.clear();
    }

    std::optional<SweepRequest> m_request;
    std::vector<SweepRow> m_rows;
    Problems m_problems;
    std::shared_ptr<Fresh> m_fresh;
    bool m_stopped = false;
};

} // namespace trainyard
