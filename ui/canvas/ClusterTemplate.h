// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The clusters of regular shape that the window offers (model/Topologies.h), with the numbers each asks for,
// and what putting one into a scenario does. Used by the template panel.
#include "canvas/ClusterLayout.h"
#include "model/Topologies.h"
#include "scenario/Scenario.h"

#include <QString>

#include <set>
#include <string>
#include <vector>

namespace trainyard {

struct TemplateNumber {
    QString label, help;
    int least = 1, most = 1, usual = 1, step = 1;
};

class ClusterTemplate {
public:
    enum class Kind { star, tree, fatTree, ring, torus, mesh, ramp };
    static const std::vector<Kind>& kinds();

    explicit ClusterTemplate(Kind kind) : m_kind(kind) {}
    Kind kind() const { return m_kind; }
    QString name() const;
    QString help() const; ///< one sentence
    std::vector<TemplateNumber> numbers() const;
    /// Why these numbers make no cluster; empty if they do.
    QString whyNot(const std::vector<int>& numbers) const;
    /// `numbers` as asked for by numbers(), for which whyNot() is empty.
    Cluster make(const std::vector<int>& numbers, const TopologyParts& parts) const;

private:
    Kind m_kind;
};

/// Resources of the scenario and capacity of its machine `like` (or its last one), for a template.
TopologyParts partsLike(const Scenario& scenario, const std::string& like);
/// In place of all machines, switches, racks and links; faults of what is gone go too. Jobs, resources and
/// devices stay.
void replaceCluster(Scenario& scenario, Cluster cluster);
/// Beside what is there, under free ids; the ids it has now.
std::set<std::string> addCluster(Scenario& scenario, Cluster cluster);

} // namespace trainyard
