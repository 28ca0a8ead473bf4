#include "export/FigurePreview.h"

#include "export/FigureFiles.h"
#include "export/FigureSource.h"
#include "export/Provenance.h"
#include "plots/RunFold.h"

#include <QPainter>
#include <QPicture>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

namespace figure_preview {
constexpr int soonMilliseconds = 120, runningMilliseconds = 600;
constexpr int least = 90, most = 420; // height
} // namespace figure_preview

FigurePreview::FigurePreview(ExportDesk& desk, QWidget* parent) : QWidget(parent), m_desk(desk) {
    setAccessibleName(tr("Preview"));
    setToolTip(tr("The figure as it will be"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &FigurePreview::refresh);
    const auto whileItRuns = [this] {
        if (isVisible() && !m_soon.isActive()) m_soon.start(figure_preview::runningMilliseconds);
    };
    connect(&desk.workspace().runs(), &RunModel::frame, this, whileItRuns);
    connect(&desk.workspace().runs(), &RunModel::runStarted, this, &FigurePreview::later);
    connect(&desk.workspace(), &Workspace::shownChanged, this, whileItRuns);
    connect(&desk.workspace().axis(), &TimeAxis::rangeChanged, this, whileItRuns);
    connect(&desk.workspace().selection(), &Selection::changed, this, &FigurePreview::later);
}

void FigurePreview::setFigure(const ExportView& view, const ExportOptions& options) {
    m_view = view;
    m_options = options;
    later();
}

void FigurePreview::later() {
    if (isVisible()) m_soon.start(figure_preview::soonMilliseconds);
}

void FigurePreview::showEvent(QShowEvent*) {
    later();
}

void FigurePreview::resizeEvent(QResizeEvent*) {
    later();
}

int FigurePreview::heightForWidth(int width) const {
    const double height = std::max(1, width - 2) * m_size.height() / m_size.width() + 2;
    return std::clamp(static_cast<int>(std::lround(height)), figure_preview::least, figure_preview::most);
}

QSize FigurePreview::sizeHint() const {
    return {260, heightForWidth(260)};
}

void FigurePreview::refresh() {
    if (!isVisible() || m_view.id.isEmpty()) return;
    const RunData run = m_desk.workspace().runs().current();
    if (!whyNoExport(run).empty() || run.log->size() == 0) {
        m_image = {};
        m_empty = tr("Press play: the figure shows the run.");
        update();
        Q_EMIT painted();
        return;
    }
    if (m_computing) {
        m_again = true;
        return;
    }
    if (m_view.kind == ViewKind::lane) {
        const LaneView lane = findLane(m_desk.lanes(), m_view.id);
        const RunFold* fold = lane.look.run && lane.look.run->run().id == run.id ? lane.look.run : nullptr;
        if (!fold) return; // the timeline follows in a moment, and with it the next frame
        FigureSource source(run, m_options, {}, fold);
        take(source);
        return;
    }
    m_computing = true;
    m_work.start([this, run, view = m_view,
                  options = m_options](const std::stop_token& stop) -> BackgroundWork::Result {
        auto source =
            std::make_shared<FigureSource>(run, options, [stop] { return !stop.stop_requested(); });
        source->prepareView(view);
        return [this, source, id = view.id] {
            m_computing = false;
            if (id == m_view.id && !m_again) take(*source);
            if (std::exchange(m_again, false)) refresh();
        };
    });
}

void FigurePreview::take(FigureSource& source) {
    const FigureTexts texts = source.ownTexts(m_view, m_desk.lanes());
    if (texts != m_ownTexts) {
        m_ownTexts = texts;
        Q_EMIT ownTextsChanged();
    }
    const QSizeF size = source.sizeOf(m_view);
    if (size != m_size) {
        m_size = size;
        updateGeometry();
    }
    RunRecipe foot{
        .seed = m_desk.workspace().runs().current().seed, .version = TRAINYARD_VERSION, .digest = "…"};
    if (const auto scenario = m_desk.workspace().runs().current().scenario) {
        foot.scenarioName = scenario->title;
        foot.mode = scenario->mode;
    }
    QPicture shapes;
    QPainter painter(&shapes);
    source.paint(painter, m_view, m_desk.lanes(), provenanceFooter(foot), true);
    painter.end();
    const double fit = std::min((width() - 2) / size.width(), (height() - 2) / size.height());
    const double ratio = devicePixelRatioF();
    m_image = QImage((size * fit * ratio).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    m_image.setDevicePixelRatio(ratio);
    QPainter onImage(&m_image);
    onImage.setRenderHint(QPainter::SmoothPixmapTransform);
    onImage.scale(fit, fit);
    drawShapes(onImage, shapes);
    onImage.end();
    m_empty.clear();
    update();
    Q_EMIT painted();
}

void FigurePreview::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    QPainter painter(this);
    if (m_image.isNull()) {
        painter.setPen(theme.hairline);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.setPen(theme.muted);
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, m_empty);
        return;
    }
    const QSizeF shown = m_image.deviceIndependentSize();
    const QRectF place(QPointF((width() - shown.width()) / 2, (height() - shown.height()) / 2), shown);
    painter.drawImage(place.topLeft(), m_image);
    painter.setPen(theme.hairline);
    painter.drawRect(place.adjusted(-1, -1, 0, 0));
}

} // namespace trainyard
