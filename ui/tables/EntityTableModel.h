// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// All machines (or links, jobs …) of the document as a table made from the description of their fields: a row
// each, a column per field that holds one value, per resource for amounts. Editing a cell is an edit of the
// document. Rows are listed once and again when their entity has changed, not when they are painted.
#include "session/ScenarioModel.h"

#include <QAbstractTableModel>

namespace trainyard {

class EntityTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { sortRole = Qt::UserRole, presentRole };

    EntityTableModel(ScenarioModel& document, EntityRef::Kind kind, QObject* parent = nullptr);

    EntityRef::Kind kind() const { return m_kind; }
    /// Takes over what has changed in the document; done by itself while `active`.
    void sync();
    void setActive(bool active);
    /// Also the fields that no row sets.
    void setAllColumns(bool all);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Takes text as typed; false: refused() has said why.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    /// The field of a cell: of this row, with its words; nothing if the row has no such field.
    std::optional<FieldInfo> fieldAt(const QModelIndex& index) const;
    const FieldInfo& columnField(int column) const;
    int columnOf(const std::string& path) const; ///< −1 if it is not shown
    /// Texts into cells, row by row from a position, as one step; more rows than there are become new
    /// elements. Nothing is changed where one cell is refused.
    struct CellText {
        int row = 0, column = 0; ///< rows past the last are new
        QString text;
    };
    bool setTexts(const QString& stepName, const std::vector<CellText>& cells);

Q_SIGNALS:
    void refused(const QString& why);

private:
    struct Cell {
        std::string json;
        QString text;
        double number = 0;
        bool exists = false, present = false;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    using Row = std::vector<Cell>; ///< by field
    struct Field {
        FieldInfo info;
        QString title;
        int presentIn = 0; ///< rows
    };
    Row listRow(std::size_t index);
    std::size_t fieldIndex(const FieldInfo& field, const std::map<std::string, QString>& groups, std::size_t after);
    std::vector<std::size_t> wantedColumns() const;
    void countPresent();
    void reset();
    void takeProblems();
    const Cell* cellAt(const QModelIndex& index) const;
    QString problemAt(const QModelIndex& index) const;

    ScenarioModel& m_document;
    EntityRef::Kind m_kind;
    std::vector<Field> m_fields;
    std::map<std::string, std::size_t> m_byPath;
    std::vector<std::size_t> m_order;   ///< of the fields, as in the format
    std::vector<std::size_t> m_columns; ///< fields shown
    std::vector<Row> m_rows;
    Scenario m_seen;                                                   ///< the list that the rows show
    std::map<std::pair<std::size_t, std::string>, QString> m_problems; ///< by row and path
    bool m_active = false, m_all = false, m_stale = true;
};

} // namespace trainyard
