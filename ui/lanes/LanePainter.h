// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a lane is drawn, whatever it is drawn on: the window's widgets and exported figures call the same
// painters with a canvas around any QPainter. A painter holds no data of the run; it reads the index it is
// given.
#include "drawing/LaneCanvas.h"

#include <QStringList>

#include <cmath>

namespace trainyard {

class ShownIndex;
struct HistorySubject;
struct ViewSwitch;

/// What the lanes show beyond the data: the selection, and the instant whose values are read out.
struct LaneInput {
    const ShownIndex* run = nullptr;   ///< null: nothing has run
    const ShownIndex* ghost = nullptr; ///< an earlier run to compare with
    QString ghostName;                 ///< what its curves are called: "previous run"
    JobId job;                         ///< selected; invalid: none
    QStringList machines;              ///< keys of selected machines
    SimTime at;                        ///< readouts are for this instant
    SimTime end;                       ///< where the shown run ends: its last event, or now
    bool wholeRun = false;             ///< it is over and no instant is looked at: readouts are of all of it
    double scroll = 0;                 ///< pixels by which rows are moved up
    bool everyJob = false;             ///< strip: workers of all jobs, however many there are
    bool byJob = false;                ///< Gantt: a row per job, not per slot of a machine
    /// Legend entries past this one, but for the selected job's, have no texts: there is no room for them, they are
    /// only counted.
    std::size_t mostEntries = static_cast<std::size_t>(-1);
    friend bool operator==(const LaneInput&, const LaneInput&) = default;
};

/// How far the run had come when a lane's picture was painted.
struct PaintedRun {
    quint32 run = 0;          ///< RunId
    std::size_t position = 0; ///< of its index
    SimTime head;             ///< no event that came later is earlier
    std::size_t rows = 0;     ///< LanePainter::rows()
};

/// What is under the pointer.
struct LaneHit {
    QString text; ///< one line for the hover label; empty: nothing here
    JobId job;
    QString machine; ///< key
    QString row;     ///< name of the row, in full
};

/// So many rows are high enough that each has its label; more are looked at as a picture, and named under the
/// pointer.
constexpr std::size_t mostLabelledRows = 32;
/// The least height of a row that keeps its label, where a line of text is `line` high.
inline double labelledRow(double line) { return std::ceil(0.8 * line); }

class LanePainter {
public:
    virtual ~LanePainter() = default;
    virtual QString title() const = 0;
    /// Names its files, its table and its settings, in every language: lower case, without spaces.
    virtual QString id() const = 0;
    /// Name and unit of the vertical axis.
    virtual QString axisTitle(const LaneInput& input) const = 0;
    /// The view that it shows; null: it draws what no view is.
    virtual const HistorySubject* subject() const { return nullptr; }
    /// The same view with other options; its id stays.
    virtual void setSubject(const HistorySubject&) {}
    /// The picture shows what the switch of its view stands for.
    virtual bool shows(const LaneInput&, const ViewSwitch&) const { return false; }
    /// Why there is nothing to see and what to do about it; empty if there is something.
    virtual QString emptyText(const LaneInput& input) const = 0;
    virtual void paint(LaneCanvas& canvas, const LaneInput& input) = 0;
    /// The pixel left of which a picture painted of a shorter run, with the same input but for `at` and
    /// `end`, still holds; the plot's left edge: nowhere.
    virtual double grownFrom(const LaneCanvas& canvas, const LaneInput& input, const PaintedRun& before) const;
    /// The last paint() on a gradual canvas left something for the next: to be called again soon.
    virtual bool unfinished() const { return false; }
    virtual std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const = 0;
    virtual LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const;
    /// Rows the data asks for; 0: the lane has no rows.
    virtual std::size_t rows(const LaneInput& input) const;
    /// Least height of a row, where a line of text is `line` high; rows that need more room than there is scroll.
    virtual double leastRow(const LaneInput& input, double line) const;
    /// Plots one above the other, each with an axis of its own.
    virtual std::size_t plots(const LaneInput&) const { return 1; }
    /// At which each row has a label; next to nothing where there are none, or too many for that.
    virtual double wantedHeight(const LaneInput& input, double line) const;
    /// The row that a selection made elsewhere brings into view.
    virtual std::optional<std::size_t> rowInView(const LaneInput& input) const;
    /// It draws LaneInput::ghost.
    virtual bool comparesRuns() const { return false; }
    /// The horizontal axis, where it is not time; empty: time.
    virtual QString horizontalTitle(const LaneInput& input) const;
    /// The instant at a pixel; differs from the time scale where the horizontal axis is not time.
    virtual double secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const;
    /// Where an instant lies, in pixels: secondsAt() the other way round. Nothing: nowhere.
    virtual std::optional<double> pixelAt(const LaneCanvas& canvas, const LaneInput& input, SimTime at) const;
    /// Points of the curves at the instant read out, to be dotted.
    virtual std::vector<std::pair<QPointF, QColor>> markers(const LaneCanvas& canvas, const LaneInput& input) const;
};

} // namespace trainyard
