// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What stands beneath the cluster of each of two runs: its last decision, or what it did where the two part, and why it did not do
// what the other did.
#include <QCoreApplication>
#include <QString>

namespace trainyard {

class RunPair;

class PairDecision {
    Q_DECLARE_TR_FUNCTIONS(PairDecision)
public:
    /// HTML, at the instant that the pair shows.
    static QString html(const RunPair& pair, std::size_t side);
};

} // namespace trainyard
