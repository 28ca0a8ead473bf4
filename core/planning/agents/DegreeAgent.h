// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A trained agent: nets for an optical network of one shape, each for one setting of rules and one law of deadlines. Read from a file
// (scenario/AgentFile.h), immutable, shared by all that decide with it.
#include "planning/agents/DegreeScorer.h"

namespace trainyard {

/// A point of the course of a training.
struct AgentCurvePoint {
    std::uint64_t steps = 0;
    double reward = 0; ///< share of the training arrivals in time
};

struct AgentMember {
    GraphRules rules = GraphRules::corrected;
    std::string law;               ///< name, for people
    std::vector<double> quantiles; ///< of β at 5 %, 10 %, … 95 %
    std::string candidate; ///< which of its candidates was best on validation: "distilled", "after 1200000 steps"
    double blocking = 0;   ///< of that on validation
    std::shared_ptr<const DegreeNet> net;
    std::vector<AgentCurvePoint> curve;
};

struct DegreeAgent {
    static constexpr int version = 1;
    OpticalNetwork network; ///< its shape is what the nets are for
    std::string title;
    std::vector<std::string> graphs; ///< names of those that it was trained on
    std::string configuration;       ///< of the training, as its file said it
    std::uint64_t seed = 0;          ///< of the training
    std::vector<AgentMember> members;
    std::string digest; ///< of the file's contents, 16 hexadecimal digits; empty: not from a file

    /// Whether it can decide on that network.
    bool fits(const OpticalNetwork& other) const {
        return network.groups == other.groups && network.racks == other.racks && network.servers == other.servers;
    }
    /// Of the rules, that whose law is nearest (mean distance of quantiles); null: none is for these rules.
    const AgentMember* memberFor(GraphRules rules, const DiscreteLaw& law) const;
};

/// Of β at 5 %, 10 %, … 95 %.
std::vector<double> lawQuantiles(const DiscreteLaw& law);

/// Nearest numbers of half precision (IEEE 754 binary16), in which files keep parameters; beyond its range: the largest.
void roundToHalf(std::vector<float>& numbers);
std::uint16_t toHalf(float number);
float fromHalf(std::uint16_t bits);

} // namespace trainyard
