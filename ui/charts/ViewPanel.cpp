// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ViewPanel.h"

#include "charts/ChartLane.h"
#include "charts/PictureView.h"
#include "charts/ViewChoice.h"
#include "charts/ViewSide.h"
#include "forms/ParamForm.h"
#include "lanes/TimelineAction.h"
#include "session/BackgroundWork.h"
#include "session/ShownIndex.h"
#include "theme/CoreText.h"
#include "theme/Icons.h"
#include "theme/Theme.h"

#include <QDataStream>
#include <QHBoxLayout>
#include <QIODevice>
#include <QLabel>
#include <QPointer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace view_panel {

constexpr qint32 layoutVersion = 2;
constexpr qint64 listAgainAfter = 500; // milliseconds: what concerns a run may change while it goes on
constexpr std::size_t mostPointsOfAll = 200'000;
constexpr int leastPoints = 1000; // of a curve, two per pixel
constexpr int leastLine = 8;      // pixels: two columns of a legend hold no lower ones
/// Between two pictures of a view of a run that goes on, so much of the time that the last took passes; of short ones nothing: the
/// window has the other half of a frame.
constexpr double pauseShare = 2;
constexpr int leastPause = 60;    // milliseconds: it computes in a frame, paints in the next, and leaves three alone
constexpr qint64 shortEnough = 5; // milliseconds

} // namespace view_panel

using namespace view_panel;

ViewPanel::ViewPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_view(&views().front()), m_steps(makeSteps()),
      m_side(new ViewSide(m_steps)), m_meaning(new QLabel), m_caution(new QLabel), m_picture(new PictureView) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(12);
    layout->addWidget(m_side);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    m_meaning->setObjectName(QStringLiteral("viewMeaning"));
    m_caution->setObjectName(QStringLiteral("viewCaution"));
    for (QLabel* words : {m_meaning, m_caution}) {
        words->setWordWrap(true);
        words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
        words->setMinimumHeight(1); // where the panel is low, the picture matters more
        column->addWidget(words);
    }
    m_caution->hide();
    column->addWidget(m_picture, 1);
    layout->addLayout(column, 1);
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, &ViewPanel::refresh);
    connect(m_side, &ViewSide::chosen, this, [this](const View& view) {
        m_chosen = true;
        takeView(view);
    });
    connect(m_side, &ViewSide::laneWanted, this, &ViewPanel::addLane);
    connect(&workspace.histories(), &Histories::changed, this, &ViewPanel::offerLane);
    m_side->form().onEdited(
        [this](const std::string& key, const ParamValue& value) { setOption(*m_view, key, value); });
    connect(m_picture, &PictureView::stepRequested, this, &ViewPanel::step);
    connect(m_picture, &PictureView::endRequested, this, &ViewPanel::goToEnd);
    connect(m_picture, &PictureView::seenChanged, this, &ViewPanel::refresh);
    connect(m_picture, &PictureView::elementChosen, this, qOverload<const ElementRef&>(&ViewPanel::choose));
    connect(m_picture, &PictureView::instantChosen, this, [this](SimTime at) {
        m_workspace.axis().setCursor(std::clamp(at, SimTime::zero(), m_workspace.shownRuns().head()));
    });
    connect(&workspace.shownRuns(), &ShownRuns::replaced, this, &ViewPanel::refresh);
    connect(&workspace.shownRuns(), &ShownRuns::changed, this, [this] {
        if (!m_rest.isActive()) refresh();
    });
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &ViewPanel::refresh);
    connect(&workspace.selection(), &Selection::changed, this, &ViewPanel::refresh);
    connect(&workspace.axis(), &TimeAxis::cursorChanged, this, &ViewPanel::refresh);
    connect(&workspace.axis(), &TimeAxis::hoverChanged, this, &ViewPanel::refresh);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, [this] { m_chosen = false; });
    setFocusProxy(m_side);
    listViews();
}

ViewPanel::~ViewPanel() {
    if (m_work) m_work->stop.request_stop();
}

