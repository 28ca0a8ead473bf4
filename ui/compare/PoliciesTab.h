// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Policies over seeds: what is compared on the left, charts and a table of what came out on the right. It goes on while other places are
// shown, and never keeps the window waiting.
#include "compare/BackgroundComparison.h"
#include "compare/BatchPage.h"
#include "compare/KeptComparisons.h"
#include "session/BackgroundWork.h"
#include "session/Workspace.h"

class QGridLayout;
class QMenu;
class QScrollArea;
class QTableView;

namespace trainyard {

class ChartCard;
class ComparisonForm;
class ComparisonTable;

class PoliciesTab final : public BatchPage {
    Q_OBJECT
public:
    static constexpr std::size_t manyRuns = 2000; ///< more are estimated first, and begun when that is agreed to

    explicit PoliciesTab(Workspace& workspace, QWidget* parent = nullptr);

    ComparisonForm& form() { return *m_form; }
    const BackgroundComparison& comparison() const { return m_comparison; }
    std::vector<ChartCard*> cards() const { return m_cards; }
    void run() override;
    ChartProvenance provenance() const override;
    void cancel() { m_comparison.stop(); }
    /// The whole page as one HTML file, or the runs as CSV or JSON, by the ending.
    Problems writePage(const QString& path);
    /// Shows a kept comparison with the scenario as it was then: what is in the store; nothing is run. False: there is none.
    bool reopen(const QString& name);
    /// Results that `compare --out` has written, elsewhere perhaps, become a kept comparison, which is shown: resultsOpened() tells
    /// whether. They are read beside the window's thread.
    void openResults(const QString& directory);

Q_SIGNALS:
    void resultsOpened(bool shown);
    /// One seed of the baseline and of another arm; both are to be run.
    void sideBySideWanted(const trainyard::RunData& baseline, const trainyard::RunData& arm);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeResults();
    void makeMenus();
    void onChanged();
    void onEnded();
    void refresh();
    void arrange();
    void fitColumns();
    void refreshStatus();
    void showNextChart();
    QString estimate() const;
    bool isShownRequest() const;
    std::vector<TitledChart> charts() const;
    QString scenarioName() const;
    QString folder() const; ///< where results of the document are kept
    QString shownText() const;
    void say(const QString& message) override;
    void listSides(QMenu* menu);
    void listKept(QMenu* menu);
    void listElsewhere(QMenu* menu);
    void saveBundle();
    void takeOpened(Result<ComparisonRequest> request, const QString& folder);
    void renameShown();
    void takeTitles();
    void clearShown();
    QString titleOf(std::size_t arm) const;
    std::vector<Text> titles() const; ///< of the arms of the comparison on show
    std::optional<RunData> armRun(std::size_t arm, std::uint64_t seed) const;
    void openKept();
    void begin(ComparisonRequest request);

    Workspace& m_workspace;
    ComparisonForm* m_form;
    QToolButton *m_kept, *m_beside, *m_elsewhere, *m_export;
    QScrollArea* m_scroll;
    QGridLayout* m_grid;
    std::vector<ChartCard*> m_cards;
    std::vector<TitledChart> m_next; ///< by card, while it runs: one a frame; without a chart: shown
    QTimer m_nextSoon;
    std::shared_ptr<const ComparisonResult> m_drawn; ///< what the charts are of
    ComparisonTable* m_table;
    QTableView* m_view;
    std::optional<ComparisonRequest>
        m_estimated; ///< all of it, while its first seed is measured or agreement is awaited
    bool m_agreed = false, m_measuring = false, m_isOpening = false;
    QString m_message;
    std::optional<KeptComparison> m_shown; ///< what the results are of
    BackgroundComparison m_comparison;
    BackgroundWork m_opening;
};

} // namespace trainyard
