// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What policies say of jobs that they cannot serve, or serve otherwise than their parameters say: the common parts. Included by
// the files of policies and by Registry.cpp.
#include "base/Problem.h"
#include "model/Job.h"
#include "policy/PolicyWarning.h"

#include <optional>
#include <string_view>

namespace trainyard::compatibility {

/// A parameter as given, or what stands for it where it is left out.
double numberOf(const ParamValues& given, std::string_view key, double otherwise);
/// Samples per worker and task; of jobs that have gradients.
int batchOf(const Job& job);
/// A warning where `key` is given and greater than the workers that the job can have.
std::optional<PolicyWarning> waitsForTooMany(const Job& job, const ParamValues& given, std::string_view key);
/// A warning where the step diverges on streaming least squares with isotropic features: an update of B samples multiplies the
/// error by 1 − 2η + η²(1 + (d + 1)/B). `workers`: whose gradients make an update; each of the load β that is given.
std::optional<PolicyWarning> unstableStep(const Job& job, const ParamValues& given, double workers);

} // namespace trainyard::compatibility
