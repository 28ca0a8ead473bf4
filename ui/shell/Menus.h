// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The menus of the main window, from the commands of its parts. Every command is registered in the
// ActionList, so that its shortcut can be changed; called once by the main window.
#include "session/Workspace.h"

class QMainWindow;

namespace trainyard {

class ActionList;
class CanvasView;
class ComparePage;
class Caption;
class EditorActions;
class ExportActions;
class FileActions;
class HelpBrowser;
class MessageBar;
class Panels;
class Places;
class PolicyPanel;
class ThemeChoice;
class Tour;
class TransportBar;

/// The parts that menus steer; all outlive the window's menus.
struct MenuParts {
    Workspace& workspace;
    ActionList& actions;
    Panels& panels;
    CanvasView& canvas;
    EditorActions& editing;
    Caption& caption;
    FileActions& files;
    ExportActions& exports;
    TransportBar& transport;
    ThemeChoice& theme;
    MessageBar& messages;
    Places& places;
    ComparePage& compare;
    PolicyPanel& policies;
    HelpBrowser& help;
    Tour& tour;
};

void makeMenus(QMainWindow& window, const MenuParts& parts);

} // namespace trainyard
