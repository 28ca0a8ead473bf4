// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/OperationsModel.h"

#include "base/Format.h"
#include "forms/FieldText.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

namespace operations_model {

/// Of a number's column; null for text.
double* numberOf(Operation& operation, int column) {
    switch (column) {
    case OperationsModel::forward: return &operation.forwardSeconds;
    case OperationsModel::backward: return &operation.backwardSeconds;
    case OperationsModel::output: return &operation.activationBytes;
    case OperationsModel::parameters: return &operation.parameterBytes;
    default: return nullptr;
    }
}

} // namespace operations_model

std::string OperationsModel::jsonOf(const ComputationGraph& graph) {
    std::string operations, dependencies;
    for (const Operation& op : graph.operations)
        operations += (operations.empty() ? "" : ", ") + std::string("{\"name\": ") +
                      jsonText(QString::fromStdString(op.name)) +
                      ", \"forward_s\": " + formatNumber(op.forwardSeconds) +
                      ", \"backward_s\": " + formatNumber(op.backwardSeconds) +
                      ", \"activation_bytes\": " + formatNumber(op.activationBytes) +
                      ", \"parameter_bytes\": " + formatNumber(op.parameterBytes) + "}";
    for (const Dependency& each : graph.dependencies)
        dependencies +=
            (dependencies.empty() ? "[" : ", [") + std::to_string(each.from) + ", " + std::to_string(each.to) + "]";
    return "{\"operations\": [" + operations + "], \"dependencies\": [" + dependencies + "]}";
}

ComputationGraph OperationsModel::graphFrom(const std::string& json) {
    ComputationGraph graph;
    const QJsonObject root = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    const auto list = [&](const char* key) { return root.value(QLatin1String(key)).toArray(); };
    for (const QJsonValue& each : list("operations")) {
        const QJsonObject op = each.toObject();
        const auto number = [&](const char* key) { return op.value(QLatin1String(key)).toDouble(); };
        graph.operations.push_back({op.value(QLatin1String("name")).toString().toStdString(), number("forward_s"),
                                    number("backward_s"), number("activation_bytes"), number("parameter_bytes")});
    }
    const auto end = [&](const QJsonValue& value) {
        if (!value.isString()) return static_cast<std::uint32_t>(value.toInteger());
        const std::string name = value.toString().toStdString();
        const auto at = std::find_if(graph.operations.begin(), graph.operations.end(),
                                     [&](const Operation& op) { return op.name == name; });
        return static_cast<std::uint32_t>(at - graph.operations.begin());
    };
    for (const QJsonValue& each : list("dependencies"))
        graph.dependencies.push_back({end(each.toArray().at(0)), end(each.toArray().at(1))});
    return graph;
}

void OperationsModel::setGraph(ComputationGraph graph) {
    if (graph == m_graph) return;
    const bool sameRows = graph.operations.size() == m_graph.operations.size();
    if (sameRows) { // what is selected stays so
        m_graph = std::move(graph);
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
        return;
    }
    beginResetModel();
    m_graph = std::move(graph);
    endResetModel();
}

void OperationsModel::add() {
    ComputationGraph graph = m_graph;
    const auto last = static_cast<std::uint32_t>(graph.operations.size());
    const auto isTaken = [&](const std::string& name) {
        return std::any_of(graph.operations.begin(), graph.operations.end(),
                           [&](const Operation& op) { return op.name == name; });
    };
    std::size_t number = graph.operations.size() + 1;
    while (isTaken("op" + std::to_string(number))) ++number;
    Operation fresh = last > 0 ? graph.operations.back() : Operation{{}, 0.01, 0.02, 1e6, 4e6};
    fresh.name = "op" + std::to_string(number);
    graph.operations.push_back(fresh);
    if (last > 0) graph.dependencies.push_back({last - 1, last});
    Q_EMIT edited(graph);
}

void OperationsModel::remove(const std::vector<int>& rows) {
    ComputationGraph graph;
    std::vector<std::uint32_t> now(m_graph.operations.size());
    for (std::size_t i = 0; i < m_graph.operations.size(); ++i) {
        if (std::find(rows.begin(), rows.end(), static_cast<int>(i)) != rows.end()) {
            now[i] = static_cast<std::uint32_t>(-1);
            continue;
        }
        now[i] = static_cast<std::uint32_t>(graph.operations.size());
        graph.operations.push_back(m_graph.operations[i]);
    }
    for (const Dependency& each : m_graph.dependencies) {
        if (each.from >= now.size() || each.to >= now.size()) continue;
        const Dependency moved{now[each.from], now[each.to]};
        if (moved.from != static_cast<std::uint32_t>(-1) && moved.to != static_cast<std::uint32_t>(-1))
            graph.dependencies.push_back(moved);
    }
    Q_EMIT edited(graph);
}

int OperationsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_graph.operations.size());
}
int OperationsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString OperationsModel::label(std::size_t operation) const {
    const std::string& own = m_graph.operations[operation].name;
    const auto same = std::count_if(m_graph.operations.begin(), m_graph.operations.end(),
                                    [&](const Operation& op) { return op.name == own; });
    return own.empty() || same > 1 ? QStringLiteral("#%1").arg(operation + 1) : QString::fromStdString(own);
}

QString OperationsModel::afterText(std::size_t operation) const {
    QStringList before;
    for (const Dependency& each : m_graph.dependencies)
        if (each.to == operation && each.from < m_graph.operations.size()) before << label(each.from);
    return before.join(QStringLiteral(", "));
}

QVariant OperationsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (role == Qt::AccessibleTextRole)
        return QStringLiteral("%1: %2").arg(headerData(index.column(), Qt::Horizontal).toString(),
                                            data(index).toString());
    if (role == Qt::ToolTipRole) return headerData(index.column(), Qt::Horizontal, role);
    Operation operation = m_graph.operations[row];
    const double* number = operations_model::numberOf(operation, index.column());
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    if (number) return QString::fromStdString(formatNumber(*number));
    if (index.column() == after) return afterText(row);
    return role == Qt::DisplayRole ? label(row) : QString::fromStdString(operation.name);
}

bool OperationsModel::setNumber(double& number, const QString& text) {
    const auto value = parseNumber(text.trimmed().toStdString());
    if (!value || !std::isfinite(*value)) {
        Q_EMIT refused(tr("“%1” is not a number").arg(text));
        return false;
    }
    number = *value;
    return true;
}

bool OperationsModel::setAfter(ComputationGraph& graph, std::size_t operation, const QString& text) {
    std::erase_if(graph.dependencies, [&](const Dependency& each) { return each.to == operation; });
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString wanted = part.trimmed();
        if (wanted.isEmpty()) continue;
        std::size_t from = 0;
        while (from < m_graph.operations.size() && label(from) != wanted &&
               wanted != QStringLiteral("#%1").arg(from + 1))
            ++from;
        if (from == m_graph.operations.size()) {
            Q_EMIT refused(tr("There is no operation “%1” here").arg(wanted));
            return false;
        }
        const Dependency one{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(operation)};
        if (std::find(graph.dependencies.begin(), graph.dependencies.end(), one) == graph.dependencies.end())
            graph.dependencies.push_back(one);
    }
    return true;
}

bool OperationsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid()) return false;
    const QString text = value.toString();
    if (text == data(index, Qt::EditRole).toString()) return true;
    ComputationGraph graph = m_graph;
    const auto row = static_cast<std::size_t>(index.row());
    if (double* number = operations_model::numberOf(graph.operations[row], index.column())) {
        if (!setNumber(*number, text)) return false;
    } else if (index.column() == after) {
        if (!setAfter(graph, row, text)) return false;
    } else {
        graph.operations[row].name = text.trimmed().toStdString();
    }
    Q_EMIT refused({});
    if (graph != m_graph) Q_EMIT edited(graph);
    return true;
}

QVariant OperationsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    static const std::array<std::pair<const char*, const char*>, columns> texts{
        {{QT_TR_NOOP("Operation"), QT_TR_NOOP("Its name; without a name it is shown by its position: #3")},
         {QT_TR_NOOP("After"), QT_TR_NOOP("The operations whose output it reads, separated by commas")},
         {QT_TR_NOOP("Forward, s"), QT_TR_NOOP("Time of the forward pass on a device of speed 1")},
         {QT_TR_NOOP("Backward, s"), QT_TR_NOOP("Time of the backward pass on a device of speed 1")},
         {QT_TR_NOOP("Output, bytes"), QT_TR_NOOP("What the operations after it read")},
         {QT_TR_NOOP("Parameters, bytes"), QT_TR_NOOP("Memory of its own parameters")}}};
    const auto& [title, help] = texts[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return tr(title);
    if (role == Qt::ToolTipRole) return tr(help);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section > after ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

Qt::ItemFlags OperationsModel::flags(const QModelIndex& index) const {
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable : Qt::NoItemFlags;
}

} // namespace trainyard
