// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the view of a lane shows of the run it is given, with that of the run compared with beneath; kept until these, or what is seen of
// them, change. Used by ChartLane.
#include "lanes/LanePainter.h"
#include "session/RunData.h"
#include "session/ViewSubject.h"

namespace trainyard {

class LaneCharts {
public:
    explicit LaneCharts(const HistorySubject& subject) { setSubject(subject); }
    void setSubject(const HistorySubject& subject);
    const HistorySubject& subject() const { return m_subject; }
    const SubjectView& is() const { return m_is; }

    /// What is seen of the chart from now on: of the time axis in seconds, and how finely.
    struct Seen {
        double from = 0, to = std::numeric_limits<double>::infinity();
        std::size_t points = 2000, pointsOfAll = static_cast<std::size_t>(-1);
        friend bool operator==(const Seen&, const Seen&) = default;
    };
    void see(const Seen& seen) { m_seen = seen; }
    /// Empty where nothing has run. Its legend may be that of another instant: see legend(). Valid until the next call.
    const Chart& chart(const LaneInput& input) const { return *shared(input); }
    const std::shared_ptr<const Chart>& shared(const LaneInput& input) const;
    /// The same, or one of a moment before: what its plots and axes are, where it does not matter how far their lines go.
    const Chart& shape(const LaneInput& input) const;
    /// Charts of the same run stay as they are, however far it goes on, until the next call: their lines are too many for each frame.
    void hold(bool held) { m_held = held; }
    /// Of what is seen now a further chart is to be worked out in parts; false: one of the same run is under way already.
    bool begin(const LaneInput& input);
    /// Works out a part of it; true: it is there, and held.
    bool advance(const LaneInput& input);
    std::vector<LegendItem> legend(const LaneInput& input) const;
    /// The chart that legend() goes with; where readings are asked for on their own, one of a moment before does.
    const Chart& read(const LaneInput& input) const { return hasReadings() ? shape(input) : chart(input); }
    /// At an instant under the pointer, of an element; see View::notes.
    std::vector<Text> notes(const LaneInput& input, SimTime at, const ElementRef& ref, bool ofGhost) const;

private:
    struct Key {
        RunId run = 0, ghost = 0;
        std::size_t position = 0, ghostPosition = 0;
        Seen seen;
        JobId job;
        SimTime at;
        bool wholeRun = false;
        friend bool operator==(const Key&, const Key&) = default;
    };
    bool hasReadings() const { return m_is.view && m_is.view->readings; }
    Key keyOf(const LaneInput& input) const;
    ViewRequest request(const LaneInput& input, const ShownIndex& run) const;
    Chart compute(const LaneInput& input) const;
    Computation computationOf(const LaneInput& input, const ShownIndex& run, bool inParts) const;
    static Chart chartOf(Computation computation);

    /// A chart that is not whole yet.
    struct Part {
        Key key;
        const ShownIndex *run = nullptr, *ghost = nullptr;
        std::vector<Computation> of; ///< the run and the one compared with
        bool isOf(const LaneInput& input, const Key& now) const;
    };
    std::optional<Part> m_part;
    HistorySubject m_subject;
    SubjectView m_is;
    Seen m_seen;
    bool m_held = false;
    mutable std::optional<Key> m_key; ///< what m_chart is of
    mutable bool m_behind = false;    ///< folds of the run were, when it was made: it is asked for until they are not
    mutable std::shared_ptr<const Chart> m_chart = std::make_shared<const Chart>();
};

/// The picture of a view as a subject has it; `request` without options, and with the selected job. Where there is no such view, option
/// or job it is empty and says so.
Computation pictureNow(const SubjectView& is, ViewRequest request);

} // namespace trainyard
