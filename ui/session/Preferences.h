// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a person has set for all documents, remembered between starts and in effect at once: motion, safety,
// how much is kept. What the window looks like (theme, size) is ThemeChoice. Owned by the Workspace.
#include <QObject>

namespace trainyard {

class Preferences final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    static constexpr int mostAutosaveSeconds = 600, mostGhostRuns = 32, mostUndoSteps = 100'000;
    static constexpr int usualGhostRuns = 8;

    bool reduceMotion() const; ///< nothing moves but what time moves
    void setReduceMotion(bool reduce);
    bool restoreSession() const; ///< the last file is opened at start, where it was left
    void setRestoreSession(bool restore);
    /// Longest time that an edit is not yet in the journal; 0: every edit goes there at once.
    int autosaveSeconds() const;
    void setAutosaveSeconds(int seconds);
    int ghostRuns() const; ///< earlier runs that are kept for comparison, at least 1
    void setGhostRuns(int runs);
    int undoLimit() const; ///< steps; 0: all
    void setUndoLimit(int steps);
    void reset();

Q_SIGNALS:
    void changed();

private:
    void set(const char* key, const QVariant& value);
};

} // namespace trainyard
