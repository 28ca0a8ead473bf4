// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ViewPanel.h"

#include "analysis/EntityHistory.h"
#include "charts/ChartLane.h"
#include "charts/PictureView.h"
#include "charts/ViewChoice.h"
#include "forms/ParamForm.h"
#include "lanes/TimelineAction.h"
#include "session/BackgroundWork.h"
#include "session/ShownIndex.h"
#include "theme/CoreText.h"
#include "theme/Icons.h"
#include "theme/Theme.h"

#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QIODevice>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace view_panel {

constexpr qint32 layoutVersion = 2;
constexpr int leastLines = 5;          // of the list of views
constexpr qint64 listAgainAfter = 500; // milliseconds: what concerns a run may change while it goes on
constexpr std::size_t mostPointsOfAll = 200'000;
constexpr int leastPoints = 1000; // of a curve, two per pixel
constexpr int leastDigits = 27;   // of the list's width: names of machines are whole in the form below it
constexpr int leastLine = 8;      // pixels: two columns of a legend hold no lower ones
/// Between two computations of a view of a run that goes on, so much of the time of the last passes; of short ones nothing.
constexpr double pauseShare = 2;
constexpr qint64 shortEnough = 8; // milliseconds

} // namespace view_panel

using namespace view_panel;

ViewPanel::ViewPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_view(&views().front()), m_list(new QListWidget), m_form(new ParamForm),
      m_formArea(new QScrollArea), m_steps(makeSteps()), m_addLane(new QToolButton), m_meaning(new QLabel),
      m_caution(new QLabel), m_picture(new PictureView) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(12);
    layout->addWidget(makeSide());
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
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        m_chosen = true;
        takeView(row);
    });
    m_form->onEdited([this](const std::string& key, const ParamValue& value) { setOption(*m_view, key, value); });
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
    setFocusProxy(m_list);
    listViews();
}

ViewPanel::~ViewPanel() {
    if (m_work) m_work->stop.request_stop();
}

QWidget* ViewPanel::makeSide() {
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_list->setAccessibleName(tr("Views"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(2);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    column->addWidget(m_list, 1);
    m_formArea->setFrameShape(QFrame::NoFrame);
    m_formArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_formArea->setWidgetResizable(true);
    m_formArea->setFocusPolicy(Qt::NoFocus);
    m_formArea->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    m_formArea->setMinimumHeight(1); // both scroll: the panel does not ask for more than the lanes beside it
    m_list->setMinimumHeight(2 * m_list->fontMetrics().height());
    m_formArea->setWidget(m_form);
    column->addWidget(m_formArea, 100); // the list gets what it leaves, and its least lines
    m_addLane->setText(tr("Add to Timeline"));
    m_addLane->setObjectName(QStringLiteral("addLane"));
    m_addLane->setToolButtonStyle(Qt::ToolButtonTextOnly);
    connect(m_addLane, &QToolButton::clicked, this, &ViewPanel::addLane);
    connect(&m_workspace.histories(), &Histories::changed, this, &ViewPanel::offerLane);
    column->addWidget(m_addLane);
    column->addWidget(m_steps);
    return side;
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

/// Those that concern the run, and the one shown; under the headings of their groups, if there are several.
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
    QStringList ids;
    std::string group;
    std::vector<std::pair<QString, const View*>> lines;
    const bool several = wanted.front()->group != wanted.back()->group;
    for (const View* view : wanted) {
        if (several && view->group.pattern != group) lines.emplace_back(coreText(view->group), nullptr);
        group = view->group.pattern;
        lines.emplace_back(coreText(view->title), view);
    }
    for (const auto& [text, view] : lines) ids << (view ? QString::fromStdString(view->id) : text);
    if (ids == m_list->property("ids").toStringList()) return;
    m_list->setProperty("ids", ids);
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const auto& [text, view] : lines) {
        auto* item = new QListWidgetItem(text, m_list);
        if (view) {
            item->setData(Qt::UserRole, QString::fromStdString(view->id));
            item->setToolTip(coreText(view->summary));
            if (view == m_view) m_list->setCurrentItem(item);
        } else { // a heading
            item->setFlags(Qt::NoItemFlags);
        }
    }
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int least = m_list->fontMetrics().horizontalAdvance(QLatin1Char('0')) * leastDigits;
    m_list->setFixedWidth(
        std::max({least, m_list->sizeHintForColumn(0) + 24, m_form->minimumSizeHint().width() + bar}));
    m_formArea->setFixedWidth(m_list->width());
}

void ViewPanel::choose(const QString& id) {
    const View* view = findView(id.toStdString());
    m_chosen = m_chosen || view;
    if (!view || view == m_view) return;
    m_view = view;
    m_listed.invalidate();
    listViews();
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(Qt::UserRole).toString() != id) continue;
        if (row == m_list->currentRow()) takeView(row);
        m_list->setCurrentRow(row);
    }
}

