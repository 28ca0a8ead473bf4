// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the user wants to follow over time beside the usual lanes: views with their options, among them those of a machine, a
// link, a job or a metric, by key, so that the list outlives runs. Others ask it to be shown or not; the lanes under the
// canvas show it.
#include <QObject>
#include <QString>

#include <utility>
#include <vector>

class QMimeData;

namespace trainyard {

/// A view as a lane: "prices?slot=2", "workers?job=digits". The option "job" is every view's: the key of the job that it is of;
/// without it, of the selected one.
struct HistorySubject {
    using Options = std::vector<std::pair<QString, QString>>;
    QString key; ///< the view's id and its options, percent-encoded
    static HistorySubject of(const QString& view, const Options& options = {});
    QString view() const;
    Options options() const;
    /// The view's id and the options' values, with hyphens for all that is no letter or digit.
    QString id() const;
    friend bool operator==(const HistorySubject&, const HistorySubject&) = default;
};
HistorySubject machineSubject(const std::string& key);
HistorySubject linkSubject(const std::string& key);
HistorySubject jobSubject(const std::string& key);

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
    void replace(const HistorySubject& subject, const HistorySubject& by);
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
