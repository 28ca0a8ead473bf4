// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The lanes of two runs on one time axis: machines, waiting and use of each, marked A and B, and the losses of both in
// one. Part of TwoRunsTab; shows what its RunPair has.
#include "lanes/LaneColumn.h"
#include "session/ShownIndexes.h"

#include <QTimer>

#include <array>

namespace trainyard {

class RunPair;

/// What the two runs are called on screen: "A", "B".
QString sideMark(std::size_t side);

class PairedLanes final : public LaneColumn {
    Q_OBJECT
public:
    explicit PairedLanes(RunPair& pair, QWidget* parent = nullptr);
    ~PairedLanes() override;

protected:
    void refresh() override;
    bool readsWholeRun() const override;
    bool hasLosses() const override;
    bool clearSelection() override;
    void laneFolded() override { m_foldedByHand |= !m_folding; }
    /// Where there is little room, the rows of machines and the losses have all of it.
    void heightChanged() override;

private:
    void add(std::unique_ptr<LanePainter> painter, std::size_t side, int share);
    void takeRuns();
    void catchUp();
    const ShownIndex* index(std::size_t side) const;

    struct Side {
        Lane* lane;
        std::size_t side;
    };
    RunPair& m_pair;
    ShownIndexes m_indexes{[this] { ///< its ghost is A: what was before is paler
        if (!m_catchUp.isActive()) m_catchUp.start(0);
    }};
    std::vector<Side> m_sided;
    Lane* m_loss = nullptr;
    QAction* m_byJob = nullptr;
    bool m_foldedByHand = false, m_folding = false;
    QTimer m_catchUp; ///< a log too long for one frame is folded in pieces
};

} // namespace trainyard
