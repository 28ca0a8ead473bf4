// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// By which rules computation graphs are split and timed on an optical network. Read by everything in planning/graphs.
#include "model/OpticalNetwork.h"

namespace trainyard {

struct GraphSetting : GraphSwitches {
    /// Times of a graph are multiplied by this when it is read. 1000: profiles give milliseconds, and the published implementation takes
    /// them for seconds beside a network in true seconds, so that communication hardly counts.
    double timeScale = 1;

    static GraphSetting of(GraphRules rules) {
        return {GraphSwitches::of(rules), rules == GraphRules::faithful ? 1000.0 : 1.0};
    }
    static GraphSetting of(const OpticalNetwork& network) {
        GraphSetting out = of(network.rules);
        if (network.switches) static_cast<GraphSwitches&>(out) = *network.switches;
        return out;
    }
    static GraphSetting faithful() { return of(GraphRules::faithful); }
    static GraphSetting corrected() { return of(GraphRules::corrected); }
    friend bool operator==(const GraphSetting&, const GraphSetting&) = default;
};

} // namespace trainyard
