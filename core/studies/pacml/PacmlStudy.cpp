// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/pacml/PacmlStudy.h"

namespace trainyard::study {

Study pacml() {
    return {
        "pacml",
        "PAC-ML",
        "Degrees of computation graphs on an optical cluster without a queue: blocking under simple rules, by the published rules of "
        "simulation and by corrected ones, what a rollout gains over them, and what a trained agent does.",
        {{"baselines", pacmlBaselines}, {"headroom", pacmlHeadroom}, {"agent", pacmlAgent}},
        {{"graphs", "DIR",
          "Directory of profiles (*.txt) as PipeDream writes them: alexnet, gnmt, resnet18, squeezenet1_0 and vgg16 are the published ones (github.com/msr-fiddle/pipedream, profiler/)"},
         {"agent", "FILE",
          "A trained agent: one that ships (own-graphs, or paper-graphs with --graphs), or a file of your own"},
         {"degree", "D", "Into at most how many parts operations are split", "lookahead"},
         {"setting", "WORD", "faithful (as published) or corrected", "lookahead", {"faithful", "corrected"}}},
        {{"lookahead", "Look ahead at the profile in this file instead, on the empty cluster", pacmlLookahead}}};
}

} // namespace trainyard::study
