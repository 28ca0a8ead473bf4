// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the synchronization family: a policy that ships, whose every call and answer is kept, whatever becomes of the
// objects. Of one job at a time.
#include "policy/Registry.h"

#include <map>

namespace trainyard::test {

/// What a probed policy was told and has answered, in order.
struct SyncProbe {
    struct Arrival {
        std::uint32_t worker = 0, task = 0;
        std::uint64_t readVersion = 0, updates = 0; ///< the latter: when it arrived
        std::vector<double> message;
    };
    struct Answer {
        bool start = false;
        std::uint64_t updates = 0; ///< once what it answers is done
        IterationShape shape;      ///< of four workers, from then on
        std::map<std::uint32_t, Assignment> tasks;
        std::map<std::uint32_t, std::uint32_t> numbers; ///< of these tasks, by worker
    };
    std::vector<Arrival> arrivals;
    std::vector<Answer> answers;                             ///< those that begin tasks
    std::map<std::uint64_t, std::vector<double>> parameters; ///< by update
};

class ProbedSync final : public Synchronization {
public:
    ProbedSync(std::unique_ptr<Synchronization> inner, std::shared_ptr<SyncProbe> probe)
        : m_inner(std::move(inner)), m_probe(std::move(probe)) {}
    std::unique_ptr<Synchronization> clone() const override {
        return std::make_unique<ProbedSync>(m_inner->clone(), m_probe);
    }
    void onStart(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        m_inner->onStart(context, view, actions);
        keep(view, actions, true);
    }
    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient& arrival,
                   SyncActions& actions) override {
        m_probe->arrivals.push_back({arrival.worker,
                                     arrival.task,
                                     arrival.readVersion,
                                     view.updates,
                                     {arrival.message.begin(), arrival.message.end()}});
        m_inner->onArrival(context, view, arrival, actions);
        keep(view, actions);
    }
    void onMembership(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        m_inner->onMembership(context, view, actions);
        keep(view, actions);
    }
    void onTimer(const PolicyContext& context, const TrainingView& view, std::uint32_t tag,
                 SyncActions& actions) override {
        m_inner->onTimer(context, view, tag, actions);
        keep(view, actions);
    }
    IterationShape shape(int workers) const override { return m_inner->shape(workers); }

    /// A policy "test-probed" that wraps this one.
    static SynchronizationEntry entry(const Choice& inner, std::shared_ptr<SyncProbe> probe) {
        SynchronizationEntry made;
        made.id = "test-probed";
        made.label = "Probed";
        made.summary = "Keeps what a policy was told and has answered.";
        made.make = [inner, probe](const ParamValues&) {
            return std::make_unique<ProbedSync>(Registry::builtin().makeSynchronization(inner), probe);
        };
        return made;
    }

private:
    void keep(const TrainingView& view, const SyncActions& actions, bool start = false) {
        m_probe->parameters[view.updates].assign(view.parameters.begin(), view.parameters.end());
        SyncProbe::Answer answer{.start = start, .updates = view.updates, .shape = m_inner->shape(4)};
        for (const auto& action : actions.list()) {
            if (std::holds_alternative<SyncActions::Update>(action)) ++answer.updates;
            const auto* assign = std::get_if<SyncActions::Assign>(&action);
            if (!assign) continue;
            answer.tasks[assign->worker] = assign->assignment;
            answer.numbers[assign->worker] = view.workers[assign->worker].task + 1;
        }
        if (!answer.tasks.empty()) m_probe->answers.push_back(std::move(answer));
    }

    std::unique_ptr<Synchronization> m_inner;
    std::shared_ptr<SyncProbe> m_probe;
};

} // namespace trainyard::test
