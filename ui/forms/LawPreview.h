// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The density of a machine's straggler law, and below it where the fastest to the slowest of n lie on
// average, n being the most workers that a job of the scenario may have, 16 at most.
#include "base/Distribution.h"
#include "forms/FormPreview.h"

class QLabel;

namespace trainyard {

class LawPreview final : public FormPreview {
    Q_OBJECT
public:
    explicit LawPreview(std::string path, QWidget* parent = nullptr);
    void show(const Scenario& scenario, EntityRef entity) override;
    QString text() const;

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintDensity(QWidget& on) const;

    std::string m_path;
    Distribution m_law;
    QString m_unit;
    int m_workers = 0;
    std::vector<double> m_means; ///< of the k-th of m_workers
    double m_from = 0, m_to = 0;
    std::vector<double> m_density; ///< at equal steps from m_from to m_to
    QWidget* m_picture;
    QLabel* m_text;
};

} // namespace trainyard
