// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The studies of `reproduce` as a page: run one, quick or in full, and read each claim with what was measured, its interval,
// who says so and how it was judged; charts of what belongs together; the study's scenarios open in the lab. A tab of the
// place Compare.
#include "compare/BackgroundStudy.h"
#include "compare/BatchPage.h"
#include "session/Workspace.h"

class QCheckBox;
class QComboBox;
class QListWidget;
class QScrollArea;
class QTableView;
class QTextBrowser;

namespace trainyard {

class ChartCard;
class ClaimsModel;

class ClaimsTab final : public BatchPage {
    Q_OBJECT
public:
    explicit ClaimsTab(Workspace& workspace, QWidget* parent = nullptr);
    ~ClaimsTab() override;

    /// False: there is no such study or part. `part` empty: all.
    bool choose(const std::string& study, const std::string& part = {});
    /// A claims.json that was measured elsewhere. False: not while a study runs, or it is none, and a message says why.
    bool open(const QString& file);
    void setQuick(bool quick);
    void run() override;
    ChartProvenance provenance() const override { return chartProvenance(*m_shown); }
    void cancel() { m_study.stop(); }
    const BackgroundStudy& study() const { return m_study; }
    const std::vector<ChartCard*>& cards() const { return m_cards; }
    QString detail() const; ///< of the chosen claim, as plain text
    /// The page as HTML, the claims as JSON, by the ending.
    Problems writePage(const QString& path);

Q_SIGNALS:
    void scenarioWanted(const QString& file);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeForm();
    void makeResults();
    const Study& chosen() const;
    void takeStudy();
    void refresh();
    void refreshStatus();
    void refreshDetail();
    void showCharts();
    void arrange();
    void choosesClaims(ChartCard* card);
    void openScenario();
    void say(const QString& message) override;

    Workspace& m_workspace;
    QComboBox *m_choice, *m_part;
    QLabel* m_summary;
    QCheckBox *m_quick, *m_failing;
    QListWidget* m_scenarios;
    QPushButton *m_open, *m_openClaims;
    QToolButton* m_export;
    QScrollArea* m_scroll;
    std::array<QVBoxLayout*, 3> m_columns; ///< of charts
    std::vector<ChartCard*> m_cards;
    std::vector<std::vector<std::size_t>> m_chartClaims; ///< by card and row
    ClaimsModel* m_model;
    QTableView* m_view;
    QTextBrowser* m_detail;
    QString m_message;
    std::shared_ptr<const MeasuredStudy> m_shown;
    bool m_seen = false;
    BackgroundStudy m_study;
};

} // namespace trainyard
