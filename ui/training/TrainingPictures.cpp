// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/TrainingPictures.h"

#include "charts/PictureView.h"
#include "theme/CoreText.h"
#include "theme/ElidedLabel.h"
#include "theme/Theme.h"
#include "training/TrainingCharts.h"
#include "training/TrainingWords.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

TrainingPictures::TrainingPictures(QWidget* parent)
    : QWidget(parent), m_choiceBar(new QWidget), m_choice(new QComboBox) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    constexpr const char* names[] = {"training-reward", "training-validation", "training-degrees"};
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        Place& place = m_places[i];
        place.title = new QLabel;
        place.title->setProperty("heading", true);
        place.meaning = new ElidedLabel;
        place.meaning->setProperty("muted", true);
        place.picture = new PictureView;
        place.picture->setObjectName(QLatin1String(names[i]));
        auto* line = new QHBoxLayout;
        line->setSpacing(8);
        line->addWidget(place.title);
        line->addWidget(place.meaning, 1);
        column->addLayout(line);
        column->addWidget(place.picture, 1);
    }
    m_choice->setObjectName(QStringLiteral("training-law"));
    m_choice->setAccessibleName(tr("Law that is looked at"));
    m_choice->setToolTip(tr("Which law of deadlines the last two charts are about"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* label = new QLabel(tr("&Law"));
    label->setBuddy(m_choice);
    auto* bar = new QHBoxLayout(m_choiceBar);
    bar->setContentsMargins(0, 0, 0, 0);
    bar->addWidget(label);
    bar->addWidget(m_choice);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &TrainingPictures::refresh);
    refresh();
}

void TrainingPictures::show(std::shared_ptr<const WatchedTraining> watched) {
    if (watched == m_watched) return;
    const auto count = [](const auto& of) { return of ? of->stages.size() : 0; };
    const bool another = count(watched) != count(m_watched) || (watched && m_choice->count() == 0);
    m_watched = std::move(watched);
    if (another) fillChoice();
    refresh();
}

void TrainingPictures::fillChoice() {
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    if (!m_watched) return;
    m_choice->addItem(tr("follow the training"), -1);
    for (std::size_t s = 0; s < m_watched->stages.size(); ++s)
        if (!m_watched->stages[s].law.empty())
            m_choice->addItem(stageInWords(m_watched->stages[s]), static_cast<int>(s));
}

std::size_t TrainingPictures::stage() const {
    const int chosen = m_choice->currentIndex() < 0 ? -1 : m_choice->currentData().toInt();
    const bool there = chosen >= 0 && static_cast<std::size_t>(chosen) < m_watched->stages.size();
    return there ? static_cast<std::size_t>(chosen) : m_watched->stage;
}

void TrainingPictures::put(Which which, const QString& title, Chart chart) {
    Place& place = m_places[which];
    place.title->setText(title);
    place.meaning->setWholeText(coreText(chart.meaning));
    place.picture->setAccessibleName(title);
    const auto* shown = std::get_if<Chart>(&place.picture->picture());
    if (shown && *shown == chart) return;
    place.picture->setPicture(std::make_shared<const Picture>(std::move(chart)));
}

TitledChart TrainingPictures::chart(Which which) const {
    const Place& place = m_places[which];
    const auto* chart = m_watched ? std::get_if<Chart>(&place.picture->picture()) : nullptr;
    return {chart ? std::make_shared<const Chart>(*chart) : nullptr, place.title->text()};
}

void TrainingPictures::refresh() {
    m_choiceBar->setVisible(m_watched != nullptr);
    if (!m_watched || !isVisible()) return; // nobody looks
    const WatchedStage& at = m_watched->stages[stage()];
    put(reward, tr("Reward"), rewardChart(*m_watched));
    put(validation,
        at.rules == GraphRules::faithful ? tr("Validation, faithful rules") : tr("Validation, corrected rules"),
        validationChart(*m_watched, at.task));
    put(degrees, tr("Degrees, %1").arg(stageInWords(at)), degreeChart(*m_watched, stage()));
}

void TrainingPictures::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

} // namespace trainyard
