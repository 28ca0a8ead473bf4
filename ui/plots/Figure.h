#pragma once
// One exported figure: a lane's painter with title, axes named with units, legend and provenance around it,
// drawn into any QPainter; and the same data as a table. Used by Render only.
#include "plots/LanePainter.h"

#include <memory>
#include <string>

class QIODevice;

namespace trainyard {

class RunFold;

enum class FigureKind { loss, stragglers, gantt, utilization };

struct FigureSpec {
    FigureKind kind = FigureKind::loss;
    QString fileName; ///< without suffix: "loss", "straggler-strip" …
    QString heading;  ///< "Loss", "Straggler strip" …
};

/// The four figures of a run.
std::vector<FigureSpec> figureSpecs();
std::unique_ptr<LanePainter> figurePainter(FigureKind kind);

/// Draws the whole figure into a rectangle from (0, 0) to (width, height), in pixels at 96 per inch. `title`:
/// of the scenario; `footer`: one line of provenance. `vector`: the device keeps shapes.
void paintFigure(QPainter& painter, QSizeF size, const Theme& theme, const FigureSpec& spec,
                 const RunFold& run, const QString& title, const QString& footer, bool vector);

/// The figure's data, all of it, as CSV rows after `comments` (each already beginning with "# "). Numbers in
/// the C locale with as many digits as they need; times in seconds.
bool writeTable(QIODevice& out, FigureKind kind, const RunFold& run, const QStringList& comments);

} // namespace trainyard
