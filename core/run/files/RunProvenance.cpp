// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The provenance of a run as text in exported files, and back.
#include "base/WholeFile.h"
#include "run/files/RecordJson.h"
#include "run/files/RunRecord.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>

namespace trainyard {

namespace {

constexpr std::uintmax_t provenanceLimit = std::uintmax_t{1} << 31;
constexpr std::string_view provenanceMarker = " run={", continuation = "#+";
constexpr std::string_view objectMarker = "{\"provenance\":";

/// [from, to) of the JSON object that begins at `from`, or nothing if it does not end.
std::optional<std::string_view> balancedObject(std::string_view text, std::size_t from) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = from; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return text.substr(from, i + 1 - from);
        }
    }
    return std::nullopt;
}

std::string withoutXmlEscapes(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, char>, 5> entities{
        {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}}};
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto entity = std::find_if(entities.begin(), entities.end(),
                                         [&](const auto& e) { return text.substr(i, e.first.size()) == e.first; });
        if (entity != entities.end()) {
            out += entity->second;
            i += entity->first.size();
        } else {
            out += text[i++];
        }
    }
    return out;
}

bool startsWith(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// Only kinds of files that Trainyard exports are searched: a scenario may say anything in its notes.
bool looksExported(std::string_view text) {
    return startsWith(text, objectMarker) || startsWith(text, "# trainyard ") || startsWith(text, "<?xml") ||
           startsWith(text, "<svg") || startsWith(text, "%PDF") || startsWith(text, "\x89PNG") ||
           text.substr(std::min<std::size_t>(text.size(), 4), 4) == "ftyp" || // MP4
           startsWith(text, "\x1A\x45\xDF\xA3");                              // WebM
}

/// Where the comment lines at the end of a table begin.
std::size_t lastComments(std::string_view text) {
    std::size_t begin = text.size();
    while (begin > 0) {
        const std::size_t newline = begin < 2 ? std::string_view::npos : text.rfind('\n', begin - 2);
        const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
        if (!startsWith(text.substr(line), continuation)) break;
        begin = line;
    }
    return begin;
}

/// The comment lines at the beginning of a table and those at its end as one: a line that goes on is marked "#+". (Earlier versions
/// wrote all of them at the beginning.)
std::string joinedComments(std::string_view text) {
    std::string joined;
    const auto join = [&](std::string_view rest) {
        while (startsWith(rest, "#")) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            joined += startsWith(line, continuation) ? line.substr(continuation.size()) : line;
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        }
    };
    join(text);
    join(text.substr(lastComments(text)));
    return joined;
}

std::optional<std::string> provenanceObject(std::string_view text) {
    if (startsWith(text, "# trainyard ")) {
        const std::string joined = joinedComments(text);
        const auto at = joined.find(provenanceMarker);
        if (at == std::string::npos) return std::nullopt;
        const auto object = balancedObject(joined, at + provenanceMarker.size() - 1);
        return object ? std::optional<std::string>(*object) : std::nullopt;
    }
    if (startsWith(text, objectMarker)) {
        const auto object = balancedObject(text, text.find('{', objectMarker.size()));
        return object ? std::optional<std::string>(*object) : std::nullopt;
    }
    const auto at = text.find(provenanceMarker);
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t from = at + provenanceMarker.size() - 1;
    if (!startsWith(text.substr(from), "{&quot;")) {
        const auto object = balancedObject(text, from);
        return object ? std::optional<std::string>(*object) : std::nullopt;
    }
    const std::string plain = withoutXmlEscapes(text.substr(from, text.find('<', from) - from));
    const auto object = balancedObject(plain, 0);
    return object ? std::optional<std::string>(*object) : std::nullopt;
}

Problem provenanceProblem(const std::filesystem::path& path, const std::string& why) {
    return {.code = "damaged-record",
            .message = {TRAINYARD_TEXT("the run that this file came from cannot be read from it: {0}"), {why}},
            .file = path.string()};
}

} // namespace

std::string provenanceJsonText(const RunProvenance& provenance) {
    // Without non-ASCII characters, so that it survives any container.
    return provenanceJson(provenance).dump(-1, ' ', true);
}

std::string provenanceText(const RunProvenance& provenance) {
    std::string name = provenance.scenarioName;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c <= ' ' || c > '~'; }, '_');
    return "trainyard scenario=" + name + " seed=" + std::to_string(provenance.seed) +
           " mode=" + std::string(modeName(provenance.mode)) + " version=" + provenance.version +
           " digest=" + provenance.digest + (provenance.complete ? "" : " complete=false") +
           " run=" + provenanceJsonText(provenance);
}

std::string provenanceAbove(const RunProvenance& provenance) {
    const std::string line = provenanceText(provenance);
    const std::string text = "# " + line.substr(0, line.find(provenanceMarker)) + "\n";
    return provenance.complete ? text : text + commentLine("not complete: " + provenance.failure);
}

std::string provenanceBelow(const RunProvenance& provenance) {
    constexpr std::size_t width = 120;
    const std::string line = provenanceText(provenance);
    std::string text;
    for (std::size_t at = line.find(provenanceMarker); at < line.size(); at += width)
        text.append(continuation).append(line, at, width).append("\n");
    return text;
}

std::string commentLine(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
    return "# " + text + "\n";
}

Result<std::optional<RunProvenance>> readProvenance(const std::filesystem::path& path) {
    using Answer = std::optional<RunProvenance>;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored) || path.filename() == "record.json") {
        auto provenance =
            readRecordProvenance(std::filesystem::is_directory(path, ignored) ? path : path.parent_path());
        if (!provenance) return provenance.problems();
        return Answer(std::move(provenance).value());
    }
    // A file that cannot be read is the scenario reader's to report, and so is one that is far too large. A pipe is never waited for.
    if (!std::filesystem::is_regular_file(path, ignored)) return Answer();
    std::string start(64, '\0');
    std::ifstream in(path, std::ios::binary);
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(in.gcount()));
    if (!looksExported(start)) return Answer();
    auto text = readWholeFile(path, provenanceLimit);
    if (!text) return text.problems();
    const auto object = provenanceObject(*text);
    if (!object) return provenanceProblem(path, "there is no complete \"run={…}\" or \"provenance\" in it");
    try {
        auto provenance = provenanceFrom(readJson(*object));
        if (!provenance) return provenanceProblem(path, provenance.problems().front().message.english());
        return Answer(std::move(provenance).value());
    } catch (const std::exception& error) { return provenanceProblem(path, error.what()); }
}

} // namespace trainyard
