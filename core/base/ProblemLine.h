// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A problem as both programs write it on standard error, in the form of compilers.
#include "base/Problem.h"

#include <string>
#include <string_view>

namespace trainyard {

/// "FILE:LINE: warning: /POINTER: what is doubtful"; what is in no file is named by the program. Errors go without a word for their kind.
std::string problemLine(const Problem& problem, std::string_view program);

} // namespace trainyard
