// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/Arrangement.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

namespace arrangement {

QRectF around(const std::vector<PlacedThing>& things) {
    QRectF all;
    for (const PlacedThing& thing : things) all |= thing.rect;
    return all;
}

bool touchesAny(const QRectF& rect, const std::vector<QRectF>& obstacles) {
    return std::ranges::any_of(obstacles, [&](const QRectF& other) { return other.intersects(rect); });
}

struct Member {
    std::string key, rack;
    QRectF rect;
    bool moved = false;
};

std::vector<Member> membersOf(const Cluster& cluster, const ClusterLayout& layout, const std::set<std::string>& moved) {
    std::vector<Member> members;
    for (std::size_t i = 0; i < cluster.machines.size(); ++i)
        members.push_back({cluster.machines[i].key, cluster.machines[i].rack, layout.machines[i],
                           moved.contains(cluster.machines[i].key)});
    for (std::size_t i = 0; i < cluster.switches.size(); ++i)
        members.push_back({cluster.switches[i].key, cluster.switches[i].rack, layout.switches[i],
                           moved.contains(cluster.switches[i].key)});
    return members;
}

} // namespace arrangement

QHash<QString, QPointF> aligningMoves(const std::vector<PlacedThing>& things, Alignment alignment) {
    const QRectF all = arrangement::around(things);
    QHash<QString, QPointF> moves;
    for (const auto& [key, rect] : things) {
        QPointF by;
        switch (alignment) {
        case Alignment::left: by.setX(all.left() - rect.left()); break;
        case Alignment::centre: by.setX(std::round(all.center().x() - rect.center().x())); break;
        case Alignment::right: by.setX(all.right() - rect.right()); break;
        case Alignment::top: by.setY(all.top() - rect.top()); break;
        case Alignment::middle: by.setY(std::round(all.center().y() - rect.center().y())); break;
        case Alignment::bottom: by.setY(all.bottom() - rect.bottom()); break;
        }
        moves.insert(key, by);
    }
    return moves;
}

QHash<QString, QPointF> distributingMoves(std::vector<PlacedThing> things, Qt::Orientation along) {
    QHash<QString, QPointF> moves;
    const auto start = [along](const QRectF& r) { return along == Qt::Horizontal ? r.left() : r.top(); };
    const auto size = [along](const QRectF& r) { return along == Qt::Horizontal ? r.width() : r.height(); };
    if (things.size() < 3) {
        for (const PlacedThing& thing : things) moves.insert(thing.key, {});
        return moves;
    }
    std::stable_sort(things.begin(), things.end(), [&](const PlacedThing& a, const PlacedThing& b) {
        return start(a.rect) + size(a.rect) / 2 < start(b.rect) + size(b.rect) / 2;
    });
    const QRectF &first = things.front().rect, &last = things.back().rect;
    double taken = 0;
    for (const PlacedThing& thing : things) taken += size(thing.rect);
    const double room = start(last) + size(last) - start(first);
    const double gap = (room - taken) / static_cast<double>(things.size() - 1);
    double at = start(first);
    for (const auto& [key, rect] : things) {
        const double by = std::round(at - start(rect));
        moves.insert(key, along == Qt::Horizontal ? QPointF(by, 0) : QPointF(0, by));
        at += size(rect) + gap;
    }
    return moves;
}

QPointF clearingMove(const std::vector<QRectF>& rects, const std::vector<QRectF>& obstacles, double gap) {
    QRectF all;
    for (const QRectF& rect : rects) all |= rect;
    const auto isClear = [&](QPointF by) {
        return std::ranges::none_of(rects, [&](const QRectF& rect) {
            return arrangement::touchesAny(rect.translated(by).adjusted(1 - gap, 1 - gap, gap - 1, gap - 1), obstacles);
        });
    };
    // Steps as wide as the whole, so that a copy stands beside what it was copied from.
    const double right = std::ceil((all.width() + gap) / gap) * gap, down = std::ceil((all.height() + gap) / gap) * gap;
    constexpr int farthest = 200;
    for (int rows = 0; rows < farthest; ++rows)
        for (int columns = 0; columns <= 6; ++columns)
            if (const QPointF by(columns * right, rows * down); isClear(by)) return by;
    return {0, farthest * down};
}

std::vector<RackChange> rackChanges(const Cluster& cluster, const ClusterLayout& layout,
                                    const std::set<std::string>& moved) {
    const auto members = arrangement::membersOf(cluster, layout, moved);
    std::map<std::string, QRectF> resting;
    std::map<std::string, int> count;
    for (const auto& member : members) {
        ++count[member.rack];
        if (!member.moved) resting[member.rack] |= member.rect;
    }
    std::vector<RackChange> changes;
    for (const auto& member : members) {
        if (!member.moved) continue;
        const bool rackMoves = !member.rack.empty() && !resting.contains(member.rack);
        if (rackMoves && count[member.rack] > 1) continue;
        std::string to = member.rack;
        if (!member.rack.empty() && !rackMoves) {
            const double r = rackReach;
            const QRectF near = ClusterLayout::frameAround(resting[member.rack]).adjusted(-r, -r, r, r);
            if (!near.intersects(member.rect)) to.clear();
        }
        for (const Rack& rack : cluster.racks) {
            const auto box = resting.find(rack.key);
            if (box == resting.end() || rack.key == member.rack) continue;
            if (ClusterLayout::frameAround(box->second).contains(member.rect.center())) to = rack.key;
        }
        if (to != member.rack) changes.push_back({member.key, member.rack, to});
    }
    return changes;
}

std::string rackAround(const Cluster& cluster, const ClusterLayout& layout, QPointF point) {
    for (std::size_t i = 0; i < layout.racks.size(); ++i)
        if (layout.racks[i].contains(point)) return cluster.racks[i].key;
    return {};
}

} // namespace trainyard
