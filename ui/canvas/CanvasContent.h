// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Everything the canvas paints, gathered once per change: the cluster and its layout, the state shown, which
// tasks sit on which machine, what is selected. Painters and tooltips only read it.
#include "analysis/ColouredJobs.h"
#include "canvas/LayoutPlan.h"
#include "record/ClusterState.h"
#include "theme/Theme.h"

#include <QStringList>

#include <memory>
#include <set>

namespace trainyard {

/// How much is shown, by zoom: below 60 % cards lose their text, below 30 % they are blocks, below 12 % cells
/// of a heat map.
enum class Detail { full, shapes, blocks, cells };
Detail detailAt(double zoom);

struct TaskSlot {
    JobId job;
    TaskRole role = TaskRole::worker;
    std::uint32_t task = 0;
    WorkerPhase phase = WorkerPhase::idle; ///< workers only
    bool isLogged = true;                  ///< else all that is known of a worker is that it runs
};

struct CanvasContent {
    Cluster cluster; ///< as the document has it: names and positions may be newer than the run's
    LayoutPlan plan; ///< of the cluster
    ClusterLayout layout;
    std::vector<QString> machineLabels;        ///< by index
    std::size_t groundRevision = 0;            ///< counts changes of what is neither lifted nor of the run
    std::shared_ptr<const ClusterState> state; ///< null before the first frame
    std::vector<std::vector<TaskSlot>> slots;  ///< by MachineId, in order of job, workers first
    JobId selectedJob;
    std::set<std::string, std::less<>> selectedKeys;
    ClusterLayout::Hit hovered;
    double flowPhase = 0; ///< seconds of real time, for what moves along links
    bool flowing = false; ///< time moves, and motion is wanted

    void setCluster(const Cluster& newCluster);
    void setState(std::shared_ptr<const ClusterState> newState);
    /// While machines and switches are dragged only they, their racks and their links move: the rest of the cluster stays
    /// as it is. None: they are put down.
    void lift(const std::set<std::string, std::less<>>& keys);
    bool isLinkLifted(std::size_t link) const { return !m_liftedLinks.empty() && m_liftedLinks[link]; }
    bool isRackLifted(std::size_t rack) const { return !m_liftedLinks.empty() && m_liftedRacks[rack]; }
    bool isAnyLifted() const { return !m_liftedLinks.empty(); }

    const std::string& keyOf(ClusterLayout::Hit hit) const;
    QString nameOf(ClusterLayout::Hit hit) const;
    /// As it stands on the canvas: within a rack without the rack's name before it ("Rack 1, machine 2": "Machine 2"), and
    /// of machines with long names what tells them apart.
    QString labelOf(ClusterLayout::Hit hit) const;
    bool isSelected(const std::string& key) const { return selectedKeys.contains(key); }
    bool isUp(MachineId id) const { return !state || state->machine(id).up; }
    bool isLinkUp(std::size_t link) const { return !state || state->linksUp()[link]; }
    /// Share of a resource in use, 0…1; negative if the machine has none of it.
    double usedShare(MachineId id, std::size_t resource) const;
    /// Greatest share over resources.
    double busiestShare(MachineId id) const;
    /// Share of the bandwidth in use now, the busier direction.
    double linkShare(std::size_t link) const;
    /// Messages of a keyed job go over it, by how its tasks are placed. Their load is not logged by link.
    bool carriesKeys(std::size_t link) const;
    bool holdsSelectedJob(MachineId id) const;
    /// As in lanes: the selected one has a colour of its own as well.
    bool isColoured(JobId job) const { return job == selectedJob || m_coloured.has(job); }

private:
    void findKeyTraffic();
    ColouredJobs m_coloured;
    std::shared_ptr<const Workload> m_colouredOf;
    std::set<std::string, std::less<>> m_exchanging; ///< machines of keyed jobs that run on several
    std::vector<bool> m_liftedLinks, m_liftedRacks;  ///< empty: nothing is lifted
};

} // namespace trainyard
