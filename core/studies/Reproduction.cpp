// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/Reproduction.h"

#include "studies/engine/Engine.h"
#include "studies/nups/NupsStudy.h"
#include "studies/pacml/PacmlStudy.h"
#include "studies/pdors/Pdors.h"
#include "studies/slaq/SlaqStudy.h"
#include "studies/stragglers/Stragglers.h"

namespace trainyard {

const std::vector<Study>& studies() {
    static const std::vector<Study> all{
        {"stragglers",
         "Adaptive straggler-tolerant SGD",
         "Whom to wait for, and how much each computes: hitting times, floors, staleness, trade-offs.",
         {{"formulas", study::stragglerFormulas},
          {"hitting-times", study::stragglerHittingTimes},
          {"laws", study::stragglerLaws},
          {"tradeoff", study::stragglerTradeoff}}},
        {"engine",
         "Consistency of the engine",
         "The rate model compared with the flow model, executed runs compared with simulated "
         "ones, and the scaling of a divided batch.",
         {{"rate-against-flow", study::rateAgainstFlow},
          {"rate-at-random", study::rateAtRandom},
          {"executed", study::executedAgainstSimulated},
          {"strong-scaling", study::strongScaling}}},
        study::pdors(),
        study::slaq(),
        study::nups(),
        study::pacml()};
    return all;
}

StudyReport Study::run(const StudyRequest& request, const std::string& part) const {
    StudyReport report;
    StudyRequest now = request;
    for (const StudyPart& p : parts) {
        now.part = id + "/" + p.id;
        if ((part.empty() || p.id == part) && !report.stopped) p.run(now, report);
    }
    return report;
}

void judgeTogether(std::vector<Claim*> claims, const std::vector<double>& pValues, double level) {
    const std::vector<bool> rejected = holmRejections(pValues, level);
    for (std::size_t i = 0; i < claims.size(); ++i) claims[i]->holds = !rejected[i];
}

} // namespace trainyard
