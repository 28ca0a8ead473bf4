// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/EditorActions.h"

#include "canvas/CanvasFurniture.h"
#include "lanes/TimelineAction.h"
#include "session/EntityNames.h"
#include "session/NewElements.h"
#include "shell/ActionList.h"
#include "shell/MessageBar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSettings>

namespace trainyard {

EditorActions::EditorActions(Workspace& workspace, CanvasView& canvas, ActionList& actions, MessageBar& messages)
    : QObject(&canvas), m_workspace(workspace), m_canvas(canvas), m_actions(actions),
      m_editor(new CanvasEditor(workspace, canvas)), m_tools(new CanvasTools(*m_editor)),
      m_furniture(new CanvasFurniture(*m_editor, *m_tools)) {
    addEditing();
    addInserting();
    addArranging();
    addViewing();
    connect(m_editor, &CanvasEditor::said, &messages, [&messages](const QString& text, bool problem) {
        messages.say(text, {}, problem ? MessageBar::Tone::problem : MessageBar::Tone::notice);
    });
    connect(m_furniture, &CanvasFurniture::templateRequested, this, &EditorActions::templateRequested);
    connect(m_furniture, &CanvasFurniture::jobRequested, this, &EditorActions::insertJob);
    connect(&m_canvas, &CanvasView::spaceTapped, this, [this] {
        if (QAction* play = m_actions.find(QStringLiteral("run.play")); play && play->isEnabled()) play->trigger();
    });
    connect(&m_canvas, &CanvasView::contextMenuRequested, this, [this](ClusterLayout::Hit hit, QPoint globalPosition) {
        QMenu* menu = contextMenu(hit, globalPosition);
        menu->addSeparator();
        Q_EMIT contextMenuMade(menu);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(globalPosition);
    });
    m_refreshSoon.setSingleShot(true);
    m_refreshSoon.setInterval(30);
    connect(&m_refreshSoon, &QTimer::timeout, this, [this] {
        // What can be done changes with the drop, not on the way there.
        if (m_canvas.isDragging())
            m_refreshSoon.start();
        else
            refresh();
    });
    connect(&workspace.selection(), &Selection::changed, this, &EditorActions::refresh);
    const auto soon = qOverload<>(&QTimer::start);
    connect(&workspace.document(), &ScenarioModel::edited, &m_refreshSoon, soon);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &EditorActions::refresh);
    connect(QGuiApplication::clipboard(), &QClipboard::dataChanged, &m_refreshSoon, soon);
    refresh();
}

EditorActions::~EditorActions() {
    delete m_editor; // with its tools and furniture
}

/// Keys work while the canvas has the focus, so that typing elsewhere draws nothing.
QAction* EditorActions::add(const char* id, const QString& text, const QKeySequence& keys, const QString& help,
                            std::function<void()> act, std::function<QString()> whyNot, const char* icon) {
    QAction* action = m_actions.add({id, text, keys, help, icon}, this, std::move(act));
    action->setShortcutContext(Qt::WidgetShortcut);
    m_canvas.addAction(action);
    if (whyNot) m_entries.push_back({action, std::move(whyNot)});
    return action;
}

void EditorActions::addEditing() {
    CanvasEditor* e = m_editor;
    const auto copies = [e] { return e->whyNotCopy(); };
    add(
        "edit.cut", tr("Cu&t"), QKeySequence::Cut, tr("Moves the selection to the clipboard, as JSON text"),
        [e] { e->cut(); }, copies);
    add(
        "edit.copy", tr("&Copy"), QKeySequence::Copy, tr("Copies the selection, as JSON text"), [e] { e->copy(); },
        copies);
    add(
        "edit.paste", tr("&Paste"), QKeySequence::Paste,
        tr("Pastes part of a scenario from the clipboard at the mouse"), [e] { e->paste(); },
        [e] { return e->whyNotPaste(); });
    add(
        "edit.duplicate", tr("D&uplicate"), QKeyCombination(Qt::ControlModifier, Qt::Key_D),
        tr("Adds a copy of the selection beside it, with its links"), [e] { e->duplicate(); }, copies);
    add(
        "edit.delete", tr("&Delete"), QKeySequence::Delete,
        tr("Removes the selection, its links, and everything in selected racks"), [e] { e->remove(); },
        [e] { return e->whyNotSelection(); });
    add(
        "edit.rename", tr("&Rename"), Qt::Key_F2, tr("Edits the name in place"), [this] { m_tools->rename(); },
        [e] { return e->whyNotRename(); });
    add(
        "edit.select-all", tr("Select &All"), QKeySequence::SelectAll, tr("Selects all machines and switches"),
        [e] { e->selectAll(); }, [e] { return e->whyNotSelectAll(); });
    QAction* find = add(
        "edit.find", tr("&Find…"), QKeySequence::Find, tr("Finds machines, switches and racks by name, id or rack"),
        [this] { m_furniture->search().open(); }, [e] { return e->whyNotSelectAll(); }, "find");
    find->setShortcutContext(Qt::WindowShortcut);
}

