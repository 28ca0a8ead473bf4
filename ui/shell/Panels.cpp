// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/Panels.h"

#include "shell/FocusOrder.h"
#include "theme/Theme.h"

#include <QApplication>
#include <QEvent>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QStyleOptionDockWidget>
#include <QStylePainter>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace panels {
constexpr int version = 6;                 // of the remembered docks: raise it when docks change
constexpr int usual = 288;                 // pixels of width, of a form
constexpr const char* inFront = "inFront"; // of a dock: what it was before the last click
constexpr const char* tornOff = "tornOff"; // of a dock: a window of its own for want of room
/// One that filled the screen does so again: it does not where it asked for more than there is.
void restoreSize(QMainWindow& window, const QSize& size, Qt::WindowStates state) {
    if (state & (Qt::WindowMaximized | Qt::WindowFullScreen))
        window.setWindowState(state);
    else if (size.isValid())
        window.resize(size);
}
QString layoutSetting(const QString& name) {
    return QStringLiteral("layouts/") + QString::fromLatin1(name.toUtf8().toPercentEncoding());
}
/// Of a panel's own memory in a named layout, and in the layout the window was left with.
QString memorySetting(const QString& panel, const QString& layout) {
    return QStringLiteral("%1-%2").arg(panel, layoutSetting(layout));
}
QString memorySetting(const QString& panel) { return QStringLiteral("window/") + panel; }

/// Torn off it is a window of its own, with its own round of Tab.
class Panel final : public QDockWidget {
public:
    using QDockWidget::QDockWidget;

private:
    /// Qt keeps the title's font from the beginning; a projector has a larger one.
    void paintEvent(QPaintEvent* event) override {
        QDockWidget::paintEvent(event);
        if (titleBarWidget()) return;
        QStyleOptionDockWidget title;
        initStyleOption(&title);
        title.fontMetrics = fontMetrics();
        QStylePainter(this).drawControl(QStyle::CE_DockWidgetTitle, title);
    }
    bool focusNextPrevChild(bool next) override {
        return isFloating() ? tabThrough({this}, next) : QDockWidget::focusNextPrevChild(next);
    }
};
} // namespace panels

Panels::Panels(QMainWindow& window) : QObject(&window), m_window(window) {
    window.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    window.installEventFilter(this);
}

QDockWidget* Panels::add(const char* id, const QString& title, QWidget* content, Qt::DockWidgetArea area,
                         bool shownAtFirst, QDockWidget* behind) {
    auto* dock = new panels::Panel(title, &m_window);
    dock->setObjectName(QLatin1String(id));
    dock->setWidget(content);
    m_window.addDockWidget(area, dock);
    if (behind) m_window.tabifyDockWidget(behind, dock);
    m_docks << dock;
    if (!shownAtFirst) {
        m_hiddenAtFirst << dock;
        dock->hide();
    }
    // A panel behind another of its group is still visible to Qt: without this it would go on computing and
    // painting.
    QSizePolicy size = content->sizePolicy();
    size.setRetainSizeWhenHidden(true); // the group is as large as its largest panel, whichever is in front
    content->setSizePolicy(size);
    connect(dock, &QDockWidget::visibilityChanged, content, &QWidget::setVisible);
    for (auto moved : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
        connect(dock, moved, this, &Panels::tidyTitles, Qt::QueuedConnection);
    dock->toggleViewAction()->installEventFilter(this);
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool shown) {
        if (isAside()) {
            Q_EMIT wanted();
            dock->setVisible(shown);
        }
        // Asked for behind another tab of its place, it comes to the front; only what is seen goes away.
        if (!shown && !dock->property(panels::inFront).toBool()) dock->show();
        if (!dock->isHidden()) dock->raise();
    });
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool visible) {
        if (visible) makeRoomFor(dock);
    });
    connect(
        dock, &QDockWidget::visibilityChanged, this,
        [dock](bool visible) { dock->setProperty(panels::inFront, visible); }, Qt::QueuedConnection);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Panels::tidyTitles, Qt::QueuedConnection);
    return dock;
}

QDockWidget* Panels::find(const QString& id) const {
    for (QDockWidget* dock : m_docks)
        if (dock->objectName() == id) return dock;
    return nullptr;
}

void Panels::show(const QString& id) {
    QDockWidget* dock = find(id);
    if (!dock) return;
    if (isAside()) Q_EMIT wanted();
    makeRoomFor(dock);
    dock->show();
    dock->raise();
}

void Panels::open(const QString& id) {
    show(id);
    if (QDockWidget* dock = find(id)) focusPart(*dock);
}

