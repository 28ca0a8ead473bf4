// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Appending to one of very many arrays that all grow: by a fifth when one is full instead of by its own size, so that a tenth of
// the memory is spare and not a third. Each element is moved five times on average instead of once.
#include <algorithm>
#include <type_traits>
#include <vector>

namespace trainyard {

template <class T>
void append(std::vector<T>& to, const std::type_identity_t<T>& value) {
    constexpr std::size_t least = 16;
    if (to.size() == to.capacity()) to.reserve(std::max(least, to.size() + to.size() / 5));
    to.push_back(value);
}

} // namespace trainyard