void EditorActions::addInserting() {
    CanvasEditor* e = m_editor;
    using Thing = CanvasEditor::Thing;
    add(
        "insert.machine", tr("&Machine"), Qt::Key_M, tr("Adds a machine at the mouse, like the one selected last"),
        [e] { e->addHere(Thing::machine); }, {}, "machine");
    add(
        "insert.switch", tr("&Switch"), Qt::Key_S, tr("Adds a switch at the mouse"),
        [e] { e->addHere(Thing::switchNode); }, {}, "switch");
    add(
        "insert.rack", tr("&Rack"), Qt::Key_R, tr("Adds a rack with one machine at the mouse"),
        [e] { e->addHere(Thing::rack); }, {}, "rack");
    add(
        "insert.link", tr("&Link"), Qt::Key_L,
        tr("Links the selection with its only switch, or with the item selected last"), [e] { e->linkSelected(); },
        [e] { return e->whyNotLink(); }, "link");
    const char* const ids[] = {"insert.trained-job", "insert.analytic-job", "insert.graph-job"};
    for (const JobKindText& kind : jobKinds()) {
        QAction* action = m_actions.add({ids[static_cast<std::size_t>(kind.kind)],
                                         tr("%1: %2").arg(kind.name, kind.sentence),
                                         {},
                                         kind.sentence,
                                         "job"},
                                        this, [this, kind = kind.kind] { insertJob(kind); });
        action->setIconText(kind.name);
    }
    add(
        "insert.template", tr("&Template…"), Qt::Key_T, tr("A whole cluster: star, tree, fat tree, ring, torus"),
        [this] { Q_EMIT templateRequested(); }, {}, "template");
}

void EditorActions::insertJob(JobKind kind) {
    selectEntities(m_workspace, {addJob(m_workspace.document(), kind)});
    Q_EMIT inspectRequested();
}

