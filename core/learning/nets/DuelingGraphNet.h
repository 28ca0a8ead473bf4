// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The network of PAC-ML's agents (Parsonson et al., 2023; widths read in its configuration): two rounds of message passing over a graph, the
// mean over its nodes, beside it numbers of the whole through a layer of eight, then a hidden layer and two heads, one for the value of a
// state and one for what each action adds to it. Many items of a batch share a graph, so that graphs are passed through once. With reverse
// mode; immutable, any thread.
#include "learning/nets/MessageRound.h"
#include "learning/nets/Mlp.h"

namespace trainyard::nets {

template <class S>
class DuelingGraphNet {
public:
    struct Widths {
        std::size_t node = 1, edge = 1, whole = 1, actions = 1; ///< numbers of each; actions
        std::vector<std::size_t> hidden{256, 256};              ///< the hidden layer, then those of each head
    };
    explicit DuelingGraphNet(const Widths& widths);
    std::size_t parameters() const { return m_parameters; }
    void initialise(std::span<S> all, RandomStream& random) const;

    /// What a graph leaves for the reverse pass, and what of it the rest needs.
    struct GraphTape {
        typename MessageRound<S>::Tape first, second;
        Matrix<S> middle, last, mean;
    };
    struct Tape {
        std::vector<std::uint32_t> graphs; ///< by item
        Matrix<S> whole, normal, joint, hidden, actions;
        typename Mlp<S>::Tape advantage, value;
    };
    void embed(std::span<const S> all, const NetGraph<S>& graph, GraphTape& tape) const;
    /// `graphs`: number of each item's graph in `graphTapes`; `whole`: a row by item. Returns values by item and action, in the tape.
    const Matrix<S>& forward(std::span<const S> all, std::span<const GraphTape> graphTapes,
                             std::span<const std::uint32_t> graphs, const Matrix<S>& whole, Tape& tape) const;
    /// `d`: of forward()'s output. Adds to `gradient`.
    void backward(std::span<const S> all, std::span<const NetGraph<S>* const> inputs,
                  std::span<const GraphTape> graphTapes, const Tape& tape, const Matrix<S>& d,
                  std::span<S> gradient) const;

private:
    static constexpr std::size_t half = 16, middle = 64, embedded = 16, summary = 8;

    std::size_t m_actions, m_hidden, m_parameters = 0;
    MessageRound<S> m_first, m_second;
    LayerNorm<S> m_norm;
    Dense<S> m_whole, m_joint;
    Mlp<S> m_advantage, m_value;
};

} // namespace trainyard::nets
