// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Word vectors: skip-gram with negative sampling (Mikolov, Sutskever, Chen, Corrado and Dean, Distributed representations of words and phrases
// and their compositionality, NIPS 2013). Each word has a vector as what is read and one as what is predicted; frequent words are
// left out at random; the window of each position is drawn; negatives are drawn by frequency^¾. The rate falls linearly.
#include "learning/keyed/Corpus.h"
#include "learning/keyed/KeyedModel.h"

namespace trainyard {

struct WordVectorSettings {
    std::uint32_t dimension = 50, negatives = 5, window = 5;
    double rate = 0.025;     ///< at the start; falls to a hundredth
    double subsample = 1e-3; ///< words of a greater share of the text are left out at times; 0: never
    std::uint64_t seed = 1;
};

/// Keys: words as read, then words as predicted. Qualities: loss (held-out pairs); on planted text similarity (share of the ten nearest words
/// that are of the same topic) and analogies (share that 3CosAdd answers right).
std::shared_ptr<const KeyedModel> makeWordVectorModel(std::shared_ptr<const Corpus> corpus,
                                                      const WordVectorSettings& settings);

} // namespace trainyard
