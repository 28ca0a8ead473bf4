// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Matrix factorization: a rating is the inner product of a user's and an item's factors. Parameters: P (users
// × rank), then Q (items × rank), row-major. Only the factors of users and items in the batch have a
// gradient, as the penalty counts per rating (Koren, Bell, Volinsky 2009). With the curvature, one factor of all users or of all
// items at a time can be minimised over exactly (CCD++: Yu, Hsieh, Si, Dhillon 2012, which is alternating least squares by coordinates).
#include "learning/models/ModelEntry.h"

namespace trainyard {

namespace factorization_model {

struct Params {
    int rank = 4;
    double regularisation = 0.01;
    bool alternating = false;
};

class MatrixFactorization final : public Model {
public:
    MatrixFactorization(std::size_t users, std::size_t items, const Params& params)
        : m_users(users), m_items(items), m_rank(static_cast<std::size_t>(params.rank)),
          m_lambda(params.regularisation), m_alternating(params.alternating) {}

    std::size_t parameterCount() const override { return (m_users + m_items) * m_rank; }
    bool hasCurvature() const override { return m_alternating; }
    /// A factor of all users, the same of all items, the next factor.
    std::size_t blocks() const override { return m_alternating ? 2 * m_rank : 1; }
    std::size_t blockOf(std::size_t parameter) const override {
        return 2 * (parameter % m_rank) + (parameter < m_users * m_rank ? 0 : 1);
    }
    /// N(0, 0.3²): zero would be a saddle point.
    void initialise(std::span<double> parameters, RandomStream& random) const override {
        for (double& w : parameters) w = 0.3 * random.normal();
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        std::fill(message.begin(), message.end(), 0.0);
        const double share = 1.0 / static_cast<double>(batch.rows);
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const Rating rating = at(parameters, batch, i);
            loss += rating.loss;
            for (std::size_t r = 0; r < m_rank; ++r) {
                const double p = parameters[rating.user + r], q = parameters[rating.item + r];
                message[rating.user + r] += share * (rating.residual * q + m_lambda * p);
                message[rating.item + r] += share * (rating.residual * p + m_lambda * q);
                if (!m_alternating) continue;
                message[parameterCount() + rating.user + r] += share * (q * q + m_lambda);
                message[parameterCount() + rating.item + r] += share * (p * p + m_lambda);
            }
        }
        return loss * share;
    }

    double loss(std::span<const double> parameters, const Batch& batch) const override {
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) loss += at(parameters, batch, i).loss;
        return loss * (1.0 / static_cast<double>(batch.rows));
    }

private:
    struct Rating {
        std::size_t user, item; ///< where their factors begin
        double residual, loss;
    };
    Rating at(std::span<const double> parameters, const Batch& batch, std::size_t i) const {
        Rating out{static_cast<std::size_t>(batch.x[2 * i]) * m_rank,
                   (m_users + static_cast<std::size_t>(batch.x[2 * i + 1])) * m_rank, -batch.y[i], 0};
        double norms = 0;
        for (std::size_t r = 0; r < m_rank; ++r) {
            const double p = parameters[out.user + r], q = parameters[out.item + r];
            out.residual += p * q;
            norms += p * p + q * q;
        }
        out.loss = 0.5 * out.residual * out.residual + 0.5 * m_lambda * norms;
        return out;
    }

    std::size_t m_users, m_items, m_rank;
    double m_lambda;
    bool m_alternating;
};

} // namespace factorization_model

ModelEntry matrixFactorizationEntry() {
    using namespace factorization_model;
    return modelEntry<Params>(
        {.id = "matrix-factorization",
         .label = "Matrix factorization",
         .summary = "Ratings as inner products of user and item factors; each task touches few parameters.",
         .formula = "mean over ratings of ½ (⟨p_u,q_i⟩ − y)² + ½ λ (‖p_u‖² + ‖q_i‖²)",
         .needsRatings = true},
        [](const Params& p, const DataSet& data) -> std::shared_ptr<const Model> {
            return std::make_shared<const MatrixFactorization>(data.users(), static_cast<std::size_t>(data.classes()),
                                                               p);
        },
        field(&Params::rank, "rank", "Rank", {1, 1000}, "", "Factors per user and item."),
        field(&Params::regularisation, "regularisation", "Regularisation λ", {0, 1e6}, "",
              "Weight of ½(‖p‖² + ‖q‖²) per rating.")
            .effect("Factors shrink."),
        flag(&Params::alternating, "alternating", "Alternating",
             "Whether messages have the curvature, for the optimizer \"alternating\" (ALS by coordinates)."));
}

} // namespace trainyard
