// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The jobs of the shown run at the shown instant, one row each, in order of arrival. Updates in place: only
// cells that changed are announced, at most ten times a second, so that numbers can be read and a selection
// stays.
#include "analysis/ColouredJobs.h"
#include "session/Workspace.h"

#include <QAbstractTableModel>

namespace trainyard {

class JobsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, kind, state, progress, workers, loss, time, columns };
    enum Role { sortRole = Qt::UserRole, progressRole }; ///< raw numbers; share done 0…1

    explicit JobsModel(Workspace& workspace, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void refreshNow();

private:
    /// What is shown of one job, as numbers; texts are made on demand.
    struct Row {
        JobPhase phase = JobPhase::future;
        std::size_t workers = 0, servers = 0;
        std::uint64_t updates = 0, lossAt = 0; ///< lossAt: the update at which it was evaluated
        double progress = 0, loss = 0, seconds = 0;
        bool hasLoss = false, unfinished = false;
        int degree = 0; ///< parts of a graph job, once it is partitioned
        friend bool operator==(const Row&, const Row&) = default;
    };
    static Row rowOf(const Job& job, const JobState& state, SimTime now);
    QString textOf(const Row& row, const Job& job, int column) const;

    Workspace& m_workspace;
    std::shared_ptr<const Workload> m_workload;
    ColouredJobs m_coloured;
    std::vector<Row> m_rows;
    QTimer m_refresh;
};

/// "running", "finished" …, for tables and the inspector; what is admitted at once is blocked, not rejected, as in all views.
/// Unfinished: it ran when its run ended.
QString jobPhaseText(const Workload& workload, const Job& job, JobPhase phase, bool unfinished);
/// Of those that are rejected the ones that are admitted when they arrive, or never.
std::size_t blockedJobs(const ClusterState& state);
/// Shown is the end of a run that is over, by a limit or since it was stopped: what ran there runs no more.
bool showsTheEnd(const Workspace& workspace);
QString jobKindText(JobKind kind);
QString jobName(const Job& job);

} // namespace trainyard
