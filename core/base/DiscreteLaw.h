// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A law of finitely many values, each with its probability, as a table: drawn by the inverse distribution function from unit variates.
#include "base/Result.h"

#include <filesystem>
#include <vector>

namespace trainyard {

struct DiscreteLaw {
    std::vector<double> values; ///< ascending
    std::vector<double>
        probabilities; ///< as many; they add up to 1 (relative tolerance 1e-4), and are used in proportion

    /// The least value whose distribution function is at least p, 0 < p < 1.
    double quantile(double p) const;
    double expectation() const;
    /// "bad-law": empty, of two lengths, not ascending, a probability below 0, a sum that is not 1.
    Problems check(const std::string& pointer) const;
    friend bool operator==(const DiscreteLaw&, const DiscreteLaw&) = default;
};

/// A CSV file with a header and two columns, values and probabilities. Problems: "cannot-read", "bad-csv", "bad-law".
Result<DiscreteLaw> readDiscreteLaw(const std::filesystem::path& file);

} // namespace trainyard
