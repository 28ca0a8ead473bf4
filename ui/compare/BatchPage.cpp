// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/BatchPage.h"

#include "compare/ChartCard.h"
#include "export/SaveChartDialog.h"
#include "run/compare/ComparisonCharts.h"
#include "run/files/PictureFile.h"
#include "session/FileNames.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

namespace trainyard {

BatchPage::BatchPage(const char* what, const QString& progress)
    : m_side(new QWidget), m_left(new QVBoxLayout(m_side)), m_actions(new QVBoxLayout), m_results(new QVBoxLayout),
      m_top(new QHBoxLayout), m_hint(new QLabel), m_status(new QLabel), m_progress(new QProgressBar),
      m_run(new QPushButton(tr("Run"))), m_cancel(new QPushButton(tr("Cancel"))) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    m_side->setProperty("panel", true);
    m_left->setContentsMargins(0, 0, 0, 0);
    m_left->setSpacing(0);
    m_actions->setContentsMargins(12, 8, 12, 12);
    m_actions->setSpacing(8);
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("run-") + QLatin1String(what));
    m_cancel->setObjectName(QStringLiteral("cancel-") + QLatin1String(what));
    m_status->setObjectName(QLatin1String(what) + QStringLiteral("-status"));
    m_status->setWordWrap(true);
    m_status->setProperty("muted", true);
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(progress);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_run, 1);
    buttons->addWidget(m_cancel);
    m_actions->addWidget(m_progress);
    m_actions->addWidget(m_status);
    m_actions->addLayout(buttons);
    m_results->setContentsMargins(16, 8, 16, 12);
    m_results->setSpacing(8);
    m_hint->setWordWrap(true);
    m_top->addWidget(m_hint, 1);
    m_results->addLayout(m_top);
    columns->addWidget(m_side);
    columns->addLayout(m_results, 1);
    connect(m_run, &QPushButton::clicked, this, [this] { run(); });
}

void BatchPage::setForm(QWidget* form) {
    m_left->addWidget(form, 1);
    m_left->addLayout(m_actions);
}

void BatchPage::addButton(QWidget* button) { m_top->addWidget(button, 0, Qt::AlignTop); }

QToolButton* BatchPage::menuButton(const QString& text) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setProperty("framed", true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setMenu(new QMenu(button));
    return button;
}

QString BatchPage::status() const { return m_status->text(); }

QString BatchPage::runsText(const BackgroundBatch& batch) {
    const QString done = countText(double(batch.done())), all = countText(double(batch.all()));
    const double left = batch.secondsLeft();
    return left < 0 ? tr("%1 of %2 runs").arg(done, all)
                    : tr("%1 of %2 runs, about %3 left").arg(done, all, timeLeftText(left));
}

std::string BatchPage::partText(const BackgroundBatch& batch) {
    return batch.done() < batch.all() ? std::to_string(batch.done()) + " of " + std::to_string(batch.all())
                                      : std::string();
}

void BatchPage::showProgress(const BackgroundBatch& batch, const QString& runText, bool progress, double share,
                             const QStringList& lines) {
    const bool running = batch.isRunning();
    m_run->setText(runText);
    m_run->setEnabled(!running);
    m_run->setToolTip(running ? tr("It runs") : tr("Runs what is missing; what was run before is taken as it is"));
    m_cancel->setEnabled(running);
    m_cancel->setToolTip(running ? tr("What is done is kept") : tr("Nothing runs"));
    m_progress->setVisible(progress);
    m_progress->setValue(static_cast<int>(1000 * share));
    QStringList said = lines;
    if (running && batch.isWaiting())
        said.prepend(tr("Waiting up to 15 s: another process has locked the file of results (results.db)."));
    said.removeAll(QString());
    m_status->setText(said.join(QLatin1Char('\n')));
    m_status->setVisible(!said.isEmpty());
}

void BatchPage::offer(ChartCard* card) {
    card->menu().addAction(tr("Save Chart…"), this, [this, card] { saveChart({card->chart(), card->title()}); });
    card->menu().addAction(tr("Copy as LaTeX (pgfplots)"), this, [card] {
        QApplication::clipboard()->setText(QString::fromStdString(pgfplotsText(*card->chart())));
    });
    card->menu().addAction(tr("Copy as CSV"), this, [card] {
        QApplication::clipboard()->setText(QString::fromStdString(pictureCsv(Picture(*card->chart()))));
    });
}

/// As it is now, though runs may go on.
void BatchPage::saveChart(const TitledChart& chart) {
    const ChartProvenance made = provenance();
    const auto draw = [=](const ChartFigure& figure) {
        return comparisonDrawing(chart, figure, QString::fromStdString(made.footer));
    };
    const auto write = [=, this](const ChartFigure& figure) {
        return save(tr("Save Chart"), chart.title + QStringLiteral(".pdf"),
                    tr("Charts (*.pdf *.svg *.png *.csv *.tex)"),
                    [&](const QString& path) { return writeComparisonChart(path, chart, made, figure); });
    };
    auto* dialog = new SaveChartDialog(chart, draw, write, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

bool BatchPage::save(const QString& title, const QString& name, const QString& kinds,
                     const std::function<Problems(const QString& path)>& write) {
    const QString path = QFileDialog::getSaveFileName(this, title, proposedFile(name), kinds);
    if (path.isEmpty()) return false;
    const Problems problems = write(path);
    say(problems.empty() ? tr("%1 is written.").arg(path) : coreText(problems.front().message));
    return true;
}

} // namespace trainyard
