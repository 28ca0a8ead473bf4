// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ClaimsModel.h"

#include "tables/TableLook.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <algorithm>

namespace trainyard {

namespace claims_model {

QString digits(double value) { return readingText(value); }

QString intervalText(const Claim& claim) {
    return claim.interval ? QStringLiteral("%1 … %2").arg(digits(claim.interval->first), digits(claim.interval->second))
                          : QString();
}

} // namespace claims_model

using namespace claims_model;

QString claimNumber(const std::optional<double>& value, const std::string& unit) {
    if (!value) return {};
    return unit.empty() || unit == "1" ? digits(*value) : digits(*value) + u' ' + QString::fromStdString(unit);
}

QString ClaimsModel::verdict(const Claim& claim) {
    return claim.holds ? tr("✓ holds") : claim.undecided ? tr("? undecided") : tr("✗ does not hold");
}

QString ClaimsModel::summary(const std::vector<Claim>& claims) {
    const auto undecided = std::ranges::count_if(claims, &Claim::undecided);
    const QString held =
        tr("%1 of %2 claims hold").arg(std::ranges::count_if(claims, &Claim::holds)).arg(claims.size());
    return undecided > 0 ? tr("%1, %2 undecided.").arg(held).arg(undecided) : held + u'.';
}

void ClaimsModel::show(std::shared_ptr<const MeasuredStudy> study, bool failingOnly) {
    beginResetModel();
    m_study = std::move(study);
    m_rows.clear();
    if (m_study)
        for (std::size_t i = 0; i < m_study->report.claims.size(); ++i)
            if (!failingOnly || !m_study->report.claims[i].holds) m_rows.push_back(i);
    endResetModel();
}

const Claim* ClaimsModel::claimAt(int row) const {
    return row >= 0 && row < rowCount() ? &m_study->report.claims[m_rows[static_cast<std::size_t>(row)]] : nullptr;
}

int ClaimsModel::rowOf(std::size_t claim) const {
    const auto it = std::ranges::lower_bound(m_rows, claim);
    return it != m_rows.end() && *it == claim ? static_cast<int>(it - m_rows.begin()) : -1;
}

int ClaimsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ClaimsModel::data(const QModelIndex& index, int role) const {
    const Claim* row = claimAt(index.row());
    if (!row) return {};
    const bool isNumber = index.column() >= measured && index.column() <= n;
    if (role == Qt::TextAlignmentRole && isNumber) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && index.column() == holds)
        return row->holds ? Theme::current().good : row->undecided ? Theme::current().muted : Theme::current().problem;
    if (role == Qt::ToolTipRole) return QString::fromStdString(row->claim);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case holds: return verdict(*row);
    case measured: return row->measured ? claimNumber(row->measured, row->unit) : tr("nothing");
    case interval: return intervalText(*row);
    case expected: return claimNumber(row->expected, row->unit);
    case n: return row->n > 0 ? countText(row->n) : QString();
    case id: return QString::fromStdString(row->id);
    case claim: return QString::fromStdString(row->claim);
    default: return {};
    }
}

QVariant ClaimsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case holds: return tr("Verdict");
    case id: return tr("Id");
    case measured: return tr("Measured");
    case interval: return tr("95 % interval");
    case expected: return tr("Expected");
    case n: return tr("n");
    case claim: return tr("Claim");
    default: return {};
    }
}

} // namespace trainyard
