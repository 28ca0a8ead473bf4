// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Bookmarks.h"

#include "session/Playback.h"
#include "session/ScenarioModel.h"
#include "session/TimeAxis.h"
#include "theme/TimeText.h"

#include <algorithm>

namespace trainyard {

namespace bookmarks {

SimTime timeOf(const Bookmark& bookmark) { return SimTime::seconds(bookmark.atSeconds); }

auto find(std::vector<Bookmark>& all, SimTime at) {
    return std::find_if(all.begin(), all.end(), [&](const Bookmark& b) { return timeOf(b) == at; });
}

} // namespace bookmarks

Bookmarks::Bookmarks(ScenarioModel& document, TimeAxis& axis, Playback& playback, QObject* parent)
    : QObject(parent), m_document(document), m_axis(axis), m_playback(playback) {
    connect(&document, &ScenarioModel::edited, this, &Bookmarks::refresh);
    connect(&document, &ScenarioModel::documentReplaced, this, &Bookmarks::refresh);
}

void Bookmarks::refresh() {
    std::vector<TimeMark> marks;
    for (const Bookmark& b : m_document.scenario().bookmarks) {
        const SimTime at = bookmarks::timeOf(b);
        marks.push_back({at, b.name.empty() ? clockText(at) : QString::fromStdString(b.name)});
    }
    std::stable_sort(marks.begin(), marks.end(), [](const TimeMark& a, const TimeMark& b) { return a.at < b.at; });
    m_axis.setBookmarks(std::move(marks));
}

void Bookmarks::add(SimTime at, const QString& name) {
    const std::string text = name.trimmed().toStdString();
    const bool known = this->at(at).has_value();
    m_document.change(known ? tr("Rename bookmark") : tr("Add bookmark"), [&](Scenario& s) {
        if (const auto it = bookmarks::find(s.bookmarks, at); it != s.bookmarks.end()) {
            it->name = text;
            return;
        }
        const auto later = std::find_if(s.bookmarks.begin(), s.bookmarks.end(),
                                        [&](const Bookmark& b) { return bookmarks::timeOf(b) > at; });
        // Divided, not multiplied: 300 ms are written 0.3.
        s.bookmarks.insert(later, {static_cast<double>(at.ns) / 1e9, text});
    });
}

void Bookmarks::remove(SimTime at) {
    m_document.change(tr("Remove bookmark"), [&](Scenario& s) {
        if (const auto it = bookmarks::find(s.bookmarks, at); it != s.bookmarks.end()) s.bookmarks.erase(it);
    });
}

std::optional<QString> Bookmarks::at(SimTime t) const {
    for (const TimeMark& mark : m_axis.bookmarks())
        if (mark.at == t) return mark.name;
    return std::nullopt;
}

void Bookmarks::jump(SimTime at) { m_playback.runUntil({.kind = Breakpoint::Kind::time, .time = at}); }

std::optional<SimTime> Bookmarks::after(SimTime t) const {
    for (const TimeMark& mark : m_axis.bookmarks())
        if (mark.at > t) return mark.at;
    return std::nullopt;
}

std::optional<SimTime> Bookmarks::before(SimTime t) const {
    std::optional<SimTime> found;
    for (const TimeMark& mark : m_axis.bookmarks())
        if (mark.at < t) found = mark.at;
    return found;
}

} // namespace trainyard
