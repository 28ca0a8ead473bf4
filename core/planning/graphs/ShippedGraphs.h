// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Computation graphs of published architectures, made by an analytic profile: each operation takes as long as its arithmetic or its memory
// traffic on a declared device, whichever is longer, and a fixed time to be launched. Scenarios name them; the study of PAC-ML uses five of
// them where no profiles are given. Measured profiles can be imported beside them.
#include "model/ComputationGraph.h"

#include <string>
#include <vector>

namespace trainyard {

/// Times are for single precision: forward max(FLOP / flopsPerSecond, bytes / bytesPerSecond) + launchSeconds, backward twice the FLOP and
/// bytes of forward. About half the peaks of an A100 (19.5 TFLOP/s, 1.555 TB/s).
struct ProfileDevice {
    double flopsPerSecond = 10e12, bytesPerSecond = 1e12, launchSeconds = 5e-6;
};

struct ShippedGraph {
    std::string id, label;
    std::string source; ///< where its layer table is published
    int batch = 1;      ///< samples of a step: times and activations are for as many
    ComputationGraph (*make)(int batch, const ProfileDevice& device) = nullptr;
};

const std::vector<ShippedGraph>& shippedGraphs();
const ShippedGraph* findShippedGraph(const std::string& id); ///< null: there is none
/// With its batch, on the declared device.
inline ComputationGraph shippedGraph(const ShippedGraph& graph) { return graph.make(graph.batch, {}); }

} // namespace trainyard
