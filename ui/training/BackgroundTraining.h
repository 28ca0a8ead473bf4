// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A training under way beside the window's thread: started or resumed in its directory, paused, continued, stopped. Owned by the page that
// shows it. However it ends, the directory has a checkpoint of the last whole iteration.
#include "compare/BackgroundBatch.h"
#include "training/KeptTraining.h"
#include "training/WatchedTraining.h"

namespace trainyard {

/// What is trained where.
struct TrainingRequest {
    AgentPlan plan;
    std::filesystem::path resources, profiles, directory;
    KeptTraining::Begin begin = KeptTraining::Begin::anew;
};

class BackgroundTraining final : public BackgroundBatch {
    Q_OBJECT
public:
    explicit BackgroundTraining(QObject* parent = nullptr) : BackgroundBatch(parent) {}

    void start(TrainingRequest request);
    void pause() { stop(); } ///< the directory stays its own
    void goOn();             ///< after pause(), or when what could not be written may now be
    void end();              ///< as pause(), and the directory may be used otherwise, unless nothing could be written

    /// It is begun and not done, and could go on.
    bool isPaused() const { return !isRunning() && m_kept && !m_done; }
    bool isDone() const { return m_done; }
    /// What came of it last; null before the first start.
    const std::shared_ptr<const WatchedTraining>& watched() const { return m_watched; }
    const Problems& problems() const { return m_problems; }
    const TrainingRequest& request() const { return m_request; }
    double secondsLeft() const; ///< hides that of all batches: what was done before a resumption took no time here

private:
    struct Kept;
    struct Latest;
    void go();
    void take() override;
    void clear() override;

    TrainingRequest m_request;
    std::shared_ptr<Kept> m_kept; ///< the training, used by one thread at a time
    std::shared_ptr<Latest> m_latest;
    std::shared_ptr<const WatchedTraining> m_watched;
    Problems m_problems;
    int m_doneBefore = -1; ///< iterations, as this start found them
    bool m_done = false, m_ending = false;
};

} // namespace trainyard
