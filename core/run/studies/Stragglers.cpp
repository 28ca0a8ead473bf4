#include "run/studies/Stragglers.h"

namespace trainyard::study {

StudyReport reproduceStragglers(const StudyRequest& request) {
    StudyReport report;
    stragglerFormulas(report);
    stragglerHittingTimes(request, report);
    stragglerLaws(request, report);
    stragglerTradeoff(request, report);
    return report;
}

} // namespace trainyard::study
