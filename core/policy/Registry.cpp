#include "policy/Registry.h"

#include "base/Result.h"
#include "policy/Builtin.h"

#include <algorithm>

namespace trainyard {

namespace {

template <class Entry>
const Entry* findEntry(const std::vector<Entry>& entries, std::string_view id) {
    const auto it = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.id == id; });
    return it == entries.end() ? nullptr : &*it;
}

template <class Entry>
auto makeFrom(const std::vector<Entry>& entries, const Choice& choice) {
    const Entry* entry = findEntry(entries, choice.id);
    require(entry != nullptr, "a policy was made that is not registered");
    return entry->make(entry->schema.complete(choice.parameters));
}

} // namespace

Registry Registry::builtin() {
    // One line per policy.
    return {
        .schedulers = {builtin::fifo(), builtin::srtf(), builtin::drf(), builtin::fair()},
        .synchronizations = {builtin::fullSync(), builtin::fastestK(), builtin::backupWorkers(), builtin::async(),
                             builtin::ssp()},
        .parameters = {builtin::staticParameters()},
        .partitioners = {builtin::noPartitioning(), builtin::maxPartitioning(), builtin::randomPartitioning()},
    };
}

std::vector<const PolicyInfo*> Registry::list(PolicyFamily family) const {
    std::vector<const PolicyInfo*> out;
    const auto add = [&](const auto& entries) {
        for (const auto& e : entries) out.push_back(&e);
    };
    switch (family) {
    case PolicyFamily::scheduler: add(schedulers); break;
    case PolicyFamily::synchronization: add(synchronizations); break;
    case PolicyFamily::parameters: add(parameters); break;
    case PolicyFamily::partitioner: add(partitioners); break;
    }
    return out;
}

const PolicyInfo* Registry::find(PolicyFamily family, std::string_view id) const {
    for (const PolicyInfo* info : list(family))
        if (info->id == id) return info;
    return nullptr;
}

Problems Registry::check(PolicyFamily family, const Choice& choice, const std::string& pointer) const {
    if (const PolicyInfo* info = find(family, choice.id)) return info->schema.check(choice.parameters, pointer + "/parameters");
    std::string known;
    for (const PolicyInfo* info : list(family)) known += (known.empty() ? "" : ", ") + info->id;
    return {{.code = "unknown-policy",
             .message = {TRAINYARD_TEXT("there is no {0} policy \"{1}\"; known are {2}"),
                         {std::string(familyName(family)), choice.id, known}},
             .pointer = pointer + "/id"}};
}

std::unique_ptr<Scheduler> Registry::makeScheduler(const Choice& choice) const { return makeFrom(schedulers, choice); }
std::unique_ptr<Synchronization> Registry::makeSynchronization(const Choice& choice) const {
    return makeFrom(synchronizations, choice);
}
std::unique_ptr<ParameterPolicy> Registry::makeParameters(const Choice& choice) const { return makeFrom(parameters, choice); }
std::unique_ptr<Partitioner> Registry::makePartitioner(const Choice& choice) const { return makeFrom(partitioners, choice); }

std::optional<Text> incompatible(const Job& job, const Choice& synchronization, const Choice&) {
    if (job.kind() == JobKind::graph) return std::nullopt; // consults neither family
    if (synchronization.id == "backup-workers" && job.workers.maximum > 1) {
        const auto it = synchronization.parameters.find("backups");
        const auto* backups = it == synchronization.parameters.end() ? nullptr : std::get_if<std::int64_t>(&it->second);
        if (backups && *backups >= job.workers.maximum)
            return Text{TRAINYARD_TEXT("{0} backup workers leave none to wait for: the job has at most {1} workers, so "
                                       "\"backups\" must be less than that"),
                        {std::to_string(*backups), std::to_string(job.workers.maximum)}};
    }
    return std::nullopt;
}

} // namespace trainyard
