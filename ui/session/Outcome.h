// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a change brought about, in a sentence: "3.1 s instead of 12.1 s; loss 0.110 instead of 0.102". Known once the
// run on show and the one it is compared with have both ended; or why the run on show ended before its end. Owned by the Workspace.
#include "session/RunModel.h"

namespace trainyard {

class Outcome final : public QObject {
    Q_OBJECT
public:
    explicit Outcome(RunModel& runs, QObject* parent = nullptr);
    const QString& text() const { return m_text; } ///< empty: nothing to compare, or not yet known
    /// Of two ended runs.
    static QString compare(const RunData& now, const RunData& before);

Q_SIGNALS:
    void changed();

private:
    void refresh();

    RunModel& m_runs;
    QString m_text;
    RunId m_now = 0, m_before = 0; ///< the runs that the text is about
};

} // namespace trainyard
