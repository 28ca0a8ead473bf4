// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Named instants of the document: kept in it as undoable edits, shown on the time axis, jumped to. Owned by the
// Workspace; the menu and the dialog that names them talk to it.
#include "base/SimTime.h"

#include <QObject>
#include <QString>

#include <optional>

namespace trainyard {

class Playback;
class ScenarioModel;
class TimeAxis;

class Bookmarks final : public QObject {
    Q_OBJECT
public:
    Bookmarks(ScenarioModel& document, TimeAxis& axis, Playback& playback, QObject* parent = nullptr);

    /// An unnamed one is called by its time. At an instant that has one, that one is renamed.
    void add(SimTime at, const QString& name);
    void remove(SimTime at);
    /// Name of the bookmark exactly at this instant; nullopt: there is none.
    std::optional<QString> at(SimTime t) const;
    /// Shows the instant; the run first goes on to it if it has not come that far.
    void jump(SimTime at);
    /// Of the nearest bookmark later (earlier) than t.
    std::optional<SimTime> after(SimTime t) const;
    std::optional<SimTime> before(SimTime t) const;

private:
    void refresh();

    ScenarioModel& m_document;
    TimeAxis& m_axis;
    Playback& m_playback;
};

} // namespace trainyard
