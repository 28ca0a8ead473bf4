// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/PoliciesTab.h"

#include "compare/ChartCard.h"
#include "compare/ComparisonForm.h"
#include "compare/ComparisonTable.h"
#include "run/compare/ArmTitles.h"
#include "run/compare/ComparisonCharts.h"
#include "run/files/AtomicFile.h"
#include "session/MetricSubject.h"
#include "tables/TableLook.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace trainyard {

namespace policies_tab {
constexpr int wide = 460; ///< a chart, at least, where there are several in a row
constexpr int cellMargin = 8;
} // namespace policies_tab

PoliciesTab::PoliciesTab(Workspace& workspace, QWidget* parent)
    : BatchPage("comparison", tr("Progress of the comparison")), m_workspace(workspace),
      m_form(new ComparisonForm(workspace)), m_kept(menuButton(tr("Kept"))), m_beside(menuButton(tr("Side by Side"))),
      m_elsewhere(menuButton(tr("Run Elsewhere"))), m_export(menuButton(tr("Export"))),
      m_table(new ComparisonTable(this)), m_view(new QTableView) {
    setParent(parent);
    setForm(m_form);
    hint()->setProperty("muted", true);
    hint()->setObjectName(QStringLiteral("comparison-hint"));
    makeMenus();
    makeResults();
    connect(m_form, &ComparisonForm::changed, this, [this] {
        if (!m_comparison.isRunning()) m_estimated.reset();
        m_agreed = false;
        m_message.clear();
        refreshStatus();
    });
    connect(m_form, &ComparisonForm::lookChanged, this, &PoliciesTab::refresh);
    connect(m_form, &ComparisonForm::titlesChanged, this, &PoliciesTab::takeTitles);
    connect(&m_comparison, &BackgroundComparison::changed, this, &PoliciesTab::onChanged);
    connect(&m_comparison, &BackgroundComparison::ended, this, &PoliciesTab::onEnded);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &PoliciesTab::openKept);
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (ScenarioModel::changesRun(changes) && m_comparison.result()) hint()->setText(shownText());
    });
    connect(cancelButton(), &QPushButton::clicked, this, &PoliciesTab::cancel);
    m_nextSoon.setInterval(16);
    connect(&m_nextSoon, &QTimer::timeout, this, &PoliciesTab::showNextChart);
    setFocusProxy(runButton());
    refresh();
    refreshStatus();
}

void PoliciesTab::makeMenus() {
    m_kept->setObjectName(QStringLiteral("kept-comparisons"));
    m_kept->setToolTip(tr("Comparisons of this scenario that were made before"));
    connect(m_kept->menu(), &QMenu::aboutToShow, this, [this] { listKept(m_kept->menu()); });
    m_beside->setObjectName(QStringLiteral("side-by-side"));
    m_beside->setToolTip(
        tr("Runs one seed of the baseline and of another once more and shows both, with the first decision that "
           "differs"));
    connect(m_beside->menu(), &QMenu::aboutToShow, this, [this] { listSides(m_beside->menu()); });
    m_elsewhere->setObjectName(QStringLiteral("run-elsewhere"));
    m_elsewhere->setToolTip(tr("The comparison for another machine or a cluster, and its results back"));
    connect(m_elsewhere->menu(), &QMenu::aboutToShow, this, [this] { listElsewhere(m_elsewhere->menu()); });
    QMenu* menu = m_export->menu();
    menu->addAction(tr("Save the Page or Its Numbers…"), this, [this] {
        save(tr("Save the Comparison"), QFileInfo(scenarioName()).completeBaseName() + QStringLiteral(".html"),
             tr("Comparisons (*.html *.csv)"), [this](const QString& path) { return writePage(path); });
    });
    menu->addAction(tr("Copy the Table"), this,
                    [this] { QApplication::clipboard()->setText(m_table->text(QLatin1Char('\t'))); });
    menu->addAction(tr("Copy the Table as CSV"), this,
                    [this] { QApplication::clipboard()->setText(m_table->text(QLatin1Char(','))); });
    menu->addAction(tr("Copy the Command That Repeats It"), this, [this] {
        if (const auto* request = m_comparison.request())
            QApplication::clipboard()->setText(
                QString::fromStdString(comparisonCommand(*request, scenarioName().toStdString())));
    });
    for (QToolButton* button : {m_kept, m_beside, m_elsewhere, m_export}) addButton(button);
}

