// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ScenarioFields.h"

#include <array>

namespace trainyard {

namespace {

constexpr std::array<const char*, 2> ruleWords{"corrected", "faithful"};

void stragglerFields(Fields& f, StragglerLaw& law) {
    if (!f.distribution({"factor", "Law of the factor that multiplies each task's computing time"}, law.factor,
                        !(law.factor == Distribution{})))
        law.factor = {};
    f.number({"slowdown", "Constant slowdown factor of this machine"}, law.persistentFactor,
             {.minimum = 0, .maximum = 1e6, .fallback = 1, .aboveMinimum = true});
    f.optionalObject({"burst", "Bursts of slowness: a two-state Markov chain over time bins"}, "burst", law.burst,
                     [&](Burst& burst) {
                         f.number({"enter", "Probability per bin of becoming slow", true}, burst.enter,
                                  {.maximum = 1, .fallback = 0.01});
                         f.number({"leave", "Probability per bin of recovering", true}, burst.leave,
                                  {.maximum = 1, .fallback = 0.1});
                         f.number({"factor", "Slowdown factor while slow", true}, burst.factor,
                                  {.maximum = 1e6, .fallback = 5, .aboveMinimum = true});
                         f.number({"bin_s", "Length of a bin", true}, burst.binSeconds,
                                  {.maximum = 1e9, .fallback = 1, .unit = "s", .aboveMinimum = true});
                     });
    Distribution delay = law.delay.value_or(Distribution{});
    if (f.distribution({"delay_s", "Law of the extra delay before each upload starts"}, delay, law.delay.has_value()))
        law.delay = delay;
}

void positionField(Fields& f, std::optional<Position>& position) {
    std::optional<std::pair<double, double>> pair;
    if (position) pair.emplace(position->x, position->y);
    f.pair({"position", "Position [x, y] of the centre on the canvas, in pixels of an 8-pixel grid; no effect on "
                        "results"},
           pair, {.minimum = -1e6, .maximum = 1e6, .unit = "px"});
    if (pair) position = Position{pair->first, pair->second};
}

} // namespace

void machineFields(Fields& f, Machine& machine, const std::vector<std::string>& resources) {
    f.text({"id", "Unique among machines and switches", true}, machine.key);
    f.text({"name", "Shown instead of the id"}, machine.name);
    f.amounts({"capacity", "Amount of each resource; a resource not named is 0", true}, machine.capacity, resources);
    f.text({"device", "Id of a device, which sets its speed; none = speed 1"}, machine.device);
    f.text({"rack", "Id of its rack"}, machine.rack);
    f.object({"straggler", "How its speed deviates from nominal"}, "straggler",
             [&] { stragglerFields(f, machine.straggler); });
    positionField(f, machine.position);
}

void linkFields(Fields& f, Link& link) {
    const std::string derived = link.derivedKey();
    std::string key = link.key == derived ? std::string() : link.key;
    f.text({"id", "Unique among links; left out = FROM--TO"}, key);
    f.text({"from", "Id of a machine or switch", true}, link.from);
    f.text({"to", "Id of a machine or switch", true}, link.to);
    f.bandwidth({"bandwidth_gbps", "Bandwidth of each direction", true}, link.bandwidth,
                {.minimum = 0, .maximum = 1e9, .unit = "Gbit/s", .aboveMinimum = true});
    f.scaled({"latency_us", "Propagation delay; whole nanoseconds"}, link.latency.ns,
             {.power = 3, .minimum = 0, .maximum = 1e9, .fallback = 0, .unit = "µs"});
    link.key = key.empty() ? link.derivedKey() : key;
}

void deviceFields(Fields& f, DeviceType& device) {
    f.text({"id", "Unique among devices", true}, device.key);
    f.number({"speed", "Relative to the device on which seconds_per_sample was measured", true}, device.speed,
             {.maximum = 1e6, .fallback = 1, .aboveMinimum = true});
}

void rackFields(Fields& f, Rack& rack) {
    f.text({"id", "Unique among racks", true}, rack.key);
    f.text({"name", "Shown instead of the id"}, rack.name);
}

void switchFields(Fields& f, Switch& node) {
    f.text({"id", "Unique among machines and switches", true}, node.key);
    f.text({"name", "Shown instead of the id"}, node.name);
    f.text({"rack", "Id of the rack it belongs to"}, node.rack);
    positionField(f, node.position);
}

namespace {

void resourcesField(Fields& f, Cluster& cluster) {
    f.texts(
        {"resources", "Names of the resources that machines have and tasks need, such as cpu, gpu, memory_gb", true},
        cluster.resourceNames);
}

void localFields(Fields& f, Cluster& cluster) {
    f.bandwidth({"local_bandwidth_gbps", "Between tasks on one machine; 0 = costs nothing"}, cluster.localBandwidth,
                {.minimum = 0, .maximum = 1e9, .unit = "Gbit/s"});
    f.text({"storage", "Id of the machine or switch that checkpoints travel to; none = each machine's own disk"},
           cluster.storage);
}

/// Left out: as the rules have it.
void oddityFields(Fields& f, GraphRules rules, GraphSwitches& switches) {
    const GraphSwitches usual = GraphSwitches::of(rules);
    if (f.reading()) switches = usual;
    f.number({"quantum_s", "Operations are split no finer than so"}, switches.quantumSeconds,
             {.maximum = 1e9, .fallback = usual.quantumSeconds, .unit = "s", .aboveMinimum = true});
    const auto flag = [&](const char* name, const char* meaning, bool GraphSwitches::*member) {
        f.flag({name, meaning}, switches.*member, usual.*member);
    };
    flag("bandwidth_divided_twice", "All-reduce divides a channel's bandwidth by the number of groups once more",
         &GraphSwitches::bandwidthDividedTwice);
    flag("one_contending_rack", "All-reduce counts one contending rack, whatever the racks of its servers",
         &GraphSwitches::oneContendingRack);
    flag("synchronizes_activations", "Parts of a backward operation exchange activations, too",
         &GraphSwitches::synchronizesActivations);
    flag("edges_carry_memory",
         "Messages carry a share of activation and parameters of the end split last, not of the activation of their "
         "source",
         &GraphSwitches::edgesCarryMemory);
    flag("exchanges_count_as_predecessors", "A finished exchange counts as a finished predecessor of its part",
         &GraphSwitches::exchangesCountAsPredecessors);
    flag("times_ignore_placement", "Completion times are kept by graph and degree, whatever the block",
         &GraphSwitches::timesIgnorePlacement);
    flag("impossible_degrees_offered", "Degrees without a block of that shape are offered, and block the job",
         &GraphSwitches::impossibleDegreesOffered);
    flag("exact_deadlines", "Rounding of sums may decide whether a deadline is met", &GraphSwitches::exactDeadlines);
    flag("ending_jobs_hold_servers", "A job that ends when another arrives counts as running for the allowed degrees",
         &GraphSwitches::endingJobsHoldServers);
}

void rampFields(Fields& f, Cluster& cluster) {
    const OpticalNetwork usual;
    f.optionalObject(
        {"ramp",
         "RAMP, an optical network in which each pair of servers has a channel: the first machines are its servers, by "
         "group, rack and place. Graph jobs of admission immediate go by it, whatever the links say"},
        "ramp", cluster.ramp, [&](OpticalNetwork& ramp) {
            f.count({"groups", "Communication groups", true}, ramp.groups,
                    {.minimum = 1, .maximum = 64, .fallback = 4});
            f.count({"racks", "Racks of each group, at most as many as groups", true}, ramp.racks,
                    {.minimum = 1, .maximum = 64, .fallback = 4});
            f.count({"servers", "Servers of each rack; at most 64 in all", true}, ramp.servers,
                    {.minimum = 1, .maximum = 64, .fallback = 2});
            f.bandwidth({"node_bandwidth_gbps", "Of a server, divided among its channels, one to each group", true},
                        ramp.nodeBandwidth, {.maximum = 1e9, .unit = "Gbit/s", .aboveMinimum = true});
            f.number({"propagation_s", "Of a message, between any two servers"}, ramp.propagationSeconds,
                     {.maximum = 1e9, .fallback = usual.propagationSeconds, .unit = "s"});
            f.number({"io_s", "Of a message at its sender, and again at its receiver"}, ramp.ioSeconds,
                     {.maximum = 1e9, .fallback = usual.ioSeconds, .unit = "s"});
            f.number({"memory_bytes", "Of each server"}, ramp.memoryBytes,
                     {.maximum = 1e18, .fallback = usual.memoryBytes, .unit = "bytes", .aboveMinimum = true});
            f.word({"rules", "By which graphs are split and timed. faithful: with the oddities of the published "
                             "implementation of PAC-ML; corrected: without them, but for edges_carry_memory"},
                   ramp.rules, ruleWords, GraphRules::corrected);
            f.optionalObject({"switches", "Oddities one by one, instead of all that rules says; those left out are as "
                                          "rules has them"},
                             "oddities", ramp.switches,
                             [&](GraphSwitches& switches) { oddityFields(f, ramp.rules, switches); });
        });
}

} // namespace

void clusterBasics(Fields& f, Cluster& cluster) {
    resourcesField(f, cluster);
    localFields(f, cluster);
    rampFields(f, cluster);
}

void clusterFields(Fields& f, Cluster& cluster) {
    resourcesField(f, cluster);
    f.list({"devices", "Device types and their speeds"}, "device", cluster.devices,
           [&](DeviceType& device) { deviceFields(f, device); });
    f.list({"racks", "Racks"}, "rack", cluster.racks, [&](Rack& rack) { rackFields(f, rack); });
    f.list({"switches", "Switches"}, "switch", cluster.switches, [&](Switch& node) { switchFields(f, node); });
    f.list({"machines", "Machines", true}, "machine", cluster.machines,
           [&](Machine& machine) { machineFields(f, machine, cluster.resourceNames); });
    f.list({"links", "Links between machines and switches, full duplex"}, "link", cluster.links,
           [&](Link& link) { linkFields(f, link); });
    localFields(f, cluster);
    rampFields(f, cluster);
}

} // namespace trainyard
