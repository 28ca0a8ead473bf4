// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A table as a value: what people see and what files have, cell by cell. The third kind of picture, beside Chart and
// Diagram.
#include "analysis/PictureParts.h"

namespace trainyard {

struct Table {
    struct Column {
        std::string key;       ///< of files: snake case with the unit, "time_here_s"
        Text title;            ///< for people; empty: only files have it
        bool isNumber = false; ///< aligned to the right
        friend bool operator==(const Column&, const Column&) = default;
    };
    struct Cell {
        std::string raw;               ///< in files; a number in the C locale, empty: there is none
        Text text;                     ///< for people
        std::optional<Quantity> value; ///< in its place; neither: a dash
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    struct Row {
        std::vector<Cell> cells; ///< by column
        ElementRef ref;
        bool isShown = true; ///< false: only files have it
        friend bool operator==(const Row&, const Row&) = default;
    };
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::size_t more = 0;           ///< further ones that are not in it
    std::vector<LegendItem> legend; ///< as in Chart, as are the next
    Text meaning, caution, empty;
    std::optional<Stops> stops;
    friend bool operator==(const Table&, const Table&) = default;
};

} // namespace trainyard
