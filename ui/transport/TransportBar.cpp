// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "transport/TransportBar.h"

#include "theme/ActionReason.h"
#include "theme/Icons.h"
#include "theme/Reading.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"
#include "transport/RunUntilDialog.h"
#include "transport/SpeedSlider.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLayout>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace trainyard {

TransportBar::TransportBar(Workspace& workspace, QWidget* parent)
    : QToolBar(tr("Transport"), parent), m_workspace(workspace) {
    setObjectName(QStringLiteral("transport"));
    setMovable(false);
    setIconSize({20, 20});
    addSteps();
    addSeparator();
    m_speed = new SpeedSlider(workspace.playback());
    addWidget(m_speed);
    addSeparator();
    m_clock = new Reading;
    m_clock->setProperty("clock", true); // the style sheet knows how large, projector or not
    m_clock->setAlignment(Qt::AlignCenter);
    m_clock->setToolTip(tr("Simulated time shown: minutes, seconds, milliseconds"));
    m_clock->setAccessibleName(tr("Simulated time"));
    addWidget(m_clock);
    addSeparator();
    addSettings();

    connect(&workspace.playback(), &Playback::changed, this, &TransportBar::refresh);
    connect(&workspace.runs(), &RunModel::runEnded, this, &TransportBar::refresh);
    connect(&workspace, &Workspace::shownChanged, this, &TransportBar::refreshClock);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &TransportBar::refreshSettings);
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes != ScenarioModel::layout) refreshSettings(); // places alone are none of its business
    });
    refresh();
    refreshClock();
    refreshSettings();
}

QAction* TransportBar::add(const char* iconName, const QString& text, const QKeySequence& keys, const QString& help) {
    auto* action = new QAction(*iconName ? icon(iconName) : QIcon(), text, this);
    action->setObjectName(QLatin1String(iconName)); // what its shortcut is kept under
    action->setShortcut(keys);
    setActionHelp(action, help);
    m_actions << action;
    return action;
}

void TransportBar::addSteps() {
    Playback& playback = m_workspace.playback();
    m_restart = add("restart", tr("Restart"), QKeyCombination(Qt::ControlModifier, Qt::Key_R),
                    tr("Runs the scenario again from the beginning"));
    m_start = add("to-start", tr("Go to Start"), Qt::Key_Home, tr("Shows the beginning of the run"));
    m_play = add("play", tr("Play"), Qt::Key_Space, {});
    m_event = add("step-event", tr("Step One Event"), Qt::Key_Period, tr("Continues by one event"));
    m_iteration = add("step-iteration", tr("Step One Iteration"), QKeyCombination(Qt::ControlModifier, Qt::Key_Right),
                      tr("Continues until the next update of a job's parameters"));
    m_decision = add("step-decision", tr("Step One Decision"),
                     QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_Right),
                     tr("Continues until the next decision of a policy"));
    m_end = add("to-end", tr("Run to End"), Qt::Key_End, tr("Computes the rest as fast as possible"));
    addUntil();
    addActions({m_restart, m_start, m_play, m_event, m_iteration, m_decision, m_until, m_end});
    m_steps = {.actions = {m_event, m_iteration, m_decision}, .before = m_until};
    m_toStart = {.actions = {m_start}, .before = m_play};
    m_toCondition = {.actions = {m_until}, .before = m_end};
    m_back = add("undo", tr("Back One Iteration"), Qt::Key_Left, tr("Shows the instant of the previous update"));
    m_forward = add("redo", tr("Forward One Iteration"), Qt::Key_Right, tr("Shows the instant of the next update"));
    m_back->setObjectName(QStringLiteral("back-iteration"));
    m_forward->setObjectName(QStringLiteral("forward-iteration"));
    m_back->setIcon({});
    m_forward->setIcon({});
    connect(m_restart, &QAction::triggered, &m_workspace, &Workspace::restart);
    connect(m_start, &QAction::triggered, &playback, &Playback::toStart);
    connect(m_play, &QAction::triggered, &playback, &Playback::toggle);
    connect(m_event, &QAction::triggered, &playback, [&playback] { playback.step(StepKind::event); });
    connect(m_iteration, &QAction::triggered, &playback, [&playback] { playback.step(StepKind::iteration); });
    connect(m_decision, &QAction::triggered, &playback, [&playback] { playback.step(StepKind::decision); });
    connect(m_end, &QAction::triggered, &playback, &Playback::toEnd);
    connect(m_back, &QAction::triggered, &playback, [&playback] { playback.stepBack(StepKind::iteration); });
    connect(m_forward, &QAction::triggered, &playback, [&playback] { playback.step(StepKind::iteration); });
}