void ViewPanel::takeView(int row) {
    const QListWidgetItem* item = m_list->item(row);
    const View* view = item ? findView(item->data(Qt::UserRole).toString().toStdString()) : nullptr;
    if (!view) return;
    m_view = view;
    m_picture->setAccessibleName(coreText(view->title));
    m_formArea->setVisible(!view->options.fields().empty());
    showOptions();
    QTimer::singleShot(0, this, &ViewPanel::shareSide); // with the rows in their places
    m_picture->showAll();
    refresh();
    Q_EMIT viewChanged();
}

/// The form is as high as it wants to be, where the list keeps some lines; the chosen view stays in sight.
void ViewPanel::shareSide() {
    QWidget* side = m_list->parentWidget();
    side->layout()->activate();
    const int wide = m_formArea->viewport()->width(), line = m_list->fontMetrics().height() + 2 * m_list->spacing();
    const int wanted = m_form->hasHeightForWidth() ? m_form->heightForWidth(wide) : m_form->sizeHint().height();
    int room = side->height() - leastLines * line - m_addLane->height() - 3 * side->layout()->spacing();
    if (!m_steps->isHidden()) room -= m_steps->height();
    m_formArea->setMaximumHeight(std::max(m_formArea->minimumHeight(), std::min(wanted, room)));
    side->layout()->activate();
    m_list->scrollToItem(m_list->currentItem());
}

void ViewPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareSide();
}

void ViewPanel::showOptions() {
    m_form->show(optionsOf(*m_view), options(*m_view));
    if (!run()) return;
    const Cluster& cluster = run()->workload().cluster; // by the names that they have elsewhere
    int wanted = 0;                                     // pixels of the form
    const auto name = [&](const char* key, const auto& items, const auto& nameOf) {
        auto* box = qobject_cast<QComboBox*>(m_form->control(QLatin1String(key)));
        if (!box) return;
        for (int i = 0; i < box->count() && static_cast<std::size_t>(i) < items.size(); ++i) {
            const auto& item = items[static_cast<std::size_t>(i)];
            box->setItemText(i, QString::fromStdString(nameOf(item)));
            if (box->currentText() == QString::fromStdString(item.key)) box->setEditText(box->itemText(i));
        }
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents); // names are longer than ids
        box->lineEdit()->setCursorPosition(0);
        const int around = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 40; // and the button that resets it
        wanted = std::max(wanted, box->sizeHint().width() * 5 / 3 + around);      // FieldRow: by shares of 2 to 3
    };
    name("machine", cluster.machines, [](const Machine& m) { return m.name.empty() ? m.key : m.name; });
    name("link", cluster.links, [&](const Link& l) { return linkTitle(cluster, l); });
    // Room for the chosen name; the list never narrows again, which would move the picture with every view.
    const int most = fontMetrics().averageCharWidth() * 42;
    m_list->setFixedWidth(std::max(m_list->width(), std::min(wanted, most)));
    m_formArea->setFixedWidth(m_list->width());
}

ParamSchema ViewPanel::optionsOf(const View& view) const {
    std::vector<ParamField> fields = view.options.fields();
    const auto offer = [](ParamField& field, const auto& items) {
        constexpr std::size_t most = 1000; // others are written
        for (std::size_t i = 0; i < std::min(items.size(), most); ++i) field.choices.push_back(items[i].key);
        if (!items.empty()) field.defaultValue = items.front().key; // of which the view is where none is chosen
    };
    for (ParamField& field : fields) {
        if (!run() || !field.open) continue;
        if (field.key == "machine") offer(field, run()->workload().cluster.machines);
        if (field.key == "link") offer(field, run()->workload().cluster.links);
    }
    return ParamSchema(std::move(fields));
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
    const qint64 took = clock.elapsed();
    // What is under way goes on, or nothing would ever be finished of a run that goes on; and there is a pause.
    const bool same = m_work ? m_work->subject == subject : m_later.isActive() && m_shown == subject;
    if (!now.finish || !same) {
        const bool pause = !now.finish && took > shortEnough && !run()->areFoldsBehind();
        take(std::move(now), subject);
        if (pause) m_rest.start(static_cast<int>(pauseShare * static_cast<double>(took)));
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
    const QString why =
        none.isEmpty() ? whyNotOnTimeline(m_workspace.histories(), {viewSubject(*m_view, options(*m_view))}, {}) : none;
    m_addLane->setEnabled(why.isEmpty());
    m_addLane->setToolTip(why.isEmpty() ? tr("Adds the view as a lane of the timeline, on its axis and cursor") : why);
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
    takeView(m_list->currentRow());
}

/// In larger type the list is wider.
void ViewPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    m_list->setProperty("ids", QStringList());
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
