// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// oasis: online primal-dual scheduling of workers and parameter servers that never share a machine: the first half of the machines
// is for workers, the rest for servers, and every transfer goes over the network (Bao, Peng, Wu and Li, Online job scheduling in
// distributed machine learning clusters, INFOCOM 2018). As the brief of arXiv 2108.02917 recalls it, with the servers for n workers
// that the job declares.
#include "policy/Builtin.h"
#include "policy/scheduler/pdors/PrimalDualEntry.h"

namespace trainyard {

namespace {

class Oasis final : public PrimalDual {
public:
    explicit Oasis(PrimalDualParams params) : PrimalDual("oasis", std::move(params), true) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Oasis>(*this); }
};

} // namespace

SchedulerEntry builtin::oasis() {
    return primalDualEntry<Oasis, PrimalDualParams>(
        {.id = "oasis",
         .label = "OASiS: primal-dual",
         .summary = "As PD-ORS, but half of the machines are for workers and half for parameter servers.",
         .source = "Bao et al., INFOCOM 2018"},
        PrimalDualFields<PrimalDualParams>::planning());
}

} // namespace trainyard