void Panels::setAside(bool aside) {
    if (aside == isAside()) return;
    if (aside) {
        m_aside = snapshot();
        for (QDockWidget* dock : m_docks) dock->hide();
        return;
    }
    bringBack(*std::exchange(m_aside, std::nullopt));
    if (!std::exchange(m_hasSizes, true)) QTimer::singleShot(0, this, &Panels::shareSpace);
    QTimer::singleShot(0, this, &Panels::followScale);
}

Panels::Aside Panels::snapshot() const {
    Aside now{m_window.saveState(panels::version), {}};
    for (QDockWidget* dock : m_docks)
        if (!dock->isHidden()) now.shown << dock;
    return now;
}

void Panels::bringBack(const Aside& before) {
    m_window.restoreState(before.state, panels::version);
    for (QDockWidget* dock : m_docks) dock->setVisible(before.shown.contains(dock));
}

/// A projector has a layout of its own, without forms at the left and at the right: the cluster and the lanes take all of the
/// width, in large type. A panel's key brings it back. The usual layout comes back as it was.
void Panels::followScale() {
    if (isAside() || Theme::scale() == m_scale) return;
    m_scale = Theme::scale();
    const QSize usual = m_size;
    const Qt::WindowStates state = m_state;
    constexpr int low = 720; // of a screen, in pixels: what is shown needs the place of the status line
    m_window.statusBar()->setVisible(m_scale == 1 || m_window.screen()->availableSize().height() >= low);
    if (m_scale > 1) {
        if (!m_projected) m_projected = snapshot();
        const QDockWidget* focused = withFocus();
        for (QDockWidget* dock : m_docks)
            if (m_window.dockWidgetArea(dock) != Qt::BottomDockWidgetArea) dock->hide();
        if (focused && focused->isHidden()) Q_EMIT focusedHidden();
        if (areViewsBeside() && !hasRoomBeside()) setViewsBeside(false);
        shareSpace();
        // In large type what is hidden by now asked for more room than there was.
        QTimer::singleShot(0, this, [this, usual, state] {
            if (m_projected) panels::restoreSize(m_window, usual, state);
        });
    } else if (m_scale == 1 && m_projected) {
        const Aside before = *std::exchange(m_projected, std::nullopt);
        bringBack(before);
        // Once more when the smaller type is laid out: until then its panels ask for more than they need.
        QTimer::singleShot(0, this, [this, before, usual, state] {
            m_window.restoreState(before.state, panels::version);
            panels::restoreSize(m_window, usual, state);
        });
    } else {
        shareSpace();
    }
}

const QDockWidget* Panels::withFocus() const {
    const QWidget* focus = QApplication::focusWidget();
    const auto it = std::ranges::find_if(m_docks, [&](const QDockWidget* dock) { return dock->isAncestorOf(focus); });
    return it == m_docks.end() ? nullptr : *it;
}

/// On a projector forms are so large that a screen holds one of them beside the cluster; where it does not, the form is a
/// window of its own.
void Panels::makeRoomFor(QDockWidget* shown) {
    const auto isForm = [this](QDockWidget* dock) {
        return dock->isFloating() ? dock->property(panels::tornOff).toBool()
                                  : m_window.dockWidgetArea(dock) != Qt::BottomDockWidgetArea;
    };
    if (!m_projected || isAside() || Theme::scale() == 1 || !isForm(shown)) return;
    for (QDockWidget* dock : m_docks)
        if (dock != shown && isForm(dock)) dock->hide();
    if (shown->isFloating()) return;
    constexpr int between = 8, roomy = 700; // pixels; of height
    const int wanted = m_window.centralWidget()->minimumSizeHint().width() + between + shown->minimumSizeHint().width();
    if (wanted <= m_window.width() && m_window.height() >= roomy) return;
    shown->setProperty(panels::tornOff, true);
    shown->setFloating(true);
    QTimer::singleShot(0, shown, [this, shown] { // laid out in large type it may be wider
        const QRect screen = m_window.screen()->availableGeometry();
        const int wide =
            std::max(shown->minimumSizeHint().width(), scaled(panels::usual)); // forms scroll only downwards
        shown->resize(std::min(wide, screen.width() - 2 * between), m_window.height() * 2 / 3);
        const int right = std::min(m_window.geometry().right(), screen.right());
        shown->move(right - shown->width() - 2 * between, m_window.geometry().top() + m_window.height() / 6);
    });
}

QByteArray Panels::state() const {
    if (m_projected) return m_projected->state;
    return m_aside ? m_aside->state : m_window.saveState(panels::version);
}