void EditorActions::addArranging() {
    CanvasEditor* e = m_editor;
    struct Way {
        const char* id;
        QString text, help;
        Alignment alignment;
    };
    const Way ways[] = {{"arrange.left", tr("&Left Edges"), tr("To the leftmost edge"), Alignment::left},
                        {"arrange.centre", tr("&Centres"), tr("Aligns the centres in a column"), Alignment::centre},
                        {"arrange.right", tr("&Right Edges"), tr("To the rightmost edge"), Alignment::right},
                        {"arrange.top", tr("&Top Edges"), tr("To the topmost edge"), Alignment::top},
                        {"arrange.middle", tr("&Middles"), tr("Aligns the centres in a row"), Alignment::middle},
                        {"arrange.bottom", tr("&Bottom Edges"), tr("To the lowest edge"), Alignment::bottom}};
    for (const Way& way : ways)
        add(
            way.id, way.text, {}, way.help, [e, a = way.alignment] { e->align(a); },
            [e] { return e->whyNotArrange(2); });
    add(
        "arrange.across", tr("&Horizontally"), {}, tr("Equal gaps from left to right; the outermost stay"),
        [e] { e->distribute(Qt::Horizontal); }, [e] { return e->whyNotArrange(3); });
    add(
        "arrange.down", tr("&Vertically"), {}, tr("Equal gaps from top to bottom; the outermost stay"),
        [e] { e->distribute(Qt::Vertical); }, [e] { return e->whyNotArrange(3); });
    const auto nudge = [this, e](const char* id, const QString& text, Qt::Key key, int right, int down) {
        add(
            id, text, QKeyCombination(Qt::AltModifier, key), tr("By one step of the grid"),
            [e, right, down] { e->nudge(right, down); }, [e] { return e->whyNotCopy(); });
    };
    nudge("arrange.move-left", tr("&Left"), Qt::Key_Left, -1, 0);
    nudge("arrange.move-right", tr("&Right"), Qt::Key_Right, 1, 0);
    nudge("arrange.move-up", tr("&Up"), Qt::Key_Up, 0, -1);
    nudge("arrange.move-down", tr("&Down"), Qt::Key_Down, 0, 1);
    add(
        "arrange.group", tr("&Group into Rack"), QKeyCombination(Qt::ControlModifier, Qt::Key_G),
        tr("Puts a new rack around the selection"), [e] { e->groupIntoRack(); }, [e] { return e->whyNotGroup(); },
        "rack");
    add(
        "arrange.ungroup", tr("Take &out of Rack"), QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_G),
        tr("Takes the selection out of its rack; a rack left empty is removed"), [e] { e->takeOutOfRack(); },
        [e] { return e->whyNotTakeOut(); });
    add(
        "arrange.lay-out", tr("Lay Out &Automatically"),
        QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_L),
        tr("Discards manual positions of the selection, or of everything"), [e] { e->layOut(); },
        [e] { return e->whyNotLayOut(); });
}

QAction* EditorActions::toggle(const char* id, const QString& text, const QString& help, const QString& setting,
                               std::function<void(bool)> apply) {
    QAction* action = m_actions.add({.id = id, .text = text, .help = help, .checkable = true}, this, [] {});
    action->setChecked(QSettings().value(setting, true).toBool());
    connect(action, &QAction::toggled, this, [apply, setting](bool on) {
        apply(on);
        QSettings().setValue(setting, on);
    });
    apply(action->isChecked());
    return action;
}

void EditorActions::addViewing() {
    toggle("view.snap", tr("&Snap to Grid"), tr("Positions are multiples of 8 pixels"), QStringLiteral("canvas/snap"),
           [this](bool on) { m_canvas.setSnapping(on); });
    toggle("view.minimap", tr("&Minimap"), tr("An overview in the corner while only part of the cluster is visible"),
           QStringLiteral("canvas/minimap"), [this](bool on) { m_furniture->minimap().setWanted(on); });
    toggle("view.tools", tr("&Drawing Tools"),
           tr("Shows the buttons for machine, switch, rack and template, where there is room"),
           QStringLiteral("canvas/tools"), [this](bool on) { m_furniture->setToolsShown(on); });
}

void EditorActions::refresh() {
    for (const Entry& entry : m_entries) ActionList::setAvailable(entry.action, entry.whyNot());
}

// --- Menus
// -----------------------------------------------------------------------------------------------------------

void EditorActions::addTo(QMenu& menu, std::initializer_list<const char*> ids) const {
    for (const char* id : ids) {
        if (QAction* action = *id ? m_actions.find(QLatin1String(id)) : nullptr)
            menu.addAction(action);
        else
            menu.addSeparator();
    }
    menu.setToolTipsVisible(true); // a command that cannot be used says why
}

void EditorActions::addSubmenu(QMenu& menu, const QString& title, std::initializer_list<const char*> ids) const {
    addTo(*menu.addMenu(title), ids);
}

void EditorActions::addToEditMenu(QMenu& menu) const {
    addTo(menu, {"edit.cut", "edit.copy", "edit.paste", "edit.duplicate", "edit.delete", "edit.rename", "", "edit.find",
                 "edit.select-all"});
}

void EditorActions::addToInsertMenu(QMenu& menu) const {
    addTo(menu, {"insert.machine", "insert.switch", "insert.rack", "insert.link", ""});
    addSubmenu(menu, tr("&Job"), {"insert.trained-job", "insert.analytic-job", "insert.graph-job"});
    addTo(menu, {"", "insert.template"});
}

