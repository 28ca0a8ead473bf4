// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The computation graph of a job as a table: an operation per row, with its times, its sizes, and what it
// comes after. Edits do not change the table: they come out as a whole new graph, and the table shows what
// the document makes of it. Used by OperationsEditor.
#include "model/ComputationGraph.h"

#include <QAbstractTableModel>

namespace trainyard {

class OperationsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, after, forward, backward, output, parameters, columns };

    using QAbstractTableModel::QAbstractTableModel;

    const ComputationGraph& graph() const { return m_graph; }
    void setGraph(ComputationGraph graph);
    /// {"operations": […], "dependencies": […]}, as in a scenario file, and back. What is no graph is empty.
    static std::string jsonOf(const ComputationGraph& graph);
    static ComputationGraph graphFrom(const std::string& json);

    /// One more at the end, after the last.
    void add();
    /// Takes them out, and what depends on them comes after nothing in their place.
    void remove(const std::vector<int>& rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void edited(const ComputationGraph& graph);
    /// Why what was typed means nothing; empty: it does.
    void refused(const QString& why);

private:
    /// By its name, or by its position from 1 where it has none of its own: "#3".
    QString label(std::size_t operation) const;
    QString afterText(std::size_t operation) const;
    bool setAfter(ComputationGraph& graph, std::size_t operation, const QString& text);
    bool setNumber(double& number, const QString& text);

    ComputationGraph m_graph;
};

} // namespace trainyard
