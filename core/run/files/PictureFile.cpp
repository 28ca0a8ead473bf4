// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/PictureFile.h"

#include "base/Format.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace trainyard {

namespace picture_file {

using Json = nlohmann::ordered_json;

const char* kindName(Series::Kind kind) {
    static constexpr std::array names{"line", "steps", "points", "bars", "spans", "cells", "band"};
    return names[static_cast<std::size_t>(kind)];
}

/// 0.48, not 0.48000000000000004.
std::string number(double value) { return std::isfinite(value) ? formatNumber(value, 12) : std::string(); }

/// The name of a category, else the number.
std::string onAxis(const Axis& axis, double value) {
    const auto i = static_cast<std::size_t>(std::max(0.0, value));
    if (axis.kind == Axis::Kind::categories && i < axis.categories.size()) return axis.categories[i].label.english();
    return number(value);
}

/// The middle of a cell along one axis: its category, or the value.
std::string cellPlace(const Axis& axis, std::size_t i, std::size_t count, double low, double high) {
    if (axis.kind == Axis::Kind::categories) return onAxis(axis, static_cast<double>(i));
    if (!(high != low)) low = axis.from.value_or(0), high = axis.to.value_or(1);
    return number(low + (high - low) * (static_cast<double>(i) + 0.5) / static_cast<double>(count));
}

double valueOr(const std::vector<double>& values, std::size_t i) {
    return i < values.size() ? values[i] : std::nan("");
}

void writeTable(CsvRows& rows, const Table& table) {
    for (const Table::Column& column : table.columns) rows << column.key;
    rows.end();
    for (const Table::Row& row : table.rows) {
        if (!rows.going()) return;
        for (const Table::Cell& cell : row.cells) rows << cell.raw;
        rows.end();
    }
}

class CsvWriter {
public:
    explicit CsvWriter(CsvRows& rows) : m_rows(rows) {
        row({"plot", "series", "kind", "x", "x_to", "y", "y_to", "value", "what"});
    }

    void row(std::initializer_list<std::string> cells) {
        for (const std::string& cell : cells) m_rows << cell;
        m_rows.end();
    }

    void series(std::size_t plotNumber, const Plot& plot, const Series& s) {
        const std::string number1 = std::to_string(plotNumber), kind = kindName(s.kind);
        for (std::size_t i = 0; i < s.size() && m_rows.going(); ++i) {
            const std::string what = i < s.notes.size() ? s.notes[i].english() : std::string();
            if (s.kind == Series::Kind::spans) {
                const Span& span = s.spans[i];
                std::string activity;
                if (span.role.kind == Role::Kind::activity)
                    activity = activityKey(static_cast<Activity>(span.role.index));
                row({number1, activity.empty() ? s.key : activity, kind, number(span.from), number(span.to),
                     onAxis(plot.y, span.row), "", span.over ? std::string(activityKey(*span.over)) : "", what});
            } else if (s.kind == Series::Kind::cells) {
                const Cells& c = s.cells;
                const std::size_t column = i % c.columns, line = i / c.columns;
                row({number1, s.key, kind, cellPlace(plot.x, column, c.columns, c.x0, c.x1), "",
                     cellPlace(plot.y, line, c.rows, c.y0, c.y1), "", number(c.values[i]), what});
            } else {
                const bool steps = s.kind == Series::Kind::steps;
                row({number1, s.key, kind, onAxis(plot.x, valueOr(s.x, i)), steps ? number(valueOr(s.x, i + 1)) : "",
                     onAxis(plot.y, s.y[i]), i < s.base.size() ? number(s.base[i]) : "", "", what});
            }
        }
    }

