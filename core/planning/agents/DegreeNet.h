// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The nets of agents. Ours scores after-states: the worth of what is left once a job has been placed or refused; all options that are in
// time earn the same at once, so that the best is the one with the highest score. One of the paper's shape values degrees from the job's graph and numbers
// of job and cluster. Trained in core/training; evaluated by DegreeScorer.
#include "planning/agents/AfterStates.h"
#include "planning/agents/JobObservation.h"
#include "planning/agents/NetShape.h"

namespace trainyard {

/// Hidden widths from the input on; one output.
nets::Mlp<float> afterStateNet(std::size_t inputs, const std::vector<std::size_t>& hidden);

/// Parameters of such a net. A plain value; immutable once shared.
struct DegreeNet {
    std::vector<std::size_t> hidden{64, 32};
    std::vector<float> parameters;
    NetShape shape = NetShape::afterStates;
    bool mayRefuse = false; ///< of after-states: refusing a job that could be in time is scored too
    friend bool operator==(const DegreeNet&, const DegreeNet&) = default;
};

/// How many a net of that shape has.
std::size_t parameterCount(NetShape shape, const std::vector<std::size_t>& hidden, const AfterStates& states);

} // namespace trainyard
