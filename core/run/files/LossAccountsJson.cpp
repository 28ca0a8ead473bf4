// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/LossAccountsJson.h"
#include "run/files/RecordJson.h"

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

Json sumJson(const LossAccounts::Sum& sum) { return {sum.sum, sum.jobs}; }
LossAccounts::Sum sumFrom(const Json& json) { return {json.at(0).get<double>(), json.at(1).get<double>()}; }

Json jobJson(const LossAccounts::Job& job) {
    Json records = Json::array();
    for (const auto& record : job.records) records.push_back({record.seconds, record.loss});
    return {{"job", job.job},
            {"first", job.first},
            {"least", job.least},
            {"before", job.before},
            {"since", job.since},
            {"loss_since", job.lossSince},
            {"in_system", job.inSystem},
            {"loss_integral", job.lossIntegral},
            {"records", std::move(records)}};
}

LossAccounts::Job jobFrom(const Json& json) {
    const auto number = [&](const char* name) { return json.at(name).get<double>(); };
    LossAccounts::Job out{.job = wholeNumber(json.at("job")),
                          .first = number("first"),
                          .least = number("least"),
                          .before = number("before"),
                          .since = number("since"),
                          .lossSince = number("loss_since"),
                          .inSystem = number("in_system"),
                          .lossIntegral = number("loss_integral"),
                          .records = {}};
    for (const Json& record : json.at("records"))
        out.records.push_back({record.at(0).get<double>(), record.at(1).get<double>()});
    return out;
}

} // namespace

Json lossesJson(const LossAccounts& losses) {
    Json jobs = Json::array(), times = Json::array();
    for (const auto& job : losses.jobs) jobs.push_back(jobJson(job));
    for (const auto& time : losses.times) times.push_back(sumJson(time));
    return {{"seconds", losses.seconds},
            {"settled", losses.settled},
            {"times", std::move(times)},
            {"normalised", sumJson(losses.normalised)},
            {"jobs", std::move(jobs)}};
}

std::optional<LossAccounts> lossesFrom(const Json& json) try {
    LossAccounts out;
    out.seconds = json.at("seconds").get<double>();
    out.settled = json.at("settled").get<double>();
    for (std::size_t i = 0; i < out.times.size(); ++i) out.times[i] = sumFrom(json.at("times").at(i));
    out.normalised = sumFrom(json.at("normalised"));
    for (const Json& job : json.at("jobs")) out.jobs.push_back(jobFrom(job));
    return out;
} catch (const Json::exception&) { return std::nullopt; }

} // namespace trainyard
