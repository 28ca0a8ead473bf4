// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A line over a card, a switch or the title of a rack, in which its name is changed. Enter takes the name,
// Escape keeps the old one; without a name the id is shown. One at a time, child of the canvas.
#include "session/ScenarioModel.h"

#include <QLineEdit>

namespace trainyard {

class CanvasView;

class NameEditor final : public QLineEdit {
    Q_OBJECT
public:
    NameEditor(CanvasView& canvas, ScenarioModel& document);

    /// Opens over a machine, switch or rack; false if there is none with this id.
    bool open(const QString& key);
    bool isOpen() const { return isVisible(); }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void place();
    void finish(bool take);

    CanvasView& m_canvas;
    ScenarioModel& m_document;
    QString m_key, m_before;
};

} // namespace trainyard
