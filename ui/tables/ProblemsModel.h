// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The problems of the document and of the run, as a list: what is wrong, where, and what would be right.
#include "base/Problem.h"

#include <QAbstractTableModel>

namespace trainyard {

class ProblemsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { message, place, file, columns };
    using QAbstractTableModel::QAbstractTableModel;

    void setProblems(Problems problems);
    const Problem& at(int row) const { return m_problems[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Problems m_problems;
};

} // namespace trainyard
