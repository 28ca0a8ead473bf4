// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/Processors.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace trainyard {

namespace processors {

bool isOneOf(std::string name, std::initializer_list<const char*> words) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!name.empty() && name.back() == 's') name.pop_back();
    return std::find(words.begin(), words.end(), name) != words.end();
}

double asked(const Cluster& cluster, const Job& job, std::initializer_list<const char*> words) {
    double sum = 0;
    for (std::size_t r = 0; r < cluster.resourceNames.size(); ++r)
        if (job.workerDemand.micro(r) > 0 && isOneOf(cluster.resourceNames[r], words))
            sum += job.workerDemand.amount(r);
    return sum;
}

} // namespace processors

double processorsPerWorker(const Cluster& cluster, const Job& job) {
    if (const double n = processors::asked(cluster, job, {"gpu", "tpu", "npu", "accelerator"}); n > 0) return n;
    if (const double n = processors::asked(cluster, job, {"cpu", "core"}); n > 0) return n;
    return 1;
}

} // namespace trainyard
