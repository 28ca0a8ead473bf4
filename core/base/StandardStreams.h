// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Standard input, output and error that whoever started the program has closed.

namespace trainyard {

/// Opens those of the three that are closed so that using them fails. Otherwise the next file opened would be one of them, and texts
/// meant for people would be written into it. To be called first of all.
void guardStandardStreams();

} // namespace trainyard
