// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/CollectiveTimes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

double oneToOneSeconds(const OpticalNetwork& network, double bytes) {
    return network.messageSeconds() + bytes / network.channelBandwidth();
}

ServerSpread spreadOf(const OpticalNetwork& network, ServerMask servers) {
    ServerMask groups = 0, racks = 0, places = 0;
    for (; servers != 0; servers &= servers - 1) {
        const ServerPlace at = placeOf(network, std::countr_zero(servers));
        groups |= ServerMask{1} << at.group;
        racks |= ServerMask{1} << at.rack;
        places |= ServerMask{1} << at.place;
    }
    return {std::popcount(groups), std::popcount(racks), std::popcount(places)};
}

double allReduceSeconds(const OpticalNetwork& network, const GraphSetting& setting, const ServerSpread& spread,
                        double bytes) {
    const int x = network.groups;
    const double bandwidth = network.channelBandwidth() / (setting.bandwidthDividedTwice ? x : 1);
    const double contending = setting.oneContendingRack ? 1 : spread.racks;
    const std::array<int, 4> steps{spread.groups, std::min(spread.groups, spread.places), spread.racks,
                                   (spread.places + x - 1) / x};
    double message = bytes, moving = 0, adding = 0;
    for (const int d : steps) {
        message = std::ceil(message / d);
        if (d <= 1) continue;
        // More peers than channels, in networks of few groups and large racks, share one.
        const double channels = d - 1 <= x ? x / (d - 1) : static_cast<double>(x) / (d - 1);
        moving += network.messageSeconds() + message / (std::min(x / contending, channels) * bandwidth);
        const double rounds = std::ceil(std::log2(d)), intensity = rounds / (2.0 * (d + 1));
        adding += rounds * message / 2 / std::min(2e12 * intensity, 130e12);
    }
    return 2 * moving + adding;
}

} // namespace trainyard
