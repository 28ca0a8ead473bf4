// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/FlowNetwork.h"

#include "base/Result.h"
#include "engine/FinishHeap.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard {

// A flow's bytes are brought up to date only when its rate changes: `left` bytes were left at `since`, and
// from then on they fall at `rate`. A flow that goes on undisturbed is therefore never touched, and rounding
// does not add up over time.
//
// The flows of a sole bottleneck all go at one rate. What the link has given each of them since it became one is a single
// number, its service; a flow ends when the service reaches the flow's target. A new rate costs one look at the earliest
// target instead of one at every flow.
struct FlowNetwork::Impl {
    static constexpr DirectedLink none = MaxMinRates::noLink;
    struct Transfer {
        double bytes = 0, left = 0;
        double rate = 0; ///< bytes per second
        SimTime since, end = SimTime::never();
        std::uint64_t tag = 0;
        DirectedLink sole = none; ///< the sole bottleneck it crosses: then `target` counts, and what is left does not
        double target = 0;
    };
    struct Service {
        double given = 0, rate = 0; ///< bytes per flow until `since`; bytes per second from then on
        SimTime since;
        std::set<std::pair<double, FlowId>> targets;
        double at(SimTime now) const { return given + rate * (now - since).toSeconds(); }
    };
    /// What has been reported of a link since it was last idle.
    struct Reported {
        double load = 0;
        SimTime since;
        double bytes = 0;   ///< that the reported loads add up to, until `since`
        double carried = 0; ///< bytes of flows that have ended or been cancelled
        bool exact = true;  ///< every change of load has been reported
    };

    MaxMinRates rates;
    std::vector<Reported> reported; ///< by link
    std::vector<DirectedLink> changed;
    FinishHeap finishes;            ///< flows that move at a rate of their own
    FinishHeap services;            ///< sole bottlenecks, by the end of the flow that ends first
    std::vector<Service> serviceOf; ///< by link
    std::vector<Transfer> transfers;
    SimTime now;

    Impl(std::vector<double> capacities, FlowSolver solver)
        : rates(std::move(capacities), solver), reported(rates.linkCount()), serviceOf(rates.linkCount()) {}

    // The next whole nanosecond at which nothing is left. What exceeds a whole number by less than a
    // thousandth of a nanosecond (or by the rounding of the quotient) is rounding: it must not cost another
    // nanosecond.
    static SimTime finish(double left, double rate, SimTime since) {
        if (left <= 0) return since;
        if (rate <= 0) return SimTime::never();
        const double ns = left / rate * 1e9;
        if (!(ns < 9e18)) return SimTime::never();
        return since + Duration{static_cast<std::int64_t>(std::ceil(ns - std::max(1e-3, 1e-15 * ns)))};
    }

    SimTime endOf(const Transfer& t) const {
        if (t.sole == none) return t.end;
        const Service& s = serviceOf[t.sole];
        return finish(t.target - s.given, s.rate, s.since);
    }
    double leftNow(const Transfer& t) const {
        if (now >= endOf(t)) return 0.0; // also where rounding would leave a crumb
        const double left =
            t.sole == none ? t.left - t.rate * (now - t.since).toSeconds() : t.target - serviceOf[t.sole].at(now);
        return std::max(0.0, left);
    }

    void leave(FlowId id) {
        Transfer& t = transfers[id];
        if (t.sole == none) {
            finishes.erase(id);
        } else {
            serviceOf[t.sole].targets.erase({t.target, id});
            t.sole = none;
        }
    }

    // What changed at `now` is solved when time moves on or somebody asks.
    void settle() {
        if (!rates.stale()) return;
        rates.solve();
        for (const FlowId id : rates.changed())
            if (rates.active(id)) resettle(id);
        for (const DirectedLink link : rates.changedLevels()) {
            Service& s = serviceOf[link];
            const double rate = rates.soleLevel(link);
            if (rate != s.rate) {
                s.given = s.targets.empty() ? 0 : s.at(now);
                s.since = now;
                s.rate = rate;
            }
            if (s.targets.empty())
                services.erase(link);
            else
                services.set(link, finish(s.targets.begin()->first - s.given, s.rate, s.since));
        }
        rates.clearChanged();
    }

    // The flow may have another rate, or go at one of its own where it shared one, or the other way round.
    void resettle(FlowId id) {
        Transfer& t = transfers[id];
        const DirectedLink sole = rates.soleBottleneck(id);
        if (sole != none) {
            if (sole == t.sole) return;
            const double left = leftNow(t);
            leave(id);
            Service& s = serviceOf[sole];
            if (s.targets.empty()) s = {.since = now};
            t.sole = sole;
            t.target = s.at(now) + left;
            t.rate = 0;
            s.targets.insert({t.target, id});
            return;
        }
        const double rate = rates.rate(id);
        if (t.sole == none && rate == t.rate) return;
        t.left = leftNow(t);
        if (t.sole != none) leave(id);
        t.rate = rate;
        t.since = now;
        t.end = finish(t.left, t.rate, t.since);
        if (t.end == SimTime::never())
            finishes.erase(id);
        else
            finishes.set(id, t.end);
    }

    void moveTo(SimTime time) {
        require(time >= now, "the network's time cannot go back");
        if (time == now) return;
        settle();
        now = time;
    }

