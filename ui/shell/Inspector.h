#pragma once
// The selection in words: Properties (what it is), Now (what it does at the instant shown), Why here? (what a
// policy compared when it decided). Refreshes a few times a second while time moves.
#include "session/Workspace.h"

#include <QTabWidget>

class QLabel;

namespace trainyard {

class Inspector final : public QTabWidget {
    Q_OBJECT
public:
    explicit Inspector(Workspace& workspace, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override; ///< another theme

private:
    QLabel* addPage(const QString& title);
    void refresh();

    Workspace& m_workspace;
    QLabel *m_properties, *m_now, *m_why;
    QTimer m_soon;
};

} // namespace trainyard
