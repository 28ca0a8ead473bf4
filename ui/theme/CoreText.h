// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The core's texts (labels, help, problems, explanations) are English templates; here the window translates them,
// in the context "core". Whoever shows a text of the core takes it through here.
#include "base/Problem.h"

#include <QString>

namespace trainyard {

/// The template in the person's language, with its arguments in place.
QString coreText(const Text& text);
QString coreText(const std::string& english);

} // namespace trainyard
