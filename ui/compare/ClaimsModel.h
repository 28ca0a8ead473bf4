// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Measured claims as a table: whether each holds, what was measured with its interval, what was expected, who says so.
#include "studies/ClaimsFile.h"

#include <QAbstractTableModel>

namespace trainyard {

class ClaimsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { holds, claim, measured, interval, expected, n, id, columns };

    using QAbstractTableModel::QAbstractTableModel;
    /// `failingOnly`: only those that do not hold, or are undecided.
    void show(std::shared_ptr<const MeasuredStudy> study, bool failingOnly);
    const Claim* claimAt(int row) const;
    int rowOf(std::size_t claim) const; ///< −1: not shown
    /// "✓ holds", "? undecided", "✗ does not hold".
    static QString verdict(const Claim& claim);
    /// "97 of 158 claims hold, 38 undecided."
    static QString summary(const std::vector<Claim>& claims);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : columns; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const MeasuredStudy> m_study;
    std::vector<std::size_t> m_rows; ///< positions among the claims
};

/// "3.24 s"; empty for nothing.
QString claimNumber(const std::optional<double>& value, const std::string& unit);

} // namespace trainyard
