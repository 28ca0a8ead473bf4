// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A model that a keyed job trains, the data, and how keys are sampled that a step needs besides those of its example. Levels and
// schemes: Renz-Wieland, Gemulla, Kaoudi and Markl, NuPS, SIGMOD 2022.
#include "model/Choice.h"

namespace trainyard {

/// What is promised of the sequence of samples that a worker sees, from most to least.
enum class Conformity {
    conform,    ///< drawn independently by the law
    bounded,    ///< each by the law, and independent of those that are further away than a known bound
    longTerm,   ///< frequencies in the long run are those of the law
    nonConform, ///< nothing
};

enum class SamplingScheme {
    byLevel,      ///< the fastest one that the level allows
    independent,  ///< drawn when they are needed
    preLocalized, ///< drawn ahead, and moved to the machine that will need them
    reuse,        ///< groups are drawn, moved there, and used several times, each time in another order
    postponed,    ///< the same, and a sample that is not there yet is put off
    local,        ///< drawn among the keys that the machine has
    repurposed,   ///< keys of the worker's last examples
};

struct KeyedSampling {
    Conformity level = Conformity::conform;
    SamplingScheme scheme = SamplingScheme::byLevel;
    int group = 250; ///< G: samples that are drawn at a time, of schemes that reuse
    int reuse = 16;  ///< U: how often each is used
    friend bool operator==(const KeyedSampling&, const KeyedSampling&) = default;
};

struct KeyedTask {
    Choice model, data; ///< learning/keyed/KeyedChoices.h
    KeyedSampling sampling;
    int evaluateEvery = 1; ///< epochs
    friend bool operator==(const KeyedTask&, const KeyedTask&) = default;
};

} // namespace trainyard
