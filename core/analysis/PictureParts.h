// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What charts and diagrams have in common: what an element stands for, in which role of the palette it is
// drawn, colour scales, and the entries of a legend. Plain values without a window; colours are the theme's.
#include "base/Ids.h"
#include "base/Problem.h"
#include "base/SimTime.h"
#include "record/WorkerPhase.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// What an element stands for, so that selection and cursor reach it. What it does not stand for is left out.
struct ElementRef {
    JobId job;
    std::optional<std::uint32_t> worker; ///< of the job, from 0
    MachineId machine;
    LinkId link;
    SimTime at = SimTime::never(); ///< choosing it moves the cursor there
    friend bool operator==(const ElementRef&, const ElementRef&) = default;
};

/// A colour by what it means; the theme knows which one it is.
struct Role {
    enum class Kind {
        text,
        muted, ///< `index`: shade, 0 … 3, the greater the paler
        accent,
        warning,
        problem,
        good,
        ghost,    ///< of another run that is compared with
        activity, ///< `index`: an Activity, with its texture where an area is filled
        job,      ///< `index`: a job, in its colour
        hue       ///< `index`: one of the jobs' hues that means no job: for curves that only need to be told apart
    };
    Kind kind = Kind::text;
    std::uint32_t index = 0;

    static constexpr Role of(Activity a) { return {Kind::activity, static_cast<std::uint32_t>(a)}; }
    static constexpr Role of(JobId job) { return {Kind::job, job.value}; }
    static constexpr Role hue(std::size_t k) { return {Kind::hue, static_cast<std::uint32_t>(k)}; }
    static constexpr Role muted(std::size_t shade = 0) { return {Kind::muted, static_cast<std::uint32_t>(shade)}; }
    static constexpr Role accent() { return {Kind::accent, 0}; }
    static constexpr Role warning() { return {Kind::warning, 0}; }
    friend bool operator==(const Role&, const Role&) = default;
};

enum class Dash { solid, dashed, longDashed, dotted };

/// How values become colours.
struct ColourScale {
    enum class Kind {
        perceptual, ///< cividis, for loads and heat maps
        accent,     ///< from the ground to the accent colour, for few values that are also written
        diverging,  ///< around the middle of the range
        categorical ///< whole values, each a hue of its own
    };
    Kind kind = Kind::perceptual;
    double from = 0, to = 1;
    bool logarithmic = false; ///< by ratios; both ends positive
    Text title;               ///< of the values, with their unit
    friend bool operator==(const ColourScale&, const ColourScale&) = default;
};

/// A number and what it is of. `unit`: "s" is shown as a duration, "count" as a whole number, "%" and all
/// others behind it.
struct Quantity {
    double value = 0;
    std::string unit;
    int digits = 3;
    friend bool operator==(const Quantity&, const Quantity&) = default;
};

/// An entry of the legend: what is drawn how, and what it is at the instant.
struct LegendItem {
    enum class Swatch { none, box, line, dashes, longDashes, dots, cell };
    Text label;
    std::optional<Quantity> value;
    Text text; ///< shown in place of the value, where it says more or is no number
    Swatch swatch = Swatch::none;
    Role role;
    std::optional<double> scaled; ///< cell: its colour is that of this value on the chart's colour scale
    ElementRef ref;               ///< choosing the entry chooses this
    bool ghost = false;           ///< of another run that is compared with
    bool isAbove = false;         ///< its value lies above the axis
    friend bool operator==(const LegendItem&, const LegendItem&) = default;
};

/// Of views that show one of many (iterations, decisions): where the others lie, for keys and buttons.
/// never(): there is none.
struct Stops {
    SimTime first = SimTime::never(), previous = SimTime::never(), next = SimTime::never(), last = SimTime::never();
    std::size_t number = 0, count = 0; ///< the one shown, from 1
    Text name;                         ///< of one of them: "iteration"
    friend bool operator==(const Stops&, const Stops&) = default;
};

/// A name from the data: not translated, and braces in it mean nothing.
inline Text nameText(std::string name) { return {"{0}", {std::move(name)}}; }
/// "12.3 ms", "1.2 h", "3", "42 %": in English, for arguments of texts and for files.
std::string quantityText(const Quantity& quantity);
std::string quantityText(double value, std::string unit = {}, int digits = 3);
/// "13,470", "1.35": from a thousand on whole and in groups, as the window writes counts.
std::string groupedText(double value, int digits = 3);

} // namespace trainyard
