// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The claims of a study as they were measured, kept as claims.json beside the study's tables: written by `trainyard-cli
// reproduce --out` and by the window, read again by the window.
#include "studies/Reproduction.h"

namespace trainyard {

struct MeasuredStudy {
    std::string study, title, version;
    std::string part; ///< empty: all
    bool quick = false;
    StudyReport report;
};

MeasuredStudy measured(const Study& study, const std::string& part, bool quick, StudyReport report);
/// "trainyard-cli reproduce slaq --part executed --quick"
std::string commandOf(const MeasuredStudy& study);
std::string claimsJson(const MeasuredStudy& study);
/// claims.json and a CSV file for each table.
Problems writeStudy(const std::filesystem::path& directory, const MeasuredStudy& study);
/// Its claims; the tables stay in their files. Problems: it cannot be read, or is no such file.
Result<MeasuredStudy> readClaims(const std::filesystem::path& file);

} // namespace trainyard
