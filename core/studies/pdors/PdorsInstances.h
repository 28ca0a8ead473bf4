// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Small instances of slotted scheduling, read from a file: what all jobs known beforehand could earn, by two methods, and what is
// promised to them one after another, exactly. The form of the file and its conventions (slots from 0, a job that ends in slot t has
// waited t − a slots) are told by resources/help/pdors.md.
#include "base/Result.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace trainyard::study {

/// A JSON list with an object for each instance: seed, offline_opt, offline_program, L, U, mu, pdors_exact, schedule, payoff.
/// Problems name the line and the field; an instance for which a method fails is one too.
Result<std::string> pdorsInstances(const std::filesystem::path& file, const std::stop_token& stop);

} // namespace trainyard::study
