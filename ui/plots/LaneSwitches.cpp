// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LaneSwitches.h"

#include "plots/CompareMenu.h"
#include "plots/Lane.h"
#include "plots/LossCurves.h"

#include <QAction>
#include <QDataStream>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QSlider>
#include <QWidgetAction>

namespace trainyard {

LaneSwitches::LaneSwitches(Lane& gantt, Lane& loss, RunModel* run, QObject* parent) : QObject(parent) {
    m_byJob = gantt.addSwitch(tr("by job"), tr("A Row per &Job"),
                              tr("A row per job instead of a row per machine: when it waits in the queue, with how "
                                 "many workers it runs, how it ends"));
    m_logarithmic = loss.addSwitch(tr("log"), tr("&Logarithmic Loss Axis"),
                                   tr("Logarithmic loss axis. The default where the loss falls by more than a "
                                      "factor of ten."));
    m_byUpdate = loss.addSwitch(tr("updates"), tr("Against Parameter &Updates"),
                                tr("Loss against parameter updates instead of time"));
    m_lostToWaiting = loss.addSwitch(tr("waiting"), tr("Loss Lost to &Waiting"), QString());
    QMenu* menu = loss.menu();
    const auto add = [&](const QString& text, const QString& help) {
        QAction* action = menu->addAction(text);
        action->setToolTip(help);
        action->setCheckable(true);
        return action;
    };
    m_logarithmicAcross = add(tr("Logarithmic &Horizontal Axis"), tr("Time or updates on a logarithmic scale"));
    m_gradientNorm = add(tr("&Gradient Norm"),
                         tr("Instead of the loss, the Euclidean norm of the gradient applied by the last update "
                            "before each evaluation"));
    addSmoothing(loss);
    if (run) {
        menu->addSeparator();
        menu->addMenu(new CompareMenu(*run, menu));
    }
    for (QAction* action : {m_byJob, m_logarithmic, m_byUpdate, m_lostToWaiting, m_logarithmicAcross, m_gradientNorm})
        connect(action, &QAction::toggled, this, &LaneSwitches::refresh);
    connect(m_logarithmic, &QAction::toggled, this, [this](bool on) {
        if (!m_following) m_chosenLogarithmic = on == m_automaticLogarithmic ? std::nullopt : std::optional(on);
    });
    refresh();
}

void LaneSwitches::follow(const RunFold* run, const RunFold* ghost, bool going) {
    const bool falls = (run && fallsTenfold(*run)) || (ghost && fallsTenfold(*ghost));
    if (falls || !going) setLogarithmic(falls);
}

void LaneSwitches::setLogarithmic(bool automatic) {
    m_automaticLogarithmic = automatic;
    m_following = true;
    m_logarithmic->setChecked(m_chosenLogarithmic.value_or(automatic));
    m_following = false;
}

void LaneSwitches::addSmoothing(Lane& loss) {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(12, 4, 12, 4);
    auto* name = new QLabel(tr("&Smoothing"));
    m_smoothing = new QSlider(Qt::Horizontal);
    m_smoothing->setRange(0, 99);
    m_smoothing->setPageStep(10);
    m_smoothing->setMinimumWidth(110);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setObjectName(QStringLiteral("lossSmoothing"));
    name->setBuddy(m_smoothing);
    m_smoothingValue = new QLabel;
    m_smoothingValue->setMinimumWidth(m_smoothingValue->fontMetrics().horizontalAdvance(QStringLiteral("0.99")));
    row->addWidget(name);
    row->addWidget(m_smoothing, 1);
    row->addWidget(m_smoothingValue);
    line->setToolTip(tr("<b>Smoothing α</b>, 0 to 0.99<br>Exponential moving average: s₁ = y₁, sₙ = α·sₙ₋₁ + (1 "
                        "− α)·yₙ over the evaluations yₙ, restarted after an interruption. The unsmoothed curve "
                        "stays behind it, pale."));
    auto* action = new QWidgetAction(this);
    action->setDefaultWidget(line);
    loss.menu()->addAction(action);
    connect(m_smoothing, &QSlider::valueChanged, this, &LaneSwitches::refresh);
}

void LaneSwitches::refresh() {
    m_smoothingValue->setText(QLocale::c().toString(m_smoothing->value() / 100.0, 'f', 2));
    const QString why = m_byUpdate->isChecked()       ? tr("Not against updates: there the two curves are the same")
                        : m_gradientNorm->isChecked() ? tr("Of the loss only, not of the gradient's norm")
                                                      : QString();
    m_lostToWaiting->setEnabled(why.isEmpty());
    m_lostToWaiting->setToolTip(
        tr("<b>Loss lost to waiting</b><br>%1")
            .arg(why.isEmpty()
                     ? tr("The loss curve of the job in the straggler strip if no worker had waited: each "
                          "evaluation is moved earlier by the time lost to waiting until then (the integral of the "
                          "share of waiting workers). Updates and their order stay the same; busier links and "
                          "servers, other gradients and the time in the queue are ignored.")
                     : why));
    Q_EMIT changed();
}

void LaneSwitches::applyTo(LaneInput& input) const {
    input.byJob = m_byJob->isChecked();
    input.logarithmic = m_logarithmic->isChecked();
    input.logarithmicAcross = m_logarithmicAcross->isChecked();
    input.byUpdate = m_byUpdate->isChecked();
    input.gradientNorm = m_gradientNorm->isChecked();
    input.lostToWaiting = m_lostToWaiting->isChecked() && m_lostToWaiting->isEnabled();
    input.smoothing = m_smoothing->value() / 100.0;
}

void LaneSwitches::save(QDataStream& stream) const {
    for (const QAction* action : {m_byJob, m_byUpdate, m_lostToWaiting, m_logarithmicAcross, m_gradientNorm})
        stream << action->isChecked();
    stream << m_chosenLogarithmic.has_value() << m_chosenLogarithmic.value_or(false);
    stream << static_cast<qint32>(m_smoothing->value());
}

void LaneSwitches::restore(QDataStream& stream) {
    for (QAction* action : {m_byJob, m_byUpdate, m_lostToWaiting, m_logarithmicAcross, m_gradientNorm}) {
        bool checked = false;
        stream >> checked;
        action->setChecked(checked);
    }
    bool chosen = false, logarithmic = false;
    stream >> chosen >> logarithmic;
    m_chosenLogarithmic = chosen ? std::optional(logarithmic) : std::nullopt;
    setLogarithmic(m_automaticLogarithmic);
    qint32 smoothing = 0;
    stream >> smoothing;
    m_smoothing->setValue(smoothing);
}

} // namespace trainyard
