// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where Tab goes: through all controls in the order they are seen, part by part, whatever was made first; and
// F6, from part to part. The order is worked out at each key from what is on the screen, so forms may come
// and go.
#include <QPointer>
#include <QWidget>

#include <vector>

class QMainWindow;

namespace trainyard {

/// The controls in `root` that Tab stops at: each container's rows from top to bottom, each row from left to
/// right. `root` itself comes first if it is one.
std::vector<QWidget*> tabStops(QWidget& root);

/// The parts of a window as they are seen: tool bars, panels on the left with their tabs, the middle, panels
/// on the right, panels at the bottom, the status bar, what lies over them.
std::vector<QWidget*> partsOf(QMainWindow& window);

/// Gives the keyboard to the control after (or before) the one that has it, round the parts. False if there
/// is none.
bool tabThrough(const std::vector<QWidget*>& parts, bool next);
/// To the next (or previous) part: the control there that had the keyboard last, else its first. False if no
/// part has any.
bool tabToPart(const std::vector<QWidget*>& parts, bool next);
/// To the control in it that had the keyboard last, else to its first. False if it has none.
bool focusPart(QWidget& part);

/// Frames what has got the keyboard by a key, where it is large and shows nothing of it by itself: cluster, lanes, lists.
/// Enter presses the button that has it, as Space does.
class FocusFrame final : public QWidget {
    Q_OBJECT
public:
    explicit FocusFrame(QMainWindow& window);
    const QWidget* framed() const { return m_framed; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of all widgets
    void paintEvent(QPaintEvent* event) override;

private:
    void frame(QWidget* widget);
    void place();

    QPointer<QWidget> m_framed;
    bool m_mouse = false; ///< was used last: what tabs get when their page goes is no wish for keys
};

} // namespace trainyard
