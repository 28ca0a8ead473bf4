// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/EntityTableModel.h"

#include "base/Format.h"
#include "forms/FieldText.h"
#include "session/NewElements.h"
#include "theme/CoreText.h"
#include "theme/Icons.h"
#include "theme/Theme.h"

#include <algorithm>

namespace trainyard {

namespace entity_table_model {

using Kind = EntityRef::Kind;

bool isCell(const FieldInfo& field) {
    using F = FieldInfo::Kind;
    return field.kind != F::group && field.kind != F::list && field.kind != F::parameters && field.kind != F::amounts;
}

bool isNumber(const FieldInfo& field) {
    return field.kind == FieldInfo::Kind::integer || field.kind == FieldInfo::Kind::number;
}

template <class Items>
bool sameAt(const Items& a, const Items& b, std::size_t i) {
    return i < a.size() && i < b.size() && a[i] == b[i];
}

bool sameEntity(const Scenario& a, const Scenario& b, EntityRef entity) {
    const std::size_t i = entity.index;
    switch (entity.kind) {
    case Kind::machine: return sameAt(a.cluster.machines, b.cluster.machines, i);
    case Kind::link: return sameAt(a.cluster.links, b.cluster.links, i);
    case Kind::switchNode: return sameAt(a.cluster.switches, b.cluster.switches, i);
    case Kind::rack: return sameAt(a.cluster.racks, b.cluster.racks, i);
    case Kind::device: return sameAt(a.cluster.devices, b.cluster.devices, i);
    case Kind::job: return sameAt(a.jobs, b.jobs, i);
    case Kind::generator: return sameAt(a.generators, b.generators, i);
    case Kind::fault: return sameAt(a.faults, b.faults, i);
    case Kind::variant: return sameAt(a.variants, b.variants, i);
    case Kind::settings:
    case Kind::cluster: break;
    }
    return false;
}

/// Only the list of this kind, and what its fields depend on.
Scenario listOf(const Scenario& s, Kind kind) {
    Scenario list;
    list.cluster.resourceNames = s.cluster.resourceNames;
    switch (kind) {
    case Kind::machine: list.cluster.machines = s.cluster.machines; break;
    case Kind::link: list.cluster.links = s.cluster.links; break;
    case Kind::switchNode: list.cluster.switches = s.cluster.switches; break;
    case Kind::rack: list.cluster.racks = s.cluster.racks; break;
    case Kind::device: list.cluster.devices = s.cluster.devices; break;
    case Kind::job: list.jobs = s.jobs; break;
    case Kind::generator: list.generators = s.generators; break;
    case Kind::fault: list.faults = s.faults; break;
    case Kind::variant: list.variants = s.variants; break;
    case Kind::settings:
    case Kind::cluster: break;
    }
    return list;
}

} // namespace entity_table_model

EntityTableModel::EntityTableModel(ScenarioModel& document, EntityRef::Kind kind, QObject* parent)
    : QAbstractTableModel(parent), m_document(document), m_kind(kind) {
    const auto changed = [this] {
        m_stale = true;
        if (m_active) sync();
    };
    connect(&document, &ScenarioModel::edited, this, changed);
    connect(&document, &ScenarioModel::documentReplaced, this, changed);
    connect(&document, &ScenarioModel::problemsChanged, this, [this] {
        if (m_active) takeProblems();
    });
}

void EntityTableModel::setActive(bool active) {
    m_active = active;
    if (active && m_stale) sync();
}

void EntityTableModel::setAllColumns(bool all) {
    m_all = all;
    beginResetModel();
    m_columns = wantedColumns();
    endResetModel();
}

/// Where the field's values are kept; a new one comes after the one before it in the format.
std::size_t EntityTableModel::fieldIndex(const FieldInfo& field, const std::map<std::string, QString>& groups,
                                         std::size_t after) {
    const auto known = m_byPath.find(field.path);
    if (known != m_byPath.end()) return known->second;
    QString title = coreText(field.label);
    const auto up = groups.find(field.path.substr(0, field.path.rfind('/')));
    if (up != groups.end()) title = tr("%1: %2").arg(up->second, title.toLower());
    if (!field.unit.empty()) title = tr("%1 (%2)").arg(title, QString::fromStdString(field.unit));
    const std::size_t index = m_fields.size();
    m_fields.push_back({field, title});
    m_byPath.emplace(field.path, index);
    const auto place = std::find(m_order.begin(), m_order.end(), after);
    m_order.insert(place == m_order.end() ? m_order.end() : place + 1, index);
    return index;
}

EntityTableModel::Row EntityTableModel::listRow(std::size_t index) {
    Row row(m_fields.size());
    std::map<std::string, QString> groups;
    std::size_t last = static_cast<std::size_t>(-1);
    const auto put = [&](const FieldInfo& field, std::string json) {
        last = fieldIndex(field, groups, last);
        if (row.size() <= last) row.resize(m_fields.size());
        Cell& cell = row[last];
        cell.exists = true;
        cell.present = field.present;
        cell.text = fieldText(field, json);
        if (entity_table_model::isNumber(field)) cell.number = parseNumber(json).value_or(-1e300);
        cell.json = std::move(json);
    };
    for (const FieldInfo& field : fieldsOf(m_seen, {m_kind, index})) {
        if (field.kind == FieldInfo::Kind::group || field.kind == FieldInfo::Kind::amounts)
            groups.emplace(field.path, coreText(field.label));
        if (entity_table_model::isCell(field)) put(field, field.value);
        if (field.kind != FieldInfo::Kind::amounts) continue;
        for (const std::string& resource : field.words) {
            const std::string amount = amountOf(field.value, resource);
            put({.kind = FieldInfo::Kind::number,
                 .path = field.path + "/" + pointerToken(resource),
                 .key = resource,
                 .label = resource,
                 .help = field.help,
                 .present = true,
                 .maximum = field.maximum,
                 .fallback = "0"},
                amount.empty() ? "0" : amount);
        }
    }
    return row;
}

void EntityTableModel::countPresent() {
    for (Field& field : m_fields) field.presentIn = 0;
    for (const Row& row : m_rows)
        for (std::size_t f = 0; f < row.size(); ++f)
            if (row[f].exists && row[f].present) ++m_fields[f].presentIn;
}

std::vector<std::size_t> EntityTableModel::wantedColumns() const {
    std::vector<std::size_t> columns;
    for (const std::size_t f : m_order) {
        const Field& field = m_fields[f];
        const bool anywhere =
            std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) { return f < row.size() && row[f].exists; });
        const bool plain = field.info.depth == 0 && field.info.path != "/position" && m_kind != EntityRef::Kind::job &&
                           m_kind != EntityRef::Kind::generator;
        if (anywhere && (m_all || field.presentIn > 0 || field.info.required || plain)) columns.push_back(f);
    }
    return columns;
}

