// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The training of a whole agent by its plan, one iteration at a time: for each task a net is distilled, then improved for each law (or a net
// of the paper's shape trained for each), and of the candidates on the way, the distilled net among them, the one that blocks least on the
// validation seeds is kept. Between two iterations
// everything that goes on is one small value, which is written as a checkpoint; what goes on from it is the same. Not for several threads
// at once.
#include "planning/agents/DegreeAgent.h"
#include "training/AgentEvaluation.h"
#include "training/AgentTrainer.h"
#include "training/QLearning.h"

namespace trainyard {

/// What a plan needs beside itself. Graphs have times as those of profiles: factors of settings are applied to them.
struct TrainingInputs {
    std::vector<std::shared_ptr<const ComputationGraph>> graphs;
    std::vector<std::pair<std::string, DiscreteLaw>> laws; ///< by name; all that the plan names
    std::vector<std::string> lawTitles;                    ///< as many
};

/// The graphs of a plan, those that ship or profiles in a directory, and its laws. Problems: "no-graphs" (a directory is needed, or has
/// no such profile), problems of profiles and of tables.
Result<TrainingInputs> trainingInputs(const AgentPlan& plan, const std::filesystem::path& resources,
                                      const std::filesystem::path& profiles);

/// "mostly tight": how a law's file calls it in its first line, a comment; its name where there is none.
std::string lawTitle(const std::string& name, const std::filesystem::path& resources);

/// The best candidate of a law so far.
struct TrainedCandidate {
    std::vector<float> parameters; ///< in half precision; empty: none yet
    std::string name;
    double blocking = 1;
};

/// A point of the curve of a stage.
struct TrainingPoint {
    std::uint64_t steps = 0;
    double reward = 0;
    std::optional<double> blocking; ///< on validation, where a candidate was compared
};

/// All that goes on. A plain value.
struct TrainingCheckpoint {
    std::size_t stage = 0;
    TrainingState state;                            ///< of the trainer of that stage
    std::vector<std::vector<float>> distilled;      ///< in the order of their stages
    std::vector<TrainedCandidate> best;             ///< by law of a task, in order
    std::vector<std::vector<TrainingPoint>> curves; ///< by stage: one an iteration, and one a candidate
};

/// Of a stage of the task: the distillation for all of its laws, or one law.
struct StageSize {
    int iterations = 0, arrivals = 0; ///< learned from in an iteration
    std::uint64_t steps() const {
        return static_cast<std::uint64_t>(iterations) * static_cast<std::uint64_t>(arrivals);
    }
};
StageSize stageSize(const AgentTask& task, bool distillation);
/// Of the task's shape and widths.
DegreeNet netOf(const AgentTask& task, std::vector<float> parameters);

class AgentTraining {
public:
    AgentTraining(AgentPlan plan, TrainingInputs inputs);
    ~AgentTraining();

    bool done() const { return m_point.stage == m_stages.size(); }
    /// One iteration, and the comparison of a candidate where it is due. False: stopped, and nothing has changed.
    bool step(const Parallel& parallel, std::stop_token stop = {});

    struct Progress {
        std::size_t stage = 0, stages = 0;
        int iteration = 0, iterations = 0;         ///< of the stage
        int iterationsDone = 0, iterationsAll = 0; ///< of all
        std::uint64_t steps = 0;                   ///< arrivals learned from so far, in all stages
        std::string what;                          ///< "distillation, corrected", "law beta-a, corrected"
        double reward = 0;
        std::optional<double> blocking; ///< of the best candidate of the law
    };
    Progress progress() const;

    const TrainingCheckpoint& checkpoint() const { return m_point; }
    /// Of a training by the same plan; false: it does not fit it.
    bool restore(TrainingCheckpoint point);
    const AgentPlan& plan() const { return m_plan; }
    const TrainingInputs& inputs() const { return m_inputs; }
    /// What episodes of the task are drawn from, but for its laws.
    TrainingSource source(std::size_t task) const { return sourceOf(m_plan.tasks[task]); }
    /// When done.
    DegreeAgent agent() const;

private:
    struct Stage {
        std::size_t task = 0;
        std::optional<std::size_t> law; ///< of the task; nullopt: distillation for all
        std::size_t candidate = 0;      ///< position in `best`
        std::size_t distilled = 0;      ///< position of the net that it begins with, or of its own
    };
    void beginStage();
    void compare(const std::string& name, const Parallel& parallel);
    TrainingSource sourceOf(const AgentTask& task) const;
    TrainingSettings settingsOf(const Stage& stage) const;
    const DiscreteLaw& law(const std::string& name) const;

    AgentPlan m_plan;
    TrainingInputs m_inputs;
    std::vector<Stage> m_stages;
    TrainingCheckpoint m_point;
    std::shared_ptr<const TrainingWorld> m_world; ///< of the task at hand, with all of its laws
    std::size_t m_worldTask = 0;
    std::unique_ptr<StageTrainer> m_trainer;
};

} // namespace trainyard