    SimTime next() {
        settle();
        const SimTime own = finishes.empty() ? SimTime::never() : finishes.time();
        return services.empty() ? own : std::min(own, services.time());
    }

    /// The flows that end at `time`, the next end, by index.
    std::vector<FlowId> endingAt(SimTime time) {
        std::vector<FlowId> ending;
        while (!finishes.empty() && finishes.time() == time) {
            ending.push_back(finishes.flow());
            finishes.erase(finishes.flow());
        }
        while (!services.empty() && services.time() == time) {
            const Service& s = serviceOf[services.flow()];
            services.erase(services.flow());
            for (const auto& [target, id] : s.targets) {
                if (finish(target - s.given, s.rate, s.since) != time) break;
                ending.push_back(id);
            }
        }
        std::sort(ending.begin(), ending.end());
        return ending;
    }

    void drop(FlowId id, double left) {
        leave(id);
        for (const DirectedLink link : rates.route(id)) reported[link].carried += transfers[id].bytes - left;
        rates.remove(id);
    }

    // Appends a report if the link's load is worth one.
    void report(DirectedLink link, std::vector<LinkReport>& reports) {
        Reported& r = reported[link];
        const bool idle = rates.flowsOn(link) == 0;
        const double load = idle ? 0 : rates.load(link);
        if (rates.hasGoverned(link)) r.exact = false; // trifles are not even looked at
        if (load == r.load && (!idle || r.exact)) return;
        if (load > 0 && r.load > 0 && std::abs(load - r.load) <= reportedShare * rates.capacity(link)) {
            r.exact = false;
            return;
        }
        r.bytes += r.load * (now - r.since).toSeconds();
        r.load = load;
        r.since = now;
        LinkReport report{link, load};
        if (idle) {
            if (!r.exact) report.unreportedBytes = r.carried - r.bytes;
            r.bytes = r.carried = 0;
            r.exact = true;
        }
        reports.push_back(report);
    }
};

FlowNetwork::FlowNetwork(std::vector<double> capacities, FlowSolver solver)
    : m_impl(std::make_unique<Impl>(std::move(capacities), solver)) {}
FlowNetwork::FlowNetwork(const FlowNetwork& other) : m_impl(std::make_unique<Impl>(*other.m_impl)) {}
FlowNetwork& FlowNetwork::operator=(const FlowNetwork& other) {
    *m_impl = *other.m_impl;
    return *this;
}
FlowNetwork::FlowNetwork(FlowNetwork&&) noexcept = default;
FlowNetwork& FlowNetwork::operator=(FlowNetwork&&) noexcept = default;
FlowNetwork::~FlowNetwork() = default;

FlowId FlowNetwork::start(std::span<const DirectedLink> route, double bytes, std::uint64_t tag, SimTime now) {
    require(bytes > 0 && std::isfinite(bytes), "a flow carries a positive, finite number of bytes");
    m_impl->moveTo(now);
    const FlowId id = m_impl->rates.add(route);
    if (id >= m_impl->transfers.size()) m_impl->transfers.resize(id + 1);
    m_impl->transfers[id] = {.bytes = bytes, .left = bytes, .since = now, .tag = tag};
    return id;
}

double FlowNetwork::cancel(FlowId flow, SimTime now) {
    m_impl->moveTo(now);
    require(flow < m_impl->transfers.size(), "no such flow");
    const double left = m_impl->leftNow(m_impl->transfers[flow]);
    m_impl->drop(flow, left);
    return left;
}

void FlowNetwork::setCapacity(DirectedLink link, double bytesPerSecond, SimTime now) {
    m_impl->moveTo(now);
    m_impl->rates.setCapacity(link, bytesPerSecond);
}

DirectedLink FlowNetwork::addLink(double bytesPerSecond) {
    m_impl->reported.emplace_back();
    m_impl->serviceOf.emplace_back();
    return m_impl->rates.addLink(bytesPerSecond);
}

SimTime FlowNetwork::nextCompletion() { return m_impl->next(); }

void FlowNetwork::complete(SimTime now, std::vector<std::uint64_t>& tags) {
    // One finish time after the other: those who stay get faster in between.
    for (SimTime next = m_impl->next(); next <= now && next != SimTime::never(); next = m_impl->next()) {
        m_impl->moveTo(std::max(next, m_impl->now));
        for (const FlowId id : m_impl->endingAt(next)) {
            tags.push_back(m_impl->transfers[id].tag);
            m_impl->drop(id, 0);
        }
    }
    m_impl->moveTo(now);
}

double FlowNetwork::rate(FlowId flow) {
    m_impl->settle();
    return m_impl->rates.rate(flow);
}

double FlowNetwork::load(DirectedLink link) {
    m_impl->settle();
    return m_impl->rates.load(link);
}

std::size_t FlowNetwork::activeFlows() const { return m_impl->rates.activeFlows(); }

void FlowNetwork::takeLinkReports(std::vector<LinkReport>& reports) {
    m_impl->settle();
    m_impl->rates.takeChangedLinks(m_impl->changed);
    reports.clear();
    for (const DirectedLink link : m_impl->changed) m_impl->report(link, reports);
}

std::vector<double> FlowNetwork::solveFromScratch() const { return m_impl->rates.solveFromScratch(); }

} // namespace trainyard
