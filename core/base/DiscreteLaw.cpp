// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/DiscreteLaw.h"

#include "base/CsvTable.h"
#include "base/Format.h"

#include <cmath>
#include <numeric>

namespace trainyard {

double DiscreteLaw::quantile(double p) const {
    const double wanted = p * std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
        if ((sum += probabilities[i]) >= wanted) return values[i];
    return values.back();
}

double DiscreteLaw::expectation() const {
    return std::inner_product(values.begin(), values.end(), probabilities.begin(), 0.0) /
           std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
}

Problems DiscreteLaw::check(const std::string& pointer) const {
    const auto wrong = [&](Text message) {
        return Problems{{.code = "bad-law", .message = std::move(message), .pointer = pointer}};
    };
    if (values.empty()) return wrong({TRAINYARD_TEXT("a law needs at least one value"), {}});
    if (values.size() != probabilities.size())
        return wrong({TRAINYARD_TEXT("there are {0} values and {1} probabilities; there must be as many of both"),
                      {std::to_string(values.size()), std::to_string(probabilities.size())}});
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]) || (i > 0 && !(values[i] > values[i - 1])))
            return wrong({TRAINYARD_TEXT("value {0}, {1}, is not above the one before; values must ascend"),
                          {std::to_string(i + 1), formatNumber(values[i])}});
        if (!(probabilities[i] >= 0))
            return wrong({TRAINYARD_TEXT("probability {0} is {1}; it must be at least 0"),
                          {std::to_string(i + 1), formatNumber(probabilities[i])}});
    }
    const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    if (!(std::abs(sum - 1) <= 1e-4))
        return wrong({TRAINYARD_TEXT("the probabilities add up to {0}; they must add up to 1"), {formatNumber(sum)}});
    return {};
}

Result<DiscreteLaw> readDiscreteLaw(const std::filesystem::path& file) {
    const auto table = readCsvTable(file);
    if (!table) return table.problems();
    DiscreteLaw law;
    for (std::size_t r = 1; r < table->rows.size(); ++r) {
        const auto& row = table->rows[r];
        const auto value = row.cells.size() == 2 ? parseNumber(row.cells[0]) : std::nullopt;
        const auto probability = row.cells.size() == 2 ? parseNumber(row.cells[1]) : std::nullopt;
        if (!value || !probability)
            return table->problemAt(row.line,
                                    {TRAINYARD_TEXT("this is no value and its probability, separated by a comma"), {}});
        law.values.push_back(*value);
        law.probabilities.push_back(*probability);
    }
    if (Problems wrong = law.check({}); !wrong.empty()) {
        for (Problem& p : wrong) p.file = file.string();
        return wrong;
    }
    return law;
}

} // namespace trainyard
