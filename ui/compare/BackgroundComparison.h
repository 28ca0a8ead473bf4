// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A comparison under way, with what has come of it so far. Owned by the tab that shows it.
#include "compare/BackgroundBatch.h"
#include "run/compare/Comparison.h"

namespace trainyard {

class BackgroundComparison final : public BackgroundBatch {
    Q_OBJECT
public:
    explicit BackgroundComparison(QObject* parent = nullptr) : BackgroundBatch(parent) {}

    /// `folder`: where results are kept. Problems that do not prevent it are in the result.
    void start(ComparisonRequest request, const QString& folder);
    /// What is kept of a comparison there; nothing is run.
    void show(ComparisonRequest request, const QString& folder) {
        std::stop_source source;
        source.request_stop();
        request.stop = source.get_token();
        start(std::move(request), folder);
    }
    /// Null before the first start.
    const ComparisonRequest* request() const { return m_request ? &*m_request : nullptr; }
    /// As far as it has come, summarised; null before the first run is done.
    const std::shared_ptr<const ComparisonResult>& result() const { return m_result; }
    /// What its arms are called from now on: those of the same arms here.
    void takeTitles(const std::vector<ComparisonArm>& arms);
    bool isPartial() const { return isRunning() || (m_result && m_result->stopped); }
    const QString& folder() const { return m_folder; }

    /// Beside the scenario's file, else in the user's data.
    static QString folderFor(const QString& scenarioFile, const QString& name);

private:
    struct Latest;
    void take() override;
    void clear() override {
        m_request.reset();
        m_result = nullptr;
    }

    std::optional<ComparisonRequest> m_request;
    std::shared_ptr<const ComparisonResult> m_result;
    std::shared_ptr<Latest> m_latest;
    QString m_folder;
};

} // namespace trainyard
