// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/PoliciesTab.h"

#include "compare/ChartCard.h"
#include "compare/ComparisonForm.h"
#include "compare/ComparisonTable.h"
#include "run/compare/ComparisonCharts.h"
#include "run/files/AtomicFile.h"
#include "run/files/PictureFile.h"
#include "session/MetricSubject.h"
#include "tables/TableLook.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace trainyard {

namespace policies_tab {
constexpr int wide = 460; ///< a chart, at least, where there are several in a row
constexpr int cellMargin = 8;
} // namespace policies_tab

PoliciesTab::PoliciesTab(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_form(new ComparisonForm(workspace)), m_run(new QPushButton(tr("Run"))),
      m_cancel(new QPushButton(tr("Cancel"))), m_beside(new QToolButton), m_export(new QToolButton),
      m_progress(new QProgressBar), m_status(new QLabel), m_hint(new QLabel), m_table(new ComparisonTable(this)),
      m_view(new QTableView) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    auto* side = new QWidget;
    side->setProperty("panel", true);
    auto* left = new QVBoxLayout(side);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(0);
    left->addWidget(m_form, 1);
    left->addWidget(makeActions());
    columns->addWidget(side);
    columns->addWidget(makeResults(), 1);
    connect(m_form, &ComparisonForm::changed, this, [this] {
        if (!m_comparison.isRunning()) m_estimated.reset();
        m_agreed = false;
        m_message.clear();
        refreshStatus();
    });
    connect(m_form, &ComparisonForm::lookChanged, this, &PoliciesTab::refresh);
    connect(&m_comparison, &BackgroundComparison::changed, this, &PoliciesTab::onChanged);
    connect(&m_comparison, &BackgroundComparison::ended, this, &PoliciesTab::onEnded);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &PoliciesTab::openKept);
    connect(m_run, &QPushButton::clicked, this, &PoliciesTab::run);
    connect(m_cancel, &QPushButton::clicked, this, &PoliciesTab::cancel);
    m_nextSoon.setInterval(16);
    connect(&m_nextSoon, &QTimer::timeout, this, &PoliciesTab::showNextChart);
    setFocusProxy(m_run);
    refresh();
    refreshStatus();
}

QWidget* PoliciesTab::makeActions() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(8);
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("run-comparison"));
    m_cancel->setObjectName(QStringLiteral("cancel-comparison"));
    m_status->setWordWrap(true);
    m_status->setProperty("muted", true);
    m_status->setObjectName(QStringLiteral("comparison-status"));
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the comparison"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_run, 1);
    buttons->addWidget(m_cancel);
    column->addWidget(m_progress);
    column->addWidget(m_status);
    column->addLayout(buttons);
    return box;
}

