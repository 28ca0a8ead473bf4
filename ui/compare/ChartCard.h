// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A chart of a comparison on the page, with its menu: save it, copy it. The pointer or the arrow keys tell a point's value; a click or
// Enter chooses it, where that means something.
#include "compare/ComparisonChart.h"

#include <QPixmap>
#include <QWidget>

class QMenu;
class QToolButton;

namespace trainyard {

class ChartCard final : public QWidget {
    Q_OBJECT
public:
    explicit ChartCard(QWidget* parent = nullptr);
    ~ChartCard() override;

    void show(std::shared_ptr<const Chart> chart, const QString& title);
    const std::shared_ptr<const Chart>& chart() const { return m_chart; }
    const QString& title() const { return m_title; }
    QMenu& menu() { return *m_menu; }
    /// As last drawn, for tests.
    const ComparisonChart* drawn() const { return m_drawn.get(); }
    QString told() const { return m_told; }

Q_SIGNALS:
    void elementChosen(std::size_t series, std::size_t element);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    void draw();
    QRectF inner() const;
    int nearest(QPointF at) const;
    bool isOwnKey(int key) const;
    QString words(std::size_t mark) const;

    std::shared_ptr<const Chart> m_chart;
    QString m_title, m_told;
    std::unique_ptr<ComparisonChart> m_drawn;
    ComparisonLook m_look;
    QPixmap m_picture;
    int m_mark = -1;
    QToolButton* m_button;
    QMenu* m_menu;
};

} // namespace trainyard
