// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// `trainyard --render`: the charts, tables or frames of a run record, without a window. Called by the
// program.
#include <QStringList>

namespace trainyard {

/// `trainyard --render RECORD --out DIR [options]` (see RenderArguments.h): the program's arguments, its name
/// first. Prints the files' names; progress and problems go to standard error. Exit status: 0 done, 1 not
/// everything could be written, 2 bad usage or bad input. Needs a QApplication.
int renderRecord(const QStringList& arguments);

} // namespace trainyard
