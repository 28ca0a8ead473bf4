// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Generators of data with planted structure, as a scenario names them.
#include "learning/keyed/KeyedChoices.h"

namespace trainyard {

namespace {

// Bytes are those of the containers that plantTriples() and the others fill, which at their fullest may have twice the room.
constexpr double bytesOfWeights = 40; ///< of an entity, a row …: weights, alias table, permutation

Result<KeyedDataSize> sizeOfTriples(const PlantedTriples& shape) {
    const double names = static_cast<double>(shape.entities) + shape.relations;
    return KeyedDataSize{.bytes = 3.0 * sizeof(Triple) * shape.facts + bytesOfWeights * names,
                         .names = names,
                         .examples = static_cast<double>(shape.facts)};
}

Result<KeyedDataSize> sizeOfCorpus(const PlantedCorpus& shape) {
    const double words = static_cast<double>(shape.topics) * shape.stems * shape.forms,
                 text = static_cast<double>(shape.sentences) * shape.length;
    return KeyedDataSize{.bytes = 8 * text + 16.0 * shape.sentences + 8 * words + bytesOfWeights * shape.stems,
                         .names = words,
                         .examples = text};
}

Result<KeyedDataSize> sizeOfCells(const PlantedCells& shape) {
    constexpr double bytesOfDrawn = 40; // a node of a hash table, and its bucket
    const double names = static_cast<double>(shape.rows) + shape.columns,
                 all = static_cast<double>(shape.rows) * shape.columns;
    if (shape.cells > all)
        return Problem{
            .code = "too-many-cells",
            .message = {TRAINYARD_TEXT("a matrix of {0} × {1} has no {2} cells"),
                        {std::to_string(shape.rows), std::to_string(shape.columns), std::to_string(shape.cells)}},
            .pointer = "/parameters/cells"};
    return KeyedDataSize{.bytes = (2 * sizeof(Cell) + bytesOfDrawn) * shape.cells +
                                  (bytesOfWeights + 8.0 * shape.rank) * names,
                         .names = names,
                         .examples = static_cast<double>(shape.cells)};
}

} // namespace

KeyedDataEntry plantedTriplesEntry() {
    using S = PlantedTriples;
    return keyedDataEntry<S>(
        {"planted-graph", "Planted knowledge graph",
         "Facts whose objects follow from hidden types and places of entities; popular entities are in most of them."},
        plantTriples, sizeOfTriples,
        field(&S::entities, "entities", "Entities", {10, 1e7}, "", "How many there are.").logarithmic(),
        field(&S::relations, "relations", "Relations", {1, 1e5}, "", "How many there are."),
        field(&S::facts, "facts", "Facts", {10, 1e8}, "", "Drawn, those for tests included.").logarithmic(),
        field(&S::types, "types", "Types", {1, 1e4}, "", "Hidden types of entities."),
        field(&S::objects, "objects", "Objects", {1, 1e4}, "", "That a subject may have in a relation."),
        field(&S::exponent, "exponent", "Skew", {0, 5}, "",
              "s: the entity of rank r is drawn with probability proportional to 1/r^s."),
        field(&S::noise, "noise", "Noise", {0, 1}, "", "Share of facts whose object is drawn without the rule."));
}

KeyedDataEntry plantedCorpusEntry() {
    using S = PlantedCorpus;
    return keyedDataEntry<S>(
        {"planted-text", "Planted text",
         "Sentences about stems of a topic in one form; neighbouring stems, and words of a form, are met together."},
        plantCorpus, sizeOfCorpus, field(&S::topics, "topics", "Topics", {1, 1e4}, "", "How many there are."),
        field(&S::stems, "stems", "Stems", {2, 1e5}, "", "Of each topic."),
        field(&S::forms, "forms", "Forms", {1, 100}, "", "Of each stem: a word is a stem in a form."),
        field(&S::sentences, "sentences", "Sentences", {10, 1e8}, "", "How many there are.").logarithmic(),
        field(&S::length, "length", "Length", {2, 1000}, "words", "Of a sentence."),
        field(&S::exponent, "exponent", "Skew", {0, 5}, "",
              "s: the stem of rank r is drawn with probability proportional to 1/r^s."),
        field(&S::noise, "noise", "Noise", {0, 1}, "", "Share of words that are drawn for themselves."));
}

KeyedDataEntry plantedCellsEntry() {
    using S = PlantedCells;
    return keyedDataEntry<S>(
        {"planted-matrix", "Planted matrix",
         "Some cells of a product of normal factors, with noise; a few rows and columns have most of them."},
        plantCells, sizeOfCells, field(&S::rows, "rows", "Rows", {2, 1e8}, "", "How many there are.").logarithmic(),
        field(&S::columns, "columns", "Columns", {2, 1e8}, "", "How many there are.").logarithmic(),
        field(&S::cells, "cells", "Cells", {10, 1e9}, "", "Known ones, those for tests included.").logarithmic(),
        field(&S::rank, "rank", "Rank", {1, 1000}, "", "Of the product."),
        field(&S::exponent, "exponent", "Skew", {0, 5}, "",
              "s: the row or column of rank r is drawn with probability proportional to 1/r^s."),
        field(&S::noise, "noise", "Noise", {0, 100}, "", "Standard deviation of what is added to a cell."));
}

} // namespace trainyard
