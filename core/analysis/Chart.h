// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A chart as a value: everything that is seen, and what each element stands for, without a window. Made by
// views; drawn by the window's one chart widget, written as files by PictureFile, compared by tests.
#include "analysis/PictureParts.h"

namespace trainyard {

struct Axis {
    enum class Kind {
        linear,
        logarithmic, ///< values that are not positive are not drawn
        time,        ///< seconds since the run began, read as a clock
        categories   ///< value i stands for the i-th; vertically the first is at the top
    };
    Kind kind = Kind::linear;
    Text title;       ///< without the unit; lower case
    std::string unit; ///< "s", "%", "" …; behind the title in brackets
    std::string key;  ///< snake case with the unit, for files: "time_s", "workers"
    /// The range; what is missing is chosen to hold all series. `from` lies at the left or the bottom; it may
    /// be the greater.
    std::optional<double> from, to;
    bool whole = false; ///< ticks at whole numbers only

    struct Category {
        Text label;
        ElementRef ref;
        friend bool operator==(const Category&, const Category&) = default;
    };
    std::vector<Category> categories;

    /// Where instants lie on an axis that is not time itself: increasing in both, straight between them, held
    /// at the ends. For the cursor, and for scrubbing by the pointer.
    struct Knot {
        double value = 0;
        SimTime at;
        friend bool operator==(const Knot&, const Knot&) = default;
    };
    std::vector<Knot> knots;
    friend bool operator==(const Axis&, const Axis&) = default;
};
/// Nothing where the axis knows no instants.
std::optional<SimTime> instantAt(const Axis& axis, double value);
std::optional<double> valueAt(const Axis& axis, SimTime at);

/// From `from` to `to` in a row, along the horizontal axis.
struct Span {
    double from = 0, to = 0;
    std::uint32_t row = 0; ///< category of the vertical axis
    Role role;
    std::optional<Activity> over; ///< a texture over a paler ground: work that was for nothing (discarded)
    friend bool operator==(const Span&, const Span&) = default;
};

/// A map of equal cells over the two axes, or over a part of them.
struct Cells {
    std::size_t columns = 0, rows = 0;
    /// Row × columns + column, rows from the bottom (categories: from the first); NaN: none
    std::vector<double> values;
    double x0 = 0, x1 = 0, y0 = 0,
           y1 = 0; ///< outer edges; all 0: the whole of both axes, or a cell per category
    ColourScale scale;
    bool written = false; ///< its value is written in each cell that has room
    friend bool operator==(const Cells&, const Cells&) = default;
};

struct Series {
    enum class Kind {
        line,   ///< through (x, y); NaN parts it
        steps,  ///< y holds from its x to the next; the last to the end of the axis or of `x`, if that is one
                ///< longer
        points, ///< dots with a rim, above lines
        bars,   ///< at x, `width` wide, from `base` (0 where missing) to y
        spans,
        cells,
        band ///< between y and `base`, filled
    };
    Kind kind = Kind::line;
    std::string key; ///< for files, unique in its plot: "as-placed"
    Text label;      ///< for people; may be empty
    Role role;
    double weight = 1; ///< width of lines, size of points, as a multiple of the usual
    Dash dash = Dash::solid;
    double width = 1;    ///< of bars, in units of x
    double fill = 0.18;  ///< of bands, and of what is filled: opacity
    bool filled = false; ///< steps: down to 0
    bool layer = false;  ///< band: one of a stack, whose value is its height
    std::vector<double> x, y, base;
    std::vector<Span> spans;
    Cells cells;
    /// By element; or one for all; or none.
    std::vector<ElementRef> refs;
    /// By element, told under the pointer; where missing: label, x and y with the axes' titles.
    std::vector<Text> notes;
    /// By element, written at it where there is room: above bars and points, in spans.
    std::vector<Text> labels;
    bool inRange = true; ///< false: an automatic range need not hold it
    double strength = 1; ///< of its colour over the ground; 0.3: a pale one
    bool ghost = false;  ///< of another run that is compared with: paler and dashed
    friend bool operator==(const Series&, const Series&) = default;

    std::size_t size() const; ///< elements
    ElementRef refOf(std::size_t element) const;
};

/// A straight line across the plot.
struct ReferenceLine {
    enum class Way { vertical, horizontal };
    Way way = Way::vertical;
    double value = 0;
    std::optional<double> until; ///< from the axis only up to this value of the other one
    Role role;
    double weight = 1;
    Dash dash = Dash::solid;
    Text label;          ///< at its upper or right end, outside the data where there is room
    bool strong = false; ///< the label
    friend bool operator==(const ReferenceLine&, const ReferenceLine&) = default;
};

/// Words at a place of the plot.
struct Annotation {
    enum class Anchor { above, below, left, right, top }; ///< of the point; top: over the plot, at x
    double x = 0, y = 0;
    std::optional<double> until; ///< top: it is of [x, until], in the middle of it, and left out where it does not fit
    Anchor anchor = Anchor::above;
    Text text;
    Role role;
    bool strong = false;
    friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// One pair of axes and what is drawn on it. Those of one column lie above each other, with one horizontal
/// axis, whose numbers stand under the last.
struct Plot {
    Axis x, y;
    std::vector<Series> series;       ///< later ones over earlier ones
    std::vector<ReferenceLine> lines; ///< across the plot, above the series
    std::vector<Annotation> annotations;
    Text title; ///< in its upper right corner
    std::size_t column = 0, row = 0;
    double share = 1; ///< of the height of its column, beside the others'
    friend bool operator==(const Plot&, const Plot&) = default;
};

struct Chart {
    Text title;                     ///< whose it is, where the view is of one of many: "gpu-3"; else empty
    std::vector<Plot> plots;        ///< one in most charts; columns past the first are left out where it is narrow
    std::vector<LegendItem> legend; ///< with the readings at the instant
    Text meaning;                   ///< what it shows and how that is defined, in a few sentences
    Text caution;                   ///< what must be known before believing it: a warning; mostly empty
    Text empty;                     ///< why there is nothing to see, and what to do about it; else empty
    std::optional<Stops> stops;
    friend bool operator==(const Chart&, const Chart&) = default;

    Plot& plot() { return plots.empty() ? plots.emplace_back() : plots.front(); }
};

/// A chart with the lines and steps of another run of the same view beneath its own: their entries of the legend follow those of the same
/// label, axes hold both, and where one is logarithmic both are.
Chart withGhost(Chart chart, const Chart& ghost);
std::vector<LegendItem> withGhost(std::vector<LegendItem> legend, const std::vector<LegendItem>& ghost);
/// With nothing to see, and why.
Chart emptyChart(Text why, Text meaning = {});
/// 0 and a round number at or above `most`, so that ticks are round: for axes of counts, shares and times.
void rangeFromZero(Axis& axis, double most);

} // namespace trainyard
