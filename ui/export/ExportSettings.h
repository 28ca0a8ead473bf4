// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How exports looked last: read when the panel opens, written with every export. Titles are not kept, they
// belong to one run.
#include "export/ExportWork.h"
#include "export/Movie.h"

namespace trainyard {

enum class PrintTheme { print, light, dark };
Theme exportTheme(PrintTheme which);

struct ExportSettings {
    QStringList wanted, unwanted; ///< views that the user ticked, and whose tick was taken away
    QStringList formats = {QStringLiteral("pdf"), QStringLiteral("png")}; ///< for paper and for slides
    QString folder;                                                       ///< empty: the user's documents
    bool millimetres = true;                   ///< sizes are said in mm, else in pixels of the PNG
    QSizeF size = QSizeF(160, 75) * 96 / 25.4; ///< pixels; in mm a column and a half of a journal
    QSizeF chartSize{560, 380};                ///< pixels; of charts that stand alone
    int dotsPerInch = 300;
    PrintTheme theme = PrintTheme::print;
    bool shownRange = false; ///< only the part of the timeline that is seen
    QString unit;
    bool footer = true;
    bool ghost = true; ///< the run compared with is shown, too

    QSize frame = {1280, 800};
    int framesPerSecond = 25;
    QString video = QStringLiteral("mp4");
    PrintTheme frameTheme = PrintTheme::light;
    bool frameGhost = true;

    static ExportSettings remembered();
    void remember() const;
    bool wants(const ExportView& view) const; ///< of others: lanes of the timeline, and the cluster
    ExportOptions charts() const;             ///< without views, texts and instant
};

} // namespace trainyard
