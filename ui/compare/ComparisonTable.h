// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The numbers of a comparison as a table: for each metric and policy n, mean, interval, the difference to the baseline and its p value.
#include "run/compare/Comparison.h"

#include <QAbstractTableModel>

namespace trainyard {

class ComparisonTable final : public QAbstractTableModel {
    Q_OBJECT
public:
    /// What is read first comes first: the last ones are scrolled to where there is no room.
    enum Column { metric, policy, mean, difference, pValue, differenceInterval, interval, n, columns };

    using QAbstractTableModel::QAbstractTableModel;
    /// Null: there is none yet.
    void show(std::shared_ptr<const ComparisonResult> result, const ComparisonRequest* request,
              std::vector<std::string> metrics);
    /// With a header; numbers without thousands separators.
    QString text(QChar separator) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : columns; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const ArmResult& arm, const std::string& metric, Column column) const;

    std::shared_ptr<const ComparisonResult> m_result;
    std::size_t m_baseline = 0;
    std::vector<std::string> m_metrics;
    QStringList m_titles; ///< by arm
};

} // namespace trainyard
