// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The index of one run and the run it is of, as lanes, views and exports are given them. Owned by ShownIndexes (per run shown) and
// by the figure export; all others only read it.
#include "analysis/RunIndex.h"
#include "session/RunData.h"

namespace trainyard {

class ShownIndex : public RunIndex {
public:
    explicit ShownIndex(RunData run) : RunIndex(sourceOf(run)), m_run(std::move(run)) {}
    const RunData& run() const { return m_run; }

private:
    RunData m_run;
};

} // namespace trainyard
