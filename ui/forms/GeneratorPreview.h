// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a generator makes with the scenario's seed: when its jobs arrive, and how large they are. Of a
// generator of very many jobs, the first few thousand.
#include "forms/FormPreview.h"

class QLabel;

namespace trainyard {

/// The jobs of one generator, at most `most`.
std::vector<Job> drawnJobs(const Scenario& scenario, std::size_t generator, int most);

class ArrivalsPreview final : public FormPreview {
    Q_OBJECT
public:
    explicit ArrivalsPreview(QWidget* parent = nullptr);
    void show(const Scenario& scenario, EntityRef entity) override;
    QString text() const;

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintArrivals(QWidget& on) const;

    std::vector<double> m_seconds; ///< ascending
    QWidget* m_picture;
    QLabel* m_text;
};

/// Of the pool of graph jobs, drawn without replacement.
inline constexpr const char* poolDeadlines = "deadline_fractions";

/// One drawn quantity ("workers", "batch" …) over the jobs of a generator.
class SizesPreview final : public FormPreview {
    Q_OBJECT
public:
    explicit SizesPreview(std::string quantity, QWidget* parent = nullptr);
    void show(const Scenario& scenario, EntityRef entity) override;
    QString text() const;

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintHistogram(QWidget& on) const;

    std::string m_quantity;
    std::vector<double> m_values; ///< ascending
    QWidget* m_picture;
    QLabel* m_text;
};

} // namespace trainyard
