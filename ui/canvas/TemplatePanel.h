// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A cluster from a template: shape, numbers with their ranges, how large it becomes, a picture that follows
// the numbers. Replaces the cluster or is put beside it, as one step to undo.
#include "canvas/ClusterTemplate.h"
#include "session/Workspace.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace trainyard {

class CanvasView;
class TemplatePreview;

class TemplatePanel final : public QWidget {
    Q_OBJECT
public:
    TemplatePanel(Workspace& workspace, CanvasView& canvas, QWidget* parent = nullptr);

    void choose(ClusterTemplate::Kind kind);
    QSpinBox* number(std::size_t index) const { return m_numbers[index]; }
    QString sizeText() const;
    QPushButton* replaceButton() const { return m_replace; }
    QPushButton* addButton() const { return m_add; }
    QSize sizeHint() const override { return {260, 520}; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    ClusterTemplate chosen() const;
    std::vector<int> values() const;
    Cluster make() const;
    void showNumbers();
    void refresh();
    void put(bool replace);

    Workspace& m_workspace;
    CanvasView& m_canvas;
    QComboBox* m_kind;
    QFormLayout* m_form;
    std::vector<QSpinBox*> m_numbers;
    QDoubleSpinBox *m_bandwidth, *m_latency;
    QLabel *m_help, *m_size, *m_machines;
    TemplatePreview* m_preview;
    QPushButton *m_replace, *m_add;
};

} // namespace trainyard
