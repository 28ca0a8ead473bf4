// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// All lanes of a run on one time axis: ruler, Gantt, straggler strip, loss, utilization, queue, the views
// that the user added, and the overview of the whole run. Hands the runs shown to the lanes as they
// grow; created by the window, one per window.
#include "lanes/LaneColumn.h"
#include "session/Histories.h"

#include <QPointer>

#include <functional>

namespace trainyard {

class ShownRuns;
struct LaneInput;

/// Makes the painter of a view.
using MakePainter = std::function<std::unique_ptr<LanePainter>(const HistorySubject&)>;
/// The painters of the lanes that every run has, from top to bottom.
std::vector<std::unique_ptr<LanePainter>> makeLanePainters(const MakePainter& ofView);

class LaneStack final : public LaneColumn {
    Q_OBJECT
public:
    LaneStack(ShownRuns& runs, TimeAxis& axis, Selection& selection, Histories& histories, MakePainter makePainter,
              QWidget* parent = nullptr);
    ~LaneStack() override;

    /// What every lane is given: the run, the selection, the instant read out.
    LaneInput makeInput() const;
    /// Which lanes are folded away and how high the others are, what they show, and which histories were
    /// added; for the window's settings.
    QByteArray saveLayout() const;
    void restoreLayout(const QByteArray& layout);

protected:
    void refresh() override;
    bool readsWholeRun() const override;
    bool hasLosses() const override;
    bool clearSelection() override;
    void optionsChanged(Lane& lane) override;
    void laneFolded() override;
    /// On a small screen the rows of Gantt and strip need what the curves of utilization would have; its line still says the
    /// values.
    void heightChanged() override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct HistoryLane {
        HistorySubject subject;
        Lane* lane;
    };
    void onChanged();
    void onReplaced();
    void foldLanesWithoutContent(); ///< in which the jobs of the run can never show anything; not seen in large type
    void leaveOutFoldedLanes();     ///< in large type, where there is little room
    Lane* lane(QLatin1String id) const;    ///< of those that every run has
    std::vector<Lane*> usualViews() const; ///< likewise, those of views
    void revealAdded();
    void takeHistories(); ///< lanes for these, and for no others
    void takeJobNames();  ///< legends of the same jobs stay as wide as they are

    ShownRuns& m_runs;
    Selection& m_selection;
    Histories& m_histories;
    MakePainter m_makePainter;
    std::vector<HistoryLane> m_historyLanes; ///< the last of lanes()
    Lane* m_utilization = nullptr; ///< folded where there is little room, until the user folds or unfolds a lane
    QPointer<Lane> m_added;        ///< not in sight yet
    QAction* m_byJob = nullptr;
    bool m_foldedByHand = false, m_folding = false;
    QString m_jobsNamed; ///< in the legends whose width the lanes have
};

} // namespace trainyard
