// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The cards of a GalleryModel in as many columns as fit, to be chosen by mouse, arrows and Enter, and filtered
// by a text. Used by the start page.
#include <QListView>

class QSortFilterProxyModel;

namespace trainyard {

class GalleryModel;

class Gallery final : public QListView {
    Q_OBJECT
public:
    explicit Gallery(GalleryModel& model, QWidget* parent = nullptr);

    void setFilter(const QString& text);
    /// The current card, or the first: what Enter opens. Empty if there is none.
    QString currentPath() const;
    void selectFirst();

Q_SIGNALS:
    void chosen(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fitColumns();

    QSortFilterProxyModel* m_filtered;
};

} // namespace trainyard
