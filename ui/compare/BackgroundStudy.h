// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A study of `reproduce` under way, part by part, with the claims measured so far. Owned by the tab that shows it.
#include "compare/BackgroundBatch.h"
#include "studies/ClaimsFile.h"

namespace trainyard {

/// "Moving keys" of "moving-keys", as titles of its charts are.
QString partName(const std::string& id);

class BackgroundStudy final : public BackgroundBatch {
    Q_OBJECT
public:
    explicit BackgroundStudy(QObject* parent = nullptr) : BackgroundBatch(parent) {}

    /// One part, or all of them where `part` is empty. `request`: registry, resources, scenarios and quick.
    /// `folder`: where runs and claims.json are kept.
    void start(const Study& study, const std::string& part, StudyRequest request, const QString& folder);

    /// The claims so far, of the study running or run last; of all parts if it was kept.
    const std::shared_ptr<const MeasuredStudy>& measured() const { return m_measured; }
    /// What was measured before; null: nothing.
    void show(std::shared_ptr<const MeasuredStudy> kept);
    double progress() const; ///< 0 … 1, over its parts
    /// "Part 2 of 7, C1: 12 of 220 runs"
    QString step() const;
    /// Of the runs that step() counts: how long other parts take is not known. Negative: nor are these yet.
    double secondsLeft() const;
    /// In the user's data.
    static QString folderFor(const std::string& study);

private:
    struct Latest;
    void take() override;
    void clear() override { m_measured = nullptr; }

    std::shared_ptr<const MeasuredStudy> m_measured;
    std::shared_ptr<Latest> m_latest;
    std::vector<std::string> m_parts;
    std::size_t m_part = 0; ///< of them, under way
    /// Where the count of runs that step() tells began.
    struct Begin {
        std::size_t part = 0, done = 0, all = 0;
        double seconds = 0;
    } m_begin;
};

} // namespace trainyard