QWidget* ViewPanel::makeSteps() {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    const auto button = [&](const char* picture, const QString& text, const QString& tip, int by) {
        auto* made = new QToolButton;
        made->setIcon(icon(picture));
        made->setToolTip(tip);
        made->setAccessibleName(text);
        made->setAutoRaise(true);
        row->addWidget(made);
        connect(made, &QToolButton::clicked, this, [this, by] { step(by); });
        return made;
    };
    m_back = button("back", tr("Back"), tr("To the previous one (Left in the picture; with Shift ten)"), -1);
    m_on = button("forward", tr("Next"), tr("To the next one (Right in the picture; with Shift ten)"), 1);
    m_stop = new QLabel;
    row->addWidget(m_stop);
    row->addStretch(1);
    return line;
}

/// Those that concern the run, and the one shown.
void ViewPanel::listViews() {
    const RunId shown = run() ? run()->run().id : 0;
    const JobId job = selectedJob();
    if (m_listed.isValid() && shown == m_listedRun && job == m_listedJob && m_listed.elapsed() < listAgainAfter) return;
    m_listed.start();
    m_listedRun = shown;
    m_listedJob = job;
    std::vector<const View*> wanted;
    for (const View& view : views())
        if (&view == m_view || concernsRun(view, run())) wanted.push_back(&view);
    m_side->list(wanted, *m_view);
}

void ViewPanel::choose(const QString& id) {
    const View* view = findView(id.toStdString());
    m_chosen = m_chosen || view;
    if (!view || view == m_view) return;
    m_view = view;
    m_listed.invalidate();
    listViews();
    m_side->makeCurrent(*view);
}

void ViewPanel::takeView(const View& view) {
    m_view = &view;
    m_picture->setAccessibleName(coreText(view.title));
    showOptions();
    QTimer::singleShot(0, m_side, &ViewSide::shareHeight); // with the rows in their places
    m_picture->showAll();
    refresh();
    Q_EMIT viewChanged();
}

void ViewPanel::showOptions() {
    m_side->showOptions(*m_view, options(*m_view), run() ? &run()->workload().cluster : nullptr);
}

ParamValues ViewPanel::options(const View& view) const {
    const auto it = m_options.find(view.id);
    return it == m_options.end() ? ParamValues{} : it->second;
}

void ViewPanel::setOption(const View& view, const std::string& key, const ParamValue& value) {
    m_options[view.id].insert_or_assign(key, value);
    if (&view != m_view) return;
    showOptions();
    refresh();
}

JobId ViewPanel::selectedJob() const {
    const JobId job = m_workspace.selection().job();
    return run() && job.valid() && job.index() < run()->jobs().size() ? job : JobId{};
}

/// What the numbers of a legend are of stands over them, as it does over those of the lanes.
void ViewPanel::nameReadings(Picture& picture, bool ofWholeRun) const {
    auto* chart = std::get_if<Chart>(&picture);
    if (!m_view->hasMeans || !chart || chart->legend.empty()) return;
    const QString heading = ofWholeRun ? tr("Means") : tr("Values now");
    chart->legend.insert(chart->legend.begin(), LegendItem{.label = nameText(heading.toStdString())});
}

std::optional<ViewRequest> ViewPanel::request() const {
    if (!run()) return std::nullopt;
    ViewRequest request{.run = *run(),
                        .job = selectedJob(),
                        .at = m_workspace.axis().readout(m_workspace.shownRuns().head()),
                        .options = options(*m_view),
                        .mostPoints = static_cast<std::size_t>(std::max(leastPoints, 2 * m_picture->width())),
                        .mostPointsOfAll = mostPointsOfAll,
                        .mostEntries = static_cast<std::size_t>(2 * m_picture->height() / leastLine + 2),
                        .wholeRun = m_view->hasMeans && readsWholeRun(m_workspace.shownRuns(), m_workspace.axis())};
    if (const auto seen = m_picture->seenSeconds()) { // as closely as it is looked at, with some more at both sides
        const double more = 0.25 * (seen->second - seen->first);
        request.from = std::max(0.0, seen->first - more);
        request.to = seen->second + more;
    }
    return request;
}

/// Of another scenario's jobs it may say nothing: until a view is chosen, the first that says something is shown.
bool ViewPanel::leaveViewOfOthers() {
    const auto concerns = [&](const View& view) { return !view.special && concernsRun(view, run()); };
    if (m_chosen || !run() || concerns(*m_view)) return false;
    const auto other = std::ranges::find_if(views(), concerns);
    if (other == views().end()) return false;
    choose(QString::fromStdString(other->id));
    m_chosen = false;
    return true;
}

