#include "export/FigurePreview.h"

#include "export/FigureSource.h"
#include "plots/RunFold.h"

#include <QPainter>
#include <QPicture>

namespace trainyard {

FigurePreview::FigurePreview(ExportDesk& desk)
    : PreviewPicture(desk, {605, 284}, tr("The figure as it will be")) {
    connect(&desk.workspace(), &Workspace::shownChanged, this, &FigurePreview::laterWhileItRuns);
    connect(&desk.workspace().axis(), &TimeAxis::rangeChanged, this, &FigurePreview::laterWhileItRuns);
}

void FigurePreview::setFigure(const ExportView& view, const ExportOptions& options) {
    m_view = view;
    m_options = options;
    later();
}

void FigurePreview::compute(const RunData& run) {
    if (m_view.id.isEmpty()) return done();
    if (m_view.kind == ViewKind::lane) {
        const LaneView lane = findLane(m_desk.lanes(), m_view.id);
        const RunFold* fold = lane.look.run && lane.look.run->run().id == run.id ? lane.look.run : nullptr;
        if (!fold) return done(); // the timeline follows in a moment, and with it the next frame
        FigureSource source(run, m_options, {}, fold);
        takeFigure(source, run);
        return;
    }
    m_work.start([this, run, view = m_view,
                  options = m_options](const std::stop_token& stop) -> BackgroundWork::Result {
        auto source =
            std::make_shared<FigureSource>(run, options, [stop] { return !stop.stop_requested(); });
        source->prepareView(view);
        return [this, run, source, id = view.id] {
            if (id == m_view.id && !outdated())
                takeFigure(*source, run);
            else
                done();
        };
    });
}

void FigurePreview::takeFigure(FigureSource& source, const RunData& run) {
    const FigureTexts texts = source.ownTexts(m_view, m_desk.lanes());
    if (texts != m_ownTexts) {
        m_ownTexts = texts;
        Q_EMIT ownTextsChanged();
    }
    QPicture shapes;
    QPainter painter(&shapes);
    source.paint(painter, m_view, m_desk.lanes(), footer(run), true);
    painter.end();
    take(source.sizeOf(m_view), shapes);
}

} // namespace trainyard