void Panels::begin() {
    tidyTitles();
    m_firstLayout = m_window.saveState(panels::version);
    for (auto& [id, memory] : m_memories) memory.second = memory.first.save();
}

/// Behind a tab the tab is the title: dragging it out brings the title bar back.
void Panels::tidyTitles() {
    for (QDockWidget* dock : m_docks) {
        const auto behind = m_window.tabifiedDockWidgets(dock);
        const bool tabbed = !dock->isFloating() && std::any_of(behind.begin(), behind.end(), [](auto* other) {
            return !other->isHidden(); // hidden ones share the place, but have no tab
        });
        if (tabbed == (dock->titleBarWidget() != nullptr)) continue;
        QWidget* old = dock->titleBarWidget();
        dock->setTitleBarWidget(tabbed ? new QWidget : nullptr);
        delete old;
    }
}

/// Lanes need height; the canvas has the rest.
void Panels::shareSpace() {
    if (isAside()) { // the window opened on another place
        m_hasSizes = false;
        return;
    }
    const auto docks = [this](std::initializer_list<const char*> ids) {
        QList<QDockWidget*> found;
        for (const char* id : ids)
            if (QDockWidget* dock = find(QLatin1String(id))) found << dock;
        return found;
    };
    m_window.resizeDocks(docks({"policies", "inspector"}), {scaled(264), scaled(panels::usual)}, Qt::Horizontal);
    m_window.resizeDocks(docks({"lanes"}), {timelineHeight()}, Qt::Vertical);
    if (areViewsBeside())
        m_window.resizeDocks(docks({"lanes", "views"}), {m_window.width() / 2, m_window.width() / 2}, Qt::Horizontal);
}

int Panels::scaled(int pixels) const { return static_cast<int>(pixels * m_scale); }

/// Nearly half of the window; more where the cluster does not need so much. In large type fewer lanes show more.
int Panels::timelineHeight() const {
    constexpr int threeLanes = 252, high = 700;     // in large type; of a window that has the room for them, pixels
    const int more = (m_window.height() - 768) / 2; // canvas and lanes share what a larger screen adds
    if (m_scale > 1) return std::clamp(threeLanes + more, m_window.height() < high ? 220 : threeLanes, scaled(560));
    const int share = std::clamp(m_window.height() * 9 / 20, 220, 560);
    QDockWidget* lanes = find(QStringLiteral("lanes"));
    if (!m_centreHeight || !lanes) return share;
    int width = m_window.width();
    for (const auto& [id, usual] : {std::pair("policies", 264), std::pair("inspector", 288)})
        if (!find(QLatin1String(id))->isHidden()) width -= usual;
    constexpr int around = 200, forms = 280; // bars above and below, and titles; scheduler and synchronization in sight
    const int spare = m_window.height() - around - std::max(m_centreHeight(width), forms);
    return std::clamp(spare, share, std::max(share, m_window.height() * 11 / 20));
}

bool Panels::areViewsBeside() const {
    QDockWidget* views = find(QStringLiteral("views"));
    return views && !views->isHidden() && !views->isFloating() &&
           m_window.dockWidgetArea(views) == Qt::BottomDockWidgetArea &&
           !m_window.tabifiedDockWidgets(views).contains(find(QStringLiteral("lanes")));
}

/// No window is wider than its screen: where the two are too wide side by side, they are tabs.
bool Panels::hasRoomBeside() const {
    QDockWidget* views = find(QStringLiteral("views"));
    int widest = 0;
    for (QDockWidget* dock : m_docks)
        if (dock != views && !dock->isHidden() && m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
            widest = std::max(widest, dock->minimumSizeHint().width());
    constexpr int between = 8, readable = 560; // pixels of each
    return std::max(widest + between + views->minimumSizeHint().width(), 2 * scaled(readable)) <= m_window.width();
}

void Panels::setViewsBeside(bool beside) {
    QDockWidget *views = find(QStringLiteral("views")), *lanes = find(QStringLiteral("lanes"));
    if (isAside()) Q_EMIT wanted();
    views->setFloating(false);
    if (beside && hasRoomBeside())
        m_window.addDockWidget(Qt::BottomDockWidgetArea, views, Qt::Horizontal);
    else
        m_window.tabifyDockWidget(lanes, views);
    for (QDockWidget* dock : {views, lanes}) show(dock->objectName());
    shareSpace();
    tidyTitles();
}

bool Panels::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Shortcut && watched != &m_window) { // only its line in the menu hides a panel
        for (QDockWidget* dock : m_docks)
            if (dock->toggleViewAction() == watched) open(dock->objectName());
        return true;
    }
    if (watched != &m_window) return false;
    // Sizes mean something only once the window has its own.
    if (event->type() == QEvent::Show && !isAside() && !std::exchange(m_hasSizes, true))
        QTimer::singleShot(0, this, &Panels::shareSpace);
    const bool isResized = event->type() == QEvent::Resize || event->type() == QEvent::WindowStateChange;
    if (isResized && Theme::scale() == m_scale) {
        m_size = m_window.size();
        m_state = m_window.windowState();
    }
    // The type has just grown; sizes are still those of before.
    if (event->type() == QEvent::FontChange && !isAside() && m_hasSizes && Theme::scale() > 1 && m_scale == 1 &&
        !m_projected)
        m_projected = snapshot();
    if (event->type() == QEvent::Show || event->type() == QEvent::FontChange)
        QTimer::singleShot(0, this, &Panels::followScale);
    return false;
}

