// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/LaneOptions.h"

#include "lanes/Lane.h"
#include "session/ViewSubject.h"
#include "theme/CoreText.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QWidgetAction>

#include <algorithm>
#include <cmath>

namespace trainyard {

LaneOptions::LaneOptions(Lane& lane) : QObject(&lane), m_lane(lane), m_view(*viewOf(*lane.painter().subject()).view) {
    for (const ViewSwitch& declared : m_view.switches) addSwitch(declared, *m_view.options.find(declared.option));
    for (const ParamField& field : m_view.options.fields()) {
        const bool whole = std::ranges::any_of(m_view.switches, [&](const ViewSwitch& declared) {
            return declared.option == field.key && field.choices.size() <= 2;
        });
        if (whole) continue; // the switch says all
        switch (field.type) {
        case ParamType::boolean: addFlag(field); break;
        case ParamType::choice:
            if (!field.open) addChoice(field);
            break;
        case ParamType::integer:
        case ParamType::real:
            if (field.maximum > field.minimum) addSlider(field);
            break;
        case ParamType::file: break;
        }
    }
    connect(&lane, &Lane::inputTaken, this, &LaneOptions::follow);
    follow();
}

QString LaneOptions::help(const ParamField& field, const QString& whyIdle) const {
    return QStringLiteral("<b>%1</b><br>%2")
        .arg(coreText(field.label).toHtmlEscaped(),
             (whyIdle.isEmpty() ? coreText(field.help) : whyIdle).toHtmlEscaped());
}

void LaneOptions::addSwitch(const ViewSwitch& declared, const ParamField& field) {
    const auto* word = std::get_if<std::string>(&declared.on);
    const QString label = coreText(field.label);
    QAction* action = m_lane.addSwitch(coreText(declared.word), word ? tr("%1: %2").arg(label, coreText(*word)) : label,
                                       help(field, {}));
    connect(action, &QAction::triggered, this, [this, declared](bool on) { choose(declared, on); });
    m_follow.push_back([this, action, declared, field](const ParamValues& now) {
        const QString idle = m_view.whyIdle ? coreText(m_view.whyIdle(now, field.key)) : QString();
        if (!declared.shownBy) action->setChecked(now.at(declared.option) == declared.on);
        action->setEnabled(idle.isEmpty());
        action->setToolTip(help(field, idle));
    });
    if (declared.shownBy)
        m_followPicture.push_back(
            [this, action, declared] { action->setChecked(m_lane.painter().shows(m_lane.input(), declared)); });
}

void LaneOptions::addFlag(const ParamField& field) {
    QAction* action = m_lane.menu()->addAction(coreText(field.label));
    action->setToolTip(help(field, {}));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, key = field.key](bool on) { set(key, on); });
    m_follow.push_back(
        [action, key = field.key](const ParamValues& now) { action->setChecked(std::get<bool>(now.at(key))); });
}

void LaneOptions::addChoice(const ParamField& field) {
    QMenu* menu = m_lane.menu()->addMenu(coreText(field.label));
    menu->menuAction()->setToolTip(help(field, {}));
    auto* one = new QActionGroup(menu);
    for (const std::string& word : field.choices) {
        QAction* action = menu->addAction(coreText(word).replace(QLatin1Char('-'), QLatin1Char(' ')));
        action->setCheckable(true);
        one->addAction(action);
        connect(action, &QAction::triggered, this, [this, key = field.key, word] { set(key, word); });
        m_follow.push_back([action, key = field.key, word](const ParamValues& now) {
            if (now.at(key) == ParamValue(word)) action->setChecked(true);
        });
    }
}

void LaneOptions::addSlider(const ParamField& field) {
    const bool whole = field.type == ParamType::integer;
    const double end = field.usual > 0 ? field.usual : field.maximum, range = end - field.minimum;
    const double step = whole ? std::max(1.0, std::ceil(range / 1000)) : range <= 2 ? 0.01 : range / 200;
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(12, 4, 12, 4);
    auto* name = new QLabel(coreText(field.label));
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setRange(0, static_cast<int>(std::lround(range / step)));
    slider->setPageStep(std::max(1, slider->maximum() / 10 + 1));
    slider->setMinimumWidth(110);
    slider->setAccessibleName(coreText(field.label));
    slider->setObjectName(QString::fromStdString(field.key));
    name->setBuddy(slider);
    auto* shown = new QLabel;
    row->addWidget(name);
    row->addWidget(slider, 1);
    row->addWidget(shown);
    line->setToolTip(help(field, {}));
    auto* action = new QWidgetAction(this);
    action->setDefaultWidget(line);
    m_lane.menu()->addAction(action);
    const auto say = [shown, whole](double value) { shown->setText(QLocale::c().toString(value, 'f', whole ? 0 : 2)); };
    say(end);
    shown->setMinimumWidth(shown->sizeHint().width());
    connect(slider, &QSlider::valueChanged, this, [this, field, step, whole](int at) {
        const double value = field.minimum + step * at;
        set(field.key, whole ? ParamValue(static_cast<std::int64_t>(std::lround(value)))
                             : ParamValue(std::round(value * 1e9) / 1e9));
    });
    m_follow.push_back([slider, say, field, step, whole](const ParamValues& now) {
        const QSignalBlocker quiet(slider);
        const ParamValue& given = now.at(field.key);
        const double value = whole ? static_cast<double>(std::get<std::int64_t>(given)) : std::get<double>(given);
        slider->setValue(static_cast<int>(std::lround((value - field.minimum) / step)));
        say(value);
    });
}

ParamValues LaneOptions::values() const { return m_view.options.complete(viewOf(*m_lane.painter().subject()).options); }

void LaneOptions::set(const std::string& key, const ParamValue& value) {
    SubjectView is = viewOf(*m_lane.painter().subject());
    is.options.insert_or_assign(key, value);
    m_followed.clear(); // where nothing changes, the entry that was clicked goes back
    m_lane.setSubject(viewSubject(m_view, is.options, is.job));
    Q_EMIT changed();
}

/// Where the view itself would choose as asked for, it is left to the view.
void LaneOptions::choose(const ViewSwitch& declared, bool on) {
    const ParamValue& usual = m_view.options.find(declared.option)->defaultValue;
    if (declared.shownBy) {
        set(declared.option, usual);
        if (m_lane.painter().shows(m_lane.input(), declared) == on) return;
    }
    set(declared.option, on ? declared.on : declared.off);
}

/// With every frame: what follows from the options alone only where they are others.
void LaneOptions::follow() {
    if (const QString& subject = m_lane.painter().subject()->key; m_followed != subject) {
        m_followed = subject;
        const ParamValues now = values();
        for (const auto& each : m_follow) each(now);
    }
    for (const auto& each : m_followPicture) each();
}

} // namespace trainyard
