// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Files of one JSON object with a format and a version, whose fields are described by a function of a Fields. Internal to agents/.
#include "scenario/FieldReader.h"
#include "scenario/FieldWriter.h"
#include "scenario/FormatVersion.h"
#include "scenario/ProblemPlaces.h"

namespace trainyard {

/// fields(Fields&) describes them; afterwards check(Problems&) may add to what is wrong. Problems name the file, line and member.
template <class Describe, class Check>
Problems readVersioned(std::string_view text, const std::string& name, const KnownFormat& format, Describe fields,
                       Check check) {
    ParsedJson parsed = parseJson(text);
    Problems problems = std::move(parsed.problems);
    if (parsed.root && hasFormat(*parsed.root, format, problems)) {
        FieldReader reader(*parsed.root, problems);
        reader.knows("format");
        reader.knows("version");
        fields(reader);
        reader.finish();
        check(problems);
    }
    arrangeProblems(problems, name, parsed.root ? &*parsed.root : nullptr);
    return problems;
}

template <class Describe>
std::string writeVersioned(const KnownFormat& format, Describe fields) {
    JsonNode root = JsonNode::object();
    root.set("format", JsonNode::string(format.format));
    root.set("version", JsonNode::number(std::to_string(format.version)));
    FieldWriter writer(root);
    fields(writer);
    return formatJson(root);
}

} // namespace trainyard
