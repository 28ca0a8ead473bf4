// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The cluster and the workload that the window is measured with.
#include "scenario/Scenario.h"

namespace trainyard {

/// 50 racks of 20 machines under two layers of switches, 5,000 links, and at most 1,000 jobs that all run from the
/// beginning, past the end of the measurement, and evaluate their loss after every update: nine of ten on a machine
/// each, each tenth of four workers and a server that use the network.
Scenario benchScenario(int jobs);

} // namespace trainyard
