// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/CellFactorization.h"

#include "learning/keyed/KeyedChoices.h"
#include "learning/keyed/ModelParts.h"

namespace trainyard {

namespace {

class FactorizationModel final : public KeyedModel {
public:
    FactorizationModel(std::shared_ptr<const KnownCells> cells, const FactorizationSettings& settings)
        : m_cells(std::move(cells)), m_set(settings) {}

    std::uint32_t keys() const override { return m_cells->rows + m_cells->columns; }
    std::uint32_t valuesPerKey() const override { return m_set.rank; }
    std::vector<KeyTable> tables() const override {
        return {{"rows", 0, m_cells->rows}, {"columns", m_cells->rows, keys()}};
    }
    std::vector<double> accesses() const override {
        std::vector<double> out(keys(), 0.0);
        for (const Cell& cell : m_cells->train) {
            ++out[cell.row];
            ++out[m_cells->rows + cell.column];
        }
        return out;
    }
    void initialise(std::uint32_t key, float* values) const override {
        drawInitial(m_set.seed, key, m_set.spread, {values, m_set.rank});
    }
    std::vector<std::uint32_t> share(std::uint32_t worker, std::uint32_t workers) const override {
        std::vector<std::uint32_t> out;
        for (std::uint32_t n = 0; n < m_cells->train.size(); ++n)
            if (std::uint64_t{m_cells->train[n].row} * workers / m_cells->rows == worker) out.push_back(n);
        return out;
    }
    std::uint32_t examples() const override { return static_cast<std::uint32_t>(m_cells->train.size()); }
    void keysOf(std::uint32_t example, std::vector<std::uint32_t>& out) const override {
        out.insert(out.end(), {m_cells->train[example].row, m_cells->rows + m_cells->train[example].column});
    }
    std::uint32_t samplesPerExample() const override { return 0; }
    double step(std::uint32_t example, std::span<const float* const> values, std::span<float* const> deltas,
                double) const override {
        const float *w = values[0], *h = values[1];
        const double error = m_cells->train[example].value - product(w, h, m_set.rank);
        const auto pace = static_cast<float>(m_set.rate * error),
                   decay = static_cast<float>(m_set.rate * m_set.penalty);
        for (std::uint32_t k = 0; k < m_set.rank; ++k) {
            deltas[0][k] = pace * h[k] - decay * w[k];
            deltas[1][k] = pace * w[k] - decay * h[k];
        }
        return error * error / 2;
    }
    std::vector<Quality> evaluate(const ReadValues& values) const override {
        if (m_cells->test.empty()) return {};
        double sum = 0;
        std::vector<float> row(m_set.rank);
        for (const Cell& cell : m_cells->test) {
            std::copy_n(values(cell.row), m_set.rank, row.begin());
            const double error = cell.value - product(row.data(), values(m_cells->rows + cell.column), m_set.rank);
            sum += error * error;
        }
        return {{"rmse", std::sqrt(sum / static_cast<double>(m_cells->test.size())), false}};
    }

private:
    std::shared_ptr<const KnownCells> m_cells;
    FactorizationSettings m_set;
};

} // namespace

std::shared_ptr<const KeyedModel> makeFactorizationModel(std::shared_ptr<const KnownCells> cells,
                                                         const FactorizationSettings& settings) {
    return std::make_shared<FactorizationModel>(std::move(cells), settings);
}

KeyedModelEntry factorizationEntry() {
    using S = FactorizationSettings;
    return keyedModelEntry<S, KnownCells>(
        {.id = "factorization",
         .label = "Matrix factorization",
         .summary = "A cell is the product of its row's and its column's vector. A worker has its rows, and goes from "
                    "column to column.",
         .formula = "½ (cell − w·h)² + ½ λ (|w|² + |h|²)",
         .needs = "cells of a matrix",
         .qualities = {{"rmse", "Root mean squared error of test cells", false}},
         .schema = {}},
        makeFactorizationModel,
        [](const S& set, const KeyedDataSize& data) {
            return KeyedTaskSize{data.names, static_cast<double>(set.rank), data.bytes + 4 * data.examples};
        },
        field(&S::rank, "rank", "Rank", {1, 10'000}, "", "Numbers of a vector."),
        field(&S::rate, "rate", "Step", {1e-6, 10}, "", "η of gradient descent."),
        field(&S::penalty, "penalty", "Penalty", {0, 10}, "", "λ"),
        field(&S::spread, "spread", "Initial spread", {1e-6, 10}, "", "Standard deviation of initial values."));
}

} // namespace trainyard