void EditorActions::addToArrangeMenu(QMenu& menu) const {
    addSubmenu(
        menu, tr("&Align"),
        {"arrange.left", "arrange.centre", "arrange.right", "", "arrange.top", "arrange.middle", "arrange.bottom"});
    addSubmenu(menu, tr("&Distribute"), {"arrange.across", "arrange.down"});
    addSubmenu(menu, tr("&Move"), {"arrange.move-left", "arrange.move-right", "arrange.move-up", "arrange.move-down"});
    addTo(menu, {"", "arrange.group", "arrange.ungroup", "", "arrange.lay-out"});
}

void EditorActions::addToViewMenu(QMenu& menu) const { addTo(menu, {"view.snap", "view.minimap", "view.tools"}); }

/// What was hit, and if it is selected, everything of its kind that is.
std::vector<HistorySubject> EditorActions::historiesAt(ClusterLayout::Hit hit) const {
    const Cluster& cluster = m_workspace.document().scenario().cluster;
    std::vector<HistorySubject> subjects;
    const auto collect = [&](HistorySubject (*subjectOf)(const std::string&), const auto& items) {
        const QStringList& selected = m_workspace.selection().entities();
        const std::string& own = items[hit.index].key;
        subjects.push_back(subjectOf(own));
        if (!selected.contains(QString::fromStdString(own))) return;
        for (const auto& item : items)
            if (item.key != own && selected.contains(QString::fromStdString(item.key)))
                subjects.push_back(subjectOf(item.key));
    };
    if (hit.kind == ClusterLayout::Kind::machine) collect(machineSubject, cluster.machines);
    if (hit.kind == ClusterLayout::Kind::link) collect(linkSubject, cluster.links);
    return subjects;
}

QMenu* EditorActions::contextMenu(ClusterLayout::Hit hit, QPoint globalPosition) {
    refresh();
    auto* menu = new QMenu(&m_canvas);
    // Where the menu was asked for, not where the mouse is when a line of it is chosen.
    m_editor->setTarget(m_canvas.mapToScene(m_canvas.viewport()->mapFromGlobal(globalPosition)));
    connect(menu, &QMenu::aboutToHide, m_editor,
            [this] { QTimer::singleShot(0, m_editor, [this] { m_editor->setTarget(std::nullopt); }); });
    switch (hit.kind) {
    case ClusterLayout::Kind::nothing:
        addSubmenu(*menu, tr("&Insert"), {"insert.machine", "insert.switch", "insert.rack"});
        addTo(*menu, {"insert.template", "", "edit.paste", "edit.select-all", "", "arrange.lay-out", "view.fit"});
        return menu;
    case ClusterLayout::Kind::link:
        addTo(*menu, {"edit.delete"});
        addTimelineAction(*menu, m_workspace.histories(), historiesAt(hit));
        break;
    case ClusterLayout::Kind::rack:
        addTo(*menu, {"edit.rename"});
        addSubmenu(*menu, tr("&Insert"), {"insert.machine", "insert.switch"});
        addTo(*menu, {"", "edit.cut", "edit.copy", "edit.duplicate", "edit.delete", "", "arrange.ungroup"});
        break;
    case ClusterLayout::Kind::machine:
    case ClusterLayout::Kind::switchNode:
        addTo(*menu, {"edit.rename", "insert.link", "", "edit.cut", "edit.copy", "edit.duplicate", "edit.delete", ""});
        addSubmenu(
            *menu, tr("&Align"),
            {"arrange.left", "arrange.centre", "arrange.right", "", "arrange.top", "arrange.middle", "arrange.bottom"});
        addSubmenu(*menu, tr("&Distribute"), {"arrange.across", "arrange.down"});
        addTo(*menu, {"arrange.group", "arrange.ungroup"});
        if (hit.kind == ClusterLayout::Kind::machine)
            addTimelineAction(*menu, m_workspace.histories(), historiesAt(hit));
        break;
    }
    menu->addSeparator();
    menu->addAction(tr("&Inspect"), this, &EditorActions::inspectRequested);
    return menu;
}

} // namespace trainyard
