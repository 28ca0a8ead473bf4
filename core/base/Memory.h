// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How much memory a program has here, and takes.

namespace trainyard {

/// Bytes that a program here may fill: the least of the machine's memory and the limits of its control groups.
double memoryOfMachine();

struct MemoryInUse {
    double addresses = 0, resident = 0; ///< bytes: of address space, of physical memory
};
MemoryInUse memoryInUse();
/// The process's limit of address space (ulimit -v), bytes; infinity: none.
double addressLimit();

} // namespace trainyard
