// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a metric answers to one number of the scenario over a range, or to two: the present value and the best are marked, a click takes a value
// into the scenario as one step to undo, and the range can be refined around the best.
#include "compare/BackgroundSweep.h"
#include "compare/BatchPage.h"
#include "compare/MetricBox.h"
#include "run/compare/Response.h"
#include "session/Workspace.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace trainyard {

class ChartCard;

class ParameterTab final : public BatchPage {
    Q_OBJECT
public:
    explicit ParameterTab(Workspace& workspace, QWidget* parent = nullptr);

    /// A number by its JSON pointer; the second one makes a map. False: there is no such number.
    bool choose(const std::string& pointer, const std::string& second = {});
    void run() override;
    ChartProvenance provenance() const override;
    const BackgroundSweep& sweep() const { return m_sweep; }
    ChartCard& card() { return *m_card; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct AxisControls {
        QComboBox* field = nullptr;
        QLineEdit *from = nullptr, *to = nullptr;
        QLabel* unit = nullptr; ///< of both
        QSpinBox* count = nullptr;
    };
    QWidget* makeForm();
    AxisControls makeAxis(QVBoxLayout* column, const QString& title, bool second);
    void refill();
    void fillFields();
    void proposeRange(const AxisControls& axis);
    void proposeMetric();
    void takeDirection(); ///< whether less of the metric is better
    const VariedField* fieldOf(const AxisControls& axis) const;
    Result<SweepRequest> request() const;
    ResponseView view() const;
    void begin(SweepRequest request);
    void refine();
    void refresh();
    void take(std::size_t point);
    void say(const QString& message) override;

    Workspace& m_workspace;
    std::vector<VariedField> m_fields, m_shownFields; ///< to choose from; those of the shown axes
    AxisControls m_first, m_second;
    QLineEdit* m_seeds;
    MetricBox* m_metric;
    QCheckBox* m_smaller;
    QPushButton* m_refine;
    ChartCard* m_card;
    QString m_message;
    bool m_stale = true; ///< the fields are those of a scenario that has changed
    BackgroundSweep m_sweep;
};

} // namespace trainyard
