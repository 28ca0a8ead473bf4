#pragma once
// A small picture of a cluster, drawn as the canvas draws it, with its first jobs placed wherever they fit. For
// cards of the gallery.
#include "model/Workload.h"
#include "theme/Theme.h"

#include <QPixmap>

#include <memory>

namespace trainyard {

/// `size` in device-independent pixels. An empty cluster gives the bare ground.
QPixmap thumbnailOf(const std::shared_ptr<const Workload>& workload, const Theme& theme, QSize size, double devicePixelRatio);

} // namespace trainyard
