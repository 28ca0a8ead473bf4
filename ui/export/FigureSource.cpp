// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/FigureSource.h"

#include "charts/ChartLane.h"
#include "charts/ViewChoice.h"
#include "export/PictureFigure.h"
#include "run/files/PictureFile.h"
#include "session/ShownIndex.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

namespace trainyard {

namespace figure_source {
constexpr std::size_t stretch = 1 << 18;    // events folded between two questions whether to go on
constexpr std::size_t mostPoints = 100'000; // of a series of a view
constexpr double pointsByPixel = 4;         // of a figure, so that short steps become their means

bool hasSteps(const Picture& picture) {
    const auto* chart = std::get_if<Chart>(&picture);
    return chart && std::ranges::any_of(chart->plots, [&](const Plot& plot) {
               return std::ranges::count(plot.series, Series::Kind::steps, &Series::kind) > 0;
           });
}
} // namespace figure_source

FigureSource::FigureSource(RunData run, const ExportOptions& options, std::function<bool()> going,
                           const ShownIndex* index)
    : m_run(std::move(run)), m_options(options), m_going(std::move(going)), m_index(index) {
    const std::size_t events = m_run.log->size();
    m_head = events > 0 ? (*m_run.log)[events - 1].time : SimTime::zero();
    m_span = {SimTime::seconds(std::max(0.0, m_options.from.value_or(0))),
              m_options.to ? SimTime::seconds(*m_options.to) : m_head};
    if (m_span.to <= m_span.from) m_span.to = m_span.from + Duration::seconds(1);
    m_at = m_options.at ? std::clamp(SimTime::seconds(*m_options.at), SimTime::zero(), m_head) : m_head;
}

FigureSource::~FigureSource() = default;

const ClusterState& FigureSource::state() {
    if (m_state) return *m_state;
    auto state = std::make_shared<ClusterState>(m_run.workload);
    const std::size_t end = m_run.log->positionAfter(m_at);
    for (std::size_t i = 0; i < end; ++i) {
        if (i % figure_source::stretch == 0 && m_going && !m_going()) break; // given up
        state->apply((*m_run.log)[i]);
    }
    m_state = std::move(state);
    return *m_state;
}

void FigureSource::makeIndex() {
    if (m_index) return;
    m_ownIndex = std::make_unique<ShownIndex>(m_run);
    m_index = m_ownIndex.get();
    while (m_ownIndex->update(figure_source::stretch))
        if (m_going && !m_going()) break;
}

bool FigureSource::concerns(const ExportView& view) {
    if (view.kind != ViewKind::view) return true;
    makeIndex();
    return concernsRun(*view.view, m_index);
}

std::size_t FigureSource::pointsOfFigure() const {
    return static_cast<std::size_t>(figure_source::pointsByPixel * m_options.size.width());
}

Computation FigureSource::beginPicture(const View& view, bool withEveryNumber) {
    makeIndex();
    const auto options = m_options.viewOptions.find(view.id);
    const ViewRequest request{.run = *m_index,
                              .job = jobOfKey(*m_run.workload, m_options.job),
                              .at = m_at,
                              .options = options == m_options.viewOptions.end() ? ParamValues{} : options->second,
                              .mostPoints = withEveryNumber ? figure_source::mostPoints : pointsOfFigure(),
                              .isFile = withEveryNumber};
    return foldedPicture(*m_index, [&] { return pictureNow(view, request); });
}

/// Of the part that is shown, with every number.
Picture FigureSource::pictureOf(const HistorySubject& subject) const {
    const ViewRequest request{.run = *m_index,
                              .job = jobOfKey(*m_run.workload, m_options.job),
                              .at = m_at,
                              .mostPoints = std::numeric_limits<std::size_t>::max(),
                              .isFile = true,
                              .from = m_span.from.toSeconds(),
                              .to = m_span.to.toSeconds()};
    return wholePicture(*m_index, [&] { return pictureNow(subject, request); });
}

void FigureSource::prepareView(const ExportView& view) {
    switch (view.kind) {
    case ViewKind::lane: makeIndex(); break;
    case ViewKind::view: {
        const auto take = [&](bool withEveryNumber) {
            Computation computation = beginPicture(*view.view, withEveryNumber);
            takePicture(computation.finish ? computation.finish({}) : std::move(computation.picture));
        };
        take(true);
        m_numbers = m_picture;
        if (figure_source::hasSteps(*m_picture)) take(false); // as the preview has it
        break;
    }
    case ViewKind::cluster:
        state();
        if (!m_content) m_content = clusterContent(m_run.workload->cluster, m_state);
        break;
    case ViewKind::events:
        if (!m_events) m_events = std::make_shared<const Picture>(eventsTable(m_run, m_span));
        break;
    }
}

bool FigureSource::isEmpty(const ExportView& view, const LaneSource& lanes) const {
    if (view.kind == ViewKind::view) return m_picture && !emptyOf(*m_picture).empty();
    if (view.kind != ViewKind::lane) return false;
    const LaneView lane = findLane(lanes, view.id);
    return lane.painter && !lane.painter->emptyText(laneFigure(lane).input).isEmpty();
}

LaneFigure FigureSource::laneFigure(const LaneView& lane) const {
    LaneFigure figure{.painter = lane.painter,
                      .input = exportInput(lane, *m_index, m_index->head()),
                      .from = m_span.from.toSeconds(),
                      .to = m_span.to.toSeconds(),
                      .unit = m_options.unit,
                      .texts = m_options.texts.value(lane.id)};
    if (!m_options.ghost) figure.input.ghost = nullptr;
    return figure;
}

FigureTexts FigureSource::ownTexts(const ExportView& view, const LaneSource& lanes) const {
    const QString scenario = m_run.scenario ? QString::fromStdString(m_run.scenario->title) : QString();
    FigureTexts texts;
    QString heading = view.title;
    if (view.kind == ViewKind::lane) {
        const LaneView lane = findLane(lanes, view.id);
        if (lane.painter) texts = laneTexts(laneFigure(lane));
        heading = texts.title;
    } else if (view.kind == ViewKind::view) {
        if (m_picture) texts = pictureTexts(*m_picture);
        QString whose =
            m_index ? jobShownBy(*view.view, *m_index, jobOfKey(*m_run.workload, m_options.job)) : QString();
        const auto* chart = m_picture ? std::get_if<Chart>(m_picture.get()) : nullptr;
        if (chart && whose.isEmpty()) whose = coreText(chart->title); // which machine, which link
        if (!whose.isEmpty()) heading = QStringLiteral("%1, %2").arg(heading, whose);
    }
    if (view.kind == ViewKind::cluster || (view.view && view.isTable()))
        heading = QCoreApplication::translate("Export", "%1 at %2").arg(heading, clockText(m_at));
    texts.title = scenario.isEmpty() ? heading : QStringLiteral("%1: %2").arg(heading, scenario);
    return texts;
}

QString FigureSource::titleOf(const ExportView& view, const LaneSource& lanes) const {
    const QString given = m_options.texts.value(view.id).title;
    return given.isEmpty() ? ownTexts(view, lanes).title : given;
}

QSizeF FigureSource::sizeOf(const ExportView& view) const {
    const auto& picture = view.kind == ViewKind::events ? m_events : m_picture;
    const auto* table = view.isTable() && picture ? std::get_if<Table>(picture.get()) : nullptr;
    if (!table) return m_options.size;
    return {m_options.size.width(), tableFigureHeight(*table, m_options.footer)};
}

void FigureSource::paint(QPainter& painter, const ExportView& view, const LaneSource& lanes, const QString& footer,
                         bool vector) const {
    const FigureFrame frame{.size = sizeOf(view),
                            .theme = m_options.theme,
                            .title = titleOf(view, lanes),
                            .footer = m_options.footer ? footer : QString(),
                            .vector = vector};
    switch (view.kind) {
    case ViewKind::lane:
        if (const LaneView lane = findLane(lanes, view.id); lane.painter)
            paintLaneFigure(painter, frame, laneFigure(lane));
        break;
    case ViewKind::view:
        if (m_picture) paintPictureFigure(painter, frame, m_picture, m_options.texts.value(view.id));
        break;
    case ViewKind::cluster: paintClusterFigure(painter, frame, *m_content); break;
    case ViewKind::events: paintPictureFigure(painter, frame, m_events, {}); break;
    }
}

void FigureSource::writeLane(CsvRows& rows, const ExportView& view, const LaneSource& lanes,
                             const OnWindowThread& onWindowThread) {
    bool byJob = false;
    std::optional<HistorySubject> subject;
    onWindowThread([&] {
        const LaneView lane = findLane(lanes, view.id);
        byJob = lane.look.byJob;
        if (lane.painter && lane.painter->subject()) subject = *lane.painter->subject();
    });
    if (subject) return writePicture(rows, pictureOf(*subject));
    writeLaneTable(rows, view.id, byJob, *m_index, m_span);
}

void FigureSource::writeTable(CsvRows& rows, const ExportView& view, const LaneSource& lanes,
                              const std::function<void(const std::function<void()>&)>& onWindowThread) {
    prepareView(view);
    switch (view.kind) {
    case ViewKind::lane: writeLane(rows, view, lanes, onWindowThread); break;
    case ViewKind::view:
        if (m_numbers) writePicture(rows, *m_numbers);
        break;
    case ViewKind::cluster: writeClusterTable(rows, *m_content); break;
    case ViewKind::events: writeEventsTable(rows, m_run, m_span); break;
    }
}

} // namespace trainyard