void TransportBar::addUntil() {
    m_until = add("run-until", tr("Run Until…"), QKeyCombination(Qt::ControlModifier, Qt::Key_U),
                  tr("Run to a time or condition, then pause"));
    m_again = add("", tr("Run Until Again"), QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_U),
                  tr("Runs to the next instant at which the last condition holds"));
    m_until->setObjectName(QStringLiteral("until"));
    m_again->setObjectName(QStringLiteral("until-again"));
    connect(m_until, &QAction::triggered, this, [this] {
        if (!m_asks) m_asks = new RunUntilDialog(m_workspace, window());
        m_asks->show();
        m_asks->raise();
        m_asks->activateWindow();
    });
    connect(m_again, &QAction::triggered, this, [this] { m_workspace.playback().runUntil(*m_lastUntil); });
    connect(&m_workspace.playback(), &Playback::changed, this, [this] {
        if (const Breakpoint* now = m_workspace.playback().waitingFor()) m_lastUntil = *now;
    });
    connect(&m_workspace.playback(), &Playback::untilOver, this, [this](const Breakpoint& until) {
        m_lastUntil = until;
        refresh();
    });
    connect(&m_workspace.document(), &ScenarioModel::documentReplaced, this,
            [this] { m_lastUntil.reset(); }); // its job was another one
}

void TransportBar::addSettings() {
    m_mode = new QComboBox;
    m_mode->addItem(tr("simulate"));
    m_mode->addItem(tr("execute"));
    m_mode->setAccessibleName(tr("Mode"));
    m_mode->setToolTip(
        tr("<b>Mode</b><br>simulate: virtual time, real gradients, the same result for the same seed.<br>"
           "execute: real time; every worker and server is a thread, with real messages and real races."));
    connect(m_mode, &QComboBox::activated, this,
            [this](int index) { m_workspace.document().setMode(index == 1 ? RunMode::execute : RunMode::simulate); });
    addWidget(m_mode);
    m_seedCaption = new QLabel(tr("Seed"));
    m_seedCaption->setProperty("muted", true);
    m_seedCaption->setContentsMargins(10, 0, 4, 0);
    m_captionAction = addWidget(m_seedCaption);
    m_seed = new QSpinBox;
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setAccelerated(true);
    takeScale();
    m_seed->setKeyboardTracking(false);
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("<b>Seed</b>, 0 to 2,147,483,647<br>Everything random in a run comes from this number.<br>"
                          "What this changes: arrivals, delays and data order; the same seed gives the same run."));
    connect(m_seed, &QSpinBox::valueChanged, this,
            [this](int seed) { m_workspace.document().setSeed(static_cast<std::uint64_t>(seed)); });
    addWidget(m_seed);
}

void TransportBar::takeScale() { m_seed->setFixedWidth(Theme::scaled(76)); }

void TransportBar::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (m_seed && (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)) takeScale();
}

bool TransportBar::event(QEvent* event) {
    const bool handled = QToolBar::event(event);
    if (m_seed && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)) fit();
    return handled;
}

void TransportBar::lead(const QList<QAction*>& actions) {
    QAction* first = this->actions().first();
    insertActions(first, actions);
    m_leading = {.actions = actions + QList<QAction*>{insertSeparator(first)}, .before = first};
}

