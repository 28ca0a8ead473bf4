#include "waiting/WaitingPainter.h"

#include "waiting/AnswerTimePainter.h"
#include "waiting/ChoicePainter.h"
#include "waiting/IterationPainter.h"
#include "waiting/ParticipationPainter.h"
#include "waiting/RatePainter.h"
#include "waiting/StalenessPainter.h"
#include "waiting/TailMapPainter.h"
#include "waiting/TradeOffPainter.h"

#include <QCoreApplication>

#include <limits>

namespace trainyard {

QString waitingText(const char* text) {
    return QCoreApplication::translate("Waiting", text);
}

std::optional<double> WaitingPainter::xOf(const LaneCanvas&, const LaneInput&, SimTime) const {
    return std::nullopt;
}

double WaitingPainter::secondsAt(const LaneCanvas&, const LaneInput&, double) const {
    return std::numeric_limits<double>::quiet_NaN();
}

JobId WaitingPainter::jobOf(const LaneInput& input) {
    return input.run ? input.run->jobWithWorkers(input.job) : JobId{};
}

QString WaitingPainter::emptyText(const LaneInput& input) const {
    if (!input.run) return waitingText("Press play: this shows whom every update waits for.");
    const JobId job = jobOf(input);
    if (!job.valid())
        return waitingText("No job has workers yet. Jobs get them when the scheduler starts them.");
    return whyEmpty(*input.run, job, input);
}

QString WaitingPainter::whyEmpty(const RunFold&, JobId, const LaneInput&) const {
    return {};
}

std::vector<std::unique_ptr<WaitingPainter>> makeWaitingPainters() {
    std::vector<std::unique_ptr<WaitingPainter>> all;
    all.push_back(std::make_unique<IterationPainter>());
    all.push_back(std::make_unique<RatePainter>());
    all.push_back(std::make_unique<ChoicePainter>());
    all.push_back(std::make_unique<TradeOffPainter>());
    all.push_back(std::make_unique<AnswerTimePainter>());
    all.push_back(std::make_unique<TailMapPainter>());
    all.push_back(std::make_unique<StalenessPainter>());
    all.push_back(std::make_unique<ParticipationPainter>());
    return all;
}

} // namespace trainyard
