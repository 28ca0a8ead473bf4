// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Every metric of the shown run, at the instant of the cursor and at the end, for the whole run and per job.
// Computed beside the window's thread, at most a few times a second, and not at all while inactive. Shown by
// MetricsTable.
#include "session/BackgroundWork.h"
#include "session/MetricSubject.h"
#include "session/Workspace.h"

#include <QAbstractTableModel>

namespace trainyard {

class MetricsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { metric, job, now, end, definition, columns };
    enum Role { jobRole = Qt::UserRole }; ///< −1 for the whole run, else the job's index

    explicit MetricsModel(Workspace& workspace, QObject* parent = nullptr);
    ~MetricsModel() override; ///< waits for a computation under way

    void setActive(bool active);
    bool isComputing() const { return m_computing; }
    /// Rows [0, rowCount) as CSV with a header; only those that `wanted` accepts. Raw numbers.
    QString csv(const std::function<bool(int row)>& wanted) const;

    /// Why this metric cannot be followed on the timeline; empty if it can.
    QString whyNotFollow(int row) const;
    HistorySubject subject(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override; ///< for the timeline

Q_SIGNALS:
    void computed();

private:
    struct Folds; ///< how far the log has been folded; touched by one computation at a time
    struct Row {
        const MetricDefinition* definition = nullptr;
        int job = -1;
    };
    void restart();
    void compute();
    void take(Metrics atNow, Metrics atEnd);
    std::optional<double> valueOf(const Row& row, const Metrics& metrics) const;

    Workspace& m_workspace;
    bool m_active = false, m_computing = false, m_again = false, m_running = false;
    std::shared_ptr<const Workload> m_workload;
    std::shared_ptr<Folds> m_folds;
    std::vector<MetricDefinition> m_definitions;
    std::vector<Row> m_rows;
    Metrics m_now, m_end;
    QTimer m_soon;
    BackgroundWork m_work; ///< last: what it does uses the rest
};

} // namespace trainyard
