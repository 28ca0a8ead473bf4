// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The one time axis of all lanes: the visible range, the cursor (a scrubbed instant, or following the run's head), and what
// the mouse hovers over. Lanes set and listen; they never talk to each other.
#include "base/SimTime.h"

#include <QObject>

#include <QString>

#include <optional>
#include <vector>

namespace trainyard {

/// A named instant, shown as a flag.
struct TimeMark {
    SimTime at;
    QString name;
    friend bool operator==(const TimeMark&, const TimeMark&) = default;
};

class TimeAxis final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    double visibleFrom() const { return m_from; } ///< seconds
    double visibleTo() const { return m_to; }
    /// nullopt: following the head of the run.
    std::optional<SimTime> cursor() const { return m_cursor; }
    std::optional<SimTime> hover() const { return m_hover; }
    /// The instant whose values are read out: under the pointer, at the cursor, or the head of the run.
    SimTime readout(SimTime head) const { return m_hover.value_or(m_cursor.value_or(head)); }

    void setVisible(double fromSeconds, double toSeconds); ///< by the user: stops fitting to the run
    void fitTo(double endSeconds);                         ///< while fitting: 0 … end
    bool fitting() const { return m_fitting; }
    void setFitting(bool fitting);
    void setCursor(std::optional<SimTime> t);
    void setHover(std::optional<SimTime> t);
    const std::vector<TimeMark>& bookmarks() const { return m_bookmarks; } ///< in order of time
    void setBookmarks(std::vector<TimeMark> bookmarks);

Q_SIGNALS:
    void rangeChanged();
    void cursorChanged();
    void hoverChanged();
    void bookmarksChanged();

private:
    double m_from = 0, m_to = 1;
    bool m_fitting = true;
    std::optional<SimTime> m_cursor, m_hover;
    std::vector<TimeMark> m_bookmarks;
};

} // namespace trainyard
