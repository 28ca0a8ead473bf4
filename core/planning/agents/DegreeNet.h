// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The net of an agent that scores after-states: the worth of what is left once a job has been placed. All options that are in time earn the
// same at once, so that the best is the one with the highest score. Trained in core/training, evaluated by partitioners and studies.
#include "learning/nets/Mlp.h"
#include "planning/agents/AfterStates.h"

namespace trainyard {

/// Hidden widths from the input on; one output.
nets::Mlp<float> afterStateNet(std::size_t inputs, const std::vector<std::size_t>& hidden);

/// Parameters of such a net. A plain value; immutable once shared.
struct DegreeNet {
    std::vector<std::size_t> hidden{64, 32};
    std::vector<float> parameters;
    friend bool operator==(const DegreeNet&, const DegreeNet&) = default;
};

/// Scores options. Not for several threads at once: it keeps its buffers.
class DegreeScorer {
public:
    DegreeScorer(std::shared_ptr<const AfterStates> states, std::shared_ptr<const DegreeNet> net);

    /// Of options that are in time: the score, higher is better; of others NaN. The system is advanced to `now`.
    void score(const LossSystem& system, double now, const ExpectedLoad& load, std::span<const GraphOption> options,
               std::vector<double>& out);
    /// The one with the highest score, of equal ones the first; nullopt: none is in time.
    std::optional<std::size_t> choose(const LossSystem& system, double now, const ExpectedLoad& load,
                                      std::span<const GraphOption> options);
    const AfterStates& states() const { return *m_states; }

private:
    std::shared_ptr<const AfterStates> m_states;
    std::shared_ptr<const DegreeNet> m_net;
    nets::Mlp<float> m_mlp;
    nets::Mlp<float>::Tape m_tape;
    nets::Matrix<float> m_rows;
    std::vector<double> m_scores;
};

} // namespace trainyard
