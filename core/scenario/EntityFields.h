// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Editing one part of a scenario field by field: what fields a machine, a job, a generator … has, with their
// help, unit, range and value, and how to set one. Forms and tables of the window are made from it, so that a
// field described once for the file format can also be edited. Values are JSON text, as in the file.
#include "scenario/Scenario.h"

namespace trainyard {

/// A part of a scenario that is edited as one: the scenario's own settings (with its recorded curves), or an element of one of its
/// lists.
struct EntityRef {
    enum class Kind {
        settings, ///< title, notes, seed, mode … of the scenario itself
        cluster,  ///< resources, bandwidth within a machine, storage
        device,
        rack,
        switchNode,
        machine,
        link,
        job,
        generator,
        fault,
        variant
    };
    Kind kind = Kind::settings;
    std::size_t index = 0; ///< in its list; 0 for settings and cluster
    friend bool operator==(const EntityRef&, const EntityRef&) = default;
    friend auto operator<=>(const EntityRef&, const EntityRef&) = default;
};

/// How many elements the list of this kind has; 1 for settings and cluster.
std::size_t entityCount(const Scenario& scenario, EntityRef::Kind kind);
/// "/cluster/machines/3"; empty for settings.
std::string pointerTo(EntityRef entity);
/// The entity that a JSON pointer of a problem lies in, and the rest of the pointer; settings where it lies
/// in none.
std::pair<EntityRef, std::string> entityAt(const Scenario& scenario, const std::string& pointer);

struct FieldInfo {
    enum class Kind {
        flag,       ///< true, false
        text,       ///< "…"
        integer,    ///< whole number
        number,     ///< number
        word,       ///< one of `words`
        numbers,    ///< [1, 2.5]
        texts,      ///< ["a", "b"]
        pair,       ///< [x, y]
        amounts,    ///< {"cpu": 4}; `words` are the resources
        bounds,     ///< 3 or {"min": 1, "max": 8}
        choice,     ///< "sgd" or {"id": …, "parameters": {…}}
        parameters, ///< {"k": 3}
        list,       ///< of objects, as JSON
        group       ///< heading of the fields that follow with greater depth; absent groups have none
    };
    Kind kind = Kind::text;
    std::string path;  ///< relative to the entity: "/straggler/factor/mean"
    std::string type;  ///< of groups and lists, as in the schema: "distribution", "burst"
    std::string key;   ///< last step of the path, as in the file
    std::string label; ///< for people, without the unit
    std::string help, unit;
    std::string effect;              ///< one sentence: what changes when it grows; may be empty
    int depth = 0;                   ///< how many groups it is in
    bool required = false;           ///< has no default
    bool present = true;             ///< false: the file leaves it out, and `value` is the default (empty: none)
    bool optional = false;           ///< may be absent altogether, which means something of its own
    double minimum = 0, maximum = 0; ///< of numbers
    bool aboveMinimum = false;       ///< the minimum itself is not allowed
    double sliderEnd = 0;            ///< numbers have a slider from the minimum to here, if this is more
    bool logarithmic = false;        ///< the slider moves on a log scale
    std::vector<std::string> words;  ///< those allowed (word, amounts), or good ones to offer (text)
    bool open = false;               ///< word: others are taken as well
    std::string value;               ///< JSON
    std::string fallback;            ///< JSON of the default; empty if it has none
};

/// All fields in the order of the format; only those of the alternative in use (the law, the kind of job).
std::vector<FieldInfo> fieldsOf(const Scenario& scenario, EntityRef entity);

/// Sets one field to a JSON value; an empty value takes the key out, which means its default. A number out of
/// range is kept, since the document of a person at work may be wrong for a while: validateScenario reports
/// it. What cannot be kept (a wrong type, an unknown word) leaves the scenario as it is and is reported. An
/// id that changes takes the references to it along.
Problems setField(Scenario& scenario, EntityRef entity, const std::string& path, const std::string& json);

} // namespace trainyard
