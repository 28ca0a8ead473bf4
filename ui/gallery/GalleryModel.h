// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The scenarios that ship with Trainyard, as cards: title, one sentence, what to look for, a picture of the
// cluster. Files are read one at a time when the event loop is idle, pictures are drawn when they are first
// seen and kept, so that the window is there before any of it.
#include "model/Workload.h"
#include "policy/Registry.h"

#include <QAbstractListModel>
#include <QPixmap>
#include <QTimer>

#include <memory>
#include <vector>

namespace trainyard {

class GalleryModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { pathRole = Qt::UserRole, sentenceRole, lookForRole, collectionRole, searchRole };

    /// `folder`: holds the collections "start" and "papers", each a folder of scenario files. Files that are
    /// no scenarios are passed over.
    GalleryModel(std::shared_ptr<const Registry> registry, const QString& folder, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool isReading() const { return m_timer.isActive() && !m_waiting.isEmpty(); }
    /// Null until it is drawn; dataChanged() then tells. Another size or theme draws anew.
    QPixmap picture(const QModelIndex& index, QSize size, double devicePixelRatio) const;

    /// The first sentence of a text, with its full stop.
    static QString firstSentence(const QString& text);

private:
    struct Card {
        QString path, collection, title, sentence, lookFor;
        std::shared_ptr<const Workload> workload; ///< its first jobs, for the picture
        mutable QPixmap picture;
        mutable QString drawnFor;
    };
    void workOn();
    void readNext();
    bool drawNext();

    std::shared_ptr<const Registry> m_registry;
    QList<std::pair<QString, QString>> m_waiting; ///< collection and path
    std::vector<Card> m_cards;
    mutable std::vector<std::size_t> m_toDraw;
    mutable QSize m_size;
    mutable double m_ratio = 1;
    mutable QTimer m_timer;
};

} // namespace trainyard