    void diagram(const Diagram& d) {
        for (const Node& n : d.nodes)
            row({"1", n.id, "node", number(n.x), "", number(n.y), "", n.value ? number(*n.value) : "",
                 n.label.english()});
        for (const Edge& e : d.edges)
            row({"1", d.nodes[e.from].id + ">" + d.nodes[e.to].id, "edge", "", "", "", "",
                 e.value ? number(*e.value) : "", e.label.english()});
    }

private:
    CsvRows& m_rows;
};

Json numberJson(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json numbersJson(const std::vector<double>& values) {
    Json out = Json::array();
    for (const double value : values) out.push_back(numberJson(value));
    return out;
}

std::string roleName(const Role& role) {
    static constexpr std::array names{"text", "muted", "accent",   "warning", "problem",
                                      "good", "ghost", "activity", "job",     "hue"};
    std::string name = names[static_cast<std::size_t>(role.kind)];
    if (role.kind == Role::Kind::activity) return std::string(activityKey(static_cast<Activity>(role.index)));
    const bool numbered = role.kind == Role::Kind::hue || role.kind == Role::Kind::job;
    return numbered ? name + " " + std::to_string(role.index + 1) : name;
}

class JsonWriter {
public:
    explicit JsonWriter(const Workload& workload) : m_workload(workload) {}

    Json legend(const std::vector<LegendItem>& items) const {
        Json out = Json::array();
        for (const LegendItem& item : items) {
            Json entry{{"label", item.label.english()}};
            if (item.value) {
                entry["value"] = numberJson(item.value->value);
                if (!item.value->unit.empty()) entry["unit"] = item.value->unit;
            }
            if (!item.text.empty()) { entry["text"] = item.text.english(); }
            out.push_back(std::move(entry));
        }
        return out;
    }

    Json plot(const Plot& p) const {
        Json out{{"x", axis(p.x)}, {"y", axis(p.y)}};
        if (!p.title.empty()) out["title"] = p.title.english();
        for (const Series& s : p.series) out["series"].push_back(series(s));
        for (const ReferenceLine& line : p.lines) {
            Json entry{{line.way == ReferenceLine::Way::vertical ? "x" : "y", numberJson(line.value)}};
            entry["role"] = roleName(line.role);
            if (!line.label.empty()) entry["label"] = line.label.english();
            out["lines"].push_back(std::move(entry));
        }
        return out;
    }

    Json table(const Table& t) const {
        Json out{{"rows", Json::array()}};
        for (const Table::Row& row : t.rows) {
            Json entry = Json::object();
            for (std::size_t c = 0; c < t.columns.size(); ++c) {
                const std::string& raw = row.cells[c].raw;
                const auto number = t.columns[c].isNumber ? parseNumber(raw) : std::nullopt;
                entry[t.columns[c].key] = number ? Json(*number) : raw.empty() ? Json() : Json(raw);
            }
            out["rows"].push_back(std::move(entry));
        }
        return out;
    }

    Json diagram(const Diagram& d) const {
        Json out{{"nodes", Json::array()}, {"edges", Json::array()}};
        for (const Node& n : d.nodes) {
            Json entry{{"id", n.id}, {"x", numberJson(n.x)}, {"y", numberJson(n.y)}, {"label", n.label.english()}};
            if (n.value) entry["value"] = numberJson(*n.value);
            out["nodes"].push_back(withRef(std::move(entry), n.ref));
        }
        for (const Edge& e : d.edges) {
            Json entry{{"from", d.nodes[e.from].id}, {"to", d.nodes[e.to].id}};
            for (const Edge::Bend& bend : e.bends)
                entry["bends"].push_back(Json::array({numberJson(bend.x), numberJson(bend.y)}));
            if (e.value) entry["value"] = numberJson(*e.value);
            if (!e.label.empty()) entry["label"] = e.label.english();
            out["edges"].push_back(withRef(std::move(entry), e.ref));
        }
        return out;
    }

private:
    Json axis(const Axis& a) const {
        static constexpr std::array kinds{"linear", "logarithmic", "time", "categories"};
        Json out{{"title", a.title.english()}, {"key", a.key}, {"kind", kinds[static_cast<std::size_t>(a.kind)]}};
        if (!a.unit.empty()) out["unit"] = a.unit;
        if (a.from) out["from"] = numberJson(*a.from);
        if (a.to) out["to"] = numberJson(*a.to);
        for (const Axis::Category& c : a.categories) out["categories"].push_back(c.label.english());
        return out;
    }

    Json withRef(Json entry, const ElementRef& ref) const {
        if (ref.job.valid()) entry["job"] = m_workload.job(ref.job).key;
        if (ref.worker) entry["worker"] = *ref.worker;
        if (ref.machine.valid()) entry["machine"] = m_workload.machine(ref.machine).key;
        if (ref.link.valid()) entry["link"] = m_workload.cluster.links[ref.link.index()].key;
        if (ref.at != SimTime::never()) entry["at_s"] = ref.at.toSeconds();
        return entry;
    }

    Json series(const Series& s) const {
        Json out{{"key", s.key}, {"kind", kindName(s.kind)}, {"role", roleName(s.role)}};
        if (!s.label.empty()) out["label"] = s.label.english();
        if (s.kind == Series::Kind::spans) {
            out["spans"] = Json::array();
            for (std::size_t i = 0; i < s.spans.size(); ++i) {
                const Span& span = s.spans[i];
                Json entry{{"from", numberJson(span.from)},
                           {"to", numberJson(span.to)},
                           {"row", span.row},
                           {"role", roleName(span.role)}};
                if (span.over) entry["over"] = std::string(activityKey(*span.over));
                out["spans"].push_back(withRef(std::move(entry), s.refOf(i)));
            }
        } else if (s.kind == Series::Kind::cells) {
            out["columns"] = s.cells.columns;
            out["rows"] = s.cells.rows;
            out["values"] = numbersJson(s.cells.values);
        } else {
            out["x"] = numbersJson(s.x);
            out["y"] = numbersJson(s.y);
            if (!s.base.empty()) out["base"] = numbersJson(s.base);
        }
        return out;
    }

    const Workload& m_workload;
};

} // namespace picture_file

void writePicture(CsvRows& rows, const Picture& picture) {
    if (const auto* table = std::get_if<Table>(&picture)) return picture_file::writeTable(rows, *table);
    picture_file::CsvWriter writer(rows);
    if (const auto* diagram = std::get_if<Diagram>(&picture)) return writer.diagram(*diagram);
    const auto& plots = std::get<Chart>(picture).plots;
    for (std::size_t p = 0; p < plots.size(); ++p)
        for (const Series& series : plots[p].series) writer.series(p + 1, plots[p], series);
}

std::string pictureCsv(const Picture& picture) {
    std::string text;
    CsvRows rows([&](std::string_view piece) { return text += piece, true; });
    writePicture(rows, picture);
    rows.flush();
    return text;
}

nlohmann::ordered_json pictureJson(const View& view, const Picture& picture, const Workload& workload) {
    using picture_file::Json;
    const picture_file::JsonWriter writer(workload);
    Json out{{"view", view.id}, {"title", view.title.english()}};
    if (const Text& empty = emptyOf(picture); !empty.empty()) {
        out["empty"] = empty.english();
        return out;
    }
    out["meaning"] = meaningOf(picture).english();
    if (const Text& caution = cautionOf(picture); !caution.empty()) out["caution"] = caution.english();
    out["legend"] = writer.legend(legendOf(picture));
    if (const auto* table = std::get_if<Table>(&picture)) {
        out.update(writer.table(*table));
        return out;
    }
    if (const auto* diagram = std::get_if<Diagram>(&picture)) {
        out.update(writer.diagram(*diagram));
        return out;
    }
    out["plots"] = Json::array();
    for (const Plot& plot : std::get<Chart>(picture).plots) out["plots"].push_back(writer.plot(plot));
    return out;
}

} // namespace trainyard
