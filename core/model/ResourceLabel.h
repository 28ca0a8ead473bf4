// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A resource as people read it: "memory GB" for "memory_gb".
#include <algorithm>
#include <string>

namespace trainyard {

inline std::string resourceLabel(std::string name) {
    std::ranges::replace(name, '_', ' ');
    for (const char* unit : {" gb", " mb", " tb"})
        if (name.ends_with(unit))
            for (std::size_t i = name.size() - 2; i < name.size(); ++i)
                name[i] = static_cast<char>(name[i] - 'a' + 'A');
    return name;
}

} // namespace trainyard
