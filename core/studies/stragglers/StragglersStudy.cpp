// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/stragglers/Stragglers.h"

namespace trainyard::study {

Study stragglers() {
    return {"stragglers",
            "Adaptive straggler-tolerant SGD",
            "Whom to wait for, and how much each computes: hitting times, floors, staleness, trade-offs.",
            {{"formulas", stragglerFormulas},
             {"hitting-times", stragglerHittingTimes},
             {"laws", stragglerLaws},
             {"tradeoff", stragglerTradeoff}}};
}

} // namespace trainyard::study
