#pragma once
// The figure as it will be, at the width of the panel, painted anew a moment after something changed. Lanes
// come from the timeline's own fold; tables and the cluster are computed beside the window's thread. Does
// nothing while hidden. Part of the export panel.
#include "export/ExportDesk.h"
#include "session/BackgroundWork.h"

#include <QImage>
#include <QWidget>

namespace trainyard {

class FigureSource;

class FigurePreview final : public QWidget {
    Q_OBJECT
public:
    explicit FigurePreview(ExportDesk& desk, QWidget* parent = nullptr);

    void setFigure(const ExportView& view, const ExportOptions& options);
    /// Title and axis titles of the view's own, as far as known; told when they change.
    const FigureTexts& ownTexts() const { return m_ownTexts; }
    const QImage& picture() const { return m_image; } ///< null: none yet
    QString emptyText() const { return m_empty; }     ///< why there is none

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void ownTextsChanged();
    void painted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void later();
    void refresh();
    void take(FigureSource& source);

    ExportDesk& m_desk;
    ExportView m_view;
    ExportOptions m_options;
    QImage m_image;
    QSizeF m_size = {605, 284}; ///< of the figure
    QString m_empty;
    FigureTexts m_ownTexts;
    bool m_computing = false, m_again = false;
    QTimer m_soon;
    BackgroundWork m_work; ///< last: what it does uses the rest
};

} // namespace trainyard