void EntityTableModel::reset() {
    beginResetModel();
    m_fields.clear();
    m_byPath.clear();
    m_order.clear();
    m_rows.clear();
    for (std::size_t i = 0; i < entityCount(m_seen, m_kind); ++i) m_rows.push_back(listRow(i));
    countPresent();
    m_columns = wantedColumns();
    endResetModel();
}

void EntityTableModel::sync() {
    m_stale = false;
    const Scenario& now = m_document.scenario();
    const std::size_t count = entityCount(now, m_kind);
    const bool others = count != m_rows.size() || now.cluster.resourceNames != m_seen.cluster.resourceNames;
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < count && !others; ++i)
        if (!entity_table_model::sameEntity(now, m_seen, {m_kind, i})) changed.push_back(i);
    if (others || !changed.empty()) m_seen = entity_table_model::listOf(now, m_kind);
    if (others) {
        reset();
    } else if (!changed.empty()) {
        for (const std::size_t i : changed) m_rows[i] = listRow(i);
        countPresent();
        if (const auto columns = wantedColumns(); columns != m_columns) {
            beginResetModel();
            m_columns = columns;
            endResetModel();
        } else if (!m_columns.empty()) {
            Q_EMIT dataChanged(index(static_cast<int>(changed.front()), 0),
                               index(static_cast<int>(changed.back()), columnCount() - 1));
        }
    }
    takeProblems();
}

void EntityTableModel::takeProblems() {
    std::map<std::pair<std::size_t, std::string>, QString> problems;
    for (const Problem& problem : m_document.problems()) {
        const auto [entity, path] = entityAt(m_document.scenario(), problem.pointer);
        if (entity.kind == m_kind) problems.emplace(std::pair(entity.index, path), coreText(problem.message));
    }
    if (problems == m_problems) return;
    m_problems = std::move(problems);
    if (!m_rows.empty() && !m_columns.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                           {Qt::ForegroundRole, Qt::ToolTipRole, Qt::DecorationRole});
}

int EntityTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int EntityTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

const EntityTableModel::Cell* EntityTableModel::cellAt(const QModelIndex& at) const {
    if (!at.isValid() || at.row() >= rowCount() || at.column() >= columnCount()) return nullptr;
    const Row& row = m_rows[static_cast<std::size_t>(at.row())];
    const std::size_t field = m_columns[static_cast<std::size_t>(at.column())];
    return field < row.size() && row[field].exists ? &row[field] : nullptr;
}

QString EntityTableModel::problemAt(const QModelIndex& at) const {
    const Cell* cell = cellAt(at);
    if (!cell) return {};
    const FieldInfo& field = columnField(at.column());
    if (const QString why = rangeProblem(field, cell->json); !why.isEmpty()) return why;
    const auto row = static_cast<std::size_t>(at.row());
    if (const auto it = m_problems.find({row, field.path}); it != m_problems.end()) return it->second;
    if (at.column() != 0) return {};
    const auto whole = m_problems.find({row, std::string()}); // of the element as such
    return whole == m_problems.end() ? QString() : whole->second;
}

