// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The sign between the two numbers of a check, as it is true: of a failed "27.2 ≤ 2.72" it is ">". For those that put explanations into
// words: the window and the command line.
#include "record/Explanation.h"

namespace trainyard {

inline const char* relationOf(const Check& check) {
    const bool passed = check.passed();
    switch (check.comparison) {
    case Comparison::atMost: return passed ? "≤" : ">";
    case Comparison::atLeast: return passed ? "≥" : "<";
    case Comparison::less: return passed ? "<" : "≥";
    case Comparison::greater: return passed ? ">" : "≤";
    case Comparison::equal: return passed ? "=" : "≠";
    }
    return "?";
}

} // namespace trainyard
