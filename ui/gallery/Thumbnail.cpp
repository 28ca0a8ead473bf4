#include "gallery/Thumbnail.h"

#include "canvas/ClusterPainter.h"

#include <QPainter>

#include <algorithm>

namespace trainyard {

namespace thumbnail {

bool fits(const ResourceVector& demand, const ResourceVector& free, std::size_t resources) {
    for (std::size_t r = 0; r < resources; ++r)
        if (demand.amount(r) > free.amount(r)) return false;
    return true;
}

/// Each job in turn with as many tasks as find a machine: what the cluster looks like when it is busy.
std::shared_ptr<const ClusterState> busyState(const std::shared_ptr<const Workload>& workload) {
    auto state = std::make_shared<ClusterState>(workload);
    const std::size_t machines = workload->cluster.machines.size();
    std::size_t next = 0; // tasks go round, so that all machines get their share
    const auto place = [&](std::size_t job, TaskRole role, int tasks, const ResourceVector& demand) {
        for (int task = 0; task < tasks; ++task)
            for (std::size_t tried = 0; tried < machines; ++tried) {
                const std::size_t m = (next + tried) % machines;
                if (!fits(demand, state->machine(MachineId(m)).free, workload->cluster.resourceNames.size()))
                    continue;
                state->apply({.type = EventType::taskPlaced,
                              .aux = static_cast<std::uint16_t>(role),
                              .job = static_cast<std::uint32_t>(job),
                              .a = static_cast<std::uint32_t>(task),
                              .b = static_cast<std::uint32_t>(m)});
                next = m + 1;
                break;
            }
    };
    for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
        const Job& job = workload->jobs[j];
        place(j, TaskRole::worker, job.workers.minimum, job.workerDemand);
        place(j, TaskRole::server, job.servers.minimum, job.serverDemand);
    }
    return state;
}

} // namespace thumbnail

QPixmap thumbnailOf(const std::shared_ptr<const Workload>& workload, const Theme& theme, QSize size, double devicePixelRatio) {
    constexpr double margin = 12, largestZoom = 0.5; // a single machine is no poster
    const Cluster& cluster = workload->cluster;
    QPixmap picture(size * devicePixelRatio);
    picture.setDevicePixelRatio(devicePixelRatio);
    picture.fill(theme.window);
    if (cluster.machines.empty() && cluster.switches.empty()) return picture;
    CanvasContent content;
    content.setCluster(cluster);
    content.setState(thumbnail::busyState(workload));
    const QRectF bounds = content.layout.bounds;
    const double zoom = std::min({(size.width() - 2 * margin) / std::max(1.0, bounds.width()),
                                  (size.height() - 2 * margin) / std::max(1.0, bounds.height()), largestZoom});
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(size.width() / 2.0, size.height() / 2.0);
    painter.scale(zoom, zoom);
    painter.translate(-bounds.center());
    ClusterPainter(content, theme, bounds.adjusted(-100, -100, 100, 100), zoom).paint(painter);
    return picture;
}

} // namespace trainyard