QWidget* PoliciesTab::makeResults() {
    auto* results = new QWidget;
    auto* column = new QVBoxLayout(results);
    column->setContentsMargins(16, 8, 16, 12);
    column->setSpacing(8);
    m_hint->setWordWrap(true);
    m_hint->setProperty("muted", true);
    m_export->setText(tr("Export"));
    m_export->setProperty("framed", true);
    m_export->setPopupMode(QToolButton::InstantPopup);
    m_export->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(m_export);
    menu->addAction(tr("Save the Page or Its Numbers…"), this, &PoliciesTab::saveAs);
    menu->addAction(tr("Copy the Table"), this,
                    [this] { QApplication::clipboard()->setText(m_table->text(QLatin1Char('\t'))); });
    menu->addAction(tr("Copy the Table as CSV"), this,
                    [this] { QApplication::clipboard()->setText(m_table->text(QLatin1Char(','))); });
    menu->addAction(tr("Copy the Command That Repeats It"), this, [this] {
        if (const auto* request = m_comparison.request())
            QApplication::clipboard()->setText(
                QString::fromStdString(comparisonCommand(*request, scenarioName().toStdString())));
    });
    m_export->setMenu(menu);
    m_beside->setText(tr("Side by Side"));
    m_beside->setObjectName(QStringLiteral("side-by-side"));
    m_beside->setToolTip(
        tr("Runs one seed of the baseline and of another once more and shows both, with the first decision that "
           "differs"));
    m_beside->setProperty("framed", true);
    m_beside->setPopupMode(QToolButton::InstantPopup);
    m_beside->setFocusPolicy(Qt::StrongFocus);
    auto* beside = new QMenu(m_beside);
    connect(beside, &QMenu::aboutToShow, this, [this, beside] { listSides(beside); });
    m_beside->setMenu(beside);
    auto* top = new QHBoxLayout;
    top->addWidget(m_hint, 1);
    top->addWidget(m_beside, 0, Qt::AlignTop);
    top->addWidget(m_export, 0, Qt::AlignTop);
    column->addLayout(top);
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
    column->addWidget(m_scroll, 3);
    m_view->setModel(m_table);
    dressTable(*m_view, tr("Numbers of the comparison"), {24, 18, 6, 11, 20, 11, 20, 9});
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->setObjectName(QStringLiteral("comparison-table"));
    m_view->setMinimumHeight(m_view->fontMetrics().height() * 6);
    column->addWidget(m_view, 1);
    return results;
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
        QMenu* of = menu->addMenu(tr("%1 beside %2")
                                      .arg(QString::fromStdString(request->arms[arm].name),
                                           QString::fromStdString(request->arms[request->baseline].name)));
        for (std::size_t s = 0; s < std::min(seeds.size(), most); ++s)
            of->addAction(tr("Seed %1").arg(seeds[s]), this, [this, arm, seed = seeds[s]] {
                const auto* asked = m_comparison.request();
                const auto baseline = asked ? armRun(asked->baseline, seed) : std::nullopt, other = armRun(arm, seed);
                if (baseline && other) Q_EMIT sideBySideWanted(*baseline, *other);
            });
    }
}

