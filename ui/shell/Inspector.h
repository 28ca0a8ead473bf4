// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The selection: Properties (the form of what it is), Now (what it does at the instant shown), Why here?
// (what a policy compared when it decided). The last two are refreshed a few times a second while time moves.
#include "session/Workspace.h"

#include <QTabWidget>

class QLabel;

namespace trainyard {

class PropertiesPage;

class Inspector final : public QTabWidget {
    Q_OBJECT
public:
    explicit Inspector(Workspace& workspace, QWidget* parent = nullptr);

    PropertiesPage& properties() const { return *m_properties; }
    /// Shows the entity's form with the keyboard in the field.
    void jumpTo(EntityRef entity, const std::string& path);

protected:
    void changeEvent(QEvent* event) override; ///< another theme

private:
    QLabel* addPage(const QString& title);
    void refresh();

    Workspace& m_workspace;
    PropertiesPage* m_properties;
    QLabel *m_now, *m_why;
    QTimer m_soon;
};

} // namespace trainyard
