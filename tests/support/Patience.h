// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::test {

/// Milliseconds a test waits for a run, a study or a program to end: long, since under a sanitizer on a busy machine everything is
/// slow. A test that passes never waits so long.
inline constexpr int patience = 600'000;

} // namespace trainyard::test
