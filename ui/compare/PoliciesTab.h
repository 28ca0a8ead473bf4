#pragma once
// Policies over seeds: which are compared on the left, charts and a table of what came out on the right.
#include "session/Workspace.h"

#include <QWidget>

namespace trainyard {

class PoliciesTab final : public QWidget {
    Q_OBJECT
public:
    explicit PoliciesTab(Workspace& workspace, QWidget* parent = nullptr);
};

} // namespace trainyard
