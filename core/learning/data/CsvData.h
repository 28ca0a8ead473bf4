// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Reading the small data sets that ship with Trainyard: CSV with a header line, the class number in the last
// column. Internal to learning/.
#include "learning/DataSet.h"

namespace trainyard {

struct CsvShape {
    std::size_t rows, features;
    int classes;
};

/// Problems name the file and the line: missing, wrong number of values, not a number, not a class, wrong
/// number of rows.
Result<Batch> readCsv(const std::filesystem::path& file, const CsvShape& shape);

} // namespace trainyard
