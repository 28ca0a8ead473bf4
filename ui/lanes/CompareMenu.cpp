// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/CompareMenu.h"

#include "session/RunModel.h"

#include <QActionGroup>
#include <QFileDialog>

namespace trainyard {

CompareMenu::CompareMenu(RunModel& run, QWidget* parent) : QMenu(tr("&Compare With"), parent), m_run(run) {
    setToolTipsVisible(true);
    menuAction()->setToolTip(tr("The run whose curves are drawn dashed for comparison"));
    connect(this, &QMenu::aboutToShow, this, &CompareMenu::fill);
    fill();
}

void CompareMenu::fill() {
    clear();
    qDeleteAll(findChildren<QActionGroup*>());
    auto* one = new QActionGroup(this);
    const auto add = [&](const QString& text, bool checked, auto chosen) {
        QAction* action = addAction(text);
        action->setCheckable(true);
        action->setChecked(checked);
        one->addAction(action);
        connect(action, &QAction::triggered, &m_run, chosen);
        return action;
    };
    using Ghost = RunModel::Ghost;
    const auto choice = m_run.ghostChoice();
    add(tr("&None"), choice == Ghost::none, [this] { m_run.compareWith(Ghost::none); });
    add(tr("The Run &Before"), choice == Ghost::before, [this] {
        m_run.compareWith(Ghost::before);
    })->setToolTip(tr("Always the most recent earlier run; changes with every new run"));
    const RunData* ghost = m_run.ghost();
    const auto addRuns = [&](const QString& title, const std::vector<RunData>& runs) {
        if (runs.empty()) return;
        addSection(title);
        for (auto run = runs.rbegin(); run != runs.rend(); ++run) // newest first
            add(tr("Run %1: %2").arg(run->id).arg(QString(run->label).replace(QLatin1Char('&'), QStringLiteral("&&"))),
                choice == Ghost::chosen && ghost && ghost->id == run->id,
                [this, id = run->id] { m_run.compareWith(id); });
    };
    addRuns(tr("Earlier runs"), m_run.earlier());
    addRuns(tr("From records"), m_run.opened());
    addSeparator();
    addAction(tr("&Open a Run Record…"), this, &CompareMenu::openRecord)
        ->setToolTip(tr("A directory written by trainyard-cli run --out"));
}

void CompareMenu::openRecord() {
    const QString directory =
        QFileDialog::getExistingDirectory(parentWidget(), tr("Open a Run Record to Compare With"));
    if (!directory.isEmpty()) m_run.compareWithRecord(directory);
}

} // namespace trainyard