void PoliciesTab::makeResults() {
    m_scroll = new QScrollArea;
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    m_grid = new QGridLayout(content);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(12);
    m_scroll->setWidget(content);
    results()->addWidget(m_scroll, 3);
    m_view->setModel(m_table);
    dressTable(*m_view, tr("Numbers of the comparison"), {24, 18, 11, 11, 9, 20, 20, 6});
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->setWordWrap(true);
    connect(m_view->verticalScrollBar(), &QScrollBar::rangeChanged, this, &PoliciesTab::fitColumns,
            Qt::QueuedConnection); // it takes its width from the columns
    m_view->setObjectName(QStringLiteral("comparison-table"));
    m_view->setMinimumHeight(m_view->fontMetrics().height() * 6);
    results()->addWidget(m_view, 1);
}

/// By name and date; what is shown can be named and taken off the list.
void PoliciesTab::listKept(QMenu* menu) {
    menu->clear();
    for (const KeptComparison& kept : keptComparisons(folder(), scenarioName())) {
        QAction* action =
            menu->addAction(tr("%1 (%2)").arg(kept.name, QLocale().toString(kept.made, QLocale::ShortFormat)), this,
                            [this, name = kept.name] { reopen(name); });
        action->setCheckable(true);
        action->setChecked(m_shown && m_shown->name == kept.name);
        action->setEnabled(!m_comparison.isRunning());
    }
    if (menu->isEmpty()) menu->addAction(tr("No comparison of this scenario is kept"))->setEnabled(false);
    if (!m_shown || m_comparison.isRunning()) return;
    menu->addSeparator();
    menu->addAction(tr("Rename the Shown One…"), this, &PoliciesTab::renameShown);
    menu->addAction(tr("Remove the Shown One"), this, [this] {
        removeComparison(folder(), m_shown->name);
        clearShown();
    });
}

void PoliciesTab::renameShown() {
    bool accepted = false;
    const QString name = QInputDialog::getText(this, tr("Rename the Comparison"), tr("Name"), QLineEdit::Normal,
                                               m_shown->name, &accepted);
    if (!accepted || name.trimmed() == m_shown->name) return;
    if (!renameComparison(folder(), m_shown->name, name))
        return say(tr("\"%1\" is the name of another comparison, or no name of a file.").arg(name.trimmed()));
    m_shown->name = name.trimmed();
    refresh();
}

/// Of the form, which may name other arms than those on show.
void PoliciesTab::takeTitles() {
    m_comparison.takeTitles(m_form->arms());
    if (m_shown && m_comparison.request())
        if (const Problems problems = retitleComparison(folder(), *m_shown, *m_comparison.request()); !problems.empty())
            say(coreText(problems.front().message));
    refresh();
}

bool PoliciesTab::reopen(const QString& name) {
    const auto kept = keptComparisons(folder(), scenarioName());
    const auto found = std::ranges::find(kept, name, &KeptComparison::name);
    if (found == kept.end() || m_comparison.isRunning()) return false;
    auto request = requestOf(*found);
    if (!request) {
        say(coreText(request.problems().front().message));
        return false;
    }
    request->registry = std::make_shared<const Registry>(m_workspace.registry());
    request->resources = m_workspace.resources();
    request->traces = true;
    m_form->set(*request);
    m_message.clear();
    m_estimated.reset();
    m_shown = *found;
    m_form->setRunning(true);
    m_comparison.show(std::move(request).value(), folder());
    return true;
}

/// A seed for each arm but the baseline; the first of very many.
void PoliciesTab::listSides(QMenu* menu) {
    constexpr std::size_t most = 50;
    menu->clear();
    const ComparisonRequest* request = m_comparison.request();
    if (!request || !m_comparison.result()) return;
    const auto& seeds = m_comparison.result()->seeds;
    for (std::size_t arm = 0; arm < request->arms.size(); ++arm) {
        if (arm == request->baseline) continue;
        QMenu* of = menu->addMenu(tr("%1 beside %2").arg(titleOf(arm), titleOf(request->baseline)));
        for (std::size_t s = 0; s < std::min(seeds.size(), most); ++s)
            of->addAction(tr("Seed %1").arg(seeds[s]), this, [this, arm, seed = seeds[s]] {
                const auto* asked = m_comparison.request();
                const auto baseline = asked ? armRun(asked->baseline, seed) : std::nullopt, other = armRun(arm, seed);
                if (baseline && other) Q_EMIT sideBySideWanted(*baseline, *other);
            });
    }
}

