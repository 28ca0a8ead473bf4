#include "policy/Registry.h"

#include "base/Format.h"
#include "base/Result.h"
#include "policy/Builtin.h"

#include <algorithm>
#include <cmath>

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
#define TRAINYARD_ENTRY(name) builtin::name(),
    return {.schedulers = {TRAINYARD_SCHEDULERS(TRAINYARD_ENTRY)},
            .synchronizations = {TRAINYARD_SYNCHRONIZATIONS(TRAINYARD_ENTRY)},
            .parameters = {TRAINYARD_PARAMETERS(TRAINYARD_ENTRY)},
            .partitioners = {TRAINYARD_PARTITIONERS(TRAINYARD_ENTRY)}};
#undef TRAINYARD_ENTRY
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

namespace {

/// A parameter of a choice, or what stands for it where it is left out.
double numberOf(const Choice& choice, std::string_view key, double fallback) {
    const auto it = choice.parameters.find(key);
    if (it == choice.parameters.end()) return fallback;
    if (const auto* whole = std::get_if<std::int64_t>(&it->second)) return static_cast<double>(*whole);
    const auto* real = std::get_if<double>(&it->second);
    return real ? *real : fallback;
}

std::string wordOf(const Choice& choice, std::string_view key, const char* fallback) {
    const auto it = choice.parameters.find(key);
    const auto* word = it == choice.parameters.end() ? nullptr : std::get_if<std::string>(&it->second);
    return word ? *word : fallback;
}

int batchOf(const Job& job) {
    if (const auto* work = std::get_if<TrainedWork>(&job.work)) return work->batch;
    return std::get<AnalyticWork>(job.work).batch;
}

std::optional<Text> badCode(const Job& job, const Choice& coding) {
    const int workers = job.workers.maximum, stragglers = static_cast<int>(numberOf(coding, "stragglers", 1));
    if (coding.parameters.count("stragglers") > 0 && stragglers >= workers)
        return Text{TRAINYARD_TEXT("a code of {0} workers can make up for {1} stragglers at most, not {2}"),
                    {std::to_string(workers), std::to_string(workers - 1), std::to_string(stragglers)}};
    if (wordOf(coding, "code", "cyclic") == "fractional-repetition" && workers % (stragglers + 1) != 0)
        return Text{TRAINYARD_TEXT("fractional repetition makes teams of {0} workers, which do not divide the job's {1} evenly; "
                                   "choose a number of workers that is a multiple of {0}, or the cyclic code"),
                    {std::to_string(stragglers + 1), std::to_string(workers)}};
    return std::nullopt;
}

/// Streaming least squares with isotropic features: an update of B samples multiplies the error by
/// 1 − 2η + η²(1 + (d + 1)/B).
std::optional<Text> unstableStep(const Job& job, double samples) {
    const auto* work = std::get_if<TrainedWork>(&job.work);
    if (!work || work->model.id != "linear-regression" || work->dataset.id != "gaussian-stream" ||
        work->optimizer.id != "sgd")
        return std::nullopt;
    const double eta = numberOf(work->optimizer, "learning_rate", 0.1), d = numberOf(work->dataset, "features", 100);
    const double limit = 2 / (1 + (d + 1) / samples);
    if (eta < limit) return std::nullopt;
    return Text{TRAINYARD_TEXT("the learning rate {0} diverges with {1} samples per update and {2} features; it must be below {3}"),
                {formatNumber(eta, 6), formatNumber(samples, 6), formatNumber(d, 6), formatNumber(limit, 4)}};
}

} // namespace

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
    if (synchronization.id == "gradient-coding") return badCode(job, synchronization);
    if (const double load = numberOf(synchronization, "load", 1); std::lround(load * batchOf(job)) < 1)
        return Text{TRAINYARD_TEXT("a load of {0} of a batch of {1} leaves no sample to compute; it must be at least {2}"),
                    {formatNumber(load), std::to_string(batchOf(job)), formatNumber(0.5 / batchOf(job), 4)}};
    return std::nullopt;
}

std::optional<Text> doubtful(const Job& job, const Choice& synchronization) {
    if (job.kind() == JobKind::graph) return std::nullopt;
    const int workers = job.workers.maximum, batch = batchOf(job);
    const std::string& id = synchronization.id;
    const bool countsWorkers = id == "fastest-k" || id == "k-async" || id == "dsag";
    const double k = numberOf(synchronization, id == "adaptive-k" || id == "adaptive-load" ? "first_k" : "k", 2);
    const bool given = synchronization.parameters.count("k") > 0 || synchronization.parameters.count("first_k") > 0;
    if (given && k > workers && (countsWorkers || id == "adaptive-k" || id == "adaptive-load"))
        return Text{TRAINYARD_TEXT("an update is to wait for {0} workers, but the job has at most {1}; it will wait for all"),
                    {formatNumber(k), std::to_string(workers)}};
    if (id == "full-sync" || id == "fastest-k" || id == "backup-workers") {
        const double wanted = id == "full-sync"   ? workers
                              : id == "fastest-k" ? std::min<double>(k, workers)
                                                  : workers - numberOf(synchronization, "backups", 1);
        return unstableStep(job, std::max(1.0, wanted) *
                                     static_cast<double>(std::max(1l, std::lround(batch * numberOf(synchronization, "load", 1)))));
    }
    return std::nullopt;
}

} // namespace trainyard
