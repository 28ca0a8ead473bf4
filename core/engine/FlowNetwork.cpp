#include "engine/FlowNetwork.h"

#include "base/Result.h"
#include "engine/FinishHeap.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

// A flow's bytes are brought up to date only when its rate changes: `left` bytes were left at `since`, and
// from then on they fall at `rate`. A flow that goes on undisturbed is therefore never touched, and rounding
// does not add up over time.
struct FlowNetwork::Impl {
    struct Transfer {
        double left = 0;
        double rate = 0; ///< bytes per second
        SimTime since, end = SimTime::never();
        std::uint64_t tag = 0;
    };

    MaxMinRates rates;
    FinishHeap finishes; ///< flows that move
    std::vector<Transfer> transfers;
    SimTime now;

    Impl(std::vector<double> capacities, FlowSolver solver) : rates(std::move(capacities), solver) {}

    double leftAt(const Transfer& t, SimTime at) const {
        if (at >= t.end) return 0.0; // also where rounding would leave a crumb
        return std::max(0.0, t.left - t.rate * (at - t.since).toSeconds());
    }

    // The next whole nanosecond at which nothing is left. What exceeds a whole number by less than a
    // thousandth of a nanosecond (or by the rounding of the quotient) is rounding: it must not cost another
    // nanosecond.
    static SimTime finish(const Transfer& t) {
        if (t.left <= 0) return t.since;
        if (t.rate <= 0) return SimTime::never();
        const double ns = t.left / t.rate * 1e9;
        if (!(ns < 9e18)) return SimTime::never();
        return t.since + Duration{static_cast<std::int64_t>(std::ceil(ns - std::max(1e-3, 1e-15 * ns)))};
    }

    // What changed at `now` is solved when time moves on or somebody asks.
    void settle() {
        if (!rates.stale()) return;
        rates.solve();
        for (const FlowId id : rates.changed()) {
            if (!rates.active(id)) continue;
            Transfer& t = transfers[id];
            const double rate = rates.rate(id);
            if (rate == t.rate) continue;
            t.left = leftAt(t, now);
            t.rate = rate;
            t.since = now;
            t.end = finish(t);
            if (t.end == SimTime::never())
                finishes.erase(id);
            else
                finishes.set(id, t.end);
        }
        rates.clearChanged();
    }

    void moveTo(SimTime time) {
        require(time >= now, "the network's time runs forward only");
        if (time == now) return;
        settle();
        now = time;
    }

    void drop(FlowId id) {
        finishes.erase(id);
        rates.remove(id);
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
    m_impl->transfers[id] = {bytes, 0, now, SimTime::never(), tag};
    return id;
}

double FlowNetwork::cancel(FlowId flow, SimTime now) {
    m_impl->moveTo(now);
    require(flow < m_impl->transfers.size(), "no such flow");
    const double left = m_impl->leftAt(m_impl->transfers[flow], now);
    m_impl->drop(flow);
    return left;
}

void FlowNetwork::setCapacity(DirectedLink link, double bytesPerSecond, SimTime now) {
    m_impl->moveTo(now);
    m_impl->rates.setCapacity(link, bytesPerSecond);
}

SimTime FlowNetwork::nextCompletion() {
    m_impl->settle();
    return m_impl->finishes.empty() ? SimTime::never() : m_impl->finishes.time();
}

void FlowNetwork::complete(SimTime now, std::vector<std::uint64_t>& tags) {
    // One finish time after the other: those who stay get faster in between.
    for (SimTime next = nextCompletion(); next <= now && next != SimTime::never(); next = nextCompletion()) {
        m_impl->moveTo(std::max(next, m_impl->now));
        while (!m_impl->finishes.empty() && m_impl->finishes.time() == next) {
            const FlowId id = m_impl->finishes.flow();
            tags.push_back(m_impl->transfers[id].tag);
            m_impl->drop(id);
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

std::size_t FlowNetwork::activeFlows() const {
    return m_impl->rates.activeFlows();
}

void FlowNetwork::takeChangedLinks(std::vector<DirectedLink>& links) {
    m_impl->settle();
    m_impl->rates.takeChangedLinks(links);
}

std::vector<double> FlowNetwork::solveFromScratch() const {
    return m_impl->rates.solveFromScratch();
}

} // namespace trainyard