void ViewPanel::refresh() {
    if (!isVisible() || leaveViewOfOthers()) return;
    listViews();
    const auto wanted = request();
    if (!wanted) {
        take(Computation(pictureOfNothing(*m_view), {}), {.view = m_view});
        return;
    }
    std::vector<MachineId> machines;
    const QStringList& selected = m_workspace.selection().entities();
    const auto& all = run()->workload().cluster.machines;
    for (std::size_t m = 0; m < all.size() && !selected.isEmpty(); ++m)
        if (selected.contains(QString::fromStdString(all[m].key))) machines.emplace_back(m);
    m_picture->select(wanted->job, std::move(machines));
    m_picture->setCursorAt(m_workspace.axis().cursor());
    const Subject subject{m_view, run()->run().id, wanted->job, wanted->options};
    QElapsedTimer clock;
    clock.start();
    Computation now = pictureNow(*m_view, *wanted);
    nameReadings(now.picture, wanted->wholeRun);
    const qint64 took = clock.elapsed() + m_picture->paintTime();
    // What is under way goes on, or nothing would ever be finished of a run that goes on; and there is a pause.
    const bool same = m_work ? m_work->subject == subject : m_later.isActive() && m_shown == subject;
    if (!now.finish || !same) {
        const bool pause = !now.finish && took > shortEnough && !run()->areFoldsBehind();
        take(std::move(now), subject);
        if (pause) m_rest.start(std::max(leastPause, static_cast<int>(pauseShare * static_cast<double>(took))));
        return;
    }
    if (m_work) m_work->again = true;
    if (emptyOf(now.picture).empty()) showPicture(std::make_shared<const Picture>(std::move(now.picture)), subject);
}

void ViewPanel::take(Computation computation, const Subject& subject) {
    m_later.stop();
    if (m_work) m_work->stop.request_stop();
    m_work.reset();
    m_takesLong = computation.finish != nullptr;
    if (!computation.finish) {
        showPicture(std::make_shared<const Picture>(std::move(computation.picture)), subject);
        return;
    }
    if (m_shown != subject || emptyOf(computation.picture).empty())
        showPicture(std::make_shared<const Picture>(computation.picture), subject);
    start(std::move(computation), subject);
}

void ViewPanel::start(Computation computation, const Subject& subject) {
    const int number = ++m_number;
    m_work.emplace(Work{.subject = subject, .stop = std::stop_source(std::nostopstate), .since = {}});
    m_work->since.start();
    m_work->stop = BackgroundWork::shared().start(
        [panel = QPointer<ViewPanel>(this), number,
         finish = std::move(computation.finish)](const std::stop_token& stop) -> BackgroundWork::Result {
            if (stop.stop_requested()) return {};
            auto picture = std::make_shared<const Picture>(finish(stop));
            if (stop.stop_requested()) return {};
            return [panel, number, picture] {
                if (panel) panel->finished(number, picture);
            };
        });
}

void ViewPanel::finished(int number, std::shared_ptr<const Picture> picture) {
    if (!m_work || number != m_number) return; // overtaken
    const Work work = *std::exchange(m_work, std::nullopt);
    showPicture(std::move(picture), work.subject);
    if (work.again) m_later.start(static_cast<int>(pauseShare * static_cast<double>(work.since.elapsed())));
}

void ViewPanel::showPicture(std::shared_ptr<const Picture> picture, const Subject& subject) {
    m_picture->setPicture(std::move(picture), m_shown == subject);
    m_shown = subject;
    showWords();
    offerLane();
}

/// As a lane under the others, with its options.
void ViewPanel::offerLane() {
    const QString none = whyNoLane(m_picture->picture(), m_takesLong);
    m_side->setWhyNoLane(none.isEmpty()
                             ? whyNotOnTimeline(m_workspace.histories(), {viewSubject(*m_view, options(*m_view))}, {})
                             : none);
}

void ViewPanel::addLane() { m_workspace.histories().add({viewSubject(*m_view, options(*m_view))}); }

/// Of which job it is, where a view is of one job and there are several.
QString ViewPanel::jobShown() const { return run() ? jobShownBy(*m_view, *run(), selectedJob()) : QString(); }