/// Of an arm of the comparison on show.
QString PoliciesTab::titleOf(std::size_t arm) const { return coreText(titles().at(arm)); }

std::vector<Text> PoliciesTab::titles() const {
    const ComparisonRequest* request = m_comparison.request();
    return request ? armTitles(*request->scenario, *request->registry, request->arms) : std::vector<Text>();
}

std::optional<RunData> PoliciesTab::armRun(std::size_t arm, std::uint64_t seed) const {
    const auto made = armScenario(*m_comparison.request(), arm);
    if (!made) return std::nullopt; // it ran, so it can be made
    auto scenario = std::make_shared<Scenario>(*made.value());
    scenario->explanations = m_comparison.request()->scenario->explanations;
    const RunMode mode = scenario->mode = m_comparison.request()->mode;
    return RunData{.label = tr("%1, seed %2").arg(titleOf(arm)).arg(seed),
                   .scenario = std::move(scenario),
                   .seed = seed,
                   .mode = mode,
                   .resources = m_workspace.resources().root};
}

QString PoliciesTab::scenarioName() const {
    const ScenarioModel& document = m_workspace.document();
    return document.filePath().isEmpty() ? document.displayName() + QStringLiteral(".json")
                                         : QFileInfo(document.filePath()).fileName();
}

QString PoliciesTab::folder() const {
    const ScenarioModel& document = m_workspace.document();
    return BackgroundComparison::folderFor(document.filePath(), document.displayName());
}

/// What is on screen is what the form says.
bool PoliciesTab::isShownRequest() const {
    const auto* shown = m_comparison.request();
    const auto now = m_form->request();
    return shown && now && shown->arms == now->arms && shown->seeds == now->seeds && shown->until == now->until &&
           shown->everyJob == now->everyJob && shown->mode == now->mode && shown->baseline == now->baseline &&
           *shown->scenario == *now->scenario;
}

void PoliciesTab::run() {
    if (m_comparison.isRunning() || m_isOpening) return;
    auto request = m_form->request();
    m_message.clear();
    if (!request) { // the form says why
        m_form->check(true);
        refreshStatus();
        return;
    }
    const std::size_t runs = request->arms.size() * request->seeds.size();
    if (runs > manyRuns && !request->until && !m_agreed) {
        if (!m_estimated) { // the first seed of each tells how long all take; it counts among them
            m_estimated = *request;
            m_measuring = true;
            request->seeds.resize(1);
            begin(std::move(request).value());
            return;
        }
        m_agreed = true;
    }
    m_estimated.reset();
    begin(std::move(request).value());
}

void PoliciesTab::begin(ComparisonRequest request) {
    m_form->setRunning(true);
    m_shown.reset();
    if (!m_measuring) {
        auto kept = keepComparison(folder(), request, scenarioName());
        if (kept)
            m_shown = std::move(kept).value();
        else
            m_message = coreText(kept.problems().front().message);
    }
    m_comparison.start(std::move(request), folder());
}

void PoliciesTab::onChanged() {
    refreshStatus();
    if (!m_comparison.isRunning() || m_comparison.result() != m_drawn) refresh();
}

void PoliciesTab::onEnded() {
    m_form->setRunning(false);
    m_measuring = false;
    onChanged();
}

/// The comparison that was made last of this scenario: results are those of their scenario.
void PoliciesTab::openKept() {
    if (m_comparison.isRunning()) m_form->setRunning(false);
    clearShown();
    if (m_workspace.document().filePath().isEmpty()) return;
    for (const KeptComparison& kept : keptComparisons(folder(), scenarioName()))
        if (const auto request = requestOf(kept)) {
            m_form->set(*request);
            m_message = tr("Comparisons of this scenario are kept: Run shows the last one again.");
            return refreshStatus();
        }
}

/// Nothing is shown any more.
void PoliciesTab::clearShown() {
    m_measuring = false;
    m_estimated.reset();
    m_shown.reset();
    m_comparison.forget();
}

