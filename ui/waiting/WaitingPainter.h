#pragma once
// What the views of waiting have in common: they show one job, follow the instant, have axes of their own and
// say what they show. Drawn by WaitingChart in the window and by the export as figures.
#include "plots/LanePainter.h"
#include "plots/RunFold.h"

namespace trainyard {

class WaitingPainter : public LanePainter {
public:
    /// What the chart shows and how its meters are defined, in a few sentences.
    virtual QString meaning(const LaneInput& input) const = 0;
    /// Where an instant lies in the chart; nothing where no axis is time.
    virtual std::optional<double> xOf(const LaneCanvas& canvas, const LaneInput& input, SimTime at) const;
    /// NaN where no axis is time.
    double secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const override;

    QString emptyText(const LaneInput& input) const override;

protected:
    /// Whose workers are shown: the selected job, else the first that has any.
    static JobId jobOf(const LaneInput& input);
    /// Why this job, which has workers and has made updates, shows nothing.
    virtual QString whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const;
};

/// All of them, in the order in which they are offered.
std::vector<std::unique_ptr<WaitingPainter>> makeWaitingPainters();
/// Translated, in the context of these views.
QString waitingText(const char* text);

} // namespace trainyard
