// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Whether somebody drags, pans or zooms at this moment: what is under the hand comes first then, and views that only
// follow the run show fewer frames.
#include <QElapsedTimer>

namespace trainyard {

class InteractionMonitor {
public:
    void moved() { m_last.start(); }
    bool isBusy() const { return m_last.isValid() && m_last.elapsed() < restsAfter; }

private:
    static constexpr qint64 restsAfter = 150; // milliseconds
    QElapsedTimer m_last;
};

} // namespace trainyard