QString PoliciesTab::estimate() const {
    if (!m_estimated || m_measuring || !m_comparison.result()) return {};
    const auto arms = static_cast<double>(m_estimated->arms.size()),
               seeds = static_cast<double>(m_estimated->seeds.size());
    double bytes = 0;
    for (const auto& arm : m_comparison.result()->arms)
        for (const auto& run : arm.runs) bytes += 8 * static_cast<double>(run.size()) + 3250;
    return tr("%1 runs take about %2 and %3 MB of memory. Press again to begin; they can be cancelled and go on later.")
        .arg(countText(arms * seeds), timeSpanText(m_comparison.secondsTaken() * seeds),
             countText(std::max(1.0, bytes * seeds / 1e6)));
}

void PoliciesTab::refreshStatus() {
    const bool running = m_comparison.isRunning();
    const auto& result = m_comparison.result();
    const bool halfDone = !running && result && result->stopped && isShownRequest();
    const QString asked = estimate();
    QStringList lines;
    if (!m_message.isEmpty()) lines << m_message;
    if (!asked.isEmpty()) lines << asked;
    if (running) {
        lines << runsText(m_comparison);
    } else if (result && asked.isEmpty()) {
        std::size_t failed = 0;
        for (const auto& arm : result->arms) failed += arm.failed;
        const QString done = countText(double(result->done()));
        lines << (result->stopped ? tr("Cancelled: %1 runs are done and kept.").arg(done)
                  : m_comparison.onlyFound()
                      ? tr("%1 runs, done before and kept.").arg(done)
                      : tr("%1 runs in %2.").arg(done, timeSpanText(m_comparison.secondsTaken())));
        if (failed > 0) lines << tr("%n run(s) failed.", nullptr, static_cast<int>(failed));
        if (result->reached)
            lines << (*result->reached  ? tr("%n seed(s) were enough.", nullptr, static_cast<int>(result->seeds.size()))
                      : result->stopped ? QString()
                                        : tr("The interval is still wider than wanted: allow more seeds."));
        for (const Problem& problem : result->problems)
            if (lines.size() < 5) lines << coreText(problem.message);
        for (const Problem& warning : warningsOf(*result))
            if (lines.size() < 5) lines << coreText(warning.message);
    }
    showProgress(m_comparison,
                 !asked.isEmpty() ? tr("Run All")
                 : halfDone       ? tr("Resume")
                                  : tr("Run"),
                 running || halfDone,
                 static_cast<double>(m_comparison.done()) /
                     static_cast<double>(std::max<std::size_t>(1, m_comparison.all())),
                 lines);
}

std::vector<TitledChart> PoliciesTab::charts() const {
    const auto& result = m_comparison.result();
    if (!result) return {};
    const ComparisonView view{*result, m_comparison.request()->baseline, m_comparison.isPartial(), titles()};
    std::vector<TitledChart> out;
    for (const std::string& metric : m_form->metrics(result.get())) {
        const auto* definition = metricWithId(metric);
        out.push_back({std::make_shared<const Chart>(comparisonChart(view, metric, m_form->kind())),
                       definition ? metricLabel(*definition) : QString::fromStdString(metric)});
    }
    if (m_form->wantsLosses()) {
        auto losses = std::make_shared<const Chart>(comparisonChart(view, {}, ComparisonChartKind::losses));
        if (losses->empty.empty()) out.push_back({std::move(losses), tr("Loss over time")});
    }
    return out;
}

void PoliciesTab::refresh() {
    const auto& result = m_comparison.result();
    const auto shown = charts();
    while (m_cards.size() > shown.size()) {
        delete m_cards.back();
        m_cards.pop_back();
    }
    while (m_cards.size() < shown.size()) {
        m_cards.push_back(new ChartCard);
        offer(m_cards.back());
    }
    const bool isUpdate = m_comparison.isRunning() && m_drawn && m_next.size() == shown.size();
    m_drawn = result;
    m_next = shown;
    if (!isUpdate) // else all would be drawn in one frame, several times a second
        for (std::size_t i = 0; i < m_next.size(); ++i) showNextChart();
    m_nextSoon.start();
    arrange();
    m_table->show(result, result ? m_comparison.request() : nullptr,
                  result ? m_form->metrics(result.get()) : std::vector<std::string>{});
    m_view->clearSpans();
    if (const int arms = result ? static_cast<int>(result->arms.size()) : 0; arms > 1)
        for (int row = 0; row < m_table->rowCount(); row += arms)
            m_view->setSpan(row, ComparisonTable::metric, arms, 1);
    fitColumns();
    m_view->setVisible(result != nullptr);
    m_export->setVisible(result != nullptr);
    m_beside->setVisible(result != nullptr && result->arms.size() > 1);
    hint()->setText(result ? shownText()
                           : tr("Choose policies on the left and press Run: all meet the same arrivals, delays and "
                                "batches with each seed, so that their differences are paired."));
}

