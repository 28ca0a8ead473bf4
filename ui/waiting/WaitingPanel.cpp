#include "waiting/WaitingPanel.h"

#include "plots/LaneStack.h"
#include "theme/Icons.h"
#include "waiting/WaitingChart.h"
#include "waiting/WaitingValues.h"

#include <QCheckBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QIODevice>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace waiting_panel {
constexpr qint32 layoutVersion = 1;
}

WaitingPanel::WaitingPanel(Workspace& workspace, LaneStack& timeline, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_timeline(timeline), m_views(makeWaitingPainters()),
      m_list(new QListWidget), m_byWorker(new QCheckBox(tr("In order of workers"))),
      m_straight(new QCheckBox(tr("Straight lines"))), m_back(new QToolButton), m_on(new QToolButton),
      m_meaning(new QLabel), m_chart(new WaitingChart(workspace.axis())) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(12);
    layout->addWidget(makeSide());
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    m_meaning->setWordWrap(true);
    m_meaning->setObjectName(QStringLiteral("waitingMeaning"));
    m_meaning->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    column->addWidget(m_meaning);
    column->addWidget(m_chart, 1);
    layout->addLayout(column, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, &WaitingPanel::takeView);
    connect(m_byWorker, &QCheckBox::toggled, this, &WaitingPanel::refresh);
    connect(m_straight, &QCheckBox::toggled, this, &WaitingPanel::refresh);
    connect(m_back, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_on, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_chart, &WaitingChart::stepRequested, this, &WaitingPanel::step);
    connect(m_chart, &WaitingChart::endRequested, this, [this](bool last) {
        if (last)
            m_workspace.axis().setCursor(std::nullopt);
        else
            goToUpdate(0);
    });
    setFocusProxy(m_list);
    m_list->setCurrentRow(0);
}

WaitingPanel::~WaitingPanel() = default;

QWidget* WaitingPanel::makeSide() {
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_list->setAccessibleName(tr("Views of waiting"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(2);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const auto& view : m_views) {
        auto* item = new QListWidgetItem(view->title(), m_list);
        item->setData(Qt::UserRole, view->id());
    }
    m_list->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    column->addWidget(m_list, 1);
    m_byWorker->setToolTip(tr("Rows in order of the workers' numbers instead of the order of arrival"));
    m_straight->setToolTip(
        tr("The lines as they are, around the error of now, instead of the whole course of "
           "training on logarithmic axes"));
    column->addWidget(m_byWorker);
    column->addWidget(m_straight);
    auto* steps = new QHBoxLayout;
    steps->setSpacing(4);
    const auto button = [&](QToolButton* made, const char* picture, const QString& text, const QString& tip) {
        made->setIcon(icon(picture));
        made->setToolTip(tip);
        made->setAccessibleName(text);
        made->setAutoRaise(true);
        steps->addWidget(made);
    };
    button(m_back, "back", tr("Iteration before"), tr("To the iteration before (Left in the chart)"));
    button(m_on, "forward", tr("Next iteration"), tr("To the next iteration (Right in the chart)"));
    auto* label = new QLabel(tr("Iteration"));
    steps->addWidget(label);
    steps->addStretch(1);
    column->addLayout(steps);
    return side;
}

WaitingPainter& WaitingPanel::view() const {
    return *m_views[static_cast<std::size_t>(std::max(0, m_list->currentRow()))];
}

void WaitingPanel::choose(const QString& id) {
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(Qt::UserRole).toString() == id) m_list->setCurrentRow(row);
}

void WaitingPanel::takeView() {
    m_chart->setPainter(&view());
    m_byWorker->setVisible(view().id() == QLatin1String("iteration"));
    m_straight->setVisible(view().id() == QLatin1String("rates"));
    refresh();
    Q_EMIT viewChanged();
}

LaneInput WaitingPanel::makeInput() const {
    LaneInput input = m_timeline.makeInput();
    input.byWorker = m_byWorker->isChecked();
    input.straight = m_straight->isChecked();
    return input;
}

void WaitingPanel::refresh() {
    if (!isVisible()) return;
    const LaneInput input = makeInput();
    const QString meaning = view().meaning(input);
    if (m_meaning->text() != meaning) m_meaning->setText(meaning);
    m_chart->setInput(input);
}

void WaitingPanel::showEvent(QShowEvent*) {
    const int wanted = m_list->sizeHintForColumn(0) + 24;
    m_list->setFixedWidth(std::max({wanted, m_byWorker->sizeHint().width(), m_straight->sizeHint().width()}));
    refresh();
}

void WaitingPanel::step(int iterations) {
    const LaneInput input = makeInput();
    const JobId job = input.run ? input.run->jobWithWorkers(input.job) : JobId{};
    if (!job.valid()) return;
    const std::size_t size = input.run->jobs()[job.index()].updates.size();
    if (size == 0) return;
    const SimTime at = m_workspace.axis().cursor().value_or(input.end);
    const auto shown = static_cast<std::int64_t>(
        std::min(size - 1, at.ns > 0 ? updatesUntil(*input.run, job, SimTime{at.ns - 1}) : 0));
    auto to = static_cast<std::size_t>(
        std::clamp<std::int64_t>(shown + iterations, 0, static_cast<std::int64_t>(size) - 1));
    // Of updates at one instant only the first can be shown.
    while (iterations > 0 && to + 1 < size && timeOfUpdate(*input.run, job, to) <= at &&
           to > static_cast<std::size_t>(shown))
        ++to;
    goToUpdate(to);
}

void WaitingPanel::goToUpdate(std::size_t update) {
    const LaneInput input = makeInput();
    const JobId job = input.run ? input.run->jobWithWorkers(input.job) : JobId{};
    if (!job.valid() || update >= input.run->jobs()[job.index()].updates.size()) return;
    m_workspace.axis().setCursor(timeOfUpdate(*input.run, job, update));
}

QByteArray WaitingPanel::saveLayout() const {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << waiting_panel::layoutVersion << view().id() << m_byWorker->isChecked()
           << m_straight->isChecked();
    return bytes;
}

void WaitingPanel::restoreLayout(const QByteArray& layout) {
    QDataStream stream(layout);
    qint32 version = 0;
    QString id;
    bool byWorker = false, straight = false;
    stream >> version >> id >> byWorker >> straight;
    if (stream.status() != QDataStream::Ok || version != waiting_panel::layoutVersion) return;
    m_byWorker->setChecked(byWorker);
    m_straight->setChecked(straight);
    choose(id);
}

} // namespace trainyard
