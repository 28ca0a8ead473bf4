// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// `trainyard --render`: the charts, tables or frames of a run record, without a window. Called by the
// program.
#include <QStringList>

namespace trainyard {

/// `trainyard --render RECORD --out DIR [options]` (see RenderArguments.h): the program's arguments, its name
/// first, made by wordOf() where names need not be UTF-8. Prints the files' names; problems go to standard error. Exit status: 0 done, 1 not
/// everything could be written, 2 bad usage or bad input, 128 + the signal that stopped it: files are whole, and it says which are there.
/// TRAINYARD_SHOWN_DIRECTORY, set by trainyard-cli where it draws into a stand-in for the user's directory: its name. Needs a QApplication.
int renderRecord(const QStringList& arguments);

} // namespace trainyard
