// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ExportController.h"

#include "export/FigureFiles.h"
#include "export/FigureSource.h"
#include "session/Provenance.h"
#include "session/ShownIndex.h"

#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QPicture>

#include <utility>

namespace trainyard {

namespace export_controller {

constexpr std::size_t mostCopied = std::size_t{64} << 20; // bytes of text

/// Both the picture itself, for programs that take any, and files in which the run lies.
std::unique_ptr<QMimeData> pictureOf(FigureSource& source, const ExportView& view, const LaneSource& lanes,
                                     const ExportOptions& look, const RunProvenance& provenance,
                                     const ExportControl& control) {
    QPicture shapes;
    FigureText text{{}, provenanceLine(provenance)};
    control.paint([&] {
        QPainter painter(&shapes);
        source.paint(painter, view, lanes, provenanceFooter(provenance), true);
        text.title = source.titleOf(view, lanes);
    });
    const DrawFigure draw = [&shapes](QPainter& painter) { drawShapes(painter, shapes); };
    const QSizeF size = source.sizeOf(view);
    auto data = std::make_unique<QMimeData>();
    const QImage image = rasterFigure(size, look.dotsPerInch, draw);
    data->setImageData(image);
    data->setData(QStringLiteral("image/png"), pngFile(image, text));
    data->setData(QStringLiteral("image/svg+xml"), svgFigure(size, text, draw));
    return data;
}

/// Null: too long for a clipboard.
std::unique_ptr<QMimeData> tableOf(FigureSource& source, const ExportView& view, const LaneSource& lanes,
                                   char separator, const RunProvenance& provenance, const ExportControl& control) {
    std::string text;
    CsvRows rows(
        [&](std::string_view piece) {
            text += piece;
            return text.size() < mostCopied && control.progress(0.5);
        },
        separator);
    rows.text(provenanceAbove(provenance));
    source.writeTable(rows, view, lanes, control.paint);
    rows.text(provenanceBelow(provenance));
    if (!rows.flush()) return nullptr;
    auto data = std::make_unique<QMimeData>();
    data->setText(QString::fromStdString(text));
    data->setData(separator == ',' ? QStringLiteral("text/csv") : QStringLiteral("text/tab-separated-values"),
                  QByteArray::fromStdString(text));
    return data;
}

QString firstOf(const Problems& problems) {
    const Problem& first = problems.front();
    const QString text = QString::fromStdString(first.message.english());
    return first.file.empty() ? text : QStringLiteral("%1: %2").arg(QString::fromStdString(first.file), text);
}

} // namespace export_controller

ExportController::ExportController(Workspace& workspace, LaneStack& timeline, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_lanes(lanesOf(timeline)) {
    const auto look = [this] {
        const bool has = whyNoExport(m_workspace.runs().current()).empty();
        if (std::exchange(m_hadRun, has) != has) Q_EMIT availableChanged();
    };
    connect(&workspace.runs(), &RunModel::runStarted, this, look);
    connect(&workspace.runs(), &RunModel::frame, this, look);
    connect(&m_job, &ExportJob::started, this, &ExportController::availableChanged);
    connect(&m_job, &ExportJob::finished, this, [this] {
        tell();
        Q_EMIT availableChanged();
    });
    look();
}

QString ExportController::whyNot() const {
    if (!whyNoExport(m_workspace.runs().current()).empty()) return tr("Nothing has run yet: press play first");
    return m_job.isRunning() ? tr("An export is in progress") : QString();
}

QString ExportController::whyNoGhost() const {
    const RunModel& runs = m_workspace.runs();
    if (runs.ghost()) return {};
    return runs.ghostChoice() == RunModel::Ghost::none
               ? tr("No run is compared with: choose one under Run, Compare With")
               : tr("There is no other run yet: run the scenario again to compare with this run");
}

QString ExportController::whyNoGhost(const ExportView& view) const {
    const LaneView lane = view.kind == ViewKind::lane ? findLane(m_lanes, view.id) : LaneView{};
    if (!lane.painter || !lane.painter->comparesRuns()) return tr("%1 shows one run alone").arg(view.title);
    return whyNoGhost();
}

std::vector<ExportView> ExportController::views() const {
    return exportViews(m_lanes, m_workspace.shownRuns().current());
}

/// With the job and the options of views as the window shows them.
ExportOptions ExportController::asShown(ExportOptions options) const {
    if (!options.at) options.at = m_workspace.shownTime().toSeconds();
    const auto& workload = m_workspace.runs().current().workload;
    if (const JobId job = m_workspace.selection().job(); workload && job.valid() && job.index() < workload->jobs.size())
        options.job = QString::fromStdString(workload->jobs[job.index()].key);
    if (m_viewOptions) options.viewOptions = m_viewOptions();
    return options;
}

ExportOptions ExportController::now(ExportOptions options, bool shownRange) const {
    options.at.reset();
    options = asShown(std::move(options));
    if (shownRange) {
        options.from = m_workspace.axis().visibleFrom();
        options.to = m_workspace.axis().visibleTo();
    }
    return options;
}

void ExportController::begin(const QString& what, const QString& folder, ExportJob::Work work) {
    if (!whyNot().isEmpty()) {
        Q_EMIT told(whyNot() + QLatin1Char('.'), true, {});
        return;
    }
    m_folder = folder;
    m_job.start(what, std::move(work));
}

void ExportController::exportFiles(ExportOptions options) {
    options = asShown(std::move(options));
    m_copied.clear();
    begin(tr("Exporting charts"), options.directory,
          [run = m_workspace.runs().current(), options, lanes = m_lanes](const ExportControl& control) {
              return exportRun(run, options, lanes, control);
          });
}

void ExportController::exportMovie(const MovieOptions& options) {
    m_copied.clear();
    begin(tr("Exporting a movie"), options.directory,
          [run = m_workspace.runs().current(), options, lanes = m_lanes](const ExportControl& control) {
              if (Problems nothing = whyNoExport(run); !nothing.empty())
                  return ExportResult{.problems = std::move(nothing)};
              return trainyard::exportMovie(run, provenanceOf(run), options, lanes, control);
          });
}

void ExportController::copy(const ExportView& view, CopyAs as, ExportOptions look) {
    look = asShown(std::move(look));
    m_copied = as == CopyAs::picture ? tr("The picture of %1 is on the clipboard.").arg(view.title)
                                     : tr("The table of %1 is on the clipboard.").arg(view.title);
    begin(tr("Copying"), {},
          [run = m_workspace.runs().current(), view, as, look, lanes = m_lanes](const ExportControl& control) {
              using namespace export_controller;
              ExportResult result;
              const RunProvenance provenance = provenanceOf(run);
              FigureSource source(run, look, [&] { return control.progress(0.2); });
              source.prepareView(view);
              auto data = as == CopyAs::picture
                              ? pictureOf(source, view, lanes, look, provenance, control)
                              : tableOf(source, view, lanes, as == CopyAs::csv ? ',' : '\t', provenance, control);
              result.cancelled = !control.progress(0.9);
              if (!data && !result.cancelled)
                  result.problems.push_back(
                      {.code = "too-long-to-copy",
                       .message = {TRAINYARD_TEXT("this table is too long for the clipboard: export it as a CSV file"),
                                   {}}});
              if (data) data->moveToThread(QCoreApplication::instance()->thread());
              if (data && !result.cancelled)
                  control.paint([&] { QApplication::clipboard()->setMimeData(data.release()); });
              return result;
          });
}

void ExportController::tell() {
    const ExportResult& result = m_job.result();
    const auto files = result.files.size();
    if (!result.problems.empty()) {
        const QString more = result.problems.size() > 1
                                 ? tr(" (and %n more problem(s))", nullptr, result.problems.size() - 1)
                                 : QString();
        const QString first = export_controller::firstOf(result.problems) + more;
        Q_EMIT told(files > 0 ? tr("Not everything was written: %1. Written: %n file(s).", nullptr, files).arg(first)
                              : tr("Nothing was exported: %1").arg(first),
                    true, files > 0 ? m_folder : QString());
        return;
    }
    if (result.cancelled) {
        Q_EMIT told(files > 0 ? tr("Cancelled. Written by then: %n file(s).", nullptr, files)
                              : tr("Cancelled. Nothing was written."),
                    false, files > 0 ? m_folder : QString());
        return;
    }
    if (!m_copied.isEmpty()) {
        Q_EMIT told(m_copied, false, {});
        return;
    }
    QString text = files == 1 ? tr("%1 was written.").arg(result.files.first())
                              : tr("%n file(s) were written to %1.", nullptr, files).arg(m_folder);
    if (result.replaced > 0)
        text += QLatin1Char(' ') + (result.replaced == 1 ? tr("One replaced an older file.")
                                                         : tr("%1 replaced older files.").arg(result.replaced));
    Q_EMIT told(text, false, m_folder);
}

} // namespace trainyard
