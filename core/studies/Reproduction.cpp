// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/Reproduction.h"

// One line per study, in the order in which they are offered; each is a function of that name in a file of its own.
#define TRAINYARD_STUDIES(STUDY)                                                                                       \
    STUDY(stragglers)                                                                                                  \
    STUDY(engine)                                                                                                      \
    STUDY(pdors)                                                                                                       \
    STUDY(slaq)                                                                                                        \
    STUDY(nups)                                                                                                        \
    STUDY(pacml)

namespace trainyard {

namespace study {
#define STUDY(name) Study name();
TRAINYARD_STUDIES(STUDY)
#undef STUDY
} // namespace study

const std::vector<Study>& studies() {
#define STUDY(name) study::name(),
    static const std::vector<Study> all{TRAINYARD_STUDIES(STUDY)};
#undef STUDY
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
