// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The docks of the main window: made once, shown by name, put back to how they were on the first day, kept
// under names. Owned by the main window.
#include <QDockWidget>
#include <QObject>

#include <functional>
#include <map>
#include <optional>

class QMainWindow;

namespace trainyard {

class Panels final : public QObject {
    Q_OBJECT
public:
    explicit Panels(QMainWindow& window);

    /// `id`: stable, what settings remember. With `behind`, it shares that panel's place as a tab.
    QDockWidget* add(const char* id, const QString& title, QWidget* content, Qt::DockWidgetArea area,
                     bool shownAtFirst = true, QDockWidget* behind = nullptr);
    const QList<QDockWidget*>& all() const { return m_docks; }
    QDockWidget* find(const QString& id) const;
    /// Shows it and brings it to the front of its tabs.
    void show(const QString& id);
    void open(const QString& id); ///< and gives it the keyboard
    /// What a panel's content remembers by itself, kept together with the docks.
    struct Memory {
        std::function<QByteArray()> save;
        std::function<void(const QByteArray&)> restore;
    };
    void setMemory(const QString& id, Memory memory) { m_memories[id] = {std::move(memory), {}}; }
    /// How high the centre wants to be, in pixels, at a width; the timeline gets what is left.
    void setCentreHeight(std::function<int(int width)> height) { m_centreHeight = std::move(height); }
    /// To be called once, when all panels are there.
    void begin();

    /// Out of the way while the window shows something else; they come back as they were.
    void setAside(bool aside);
    bool isAside() const { return m_aside.has_value(); }

    /// Layouts for a purpose. `teach`: cluster, timeline and a view beside it, no forms; `tune`: policies, the timeline, and views and
    /// metrics beside it; `usual`: that of the first day.
    enum class Preset { usual, teach, tune };
    void arrange(Preset preset);
    /// Views stand beside the timeline, or behind it as a tab.
    void setViewsBeside(bool beside);
    bool areViewsBeside() const;
    void reset();                ///< the usual layout, and what panels show as on the first day
    void restore();              ///< as left; the first layout if nothing is remembered
    void remember();             ///< for the next start
    QStringList layouts() const; ///< names under which layouts are kept
    void keepLayout(const QString& name);
    void useLayout(const QString& name);
    void forgetLayout(const QString& name);

Q_SIGNALS:
    void wanted();        ///< a panel was asked for while they are set aside: whoever did that brings them back
    void focusedHidden(); ///< a layout hides the panel that has the keyboard

private:
    struct Aside {
        QByteArray state;
        QList<QDockWidget*> shown;
    };
    Aside snapshot() const;
    const QDockWidget* withFocus() const;
    void bringBack(const Aside& before);
    QByteArray state() const;
    void followScale();
    void makeRoomFor(QDockWidget* shown);
    bool eventFilter(QObject* watched, QEvent* event) override;
    void tidyTitles();
    void openFitting(); ///< where no size is remembered
    void shareSpace();
    int scaled(int pixels) const;
    int timelineHeight() const;
    bool hasRoomBeside() const;

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks, m_hiddenAtFirst;
    QByteArray m_firstLayout;
    std::map<QString, std::pair<Memory, QByteArray>> m_memories; ///< by panel, with what it held on the first day
    std::function<int(int width)> m_centreHeight;
    std::optional<Aside> m_aside;
    std::optional<Aside> m_projected; ///< the layout that the projector's has replaced
    double m_scale = 1;               ///< of type, when space was last shared out
    QSize m_size;                     ///< of the window, in that type
    Qt::WindowStates m_state;
    bool m_hasSizes = false; ///< remembered, or given at the first showing
};

} // namespace trainyard
