// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Lanes one above the other on one time axis, between a ruler and an overview: their heights, their common columns, the
// range of the axis, keys. What is in them comes from who derives from it.
#include "base/SimTime.h"

#include <QWidget>

#include <memory>
#include <vector>

class QAction;
class QScrollArea;
class QSplitter;

namespace trainyard {

class Lane;
class LanePainter;
class Overview;
class Selection;
class TimeAxis;
class TimeRuler;

class LaneColumn : public QWidget {
    Q_OBJECT
public:
    const std::vector<Lane*>& lanes() const { return m_lanes; } ///< from top to bottom
    TimeRuler* ruler() const { return m_ruler; }
    Overview* overview() const { return m_overview; }

public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void showWholeRun();
    void followRun();

protected:
    LaneColumn(TimeAxis& axis, QWidget* parent);

    Lane* addLane(std::unique_ptr<LanePainter> painter, Selection& selection, int share);
    /// It may be its own button that was pressed.
    void removeLane(Lane* lane);
    QAction* addByJob(Lane& gantt); ///< a row per job instead of one per machine; a change refreshes
    /// The menu of a view's lane, if its view has options. A change refreshes, after optionsChanged().
    void addOptions(Lane& lane);
    QScrollArea* scroll() const { return m_scroll; }
    int heightSeen() const; ///< of the lanes, of which more may lie below
    QSplitter* splitter() const { return m_splitter; }
    SimTime shownEnd() const { return m_end; } ///< of what has been run so far
    double whole() const { return m_whole; }   ///< end of the axis when everything is shown, seconds
    /// `shown`: see shownEnd(); `reached`: of the longest run shown; `growing`: it may go on, or is still read.
    void setEnd(SimTime shown, SimTime reached, bool growing);
    void forgetEnd() { m_end = {}; } ///< another run, of which nothing is known yet
    /// The instant whose values stand beside the lanes.
    SimTime readoutTime() const;
    /// Gives ruler, overview and lanes what they need after setEnd().
    void refreshAxis();
    /// Each open lane its share; a folded one gives its room to the others. Where rows would lose their labels, curves give up some
    /// of theirs.
    void shareSpace();
    void shareSpaceIfWanted(); ///< rows are others now, and the user has not set the heights
    void widenLegends();
    void forgetLegends();
    bool isSizedByHand() const { return m_sizedByHand; }
    void setSizedByHand(bool byHand) { m_sizedByHand = byHand; }

    virtual void refresh() = 0; ///< data, range or selection changed
    /// No instant is looked at and all is over: values are those of the whole run.
    virtual bool readsWholeRun() const = 0;
    virtual bool hasLosses() const = 0; ///< some job may have losses
    virtual bool clearSelection() = 0;  ///< false: nothing was selected
    virtual void optionsChanged(Lane&) {}
    virtual void laneFolded() {}
    virtual void heightChanged() {} ///< of the lanes together, before the space is shared

    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    TimeAxis& m_axis;

private:
    void refreshReadout();
    void fitOverview();
    void squeezeLanes();
    QList<int> rowsWanted() const;

    SimTime m_end;
    double m_whole = 1;
    TimeRuler* m_ruler;
    QScrollArea* m_scroll;
    QSplitter* m_splitter;
    Overview* m_overview;
    std::vector<Lane*> m_lanes;
    QList<int> m_rowsWanted;    ///< when the space was shared last
    bool m_sizedByHand = false; ///< heights are the user's; else they follow the column's
};

} // namespace trainyard
