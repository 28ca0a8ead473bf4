// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What an export will look like, at the width of the panel, painted anew a moment after something changed.
// Does nothing while hidden. Figures and frames of movies derive from it; parts of the export panel.
#include "export/ExportController.h"
#include "session/BackgroundWork.h"

#include <QImage>
#include <QWidget>

class QPicture;

namespace trainyard {

class PreviewPicture : public QWidget {
    Q_OBJECT
public:
    PreviewPicture(ExportController& controller, QSizeF size, const QString& help);

    const QImage& picture() const { return m_image; } ///< null: none yet
    QString emptyText() const { return m_empty; }     ///< why there is none

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void painted();

protected:
    /// Computes the picture of the current run, which has events, beside this thread or at once; ends in
    /// take(), or in done() where there is nothing to take. Not asked again before.
    virtual void compute(const RunData& run) = 0;
    void later();
    void laterWhileItRuns();
    /// The shapes of a picture of this size, in pixels at 96 per inch.
    void take(QSizeF size, const QPicture& shapes);
    void done();
    /// Something changed while it was computed: it will be computed again.
    bool outdated() const { return m_again; }
    /// The run in few words, without its digest, which takes long.
    static QString footer(const RunData& run);

    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    ExportController& m_controller;

private:
    void refresh();

    QImage m_image;
    QSizeF m_size;
    QString m_empty;
    bool m_computing = false, m_again = false;
    QTimer m_soon;
};

} // namespace trainyard