std::optional<RunData> PoliciesTab::armRun(std::size_t arm, std::uint64_t seed) const {
    const auto made = armScenario(*m_comparison.request(), arm);
    if (!made) return std::nullopt; // it ran, so it can be made
    auto scenario = std::make_shared<Scenario>(*made.value());
    scenario->explanations = m_comparison.request()->scenario->explanations;
    const RunMode mode = scenario->mode = m_comparison.request()->mode;
    return RunData{.label =
                       tr("%1, seed %2").arg(QString::fromStdString(m_comparison.request()->arms[arm].name)).arg(seed),
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

QString PoliciesTab::status() const { return m_status->text(); }

/// What is on screen is what the form says.
bool PoliciesTab::isShownRequest() const {
    const auto* shown = m_comparison.request();
    const auto now = m_form->request();
    return shown && now && shown->arms == now->arms && shown->seeds == now->seeds && shown->until == now->until &&
           shown->everyJob == now->everyJob && shown->mode == now->mode && shown->baseline == now->baseline &&
           *shown->scenario == *now->scenario;
}

void PoliciesTab::run() {
    if (m_comparison.isRunning()) return;
    auto request = m_form->request();
    if (!request) {
        m_message = coreText(request.problems().front().message);
        refreshStatus();
        return;
    }
    m_message.clear();
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
    const ScenarioModel& document = m_workspace.document();
    m_form->setRunning(true);
    m_comparison.start(std::move(request),
                       BackgroundComparison::folderFor(document.filePath(), document.displayName()));
}

void PoliciesTab::onChanged() {
    refreshStatus();
    if (!m_comparison.isRunning() || m_comparison.result() != m_drawn) refresh();
}

void PoliciesTab::onEnded() {
    m_form->setRunning(false);
    m_measuring = false;
    const auto& result = m_comparison.result();
    // Beside the kept results, so that it opens again with the scenario.
    if (!m_estimated && !result->stopped && result->done() > 0) {
        const ComparisonReport report{*m_comparison.request(), *result, scenarioName().toStdString()};
        for (const Problem& problem : replaceFile(
                 (m_comparison.folder() + QStringLiteral("/comparison.csv")).toStdString(), observationsCsv(report)))
            m_message = coreText(problem.message);
    }
    onChanged();
}

/// The comparison that was made last of this scenario.
void PoliciesTab::openKept() {
    if (m_comparison.isRunning()) m_form->setRunning(false);
    m_measuring = false;
    m_estimated.reset();
    m_comparison.forget(); // results are those of their scenario
    const ScenarioModel& document = m_workspace.document();
    const QString file = BackgroundComparison::folderFor(document.filePath(), document.displayName()) +
                         QStringLiteral("/comparison.csv");
    if (document.filePath().isEmpty() || !QFileInfo::exists(file)) return;
    const auto provenance = readProvenance(file.toStdString());
    if (!provenance || !*provenance || (*provenance)->comparison.empty()) return;
    auto kept = comparisonFrom((*provenance)->comparison);
    if (!kept) return;
    kept->mode = (*provenance)->mode;
    m_form->set(*kept);
    m_message = tr("A comparison of this scenario is kept: Run shows it again.");
    refreshStatus();
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
    m_run->setEnabled(!running);
    m_cancel->setEnabled(running);
    m_run->setToolTip(running ? tr("It runs") : tr("Runs what is missing; what was run before is taken as it is"));
    m_cancel->setToolTip(running ? tr("What is done is kept") : tr("Nothing runs"));
    const bool halfDone = !running && result && result->stopped && isShownRequest();
    const QString asked = estimate();
    m_run->setText(!asked.isEmpty() ? tr("Run All") : halfDone ? tr("Resume") : tr("Run"));
    m_progress->setMaximum(std::max(1, static_cast<int>(m_comparison.all())));
    m_progress->setValue(static_cast<int>(m_comparison.done()));
    m_progress->setVisible(running || halfDone);
    QStringList lines;
    if (!m_message.isEmpty()) lines << m_message;
    if (!asked.isEmpty()) lines << asked;
    if (running) {
        const double left = m_comparison.secondsLeft();
        lines << (left < 0 ? tr("%1 of %2 runs")
                                 .arg(countText(double(m_comparison.done())), countText(double(m_comparison.all())))
                           : tr("%1 of %2 runs, about %3 left")
                                 .arg(countText(double(m_comparison.done())), countText(double(m_comparison.all())),
                                      timeSpanText(left)));
    } else if (result && asked.isEmpty()) {
        std::size_t failed = 0;
        for (const auto& arm : result->arms) failed += arm.failed;
        const QString done = countText(double(result->done()));
        lines << (result->stopped ? tr("Cancelled: %1 runs are done and kept.").arg(done)
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
    lines.removeAll(QString());
    m_status->setText(lines.join(QLatin1Char('\n')));
    m_status->setVisible(!lines.isEmpty());
}

std::vector<TitledChart> PoliciesTab::charts() const {
    const auto& result = m_comparison.result();
    if (!result) return {};
    const ComparisonView view{*result, m_comparison.request()->baseline, m_comparison.isPartial()};
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
    m_table->show(result, result ? m_comparison.request()->baseline : 0,
                  result ? m_form->metrics(result.get()) : std::vector<std::string>{});
    fitColumns();
    m_view->setVisible(result != nullptr);
    m_export->setVisible(result != nullptr);
    m_beside->setVisible(result != nullptr && result->arms.size() > 1);
    if (!result) {
        m_hint->setText(tr(
            "Choose policies on the left and press Run: all meet the same arrivals, delays and batches with each seed, so "
            "that their differences are paired."));
        return;
    }
    QStringList parts;
    if (m_comparison.isPartial()) parts << tr("Partial.");
    if (result->seeds.size() == 1) parts << tr("One run of each is not evidence.");
    const auto& names = m_comparison.request()->arms;
    parts << tr("Differences to %1 are paired by seed; p values are corrected for %2 comparisons (Holm).")
                 .arg(QString::fromStdString(names[m_comparison.request()->baseline].name))
                 .arg(names.size() - 1);
    m_hint->setText(parts.join(QLatin1Char(' ')));
}

void PoliciesTab::showNextChart() {
    const auto next = std::ranges::find_if(m_next, [](const TitledChart& chart) { return chart.chart != nullptr; });
    if (next == m_next.end()) return m_nextSoon.stop();
    m_cards[static_cast<std::size_t>(next - m_next.begin())]->show(std::move(next->chart), next->title);
    next->chart = nullptr;
}

/// Names of policies are whole; metrics, which repeat down the rows, take the room that is left.
void PoliciesTab::fitColumns() {
    const QHeaderView& header = *m_view->horizontalHeader();
    const auto widthOf = [&](int column) {
        const int texts = static_cast<QAbstractItemView*>(m_view)->sizeHintForColumn(column);
        return std::max(header.sectionSizeHint(column), texts + policies_tab::cellMargin);
    };
    m_view->setColumnWidth(ComparisonTable::policy, std::min(widthOf(ComparisonTable::policy), width() / 3));
    const int others = header.length() - m_view->columnWidth(ComparisonTable::metric);
    const int least = header.sectionSizeHint(ComparisonTable::metric);
    const int room = std::max(least, m_view->viewport()->width() - others);
    m_view->setColumnWidth(ComparisonTable::metric, std::min(room, widthOf(ComparisonTable::metric)));
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

void PoliciesTab::offer(ChartCard* card) {
    card->menu().addAction(tr("Save Chart…"), this, [this, card] {
        const QString path =
            QFileDialog::getSaveFileName(this, tr("Save Chart"), card->title() + QStringLiteral(".pdf"),
                                         tr("Charts (*.pdf *.svg *.png *.csv *.tex)"));
        if (path.isEmpty()) return;
        const RunProvenance provenance = comparisonProvenance(*m_comparison.request(), scenarioName().toStdString());
        const Problems problems =
            writeComparisonChart(path, {card->chart(), card->title()}, chartProvenance(provenance));
        m_message = problems.empty() ? tr("%1 is written.").arg(path) : coreText(problems.front().message);
        refreshStatus();
    });
    card->menu().addAction(tr("Copy as LaTeX (pgfplots)"), this, [card] {
        QApplication::clipboard()->setText(QString::fromStdString(pgfplotsText(*card->chart())));
    });
    card->menu().addAction(tr("Copy as CSV"), this, [card] {
        QApplication::clipboard()->setText(QString::fromStdString(pictureCsv(Picture(*card->chart()))));
    });
}

void PoliciesTab::saveAs() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the Comparison"), QFileInfo(scenarioName()).completeBaseName() + QStringLiteral(".html"),
        tr("Comparisons (*.html *.csv)"));
    if (path.isEmpty()) return;
    const Problems problems = save(path);
    m_message = problems.empty() ? tr("%1 is written.").arg(path) : coreText(problems.front().message);
    refreshStatus();
}

Problems PoliciesTab::save(const QString& path) {
    const auto& result = m_comparison.result();
    if (!result) return {{.code = "bad-usage", .message = {TRAINYARD_TEXT("nothing has been compared yet"), {}}}};
    const ComparisonReport report{*m_comparison.request(), *result, scenarioName().toStdString()};
    const std::string text =
        QFileInfo(path).suffix().toLower() == QLatin1String("csv")
            ? observationsCsv(report)
            : comparisonHtml(report, charts(), m_workspace.document().displayName(), m_form->metrics(result.get()))
                  .toStdString();
    return replaceFile(path.toStdString(), text);
}

} // namespace trainyard
