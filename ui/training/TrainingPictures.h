// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The three charts of a training, live: reward, candidates on validation, degrees. The law that is looked at is the one that is trained, or
// one that is chosen. Part of TrainingPage.
#include "export/ChartFile.h"
#include "training/WatchedTraining.h"

#include <QWidget>

#include <array>

class QComboBox;
class QLabel;

namespace trainyard {

class ElidedLabel;
class PictureView;

class TrainingPictures final : public QWidget {
    Q_OBJECT
public:
    explicit TrainingPictures(QWidget* parent = nullptr);

    /// Null: nothing has been trained yet.
    void show(std::shared_ptr<const WatchedTraining> watched);
    enum Which { reward, validation, degrees };
    PictureView& picture(Which which) { return *m_places[which].picture; }
    /// What is drawn there now; without a chart while there is none.
    TitledChart chart(Which which) const;
    QWidget* choice() { return m_choiceBar; } ///< of the law; for the page to place

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Place {
        QLabel* title = nullptr;
        ElidedLabel* meaning = nullptr;
        PictureView* picture = nullptr;
    };
    void fillChoice();
    std::size_t stage() const; ///< that is looked at
    void refresh();
    void put(Which which, const QString& title, Chart chart);

    std::shared_ptr<const WatchedTraining> m_watched;
    std::array<Place, 3> m_places;
    QWidget* m_choiceBar;
    QComboBox* m_choice;
};

} // namespace trainyard
