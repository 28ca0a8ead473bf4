// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the user wants to follow over time beside the usual lanes: machines, links and jobs, by key, metrics
// (see MetricSubject.h) and views, so that the list outlives runs. Views ask it to be shown or not; the lanes
// under the canvas show it.
#include <QObject>
#include <QString>

#include <vector>

class QMimeData;

namespace trainyard {

struct HistorySubject {
    enum class Kind { machine, link, job, metric, view };
    static constexpr Kind lastKind = Kind::view;
    Kind kind = Kind::machine;
    QString key;        ///< of a view with its options: see charts/ChartLane.h
    QString id() const; ///< the key in lower case, with hyphens for all that is no letter or digit
    friend bool operator==(const HistorySubject&, const HistorySubject&) = default;
};

class Histories final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// More lanes than this help nobody.
    static constexpr std::size_t most = 24;

    const std::vector<HistorySubject>& all() const { return m_all; } ///< in the order they were added
    bool has(const HistorySubject& subject) const;
    /// Why no more can be added; empty if one can.
    QString whyNotAdd() const;
    /// Those not there yet, while there is room.
    void add(const std::vector<HistorySubject>& subjects);
    void remove(const HistorySubject& subject);
    void set(std::vector<HistorySubject> subjects);

    /// What is dragged from a list onto the lanes.
    static QMimeData* toMime(const std::vector<HistorySubject>& subjects);
    static std::vector<HistorySubject> fromMime(const QMimeData* data);

Q_SIGNALS:
    void changed();

private:
    std::vector<HistorySubject> m_all;
};

} // namespace trainyard
