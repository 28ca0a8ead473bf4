// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/slaq/SlaqStudy.h"

namespace trainyard::study {

Study slaq() {
    return {
        "slaq",
        "SLAQ",
        "Quality-driven scheduling: losses of active jobs and times to most of their drop, against fair shares and other "
        "schedulers; times of decisions. Loss curves are drawn from formulas, some with noise, and replayed; then jobs that "
        "really train, simulated and executed.",
        {{"quality", slaqQuality}, {"field", slaqField}, {"decisions", slaqDecisions}, {"executed", slaqExecuted}}};
}

} // namespace trainyard::study