/// Which comparison it is, and how far it is to be believed.
QString PoliciesTab::shownText() const {
    const ComparisonRequest& request = *m_comparison.request();
    QStringList parts;
    if (m_shown) parts << tr("%1 (%2).").arg(m_shown->name, QLocale().toString(m_shown->made, QLocale::ShortFormat));
    if (*request.scenario != m_workspace.document().scenario()) parts << tr("The scenario has been changed since.");
    if (m_comparison.isPartial()) parts << tr("Partial.");
    if (m_comparison.result()->seeds.size() == 1) parts << tr("One run of each is not evidence.");
    parts << tr("Differences to %1 are paired by seed; p values are corrected for %2 comparisons (Holm).")
                 .arg(titleOf(request.baseline))
                 .arg(request.arms.size() - 1);
    return parts.join(QLatin1Char(' '));
}

void PoliciesTab::showNextChart() {
    const auto next = std::ranges::find_if(m_next, [](const TitledChart& chart) { return chart.chart != nullptr; });
    if (next == m_next.end()) return m_nextSoon.stop();
    m_cards[static_cast<std::size_t>(next - m_next.begin())]->show(std::move(next->chart), next->title);
    next->chart = nullptr;
}

/// The difference and its p value are in sight; then names of policies are whole; metrics, which stand beside all of them, take the
/// room that is left, on several lines.
void PoliciesTab::fitColumns() {
    using Table = ComparisonTable;
    showWhole(*m_view,
              {Table::n, Table::mean, Table::interval, Table::difference, Table::differenceInterval, Table::pValue},
              1); // seven columns of numbers: closer together
    const QHeaderView& header = *m_view->horizontalHeader();
    const auto widthOf = [&](int column) {
        const int texts = static_cast<QAbstractItemView*>(m_view)->sizeHintForColumn(column);
        return std::max(header.sectionSizeHint(column), texts + policies_tab::cellMargin);
    };
    const int visible = m_view->viewport()->width();
    int left = visible - policies_tab::cellMargin; // scroll bars of another width do not hide a digit
    for (const int column : {Table::mean, Table::difference, Table::pValue}) left -= m_view->columnWidth(column);
    const int least = header.sectionSizeHint(Table::metric);
    m_view->setColumnWidth(Table::policy, std::min({widthOf(Table::policy), visible / 3, left - least}));
    left -= m_view->columnWidth(Table::policy);
    m_view->setColumnWidth(Table::metric, std::clamp(left, least, widthOf(Table::metric)));
}

void PoliciesTab::arrange() {
    const int count = static_cast<int>(m_cards.size());
    const int most = std::max(1, m_scroll->viewport()->width() / Theme::scaled(policies_tab::wide));
    const int across = std::clamp(most, 1, std::max(1, count));
    for (int i = 0; i < count; ++i) m_grid->addWidget(m_cards[static_cast<std::size_t>(i)], i / across, i % across);
    fitColumns();
}

void PoliciesTab::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void PoliciesTab::say(const QString& message) {
    m_message = message;
    refreshStatus();
}

ChartProvenance PoliciesTab::provenance() const {
    const ComparisonRequest& request = *m_comparison.request();
    return chartProvenance(comparisonProvenance(request, scenarioName().toStdString()),
                           m_comparison.result() ? m_comparison.result()->seeds : request.seeds,
                           partText(m_comparison));
}

Problems PoliciesTab::writePage(const QString& path) {
    const auto& result = m_comparison.result();
    if (!result) return {{.code = "bad-usage", .message = {TRAINYARD_TEXT("nothing has been compared yet"), {}}}};
    const ComparisonReport report{*m_comparison.request(), *result, scenarioName().toStdString()};
    const std::string text = QFileInfo(path).suffix().toLower() == QLatin1String("csv")
                                 ? observationsCsv(report)
                                 : comparisonHtml(report, charts(), m_workspace.document().displayName(), shownText(),
                                                  m_form->metrics(result.get()))
                                       .toStdString();
    return replaceFile(path.toStdString(), text);
}

} // namespace trainyard
