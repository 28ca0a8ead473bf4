// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a layout of a cluster is made from as long as only positions change: where everything would lie
// without a position of its own, which machines and switches a rack frames, what each link joins. Finding it
// takes as long as the cluster is large in names; placing with it takes a few additions each, so that a
// thousand machines follow the mouse. Used by ClusterLayout and CanvasContent.
#include "canvas/ClusterLayout.h"

#include <cstdint>

namespace trainyard {

class LayoutPlan {
public:
    LayoutPlan() = default;
    explicit LayoutPlan(const Cluster& cluster);
    /// Whether a plan for one cluster holds for the other: the same entities by the same names, racks and ends
    /// of links, in the same order.
    static bool isShared(const Cluster& one, const Cluster& other);

    /// The layout with the positions that the cluster's entities have now. The plan must hold for the
    /// cluster.
    ClusterLayout place(const Cluster& cluster) const;
    /// By LinkId: the first link from the same end to the same end.
    const std::vector<std::uint32_t>& sameWay() const { return m_sameWay; }

private:
    friend class PlanBuilder;
    /// A machine's index, or the number of machines and a switch's index; nowhere: the link dangles.
    struct Ends {
        std::uint32_t from = nowhere, to = nowhere;
    };
    static constexpr std::uint32_t nowhere = 0xffffffff;
    struct Members {
        std::vector<std::size_t> machines, switches;
    };

    std::vector<QRectF> m_machines, m_switches;
    std::vector<Members> m_racks;
    std::vector<Ends> m_links;
    std::vector<std::uint32_t> m_sameWay;
};

} // namespace trainyard
