// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the scheduler family: decides by a function of the test.
#include "policy/Registry.h"

#include <functional>

namespace trainyard::test {

class DecidingScheduler final : public Scheduler {
public:
    using Decide = std::function<void(const PolicyContext&, const SchedulerView&, SchedulingDecisions&)>;
    explicit DecidingScheduler(Decide decide) : m_decide(std::move(decide)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<DecidingScheduler>(*this); }
    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        m_decide(context, view, decisions);
    }

    /// Under the id "deciding".
    static SchedulerEntry entry(Decide decide) {
        SchedulerEntry entry;
        entry.id = "deciding";
        entry.make = [decide = std::move(decide)](const ParamValues&) {
            return std::make_unique<DecidingScheduler>(decide);
        };
        return entry;
    }

private:
    Decide m_decide;
};

/// Tasks on machines by position.
inline Placement placed(std::initializer_list<std::size_t> workers, std::initializer_list<std::size_t> servers) {
    Placement out;
    for (const auto m : workers) out.workers.emplace_back(m);
    for (const auto m : servers) out.servers.emplace_back(m);
    return out;
}

} // namespace trainyard::test
