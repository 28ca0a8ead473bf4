// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Preferences.h"

#include <QSettings>

#include <algorithm>

namespace trainyard {

namespace preferences {
// "reduceMotion" has always been kept without a group.
constexpr const char *motion = "reduceMotion", *session = "preferences/restoreSession",
                     *autosave = "preferences/autosaveSeconds", *ghosts = "preferences/ghostRuns",
                     *undo = "preferences/undoLimit";

int number(const char* key, int usual, int least, int most) {
    bool ok = false;
    const int kept = QSettings().value(QLatin1String(key), usual).toInt(&ok);
    return ok ? std::clamp(kept, least, most) : usual; // a settings file can be edited by hand
}
} // namespace preferences

void Preferences::set(const char* key, const QVariant& value) {
    QSettings settings;
    if (settings.value(QLatin1String(key)) == value) return;
    settings.setValue(QLatin1String(key), value);
    Q_EMIT changed();
}

bool Preferences::reduceMotion() const { return QSettings().value(QLatin1String(preferences::motion)).toBool(); }
void Preferences::setReduceMotion(bool reduce) { set(preferences::motion, reduce); }

bool Preferences::restoreSession() const { return QSettings().value(QLatin1String(preferences::session)).toBool(); }
void Preferences::setRestoreSession(bool restore) { set(preferences::session, restore); }

int Preferences::autosaveSeconds() const {
    return preferences::number(preferences::autosave, 0, 0, mostAutosaveSeconds);
}
void Preferences::setAutosaveSeconds(int seconds) { set(preferences::autosave, seconds); }

int Preferences::ghostRuns() const {
    return preferences::number(preferences::ghosts, usualGhostRuns, 1, mostGhostRuns);
}
void Preferences::setGhostRuns(int runs) { set(preferences::ghosts, runs); }

int Preferences::undoLimit() const { return preferences::number(preferences::undo, 0, 0, mostUndoSteps); }
void Preferences::setUndoLimit(int steps) { set(preferences::undo, steps); }

void Preferences::reset() {
    QSettings settings;
    for (const char* key :
         {preferences::motion, preferences::session, preferences::autosave, preferences::ghosts, preferences::undo})
        settings.remove(QLatin1String(key));
    Q_EMIT changed();
}

} // namespace trainyard
