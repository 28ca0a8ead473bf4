// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What long names have in common: "rack-1-node-007.example.org" and "rack-2-node-001.example.org" differ in the middle, which
// is what a label of little room has to tell. Used for the names of machines on the canvas and at the rows of lanes.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct SharedParts {
    std::size_t front = 0, back = 0; ///< bytes of whole words, with the separators towards what differs

    /// What all names begin and end with; nothing where none is longer than `enough` bytes, or there is only one.
    static SharedParts of(const std::vector<std::string>& names, std::size_t enough = 24) {
        if (names.size() < 2 || std::ranges::all_of(names, [=](const std::string& n) { return n.size() <= enough; }))
            return {};
        const std::string_view first = names.front();
        std::size_t least = first.size(), front = first.size(), back = first.size();
        for (const std::string_view name : names) {
            least = std::min(least, name.size());
            front = std::min(front, alike(first.begin(), first.end(), name.begin(), name.end()));
            back = std::min(back, alike(first.rbegin(), first.rend(), name.rbegin(), name.rend()));
        }
        front = std::min(front, least);
        while (front > 0 && !separates(first[front - 1])) --front;
        while (back > 0 && !separates(first[first.size() - back])) --back;
        if (front == least) front = 0; // a name would be left without anything
        if (front + back >= least) back = 0;
        return {front, back};
    }
    std::string without(std::string_view name) const {
        return std::string(name.substr(front, name.size() - front - back));
    }

private:
    static std::size_t alike(auto a, auto aEnd, auto b, auto bEnd) {
        std::size_t n = 0;
        while (a != aEnd && b != bEnd && *a == *b) ++a, ++b, ++n;
        return n;
    }
    static bool separates(char c) { return std::string_view(" -_.,:/").find(c) != std::string_view::npos; }
};

} // namespace trainyard
