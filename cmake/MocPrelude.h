// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Read by moc before every header (never by the compiler). moc 6.4 evaluates `#if __cplusplus < 201103L` wrongly (it stops at
// the suffix), so libstdc++'s headers skip the definition of the macros that their namespaces are written with, and a header
// whose first include is <compare>, <concepts> or <span> is a parse error. Reading that definition first avoids it.
#include <bits/c++config.h>
