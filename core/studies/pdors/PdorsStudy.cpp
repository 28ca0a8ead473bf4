// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/pdors/Pdors.h"
#include "studies/pdors/PdorsInstances.h"

namespace trainyard::study {

Study pdors() {
    return {"pdors",
            "PD-ORS",
            "Primal-dual scheduling in slots: utility earned, against other schedulers and against the optimum.",
            {{"utility", pdorsUtility},
             {"choices", pdorsChoices},
             {"rounding", pdorsRounding},
             {"ratio", pdorsCompetitiveRatio}},
            {},
            {{"instances", "Solve the small instances in this file instead",
              [](const StudyRequest& request, const std::filesystem::path& file) {
                  return pdorsInstances(file, request.stop);
              }}}};
}

} // namespace trainyard::study
