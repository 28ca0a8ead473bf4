// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/FigurePreview.h"

#include "export/FigureSource.h"
#include "session/ShownIndex.h"

#include <QPainter>
#include <QPicture>

namespace trainyard {

FigurePreview::FigurePreview(ExportController& controller)
    : PreviewPicture(controller, {605, 284}, tr("The figure as it will be exported")) {
    connect(&controller.workspace(), &Workspace::shownChanged, this, &FigurePreview::laterWhileItRuns);
    connect(&controller.workspace().axis(), &TimeAxis::rangeChanged, this, &FigurePreview::laterWhileItRuns);
}

void FigurePreview::setFigure(const ExportView& view, const ExportOptions& options) {
    m_view = view;
    m_options = options;
    later();
}

void FigurePreview::compute(const RunData& run) {
    if (m_view.id.isEmpty()) return done();
    const std::vector<LaneView> lanes = m_controller.lanes()();
    const ShownIndex* index = lanes.empty() ? nullptr : lanes.front().look.run;
    if (index && index->run().id != run.id) index = nullptr;
    const bool folded = m_view.kind == ViewKind::lane || m_view.kind == ViewKind::view;
    if (folded && !index) return done(); // the timeline follows in a moment, and with it the next frame
    auto source = std::make_shared<FigureSource>(run, m_options, nullptr, index);
    if (m_view.kind == ViewKind::lane) return takeFigure(*source, run);
    std::function<void(const std::stop_token&)> work = [source, view = m_view](const std::stop_token&) {
        source->prepareView(view);
    };
    if (m_view.kind == ViewKind::view) { // what needs the index is done here
        Computation computation = source->beginPicture(*m_view.view, false);
        source->takePicture(std::move(computation.picture));
        if (!computation.finish) return takeFigure(*source, run);
        work = [source, finish = std::move(computation.finish)](const std::stop_token& stop) {
            source->takePicture(finish(stop));
        };
    }
    m_work.start([this, run, source, work, id = m_view.id](const std::stop_token& stop) -> BackgroundWork::Result {
        work(stop);
        return [this, run, source, id] {
            if (id == m_view.id && !outdated())
                takeFigure(*source, run);
            else
                done();
        };
    });
}

void FigurePreview::takeFigure(FigureSource& source, const RunData& run) {
    const FigureTexts texts = source.ownTexts(m_view, m_controller.lanes());
    if (texts != m_ownTexts) {
        m_ownTexts = texts;
        Q_EMIT ownTextsChanged();
    }
    QPicture shapes;
    QPainter painter(&shapes);
    source.paint(painter, m_view, m_controller.lanes(), footer(run), true);
    painter.end();
    take(source.sizeOf(m_view), shapes);
}

} // namespace trainyard
