// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the window has to say, one line over the canvas with its possible answers as buttons; never a box to
// click away. A newer message replaces an older one.
#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;

namespace trainyard {

class MessageBar final : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    struct Answer {
        QString text;
        std::function<void()> act; ///< the message goes away first
    };
    enum class Tone { notice, problem };
    void say(const QString& text, const QList<Answer>& answers = {}, Tone tone = Tone::notice);
    QString text() const;

private:
    QHBoxLayout* m_row;
    QLabel *m_icon, *m_text;
    QList<QWidget*> m_buttons;
};

} // namespace trainyard