void ViewPanel::showWords() {
    const Picture& picture = m_picture->picture();
    const QString caution = coreText(cautionOf(picture));
    QString meaning = coreText(meaningOf(picture));
    QString whose = jobShown();
    if (const auto* chart = std::get_if<Chart>(&picture); chart && whose.isEmpty()) whose = coreText(chart->title);
    if (!whose.isEmpty()) meaning = meaning.isEmpty() ? whose : tr("%1: %2").arg(whose, meaning);
    if (m_meaning->text() != meaning) m_meaning->setText(meaning);
    if (m_caution->text() != caution) {
        m_caution->setText(caution);
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText, Theme::current().warning);
        m_caution->setPalette(colours);
        m_caution->setVisible(!caution.isEmpty());
    }
    const auto& stops = stopsOf(picture);
    m_steps->setVisible(stops.has_value());
    if (!stops) return;
    QString name = coreText(stops->name);
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    m_stop->setText(tr("%1 %2 of %3").arg(name).arg(stops->number).arg(stops->count));
    m_back->setEnabled(stops->previous != SimTime::never());
    m_on->setEnabled(stops->next != SimTime::never());
}

void ViewPanel::showEvent(QShowEvent*) {
    m_listed.invalidate();
    listViews();
    if (const View* current = m_side->current()) takeView(*current);
}

/// In larger type the list is wider.
void ViewPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    m_side->forget();
    m_listed.invalidate();
    if (isVisible()) listViews();
}

void ViewPanel::step(int by) {
    auto wanted = request();
    if (!wanted) return;
    std::optional<SimTime> to;
    for (int i = 0; i < std::abs(by); ++i) {
        const Computation here = pictureNow(*m_view, *wanted);
        const auto& stops = stopsOf(here.picture);
        if (!stops) break;
        const SimTime next = by < 0 ? stops->previous : stops->next;
        if (next == SimTime::never()) break;
        to = wanted->at = next;
    }
    if (to) m_workspace.axis().setCursor(to);
}

void ViewPanel::goToEnd(bool last) {
    if (last) {
        m_workspace.axis().setCursor(std::nullopt);
        return;
    }
    const auto& stops = stopsOf(m_picture->picture());
    m_workspace.axis().setCursor(stops && stops->first != SimTime::never() ? stops->first : SimTime::zero());
}

void ViewPanel::choose(const ElementRef& ref) {
    if (ref.at != SimTime::never()) m_workspace.axis().setCursor(ref.at);
    if (!run()) return;
    const Cluster& cluster = run()->workload().cluster;
    QStringList keys;
    if (ref.machine.valid() && ref.machine.index() < cluster.machines.size())
        keys << QString::fromStdString(cluster.machines[ref.machine.index()].key);
    if (ref.link.valid() && ref.link.index() < cluster.links.size())
        keys << QString::fromStdString(cluster.links[ref.link.index()].key);
    if (!keys.isEmpty())
        m_workspace.selection().select(keys, selectedJob(), {}); // the picture stays that of its job
    else if (ref.job.valid())
        m_workspace.selection().selectJob(ref.job);
}

QByteArray ViewPanel::saveLayout() const {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    QMap<QString, QMap<QString, QString>> chosen;
    for (const auto& [id, values] : m_options)
        for (const auto& [key, value] : values)
            chosen[QString::fromStdString(id)][QString::fromStdString(key)] = QString::fromStdString(toString(value));
    stream << layoutVersion << QString::fromStdString(m_view->id) << chosen;
    return bytes;
}

void ViewPanel::restoreLayout(const QByteArray& layout) {
    QDataStream stream(layout);
    qint32 version = 0;
    QString id;
    QMap<QString, QMap<QString, QString>> chosen;
    stream >> version;
    if (version != layoutVersion) return;
    stream >> id >> chosen;
    if (stream.status() != QDataStream::Ok) return;
    for (auto of = chosen.cbegin(); of != chosen.cend(); ++of) {
        const View* view = findView(of.key().toStdString());
        for (auto it = of->cbegin(); view && it != of->cend(); ++it)
            if (const auto option = optionsFrom(*view, {(it.key() + QLatin1Char('=') + it.value()).toStdString()}))
                for (const auto& [key, value] : *option) m_options[view->id].insert_or_assign(key, value);
    }
    choose(id);
}

} // namespace trainyard
