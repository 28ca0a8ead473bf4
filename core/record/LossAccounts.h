// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What measures of normalised losses are made of, so that runs that are compared can be measured by one minimum of each job: of jobs
// without a limit that is known beforehand (LossQuality.h), the least loss of all runs. Kept beside a run's metrics.
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

struct LossAccounts {
    static constexpr std::size_t levels = 3;
    struct Record {
        double seconds = 0, loss = 0; ///< after arrival; a loss below all before it
        friend bool operator==(const Record&, const Record&) = default;
    };
    /// A job whose limit is not known and that has a loss.
    struct Job {
        std::size_t job = 0; ///< position in the workload
        double first = 0, least = 0;
        double before = 0, since = 0, lossSince = 0; ///< as in LossQuality
        double inSystem = 0, lossIntegral = 0; ///< seconds; ∫ of the latest loss over them, before the first of that
        std::vector<Record> records;           ///< those that can be the first at a level, whatever the minimum
        friend bool operator==(const Job&, const Job&) = default;
    };
    /// A sum over jobs, and how many they are.
    struct Sum {
        double sum = 0, jobs = 0;
        void add(std::optional<double> value);
        friend bool operator==(const Sum&, const Sum&) = default;
    };

    std::vector<Job> jobs;
    /// Of the other jobs: what they add to the mean over active jobs, times to levels, mean normalised losses.
    double seconds = 0, settled = 0; ///< with active jobs; ∫ over them of what those jobs add
    std::array<Sum, levels> times;
    Sum normalised;
    friend bool operator==(const LossAccounts&, const LossAccounts&) = default;
};

/// By position of the job: the least loss of several runs.
using LeastLosses = std::map<std::size_t, double>;
void lower(LeastLosses& least, const LossAccounts& of);
/// mean_active_loss, mean_normalised_loss and time_to_90_s, _95_s and _99_s, jobs_to_90, _95 and _99 of a run by these minima; a metric that has no value is
/// taken away. Jobs that are not among `least` keep their own.
void measureBy(const LeastLosses& least, const LossAccounts& of, std::map<std::string, double>& metrics);

/// The first record that is at most first − share·(first − limit); nullopt: none.
std::optional<double> secondsToShare(std::span<const LossAccounts::Record> records, double first, double limit,
                                     double share);

} // namespace trainyard
