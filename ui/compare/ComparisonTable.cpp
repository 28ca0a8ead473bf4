// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ComparisonTable.h"

#include "base/CsvTable.h"
#include "drawing/TimeScale.h"
#include "run/compare/ArmTitles.h"
#include "run/compare/ComparisonCharts.h"
#include "session/MetricSubject.h"
#include "tables/TableLook.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

namespace trainyard {

namespace comparison_table {

QString number(double value) { return readingText(value); }

QString range(const Estimate& estimate) {
    if (!estimate.halfWidth) return QStringLiteral("–");
    return ComparisonTable::tr("%1 to %2")
        .arg(number(estimate.mean - *estimate.halfWidth), number(estimate.mean + *estimate.halfWidth));
}

} // namespace comparison_table

void ComparisonTable::show(std::shared_ptr<const ComparisonResult> result, const ComparisonRequest* request,
                           std::vector<std::string> metrics) {
    const bool sameRows = m_result && result && m_metrics == metrics && m_result->arms.size() == result->arms.size();
    if (!sameRows) beginResetModel();
    m_result = std::move(result);
    m_baseline = request ? request->baseline : 0;
    m_metrics = std::move(metrics);
    m_titles.clear();
    if (request)
        for (const Text& title : armTitles(*request->scenario, *request->registry, request->arms))
            m_titles << coreText(title);
    if (!sameRows)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columns - 1);
}

int ComparisonTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_result ? 0 : static_cast<int>(m_metrics.size() * m_result->arms.size());
}

QString ComparisonTable::cell(const ArmResult& arm, const std::string& id, Column column) const {
    using namespace comparison_table;
    if (column == metric) {
        const auto* definition = metricWithId(id);
        if (!definition) return QString::fromStdString(id);
        return definition->unit.empty()
                   ? metricLabel(*definition)
                   : QStringLiteral("%1 (%2)").arg(metricLabel(*definition), coreText(definition->unit));
    }
    if (column == policy) return m_titles.value(&arm - m_result->arms.data());
    const auto value = arm.metrics.find(id);
    if (value == arm.metrics.end()) return column == n ? QStringLiteral("0") : QStringLiteral("–");
    const auto paired = arm.differences.find(id);
    const bool isBaseline = &arm == &m_result->arms[m_baseline];
    switch (column) {
    case n: return countText(static_cast<double>(value->second.n));
    case mean: return number(value->second.mean);
    case interval: return range(value->second);
    case difference:
        return isBaseline                        ? tr("baseline")
               : paired == arm.differences.end() ? QStringLiteral("–")
                                                 : number(paired->second.mean);
    case differenceInterval:
        return isBaseline || paired == arm.differences.end() ? QStringLiteral("–") : range(paired->second);
    case pValue: {
        const auto p = arm.pValues.find(id);
        if (p == arm.pValues.end()) return QStringLiteral("–");
        return p->second < 0.001 ? QStringLiteral("< 0.001") : numberText(p->second, 2);
    }
    default: return {};
    }
}

QVariant ComparisonTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_result) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DisplayRole || (role == Qt::ToolTipRole && column <= policy)) // these two may be cut
        return cell(m_result->arms[row % m_result->arms.size()], m_metrics[row / m_result->arms.size()], column);
    if (role == Qt::TextAlignmentRole && column >= mean) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::TextAlignmentRole && column == metric) return int(Qt::AlignLeft | Qt::AlignTop); // of several rows
    return {};
}

QVariant ComparisonTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const QString percent = m_result ? numberText(100 * m_result->confidence(), 4) : QStringLiteral("95");
    if (role == Qt::TextAlignmentRole && section >= mean) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == pValue)
        return tr(
            "That the difference is 0: Student's paired test, corrected for all comparisons with the baseline (Holm)");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case metric: return tr("Metric");
    case policy: return tr("Policy");
    case n: return tr("Runs");
    case mean: return tr("Mean");
    case interval: return tr("%1 % interval").arg(percent);
    case difference: return tr("Difference");
    case differenceInterval: return tr("%1 % interval, paired").arg(percent);
    case pValue: return tr("p (Holm)");
    default: return {};
    }
}

QString ComparisonTable::text(QChar separator) const {
    const auto quoted = [&](const QString& field) {
        return QString::fromStdString(csvField(field.toStdString(), separator.toLatin1()));
    };
    const auto plain = [](QString cell, int column) {
        return column < mean ? cell : cell.remove(u',').replace(QChar(0x2212), u'-');
    };
    QString out;
    for (int row = -1; row < rowCount(); ++row)
        for (int column = 0; column < columns; ++column)
            out += quoted(row < 0 ? headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()
                                  : plain(data(index(row, column), Qt::DisplayRole).toString(), column)) +
                   (column + 1 < columns ? separator : QLatin1Char('\n'));
    return out;
}

} // namespace trainyard
