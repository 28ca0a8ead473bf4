#include "run/studies/Engine.h"

namespace trainyard::study {

StudyReport reproduceEngine(const StudyRequest& request) {
    StudyReport report;
    rateAgainstFlow(request, report);
    executedAgainstSimulated(request, report);
    return report;
}

} // namespace trainyard::study
