// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a trained job learns on and with: the size of its data set, its first samples (digits as pictures),
// how many parameters its model has on it. Data are loaded beside the window; what was loaded last stays at
// hand.
#include "forms/FormPreview.h"

#include <QImage>
#include <QTimer>

class QLabel;

namespace trainyard {

class DataPreview final : public FormPreview {
    Q_OBJECT
public:
    explicit DataPreview(ResourcePaths resources, QWidget* parent = nullptr);
    void show(const Scenario& scenario, EntityRef entity) override;
    QString text() const;
    const QList<QImage>& pictures() const { return m_pictures; }

    struct Summary {
        QString text;
        QStringList rows;       ///< first samples, where they are no pictures
        QList<QImage> pictures; ///< first samples of digits and garments
    };
    /// Loads and describes; called on another thread.
    static Summary summarise(const Choice& dataset, const Choice& model, std::uint64_t seed, const ResourcePaths& paths,
                             double bytesPerParameter);

private:
    void load();
    void take(const Summary& summary);
    bool eventFilter(QObject* watched, QEvent* event) override;

    ResourcePaths m_resources;
    Choice m_dataset, m_model;
    std::uint64_t m_seed = 0;
    double m_bytes = 0;
    bool m_asked = false;
    int m_request = 0;
    QTimer m_soon;
    QList<QImage> m_pictures;
    QWidget* m_strip;
    QLabel* m_text;
};

} // namespace trainyard
