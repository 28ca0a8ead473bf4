// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Times of communication between servers of an optical network: one server to another, and the all-reduce of a set of servers in the
// four steps of RAMP (subgroups of groups, places, racks, and places beyond the number of groups).
#include "planning/graphs/GraphSetting.h"
#include "planning/graphs/ServerBlocks.h"

namespace trainyard {

/// Seconds for `bytes` > 0 from one server to another: what a message takes, and the bytes over the bandwidth of a channel.
double oneToOneSeconds(const OpticalNetwork& network, double bytes);
/// The same bytes to several servers at once: each has a channel of its own, and they do not hinder each other.
inline double oneToManySeconds(const OpticalNetwork& network, double bytes) { return oneToOneSeconds(network, bytes); }

/// How many distinct groups, racks and places (within racks) a set of servers has.
struct ServerSpread {
    int groups = 0, racks = 0, places = 0;
    friend bool operator==(const ServerSpread&, const ServerSpread&) = default;
};
ServerSpread spreadOf(const OpticalNetwork& network, ServerMask servers);

/// Seconds of an all-reduce of a message of `bytes`: twice the sum over steps i with d_i > 1 of
///   what a message takes + m_i / e(d_i),   m_i = ⌈m_{i−1} / d_i⌉, m_{−1} = bytes,
///   e(d) = min(x/J, ⌊x/(d − 1)⌋)·b,   x: groups of the network, J: racks, b: bandwidth of a channel,
/// plus Σ n·m_i/2 / min(2·10¹²·a, 130·10¹²), n = ⌈log2 d_i⌉, a = n/(2(d_i + 1)): adding up by a roofline.
/// Servers of one rack have no step, and no time: a known gap of the rules, in either setting.
double allReduceSeconds(const OpticalNetwork& network, const GraphSetting& setting, const ServerSpread& spread,
                        double bytes);

} // namespace trainyard
