// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A view of a run: a named function from the run's index to a picture, with declared options. Everything that
// shows or writes one (window, export, clipboard, command line, tests) finds it in the one list (Views.cpp)
// and knows nothing else of it. A new view is one file, one line of that list and one test.
#include "analysis/Chart.h"
#include "analysis/Diagram.h"
#include "analysis/Table.h"
#include "base/ParamSchema.h"

#include <functional>
#include <limits>
#include <stop_token>
#include <variant>

namespace trainyard {

class RunIndex;

using Picture = std::variant<Chart, Diagram, Table>;
const std::vector<LegendItem>& legendOf(const Picture& picture);
const Text& meaningOf(const Picture& picture);
const Text& cautionOf(const Picture& picture);
const Text& emptyOf(const Picture& picture);
const std::optional<Stops>& stopsOf(const Picture& picture);

struct ViewRequest {
    const RunIndex& run;
    JobId job;                ///< has workers, where the view's scope is a job
    SimTime at;               ///< the cursor, or the head of the run
    ParamValues options = {}; ///< of the view's schema; pictureNow() and wholePicture() fill in the defaults
    /// Of one series in what is seen; more are thinned: of points no extreme is lost, steps become their means.
    std::size_t mostPoints = 4000;
    bool isFile =
        false; ///< every change of steps is kept, of up to mostPoints; a screen shows the means of those that lie closer than a few pixels
    std::size_t mostPointsOfAll = static_cast<std::size_t>(-1); ///< of all series: each of many gets fewer, but some
    /// Entries of the legend past this one, but for the selected job's, have no texts: there is no room for them, they are only counted. 0: no legend is wanted.
    std::size_t mostEntries = static_cast<std::size_t>(-1);
    double from = 0, to = std::numeric_limits<double>::infinity(); ///< seen of a time axis; seconds
    bool isGhost = false;  ///< drawn beneath the picture of another run: what says more than its lines is left out
    bool wholeRun = false; ///< what the legend says is of all of the run, where that has a meaning; else of the instant
    bool inParts = false;  ///< a picture that takes some milliseconds may come in parts: see Computation::more
};

/// What is known at once, and what takes longer. `finish` is null where `picture` is all; else it owns what
/// it needs, may run on any thread, after or beside changes of the index, and gives the whole picture. Until
/// then `picture` is shown: what is known already, or empty with the reason "Computing…". When asked to stop
/// it returns early with anything.
struct Computation {
    Computation() = default;
    Computation(Chart chart) : picture(std::move(chart)) {}
    Computation(Diagram diagram) : picture(std::move(diagram)) {}
    Computation(Table table) : picture(std::move(table)) {}
    Computation(Picture now, std::function<Picture(std::stop_token)> later)
        : picture(std::move(now)), finish(std::move(later)) {}

    Picture picture;
    std::function<Picture(std::stop_token)> finish;
    /// Null unless asked for: each call works out a part, and sets the picture once it is whole, which is true then. On the thread that
    /// owns the index, while there is that index.
    std::function<bool(Picture&)> more = {};
};

/// An option with two of its values, for a small button of the view's lane.
struct ViewSwitch {
    std::string option;
    ParamValue on, off;
    Text word; ///< on the button: "log"
    /// Whether a picture shows what `on` asks for, where the option may also be left to the view; null: by the option's value.
    std::function<bool(const Chart&)> shownBy = {};
};

struct View {
    enum class Scope { job, run };
    std::string id; ///< kebab case; names files, settings and the command line's argument
    Text group;     ///< heading of the list it stands in: "Waiting"
    Text title;
    Text summary; ///< one sentence, for lists
    Scope scope = Scope::job;
    ParamSchema options;
    /// What it is called with these options, where that says more than the title: "gpu-3"; null: never.
    std::function<Text(const ParamValues&)> name = {};
    /// Whether it has something to say of this job (run: of any); null: of every one. Where it has not, the
    /// picture is empty and says why.
    std::function<bool(const RunIndex&, JobId)> concerns;
    bool isTable = false;  ///< its picture is a Table
    bool hasMeans = false; ///< the numbers of its legend are means, where they are of the whole run
    std::vector<ViewSwitch> switches = {};
    /// Why an option changes nothing beside the others; empty: it does. Null: each does.
    std::function<Text(const ParamValues&, std::string_view option)> whyIdle = {};
    /// The legend alone, where that costs far less than the picture; null: it does not.
    std::function<std::vector<LegendItem>(const ViewRequest&)> readings = {};
    /// What is told of an element at the request's instant, in one line; of none: of the picture. Null: its readings.
    std::function<std::vector<Text>(const ViewRequest&, const ElementRef&)> notes = {};
    bool special = false; ///< the panel of views does not begin with it when a scenario is opened: the user chooses it
    /// On the thread that owns the index, in a few milliseconds whatever the length of the run.
    std::function<Computation(const ViewRequest&)> compute;
};

/// All of them, in the order in which they are offered.
const std::vector<View>& views();
/// Null: there is none.
const View* findView(std::string_view id);

/// "key=value" words as options. Problems: unknown keys, values of another type or out of range.
Result<ParamValues> optionsFrom(const View& view, const std::vector<std::string>& words);

/// Of the job asked for if it has workers, else of the first that has; with the options' defaults; empty with
/// the reason where nothing can be shown.
Computation pictureNow(const View& view, ViewRequest request);
/// The same, finished here.
Picture wholePicture(const View& view, const ViewRequest& request, const std::stop_token& stop = {});
/// What `compute` gives once the folds of the run that it asks for are whole.
Computation foldedPicture(const RunIndex& run, const std::function<Computation()>& compute,
                          const std::stop_token& stop = {});
/// The same, finished here.
Picture wholePicture(const RunIndex& run, const std::function<Computation()>& compute,
                     const std::stop_token& stop = {});
/// Where there is no run at all.
Picture pictureOfNothing(const View& view);

} // namespace trainyard
