// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The comparisons that were made of a scenario, by name: a small file each, beside the store of their runs, that says what was compared.
// `trainyard-cli compare` repeats such a file.
#include "run/compare/ComparisonFile.h"

#include <QDateTime>
#include <QString>

namespace trainyard {

struct KeptComparison {
    QString name;
    QDateTime made; ///< begun last
    RunProvenance provenance;
};

/// Those in the folder that are of a scenario file with this name, the latest first.
std::vector<KeptComparison> keptComparisons(const QString& folder, const QString& scenarioName);
/// Gives it a name, of the titles of its policies (so its registry must be there), or the one under which the same is kept already,
/// whose titles become these. Problems: it cannot be written.
Result<KeptComparison> keepComparison(const QString& folder, const ComparisonRequest& request,
                                      const QString& scenarioName);
/// False: there is one of that name, or it cannot be a file's. The date stays.
bool renameComparison(const QString& folder, const QString& from, const QString& to);
/// Its policies are called as in the request from now on. The date stays. Problems: it cannot be written.
Problems retitleComparison(const QString& folder, KeptComparison& kept, const ComparisonRequest& request);
/// Its runs stay in the store; other comparisons may have them, too.
void removeComparison(const QString& folder, const QString& name);
/// What was compared, with the scenario as it was then. Problems: it can no longer be read.
Result<ComparisonRequest> requestOf(const KeptComparison& kept);

} // namespace trainyard
