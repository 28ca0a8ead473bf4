// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the parts of the study share: the graphs, the laws of deadlines, and playing arrivals through the loss system.
#include "planning/graphs/DegreeRollout.h"
#include "studies/Reproduction.h"

#include <array>

namespace trainyard::study {

inline constexpr int pacmlSteps = 50;
inline constexpr std::array<char, 4> pacmlLaws{'A', 'B', 'C', 'D'};

/// Without --graphs, five of those that ship. Else profiles of the directory that it names: of the published five, where all are there, only these, in the order of their names;
/// else all files that end with .txt and hold a profile.
struct PacmlGraphs {
    std::vector<std::shared_ptr<const ComputationGraph>> graphs;
    bool published = false;
};
Result<PacmlGraphs> pacmlGraphs(const StudyRequest& request, const GraphSetting& setting);
Result<std::array<DiscreteLaw, 4>> pacmlLawTables(const StudyRequest& request);
GraphPricer pacmlPricer(const PacmlGraphs& graphs, const GraphSetting& setting);

/// Chooses among options; the system is advanced to the arrival.
using PacmlChooser = std::function<std::optional<GraphOption>(GraphPricer&, const LossSystem&, const GraphArrival&,
                                                              std::uint32_t number)>;
PacmlChooser chooserOf(const DegreeRule& rule, std::uint64_t seed);

struct PacmlPlay {
    std::size_t arrived = 0;
    std::array<std::size_t, blockedReasons> blocked{}; ///< by BlockedReason
    double degrees = 0, speedUps = 0;                  ///< sums over those that are in time

    std::size_t served() const;
    /// Share of arrivals; `inFlight`: those that run at the end count as blocked.
    double blocking(bool inFlight) const;
    double share(BlockedReason reason) const;
};
/// Jobs that run after `end` are in flight.
PacmlPlay played(GraphPricer& pricer, const std::vector<GraphArrival>& arrivals, double end,
                 const PacmlChooser& choose);

/// Blocking with those in flight of one rule over seeds, in parallel; by seed.
std::vector<PacmlPlay> playedOver(const StudyRequest& request, const GraphPricer& pricer, const GraphWorkload& workload,
                                  std::size_t arrivals, std::uint64_t firstSeed, std::size_t seeds,
                                  const std::function<PacmlChooser(std::uint64_t seed)>& chooser);
double meanBlocking(const std::vector<PacmlPlay>& plays, bool inFlight = true);

/// "acceptable-jct", "floor 6", …
std::string nameOf(const DegreeRule& rule);

} // namespace trainyard::study