int TransportBar::widthOf(Removable& group) const {
    if (!group.shown) return group.width;
    group.width = 0;
    for (QAction* action : group.actions)
        if (const QWidget* widget = widgetForAction(action))
            group.width += widget->sizeHint().width() + layout()->spacing();
    return group.width;
}

void TransportBar::show(Removable& group, bool on) {
    group.shown = on;
    if (on) return insertActions(group.before, group.actions);
    for (QAction* action : group.actions) removeAction(action);
}

/// A narrow bar leaves out, one after the other, what tooltips say, half of the slider, and what menus have, steps last, so
/// that mode and seed stay in sight.
void TransportBar::fit() {
    struct Part {
        int width;
        bool shown;
        std::function<void(bool)> show;
    };
    const auto ofBar = [this](const QWidget* widget) {
        return std::max(widget->sizeHint().width(), widget->minimumWidth()) + layout()->spacing();
    };
    const std::array<Part, 7> parts{
        {{ofBar(m_seedCaption), m_captionAction->isVisible(), [this](bool on) { m_captionAction->setVisible(on); }},
         {m_speed->captionWidth(), m_speed->captionShown(), [this](bool on) { m_speed->setCaptionShown(on); }},
         {SpeedSlider::shortensBy(), !m_speed->isShort(), [this](bool on) { m_speed->setShort(!on); }},
         {widthOf(m_leading), m_leading.shown, [this](bool on) { show(m_leading, on); }},
         {widthOf(m_toCondition), m_toCondition.shown, [this](bool on) { show(m_toCondition, on); }},
         {widthOf(m_toStart), m_toStart.shown, [this](bool on) { show(m_toStart, on); }},
         {widthOf(m_steps), m_steps.shown, [this](bool on) { show(m_steps, on); }}}};
    m_steps.before = m_toCondition.shown ? m_until : m_end;
    int needed = sizeHint().width();
    for (const Part& part : parts) needed += part.shown ? 0 : part.width;
    for (const Part& part : parts) {
        constexpr int slack = 8; // what just fits does not come and go with every digit
        const bool fits = needed + (part.shown ? 0 : slack) <= width();
        if (part.shown != fits) part.show(fits);
        needed -= fits ? 0 : part.width;
    }
}

QString TransportBar::clock() const { return m_clock->text(); }

void TransportBar::refresh() {
    const Playback& playback = m_workspace.playback();
    const bool playing = playback.isPlaying();
    m_play->setText(playing ? tr("Pause") : tr("Play"));
    m_play->setIcon(icon(playing ? "pause" : "play"));
    setActionHelp(m_play, playing ? tr("Pauses") : tr("Plays from here"));
    const auto enable = setActionAvailable;
    enable(m_restart, m_workspace.document().scenario().cluster.machines.empty() ? tr("There is no cluster to run on")
                                                                                 : m_workspace.whyNotRun());
    const bool live = !m_workspace.axis().cursor();
    enable(m_play, playing && live ? playback.whyNotStep() : playing ? QString() : playback.whyNotPlay());
    for (QAction* step : {m_event, m_iteration, m_decision, m_forward, m_end}) enable(step, playback.whyNotStep());
    enable(m_until, playback.whyNotPlay());
    enable(m_again, !m_lastUntil ? tr("No condition has been set yet: see Run Until") : playback.whyNotPlay());
    for (QAction* back : {m_start, m_back}) enable(back, playback.whyNotBack());
}

void TransportBar::refreshClock() {
    m_clock->setReading(clockText(m_workspace.shownTime()));
    // Leaving the very start makes going back possible.
    if (m_start->isEnabled() == (m_workspace.shownTime() == SimTime{})) refresh();
}

void TransportBar::refreshSettings() {
    const QSignalBlocker quiet(m_seed);
    m_mode->setCurrentIndex(m_workspace.document().scenario().mode == RunMode::execute ? 1 : 0);
    m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(m_workspace.document().scenario().seed, 2147483647)));
    refresh();
}

} // namespace trainyard