QVariant EntityTableModel::data(const QModelIndex& at, int role) const {
    const Cell* cell = cellAt(at);
    if (!cell) return role == Qt::DisplayRole && at.isValid() ? QVariant(QStringLiteral("–")) : QVariant();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return cell->text;
    case Qt::TextAlignmentRole:
        return entity_table_model::isNumber(columnField(at.column())) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                                      : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (!problemAt(at).isEmpty()) return Theme::current().problem;
        return cell->present ? QVariant() : QVariant(Theme::current().muted);
    case Qt::DecorationRole:
        return problemAt(at).isEmpty() ? QVariant() : QVariant(icon("problem", Theme::current().problem));
    case Qt::ToolTipRole: {
        const QString why = problemAt(at);
        return why.isEmpty() ? QVariant() : QVariant(why.toHtmlEscaped());
    }
    case Qt::AccessibleDescriptionRole: return problemAt(at);
    case sortRole:
        return entity_table_model::isNumber(columnField(at.column())) ? QVariant(cell->number)
                                                                      : QVariant(cell->text.toLower());
    case presentRole: return cell->present;
    default: return {};
    }
}

QVariant EntityTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const Field& field = m_fields[m_columns[static_cast<std::size_t>(section)]];
    if (role == Qt::DisplayRole) return field.title;
    if (role == Qt::ToolTipRole || role == Qt::WhatsThisRole) return fieldHelp(field.info);
    if (role == Qt::TextAlignmentRole)
        return entity_table_model::isNumber(field.info) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                        : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

Qt::ItemFlags EntityTableModel::flags(const QModelIndex& at) const {
    if (!at.isValid()) return Qt::NoItemFlags;
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return cellAt(at) ? flags | Qt::ItemIsEditable : flags;
}

const FieldInfo& EntityTableModel::columnField(int column) const {
    return m_fields[m_columns[static_cast<std::size_t>(column)]].info;
}

int EntityTableModel::columnOf(const std::string& path) const {
    for (int c = 0; c < columnCount(); ++c)
        if (columnField(c).path == path) return c;
    return -1;
}

std::optional<FieldInfo> EntityTableModel::fieldAt(const QModelIndex& at) const {
    if (!cellAt(at)) return std::nullopt;
    const FieldInfo& column = columnField(at.column());
    for (FieldInfo& field : fieldsOf(m_document.scenario(), {m_kind, static_cast<std::size_t>(at.row())}))
        if (field.path == column.path) return std::move(field);
    return column; // one amount of several
}

bool EntityTableModel::setData(const QModelIndex& at, const QVariant& value, int role) {
    if (role != Qt::EditRole || !cellAt(at)) return false;
    if (value.toString() == cellAt(at)->text) return true;
    return setTexts({}, {{at.row(), at.column(), value.toString()}});
}

bool EntityTableModel::setTexts(const QString& stepName, const std::vector<CellText>& cells) {
    QString why;
    const auto refuse = [&](const CellText& cell, const QString& reason) {
        why = tr("Row %1, %2: %3")
                  .arg(cell.row + 1)
                  .arg(m_fields[m_columns[static_cast<std::size_t>(cell.column)]].title, reason);
    };
    const auto put = [&](Scenario& s) {
        for (const CellText& cell : cells) {
            while (static_cast<std::size_t>(cell.row) >= entityCount(s, m_kind)) {
                const std::size_t before = entityCount(s, m_kind);
                appendElement(s, m_kind, m_document.registry());
                if (entityCount(s, m_kind) == before) return refuse(cell, tr("no row can be added here"));
            }
            const FieldInfo& field = columnField(cell.column);
            const TypedValue typed = typedValue(field, cell.text);
            if (!typed.ok()) return refuse(cell, typed.problem);
            const EntityRef entity{m_kind, static_cast<std::size_t>(cell.row)};
            const Problems problems = trainyard::setField(s, entity, field.path, typed.json);
            if (!problems.empty()) return refuse(cell, coreText(problems.front().message));
        }
    };
    // On a copy first: what is refused leaves no trace on the stack of steps.
    Scenario after = m_document.scenario();
    put(after);
    if (!why.isEmpty()) {
        Q_EMIT refused(why);
        return false;
    }
    Q_EMIT refused({});
    QString name = stepName;
    if (name.isEmpty() && !cells.empty())
        name = tr("Change %1").arg(coreText(columnField(cells.front().column).label).toLower());
    m_document.change(name, [&](Scenario& s) { s = std::move(after); });
    return true;
}

} // namespace trainyard
