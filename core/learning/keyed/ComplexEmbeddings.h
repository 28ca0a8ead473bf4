// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Embeddings of a knowledge graph. ComplEx: entities and relations are complex vectors, the score of a fact is Re⟨s, r, ō⟩ (Trouillon,
// Welbl, Riedel, Gaussier and Bouchard, Complex embeddings for simple link prediction, ICML 2016). Negative sampling: each fact is trained
// against so many with a drawn object and as many with a drawn subject; the loss is Σ log(1 + e^∓score). AdaGrad, whose sums of squared
// gradients are the second half of a key's values.
#include "learning/keyed/KeyedModel.h"
#include "learning/keyed/Triples.h"

namespace trainyard {

struct ComplexSettings {
    std::uint32_t dimension = 32; ///< complex numbers of a vector
    std::uint32_t negatives = 10; ///< for each side
    double rate = 0.1;            ///< of AdaGrad
    double penalty = 1e-6;        ///< λ of ½ λ |v|², for each key that a step reads
    double spread = 0.1;          ///< standard deviation of initial values
    std::uint32_t asked = 500;    ///< test facts that are evaluated at most
    std::uint64_t seed = 1;
};

/// Keys: entities, then relations. Qualities: mrr, hits_at_10 (filtered: other known facts do not count as better; ties in the middle).
std::shared_ptr<const KeyedModel> makeComplexModel(std::shared_ptr<const Triples> facts,
                                                   const ComplexSettings& settings);

} // namespace trainyard
