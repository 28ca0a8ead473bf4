// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a lane is drawn, whatever it is drawn on: the window's widgets and exported figures call the same
// painters with a canvas around any QPainter. A painter holds no data of the run; it reads the fold it is
// given.
#include "base/Ids.h"
#include "base/SimTime.h"
#include "drawing/TimeScale.h"
#include "record/WorkerPhase.h"
#include "theme/Theme.h"

#include <QPen>
#include <QPolygonF>
#include <QRectF>
#include <QStringList>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

class QPainter;

namespace trainyard {

class RunFold;
struct HistorySubject;
struct ViewSwitch;

/// What the lanes show beyond the data: the selection, and the instant whose values are read out.
struct LaneInput {
    const RunFold* run = nullptr;   ///< null: nothing has run
    const RunFold* ghost = nullptr; ///< an earlier run to compare with
    QString ghostName;              ///< what its curves are called: "previous run"
    JobId job;                      ///< selected; invalid: none
    QStringList machines;           ///< keys of selected machines
    SimTime at;                     ///< readouts are for this instant
    SimTime end;                    ///< where the shown run ends: its last event, or now
    bool wholeRun = false;          ///< it is over and no instant is looked at: readouts are of all of it
    double scroll = 0;              ///< pixels by which rows are moved up
    bool everyJob = false;          ///< strip: workers of all jobs, however many there are
    bool byJob = false;             ///< Gantt: a row per job, not per slot of a machine
    /// Legend entries past this one have no texts: there is no room for them, they are only counted.
    std::size_t mostEntries = static_cast<std::size_t>(-1);
    friend bool operator==(const LaneInput&, const LaneInput&) = default;
};

/// How far the run had come when a lane's picture was painted.
struct PaintedRun {
    quint32 run = 0;          ///< RunId
    std::size_t position = 0; ///< of its fold
    SimTime head;             ///< no event that came later is earlier
    std::size_t rows = 0;     ///< LanePainter::rows()
};

struct LegendEntry {
    enum class Swatch { none, box, line, dashes, longDashes, dots };
    QString label, value; ///< value: at the instant read out; may be empty
    Swatch swatch = Swatch::box;
    QColor colour;
    std::optional<Activity> activity; ///< box with that texture
    JobId job;                        ///< clicking selects it
    bool dimmed = false;
    bool ghost = false; ///< of the run compared with
};

/// What is under the pointer.
struct LaneHit {
    QString text; ///< one line for the hover label; empty: nothing here
    JobId job;
    QString machine; ///< key
    QString row;     ///< name of the row, in full
};

/// Where and with what a lane is drawn. `vector`: the device keeps shapes (SVG, PDF), so textures are drawn
/// as lines.
class LaneCanvas {
public:
    LaneCanvas(QPainter& p, const Theme& t, const QFont& f) : painter(p), theme(t), font(f) {}
    LaneCanvas(QPainter&, const Theme&&, const QFont&) = delete; // it keeps the theme

    QPainter& painter;
    const Theme& theme;
    QFont font;          ///< of labels; in pixels
    TimeScale time;      ///< its pixels span plot
    QRectF gutter, plot; ///< row labels right-aligned in the gutter, data in the plot
    /// Left of this pixel the picture is already there: of labels and of what lies there nothing need be
    /// painted.
    double from = std::numeric_limits<double>::lowest();
    bool vector = false;
    bool gradual = false; ///< paint() may leave work for later calls; see LanePainter::unfinished()
    double finest() const { return vector ? 0.4 : 1; } ///< narrower intervals are merged, in pixels
    double lineWidth = 1.5;
    double leastRow = 4, mostRow = 32; ///< limits of a row's height
    std::size_t items = 0;             ///< shapes drawn, in boxes; for tests of the level of detail
    double widestLabel = 0;            ///< pixels that the labels in the gutter would like to have, so far

    double lineHeight() const;
    /// How high the label of a row of this height is: rows a little lower than a line get smaller text.
    double labelHeight(double rowHeight) const;
    bool isLabelled(double rowHeight) const; ///< each of such rows can have one
    void box(const QRectF& r, const QColor& colour);
    /// Ground and, where there is room, the activity's texture in `line`.
    void texturedBox(const QRectF& r, const QColor& ground, Activity texture, const QColor& line);
    void activityBox(const QRectF& r, Activity activity);
    void rowLabel(double y, double height, const QString& text, bool strong, bool dimmed);
    /// Thin vertical lines at the ticks; the part after `end` a shade darker: it has not happened yet.
    void timeGrid(SimTime end);
    /// Value axis of a lane: labels in the gutter, grid lines in the plot. `y` in pixels.
    void valueTick(double y, const QString& text);

private:
    QFont rowFont(double height, bool strong) const;
    void texture(const QRectF& r, Activity activity, const QColor& line);
};

/// So many rows are high enough that each has its label; more are looked at as a picture, and named under the
/// pointer.
constexpr std::size_t mostLabelledRows = 32;
/// The least height of a row that keeps its label, where a line of text is `line` high.
inline double labelledRow(double line) { return std::ceil(0.8 * line); }

/// Rows of equal height from the top of the plot, scrolled.
struct RowLayout {
    double top = 0, height = 1;
    std::size_t count = 0;
    double y(std::size_t row) const { return top + height * static_cast<double>(row); }
    /// Row at a pixel, or count.
    std::size_t rowAt(double y) const;
    static RowLayout of(const LaneCanvas& canvas, std::size_t count, double scroll);
    /// First row that is visible, and one past the last.
    std::pair<std::size_t, std::size_t> visible(const QRectF& plot) const;
};

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

/// A line cut into parts at most `width` pixels wide, at whole pixels; points that are not finite part it
/// too. On screen lines are drawn like this: the raster engine's time grows with the square of a path's
/// width.
std::vector<QPolygonF> linePieces(const QVector<QPointF>& line, double width);
constexpr double pieceWidth = 48; ///< narrow enough

QString activityName(Activity activity);
QString workerPhaseText(WorkerPhase phase);

} // namespace trainyard