void Panels::arrange(Preset preset) {
    if (isAside()) Q_EMIT wanted();
    m_projected.reset();
    m_scale = 1;
    const QDockWidget* focused = withFocus();
    m_window.restoreState(m_firstLayout, panels::version);
    const auto isShown = [&](const QDockWidget* dock) {
        const bool isForm = m_window.dockWidgetArea(const_cast<QDockWidget*>(dock)) != Qt::BottomDockWidgetArea;
        if (m_hiddenAtFirst.contains(dock) || (isForm && preset == Preset::teach)) return false;
        return preset != Preset::tune || dock->objectName() != QLatin1String("inspector");
    };
    for (QDockWidget* dock : m_docks) dock->setVisible(isShown(dock));
    if (focused && focused->isHidden()) Q_EMIT focusedHidden();
    if (preset != Preset::teach) show(QStringLiteral("policies"));
    if (preset == Preset::tune)
        m_window.tabifyDockWidget(find(QStringLiteral("views")), find(QStringLiteral("metrics")));
    if (preset == Preset::usual)
        shareSpace();
    else
        setViewsBeside(true);
    followScale();
    show(QStringLiteral("lanes"));
}

void Panels::reset() {
    arrange(Preset::usual);
    for (auto& [id, memory] : m_memories) memory.first.restore(memory.second);
    show(QStringLiteral("lanes"));
}

void Panels::restore() {
    if (isAside()) Q_EMIT wanted();
    const QSettings settings;
    if (!m_window.restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray())) openFitting();
    const QByteArray docks = settings.value(QStringLiteral("window/docks")).toByteArray();
    m_hasSizes = m_window.restoreState(docks, panels::version);
    for (auto& [id, memory] : m_memories) memory.first.restore(settings.value(panels::memorySetting(id)).toByteArray());
}

/// Whole on the screen with its frame: most of a large one, all of a small one.
void Panels::openFitting() {
    const QSize room = m_window.screen()->availableSize();
    constexpr QSize roomy(1500, 900), frame(16, 48), largest(1720, 1040);
    if (room.width() < roomy.width() || room.height() < roomy.height()) {
        m_window.resize(room - frame); // if it does not stay maximized
        m_window.setWindowState(m_window.windowState() | Qt::WindowMaximized);
    } else {
        m_window.resize((room * 0.9).boundedTo(largest));
    }
}

void Panels::remember() {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), m_window.saveGeometry());
    settings.setValue(QStringLiteral("window/docks"), state());
    for (auto& [id, memory] : m_memories) settings.setValue(panels::memorySetting(id), memory.first.save());
}

QStringList Panels::layouts() const {
    QSettings settings;
    settings.beginGroup(QStringLiteral("layouts"));
    QStringList names;
    for (const QString& key : settings.childKeys())
        names << QString::fromUtf8(QByteArray::fromPercentEncoding(key.toLatin1()));
    return names;
}

void Panels::keepLayout(const QString& name) {
    QSettings settings;
    settings.setValue(panels::layoutSetting(name), state());
    for (auto& [id, memory] : m_memories) settings.setValue(panels::memorySetting(id, name), memory.first.save());
}

void Panels::useLayout(const QString& name) {
    if (isAside()) Q_EMIT wanted();
    const QSettings settings;
    m_window.restoreState(settings.value(panels::layoutSetting(name)).toByteArray(), panels::version);
    for (auto& [id, memory] : m_memories)
        memory.first.restore(settings.value(panels::memorySetting(id, name)).toByteArray());
}

void Panels::forgetLayout(const QString& name) {
    QSettings settings;
    settings.remove(panels::layoutSetting(name));
    for (auto& [id, memory] : m_memories) settings.remove(panels::memorySetting(id, name));
}

} // namespace trainyard
