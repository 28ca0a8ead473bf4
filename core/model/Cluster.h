// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A cluster as a value: machines, racks, switches and links. Built by the scenario reader or the canvas; never changed
// during a run (failures are state, see record/ClusterState).
#include "base/Ids.h"
#include "base/SimTime.h"
#include "model/OpticalNetwork.h"
#include "model/Resources.h"
#include "model/StragglerLaw.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// Place on the canvas, in scene pixels (8-pixel grid). Not part of a run's result.
struct Position {
    double x = 0, y = 0;
    friend bool operator==(const Position&, const Position&) = default;
};

struct DeviceType {
    std::string key;
    double speed = 1; ///< nominal speed relative to the device the job's sample times were measured on
    friend bool operator==(const DeviceType&, const DeviceType&) = default;
};

struct Machine {
    std::string key;  ///< unique in the cluster, stable; what files refer to
    std::string name; ///< shown; empty = key
    ResourceVector capacity;
    std::string device; ///< key of a DeviceType; empty = speed 1
    std::string rack;   ///< key of a Rack; empty = none
    StragglerLaw straggler;
    std::optional<Position> position;
    friend bool operator==(const Machine&, const Machine&) = default;
};

struct Rack {
    std::string key, name;
    friend bool operator==(const Rack&, const Rack&) = default;
};

struct Switch {
    std::string key, name;
    std::string rack; ///< empty = belongs to no rack
    std::optional<Position> position;
    friend bool operator==(const Switch&, const Switch&) = default;
};

/// Full duplex: each direction has the whole bandwidth.
struct Link {
    std::string key;           ///< empty in files: derived
    std::string from, to;      ///< keys of machines or switches
    double bandwidth = 1.25e9; ///< bytes per second and direction
    Duration latency{};
    std::string derivedKey() const { return from + "--" + to; }
    friend bool operator==(const Link&, const Link&) = default;
};

struct Cluster {
    std::vector<std::string> resourceNames;
    std::vector<DeviceType> devices;
    std::vector<Machine> machines;
    std::vector<Rack> racks;
    std::vector<Switch> switches;
    std::vector<Link> links;
    double localBandwidth = 0; ///< bytes per second between tasks on one machine; 0 = no cost
    std::string storage; ///< key of the machine or switch that checkpoints travel to; empty = each machine's own disk
    /// Its first machines are the servers of this network, in the order of serverAt(). Besides, whatever the links say: graph jobs that
    /// are admitted at once go by it.
    std::optional<OpticalNetwork> ramp;

    MachineId machine(std::string_view key) const; ///< invalid if there is none
    double speed(MachineId id) const;
    ResourceVector totalCapacity() const;
    friend bool operator==(const Cluster&, const Cluster&) = default;
};

} // namespace trainyard
