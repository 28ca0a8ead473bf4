// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/TimeAxis.h"

#include <algorithm>
#include <utility>

namespace trainyard {

void TimeAxis::setVisible(double fromSeconds, double toSeconds) {
    const double from = std::max(0.0, std::min(fromSeconds, toSeconds));
    const double to = std::max(from + 1e-9, toSeconds);
    if (from == m_from && to == m_to) return;
    m_from = from;
    m_to = to;
    m_fitting = false;
    Q_EMIT rangeChanged();
}

void TimeAxis::fitTo(double endSeconds) {
    if (!m_fitting || (m_from == 0 && m_to == std::max(endSeconds, 1e-9))) return;
    m_from = 0;
    m_to = std::max(endSeconds, 1e-9);
    Q_EMIT rangeChanged();
}

void TimeAxis::setFitting(bool fitting) { m_fitting = fitting; }

void TimeAxis::setCursor(std::optional<SimTime> t) {
    if (m_cursor == t) return;
    m_cursor = t;
    Q_EMIT cursorChanged();
}

void TimeAxis::setBookmarks(std::vector<TimeMark> bookmarks) {
    if (m_bookmarks == bookmarks) return;
    m_bookmarks = std::move(bookmarks);
    Q_EMIT bookmarksChanged();
}

void TimeAxis::setHover(std::optional<SimTime> t) {
    if (m_hover == t) return;
    m_hover = t;
    Q_EMIT hoverChanged();
}

} // namespace trainyard
