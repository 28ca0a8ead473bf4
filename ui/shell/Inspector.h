// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The selection: Properties (the form of what it is), Now (what it does at the instant shown), Why here?
// (what a policy compared when it decided). The last two are refreshed a few times a second while time moves.
#include "session/Workspace.h"

#include <QTabWidget>

class QLabel;
class QSpinBox;

namespace trainyard {

class LinkLabel;
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
    LinkLabel* addPage(const QString& title);
    QWidget* makeKeyLine();
    void refresh();
    void refreshWhy();
    /// Why a key of the selected job is where it is: the job's whose keys are asked for; invalid: none.
    JobId keyedJob() const;
    QString whyKey(JobId job) const;

    Workspace& m_workspace;
    PropertiesPage* m_properties;
    LinkLabel *m_now, *m_why;
    QLabel* m_whyKey;
    QWidget* m_keyLine; ///< of a keyed job: which of its keys
    QSpinBox* m_rank;
    QTimer m_soon;
};

} // namespace trainyard
