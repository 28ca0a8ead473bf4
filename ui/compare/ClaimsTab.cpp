// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ClaimsTab.h"

#include "compare/ChartCard.h"
#include "compare/ClaimsModel.h"
#include "compare/ComparisonFiles.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "studies/ClaimCharts.h"
#include "tables/TableLook.h"
#include "theme/CoreText.h"
#include "theme/ElidedComboBox.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>
namespace trainyard {

namespace claims_tab {

constexpr int wide = 460; ///< a chart, at least, where there are several in a row

QLabel* heading(const QString& text, QWidget* buddy) {
    auto* out = new QLabel(text);
    out->setProperty("heading", true);
    out->setBuddy(buddy);
    return out;
}

QString row(const QString& name, const QString& value) {
    return value.isEmpty() ? QString()
                           : QStringLiteral("<tr><td style='color:%1; padding-right:12px'>%2</td><td>%3</td></tr>")
                                 .arg(Theme::current().muted.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
}

} // namespace claims_tab

using namespace claims_tab;

ClaimsTab::ClaimsTab(Workspace& workspace, QWidget* parent)
    : BatchPage("study", tr("Progress of the study")), m_workspace(workspace) {
    setParent(parent);
    setForm(makeForm());
    side()->setFixedWidth(Theme::scaled(300));
    makeResults();
    for (const Study& study : studies()) m_choice->addItem(coreText(study.title), QString::fromStdString(study.id));
    connect(m_choice, &QComboBox::currentIndexChanged, this, &ClaimsTab::takeStudy);
    connect(cancelButton(), &QPushButton::clicked, this, &ClaimsTab::cancel);
    connect(m_failing, &QCheckBox::toggled, this, &ClaimsTab::refresh);
    connect(m_open, &QPushButton::clicked, this, &ClaimsTab::openScenario);
    connect(m_scenarios, &QListWidget::itemActivated, this, &ClaimsTab::openScenario);
    connect(&m_study, &BackgroundStudy::changed, this, [this] {
        if (m_study.measured() != m_shown) refresh();
        refreshStatus();
    });
    connect(&m_study, &BackgroundStudy::ended, this, &ClaimsTab::refresh);
    setFocusProxy(m_choice);
    setWhatsThis(tr("Claims of published systems, measured anew and judged."));
}

ClaimsTab::~ClaimsTab() = default;

QWidget* ClaimsTab::makeForm() {
    auto* form = new QWidget;
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(12, 8, 12, 0);
    column->setSpacing(6);
    m_choice = new ElidedComboBox;
    m_choice->setObjectName(QStringLiteral("study"));
    m_choice->setAccessibleName(tr("Study"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_summary = new QLabel;
    m_summary->setWordWrap(true);
    m_summary->setProperty("muted", true);
    m_part = new ElidedComboBox;
    m_part->setAccessibleName(tr("Part of the study"));
    m_part->setObjectName(QStringLiteral("study-part"));
    m_quick = new QCheckBox(tr("Quick: fewer seeds"));
    m_quick->setObjectName(QStringLiteral("study-quick"));
    m_quick->setToolTip(tr("The same claims with wider intervals"));
    m_quick->setChecked(true);
    m_scenarios = new QListWidget;
    m_scenarios->setWordWrap(true);
    m_scenarios->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scenarios->setAccessibleName(tr("Scenarios of the study"));
    m_scenarios->setObjectName(QStringLiteral("study-scenarios"));
    m_open = new QPushButton(tr("Open in the Lab"));
    m_open->setObjectName(QStringLiteral("open-study-scenario"));
    column->addWidget(heading(tr("Study"), m_choice));
    column->addWidget(m_choice);
    column->addWidget(m_summary);
    column->addSpacing(6);
    column->addWidget(heading(tr("Part"), m_part));
    column->addWidget(m_part);
    column->addWidget(m_quick);
    column->addSpacing(6);
    column->addWidget(heading(tr("Scenarios"), m_scenarios));
    column->addWidget(m_scenarios, 1);
    column->addWidget(m_open);
    return form;
}

void ClaimsTab::makeResults() {
    hint()->setObjectName(QStringLiteral("verdict"));
    m_failing = new QCheckBox(tr("Only those that do not hold"));
    m_failing->setObjectName(QStringLiteral("failing-only"));
    m_export = menuButton(tr("Export"));
    m_export->menu()->addAction(tr("Save the Page or the Claims…"), this, [this] {
        save(tr("Save the Claims"), QString::fromStdString(m_shown->study) + QStringLiteral(".html"),
             tr("Claims (*.html *.json)"), [this](const QString& path) { return writePage(path); });
    });
    m_export->menu()->addAction(tr("Copy the Command That Repeats It"), this, [this] {
        if (m_shown) QApplication::clipboard()->setText(QString::fromStdString(commandOf(*m_shown)));
    });
    m_openClaims = new QPushButton(tr("Open…"));
    m_openClaims->setToolTip(tr("Claims that were measured elsewhere: claims.json of trainyard-cli reproduce --out"));
    connect(m_openClaims, &QPushButton::clicked, this, [this] {
        const QString file = QFileDialog::getOpenFileName(this, tr("Open Claims"), {}, tr("Claims (*.json)"));
        if (!file.isEmpty()) open(file);
    });
    addButton(m_failing);
    addButton(m_openClaims);
    addButton(m_export);

    m_scroll = new QScrollArea;
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    for (auto*& charts : m_columns) {
        charts = new QVBoxLayout;
        charts->setSpacing(12);
        row->addLayout(charts);
    }
    m_scroll->setWidget(content);

    m_model = new ClaimsModel(this);
    m_view = new QTableView;
    m_view->setModel(m_model);
    dressTable(*m_view, tr("Claims"), {17, 30, 14, 20, 14, 8});
    m_view->setColumnHidden(ClaimsModel::id, true); // for scripts; beside the chosen claim
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->horizontalHeader()->setSectionResizeMode(ClaimsModel::claim, QHeaderView::Stretch);
    m_view->setObjectName(QStringLiteral("claims-table"));
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ClaimsTab::refreshDetail);
    m_detail = new QTextBrowser;
    m_detail->setFrameShape(QFrame::NoFrame);
    m_detail->setOpenLinks(false);
    m_detail->setAccessibleName(tr("The chosen claim"));
    m_detail->setObjectName(QStringLiteral("claim-detail"));
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_scroll);
    parts->addWidget(m_view);
    parts->addWidget(m_detail);
    parts->setSizes({460, 260, 150});
    results()->addWidget(parts, 1);
}

const Study& ClaimsTab::chosen() const {
    return studies()[static_cast<std::size_t>(std::max(0, m_choice->currentIndex()))];
}

bool ClaimsTab::choose(const std::string& study, const std::string& part) {
    const int index = m_choice->findData(QString::fromStdString(study));
    if (index < 0 || m_study.isRunning()) return false;
    m_choice->setCurrentIndex(index);
    takeStudy();
    const int place = m_part->findData(QString::fromStdString(part));
    if (place < 0) return false;
    m_part->setCurrentIndex(place);
    return true;
}

bool ClaimsTab::open(const QString& file) {
    if (m_study.isRunning()) return false;
    auto read = readClaims(file.toStdString());
    const QString name = QFileInfo(file).fileName();
    if (!read) {
        say(tr("%1 was not opened: %2").arg(name, coreText(read.problems().front().message)));
        return false;
    }
    const auto claims = std::make_shared<const MeasuredStudy>(std::move(read).value());
    if (!choose(claims->study)) {
        say(tr("%1 was not opened: there is no study %2").arg(name, QString::fromStdString(claims->study)));
        return false;
    }
    m_study.show(claims);
    say(tr("Measured elsewhere: %1").arg(name));
    refresh();
    return true;
}

void ClaimsTab::setQuick(bool quick) { m_quick->setChecked(quick); }

/// Parts, scenarios and what was measured last of the study chosen.
void ClaimsTab::takeStudy() {
    const Study& study = chosen();
    m_message.clear();
    m_summary->setText(coreText(study.summary));
    m_part->clear();
    m_part->addItem(tr("All parts"), QString());
    for (const StudyPart& part : study.parts) m_part->addItem(partName(part.id), QString::fromStdString(part.id));
    m_scenarios->clear();
    const QDir folder(QString::fromStdString(
        (m_workspace.resources().root.parent_path() / "scenarios" / "papers" / study.id).string()));
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        const auto read = readScenario(file.filePath().toStdString(), m_workspace.registry());
        const QString title = read ? QString::fromStdString(read.value().scenario.title) : QString();
        auto* item = new QListWidgetItem(title.isEmpty() ? file.completeBaseName() : title, m_scenarios);
        item->setData(Qt::UserRole, file.filePath());
        item->setToolTip(tr("Opens %1 in the Lab").arg(file.fileName()));
    }
    m_scenarios->setCurrentRow(0);
    m_scenarios->setVisible(m_scenarios->count() > 0);
    m_open->setVisible(m_scenarios->count() > 0);
    const auto kept = readClaims((BackgroundStudy::folderFor(study.id) + QStringLiteral("/claims.json")).toStdString());
    m_study.show(kept && kept->study == study.id ? std::make_shared<const MeasuredStudy>(*kept) : nullptr);
    refresh();
}

void ClaimsTab::run() {
    if (m_study.isRunning()) return;
    m_message.clear();
    StudyRequest request{.registry = std::make_shared<const Registry>(m_workspace.registry()),
                         .resources = m_workspace.resources(),
                         .scenarios = m_workspace.resources().root.parent_path() / "scenarios",
                         .quick = m_quick->isChecked()};
    m_study.start(chosen(), m_part->currentData().toString().toStdString(), std::move(request),
                  BackgroundStudy::folderFor(chosen().id));
    refresh();
}

void ClaimsTab::refresh() {
    m_shown = m_study.measured();
    const Claim* before = m_model->claimAt(m_view->currentIndex().row());
    const std::string id = before ? before->id : std::string();
    m_model->show(m_shown, m_failing->isChecked());
    showWhole(*m_view, {ClaimsModel::holds, ClaimsModel::measured, ClaimsModel::interval, ClaimsModel::expected,
                        ClaimsModel::n});
    int row = 0;
    for (int r = 0; r < m_model->rowCount(); ++r)
        if (m_model->claimAt(r)->id == id) row = r;
    if (m_model->rowCount() > 0) m_view->selectRow(row);
    const bool any = m_shown && !m_shown->report.claims.empty();
    for (QWidget* part : std::initializer_list<QWidget*>{m_view, m_detail, m_failing, m_export, m_scroll})
        part->setVisible(any);
    showCharts();
    m_scroll->setVisible(any && !m_cards.empty());
    refreshDetail();
    refreshStatus();
    if (!any) {
        hint()->setText(
            m_study.isRunning()
                ? tr("The study runs. Its claims are listed part by part, as they are measured.")
                : tr("Choose a study on the left and press Run: its claims are measured anew by running scenarios, and "
                     "each is judged by what was measured."));
        return;
    }
    const auto& claims = m_shown->report.claims;
    QString text = QStringLiteral("<b>%1</b>").arg(ClaimsModel::summary(claims));
    if (m_study.isRunning()) text += u' ' + tr("So far: the study goes on.");
    if (m_shown->report.stopped) text += u' ' + tr("Stopped before the end: Run goes on.");
    if (m_shown->quick) text += u' ' + tr("Quick: fewer seeds, wider intervals.");
    if (!m_shown->part.empty()) text += u' ' + tr("Part: %1.").arg(partName(m_shown->part));
    if (m_shown->version != TRAINYARD_VERSION)
        text += u' ' + tr("Measured by version %1.").arg(QString::fromStdString(m_shown->version));
    if (!m_shown->report.problems.empty())
        text += QStringLiteral(" <span style='color:%1'>%2</span>")
                    .arg(Theme::current().problem.name(),
                         coreText(m_shown->report.problems.front().message).toHtmlEscaped());
    hint()->setText(text);
}

void ClaimsTab::refreshStatus() {
    const bool running = m_study.isRunning();
    for (QWidget* input : std::initializer_list<QWidget*>{m_choice, m_part, m_quick, m_openClaims})
        input->setEnabled(!running);
    QString text = m_message;
    if (running) {
        text = m_study.step();
        if (const double left = m_study.secondsLeft(); left >= 0)
            text += tr(", about %1 left of these").arg(timeLeftText(left));
    }
    showProgress(m_study, m_shown && m_shown->report.stopped && !running ? tr("Resume") : tr("Run"), running,
                 m_study.progress(), {text});
}

void ClaimsTab::refreshDetail() {
    const Claim* claim = m_model->claimAt(m_view->currentIndex().row());
    if (!claim) return m_detail->clear();
    QString html = QStringLiteral("<p style='margin:0 0 6px 0'><b>%1</b></p><table cellspacing=0 cellpadding=1>")
                       .arg(QString::fromStdString(claim->claim).toHtmlEscaped());
    QString found = claimNumber(claim->measured, claim->unit);
    if (claim->interval)
        found += tr(" [%1, %2], 95 % interval")
                     .arg(claimNumber(claim->interval->first, "1"), claimNumber(claim->interval->second, "1"));
    if (claim->n > 0) found += tr(", n = %1").arg(claim->n);
    html += row(tr("Said by"), QString::fromStdString(claim->source));
    html += row(tr("Expected"), claimNumber(claim->expected, claim->unit));
    html += row(tr("Measured"), found.isEmpty() ? tr("nothing") : found);
    html += row(tr("Verdict"), ClaimsModel::verdict(*claim));
    html += row(tr("Why"), QString::fromStdString(claim->finding));
    html += row(tr("Id"), QString::fromStdString(claim->id));
    m_detail->setHtml(html + QStringLiteral("</table>"));
}

void ClaimsTab::showCharts() {
    std::vector<ClaimChart> charts;
    if (m_shown) {
        charts = mapCharts(m_shown->report.maps);
        std::ranges::move(claimCharts(m_shown->report.claims), std::back_inserter(charts));
    }
    while (m_cards.size() > charts.size()) {
        delete m_cards.back();
        m_cards.pop_back();
    }
    m_chartClaims.clear();
    for (std::size_t i = 0; i < charts.size(); ++i) {
        if (i == m_cards.size()) {
            m_cards.push_back(new ChartCard);
            offer(m_cards.back());
            choosesClaims(m_cards.back());
        }
        m_cards[i]->show(std::make_shared<const Chart>(charts[i].chart), QString::fromStdString(charts[i].title));
        constexpr int head = 90, perRow = 22; // pixels
        m_cards[i]->setFixedHeight(Theme::scaled(head + perRow * static_cast<int>(charts[i].rows)));
        m_chartClaims.push_back(charts[i].claims);
    }
    arrange();
}

/// A point of its chart chooses the claim in the table.
void ClaimsTab::choosesClaims(ChartCard* card) {
    connect(card, &ChartCard::elementChosen, this, [this, card](std::size_t series, std::size_t) {
        const auto at = std::ranges::find(m_cards, card) - m_cards.begin();
        const Series& chosen = card->chart()->plots.front().series[series];
        if (chosen.kind != Series::Kind::points || chosen.y.empty()) return;
        const auto claim = m_chartClaims[static_cast<std::size_t>(at)][static_cast<std::size_t>(chosen.y.front())];
        m_failing->setChecked(m_failing->isChecked() && m_model->rowOf(claim) >= 0);
        m_view->selectRow(m_model->rowOf(claim));
        m_view->scrollTo(m_view->currentIndex());
    });
}

void ClaimsTab::arrange() {
    const int across = std::clamp(m_scroll->viewport()->width() / Theme::scaled(wide), 1, 3);
    auto* row = static_cast<QHBoxLayout*>(m_scroll->widget()->layout());
    std::array<int, 3> heights{};
    for (int c = 0; c < 3; ++c) {
        auto* column = m_columns[static_cast<std::size_t>(c)];
        while (column->count() > 0) delete column->takeAt(0);
        row->setStretch(c, c < across ? 1 : 0);
    }
    for (ChartCard* card : m_cards) { // to the column that is shortest so far
        const auto shortest = std::min_element(heights.begin(), heights.begin() + across) - heights.begin();
        m_columns[static_cast<std::size_t>(shortest)]->addWidget(card);
        heights[static_cast<std::size_t>(shortest)] += card->minimumHeight();
    }
    for (int c = 0; c < across; ++c) m_columns[static_cast<std::size_t>(c)]->addStretch(1);
}

void ClaimsTab::openScenario() {
    if (const auto* item = m_scenarios->currentItem()) Q_EMIT scenarioWanted(item->data(Qt::UserRole).toString());
}

Problems ClaimsTab::writePage(const QString& path) {
    if (!m_shown) return {};
    if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        return replaceFile(path.toStdString(), claimsJson(*m_shown) + "\n");
    std::vector<TitledChart> charts;
    for (const ChartCard* card : m_cards) charts.push_back({card->chart(), card->title()});
    return replaceFile(path.toStdString(), claimsHtml(*m_shown, charts).toStdString());
}

void ClaimsTab::say(const QString& message) {
    m_message = message;
    refreshStatus();
}

QString ClaimsTab::detail() const { return m_detail->toPlainText(); }

void ClaimsTab::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

/// Not before it is seen: what was kept is read from files.
void ClaimsTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(m_seen, true) || m_part->count() > 0) return;
    takeStudy();
}

void ClaimsTab::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_seen) refreshDetail();
}

} // namespace trainyard
