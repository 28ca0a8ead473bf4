// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The event log of the shown run as a table, without copying it: a row is a position in the log, or, filtered,
// one of a list of positions that is found a stretch at a time. Reads nothing while it is not active. Shown by
// EventTable.
#include "session/Workspace.h"

#include <QAbstractTableModel>

#include <unordered_map>

namespace trainyard {

class EventTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { time, event, job, place, value, why, columns };
    struct Filter {
        std::optional<EventType> type;
        JobId job;                  ///< invalid: any
        QString machine;            ///< key; empty: any. Its tasks and its links count.
        bool selectionOnly = false; ///< what concerns the selection, if there is one
        friend bool operator==(const Filter&, const Filter&) = default;
    };

    explicit EventTableModel(Workspace& workspace, QObject* parent = nullptr);

    void setActive(bool active);
    void setFilter(const Filter& filter);
    const Filter& filter() const { return m_filter; }
    bool isFiltered() const;
    std::size_t events() const { return m_read; } ///< of the log, read so far
    /// Last row not later than t; −1 if there is none.
    int rowAt(SimTime t) const;
    SimTime timeOf(int row) const;
    /// Takes what is new at once, all of it.
    void readAll();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void grown();

private:
    /// The filter in terms of the run's workload.
    struct Wanted {
        bool anyPlace = true;
        std::vector<bool> machines, links;
        JobId selectedJob;
    };
    void restart();
    void takeWanted();
    bool readSome(std::size_t most);
    bool matches(const Event& event);
    bool concerns(const Event& event);
    const Event& at(int row) const;
    QString whyText(const Event& event) const;
    const Job* jobOf(const Event& event) const; ///< null: of none

    Workspace& m_workspace;
    Filter m_filter;
    Wanted m_wanted;
    bool m_active = false;
    std::shared_ptr<const EventLog> m_log;
    std::shared_ptr<const Workload> m_workload;
    std::size_t m_read = 0;
    int m_rows = 0;
    std::vector<std::uint32_t> m_matches; ///< positions in the log, ascending; unused without a filter
    /// Where each task stands as the reading goes on; (job, role, task) in one number.
    std::unordered_map<std::uint64_t, std::uint32_t> m_placed;
    std::shared_ptr<const ExplanationLog> m_explanations;
    QTimer m_timer;
};

/// "job arrived": an event's type as it is listed.
QString eventTypeText(EventType type);
/// Who and where: "w1 · Machine 2".
QString eventPlaceText(const Event& event, const Workload& workload);
QString eventValueText(const Event& event, const Workload& workload);

} // namespace trainyard
