// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/FileActions.h"

#include "export/Recover.h"
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"
#include "session/FileNames.h"
#include "session/RecentFiles.h"
#include "session/Templates.h"
#include "shell/MessageBar.h"
#include "studies/ClaimsFile.h"
#include "theme/ActionReason.h"
#include "theme/CoreText.h"
#include "theme/Icons.h"
#include "theme/TimeText.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QTimer>
#include <QUrl>

namespace trainyard {

namespace file_actions {

QString firstMessage(const Problems& problems) {
    return problems.empty() ? QString() : coreText(problems.front().message);
}

/// What can be opened in place of a picture, a text, a movie.
bool looksOpenable(const QString& path) {
    static const QStringList endings{QStringLiteral("json"), QStringLiteral("svg"), QStringLiteral("pdf"),
                                     QStringLiteral("png"),  QStringLiteral("csv"), QStringLiteral("ndjson"),
                                     QStringLiteral("mp4"),  QStringLiteral("webm")};
    return QFileInfo(path).isDir() || endings.contains(QFileInfo(path).suffix().toLower());
}

/// A provenance or an export in JSON.
bool saysItsRun(const QString& path) {
    const auto provenance = readProvenance(path.toStdString());
    return provenance && *provenance;
}

} // namespace file_actions

FileActions::FileActions(Workspace& workspace, MessageBar& messages, QWidget* window)
    : QObject(window), m_workspace(workspace), m_messages(messages), m_window(window),
      m_new(new QAction(icon("new"), tr("&New"), this)), m_open(new QAction(icon("open"), tr("&Open…"), this)),
      m_revert(new QAction(tr("Re&vert"), this)), m_save(new QAction(icon("save"), tr("&Save"), this)),
      m_saveAs(new QAction(tr("Save &As…"), this)), m_watch(workspace.document()) {
    makeActions();
    connect(&workspace.document(), &ScenarioModel::fileChanged, this, &FileActions::refreshActions);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, [this] { m_reformatAgreed = false; });
    auto* starSoon = new QTimer(this); // once after a drag, not with each of its steps, and after the title
    starSoon->setSingleShot(true);
    starSoon->setInterval(50);
    const auto start = qOverload<>(&QTimer::start);
    connect(&workspace.document().undoStack(), &QUndoStack::indexChanged, starSoon, start);
    connect(&workspace.document(), &ScenarioModel::fileChanged, starSoon, start);
    connect(starSoon, &QTimer::timeout, this, [this] { // policies that are only tried do not count
        m_window->setWindowModified(!m_workspace.document().changesToSave().isEmpty());
    });
    connect(&workspace, &Workspace::keptChanged, this, &FileActions::tellWhatIsKept);
    connect(&m_watch, &FileWatch::changedOnDisk, this, &FileActions::onChangedOnDisk);
    connect(&m_watch, &FileWatch::removedFromDisk, this, &FileActions::onRemovedFromDisk);
    refreshActions();
}

void FileActions::makeActions() {
    m_new->setObjectName(QStringLiteral("file.new"));
    m_open->setObjectName(QStringLiteral("file.open"));
    m_revert->setObjectName(QStringLiteral("file.revert"));
    m_save->setObjectName(QStringLiteral("file.save"));
    m_saveAs->setObjectName(QStringLiteral("file.save-as"));
    m_new->setShortcut(QKeySequence::New);
    m_open->setShortcut(QKeySequence::Open);
    m_save->setShortcut(QKeySequence::Save);
    m_revert->setShortcut(Qt::Key_F5);
    m_saveAs->setShortcut(QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_S));
    setActionHelp(m_new, tr("An empty document to draw in"));
    setActionHelp(m_open, tr("Opens a scenario file and plays it"));
    setActionHelp(m_save, tr("Writes the scenario to its file"));
    setActionHelp(m_saveAs, tr("Writes the scenario to another file"));
    setActionHelp(m_revert, tr("Opens the last saved version again"));
    connect(m_new, &QAction::triggered, this, [this] { create(documentTemplates().front().scenario); });
    connect(m_open, &QAction::triggered, this, &FileActions::openByDialog);
    connect(m_revert, &QAction::triggered, this, &FileActions::revert);
    connect(m_save, &QAction::triggered, this, &FileActions::save);
    connect(m_saveAs, &QAction::triggered, this, &FileActions::saveAs);
}

void FileActions::refreshActions() {
    const ScenarioModel& document = m_workspace.document();
    const bool hasFile = !document.filePath().isEmpty(), unchanged = !document.isModified() && hasFile;
    const QString same = tr("Nothing has changed since it was saved");
    setActionAvailable(m_save, unchanged ? same : QString());
    setActionAvailable(m_revert, !hasFile && document.copiedFrom().isEmpty() ? tr("This document has no file yet")
                                 : document.isModified()                     ? QString()
                                                                             : same);
}

void FileActions::addTo(QMenu* menu, const QList<QAction*>& exports) {
    menu->addAction(m_new);
    QMenu* templates = menu->addMenu(tr("New from &Template"));
    for (const Template& each : documentTemplates()) {
        QAction* action = templates->addAction(each.title);
        action->setStatusTip(each.sentence);
        connect(action, &QAction::triggered, this, [this, scenario = each.scenario] { create(scenario); });
    }
    menu->addAction(m_open);
    m_recent = menu->addMenu(tr("Open &Recent"));
    connect(menu, &QMenu::aboutToShow, this, &FileActions::fillRecent); // itself it is not shown while it is empty
    fillRecent();
    menu->addSeparator();
    menu->addAction(m_save);
    menu->addAction(m_saveAs);
    menu->addAction(m_revert);
    menu->addSeparator();
    menu->addActions(exports);
}

void FileActions::fillRecent() {
    m_recent->clear();
    const QStringList files = recentFiles(), names = recentNames(files);
    for (qsizetype i = 0; i < files.size(); ++i) {
        const QString& path = files[i];
        const bool there = QFileInfo::exists(path);
        QAction* action = m_recent->addAction(names[i]);
        action->setToolTip(there ? path : tr("%1 no longer exists").arg(path));
        action->setStatusTip(action->toolTip());
        action->setEnabled(there);
        connect(action, &QAction::triggered, this, [this, path] { open(path); });
    }
    m_recent->setEnabled(!m_recent->isEmpty());
}

void FileActions::openByDialog() {
    const QString path = QFileDialog::getOpenFileName(
        m_window, tr("Open Scenario"), QFileInfo(m_workspace.document().filePath()).path(),
        tr("Scenarios and figures (*.json *.svg *.pdf *.png *.csv *.ndjson *.mp4 *.webm);;All files (*)"));
    if (!path.isEmpty()) open(path);
}

bool FileActions::create(const Scenario& scenario) {
    if (!mayClose()) return false;
    m_messages.hide();
    m_workspace.create(scenario);
    return true;
}

/// Never a question where a way back will do.
bool FileActions::revert() {
    const QString own = m_workspace.document().filePath();
    const QString path = own.isEmpty() ? m_workspace.document().copiedFrom() : own;
    if (path.isEmpty()) return false;
    const Scenario given = m_workspace.document().scenario();
    if (!openScenario(path)) return false;
    m_messages.say(tr("%1 was reverted to the saved version.").arg(QFileInfo(path).fileName()),
                   {{tr("Restore my changes"), [this, given, own] {
                         m_workspace.document().replace(given, own, true);
                         m_workspace.restart();
                     }}});
    return true;
}

void FileActions::onChangedOnDisk() {
    const QString path = m_workspace.document().filePath(), name = QFileInfo(path).fileName();
    m_messages.say(m_workspace.document().isModified()
                       ? tr("%1 was changed by another program, and you have changes of your own.").arg(name)
                       : tr("%1 was changed by another program.").arg(name),
                   {{tr("Take theirs"), [this] { revert(); }},
                    {tr("Keep mine"),
                     [this] {
                         m_watch.acknowledge();
                         m_workspace.document().undoStack().resetClean();
                     }},
                    {tr("Save as…"), [this] { saveAs(); }}});
}

void FileActions::onRemovedFromDisk() {
    m_workspace.document().undoStack().resetClean(); // what is open is now the only copy
    m_messages.say(
        tr("%1 was removed by another program. Saving writes it again.").arg(m_workspace.document().displayName()),
        {{tr("Save"), [this] { save(); }}});
}

/// A JSON file is a scenario, unless it is an export that says so; everything else must carry its run.
/// Whether it can be opened is seen before anything is asked about unsaved work.
bool FileActions::open(const QString& path) {
    const bool figure = QFileInfo(path).isDir() ||
                        QFileInfo(path).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) != 0 ||
                        file_actions::saysItsRun(path);
    const bool opens =
        figure || !m_workspace.document().isModified() || readScenario(path.toStdString(), m_workspace.registry()).ok();
    if (!figure && opens && !mayClose()) return false; // a figure is read first, and asks by itself
    if (!(figure ? openFigure(path) : openScenario(path))) return false;
    rememberRecentFile(path);
    return true;
}

bool FileActions::openFigure(const QString& path) {
    auto run = scenarioFromFigure(path);
    if (!run) {
        refuse(path, run.problems());
        return false;
    }
    if (!mayClose()) return false;
    m_messages.say(
        tr("This is the run that %1 shows, seed %2.").arg(QFileInfo(path).fileName()).arg(run->provenance.seed));
    m_workspace.repeat(std::move(run->scenario), std::move(run->provenance.commands));
    return true;
}

bool FileActions::openScenario(const QString& path) {
    if (!m_workspace.open(path)) {
        refuse(path, m_workspace.document().problems());
        return false;
    }
    m_messages.hide();
    return true;
}

void FileActions::refuse(const QString& path, const Problems& problems) {
    const QString name = QFileInfo(path).fileName();
    const auto count = static_cast<qint64>(problems.size());
    const QString kept = tr("The open document stays open.");
    if (readClaims(path.toStdString()))
        m_messages.say(tr("%1 has the claims of a study, which Compare, Claims, Open… shows. %2").arg(name, kept));
    else if (count == 1)
        m_messages.say(tr("%1 was not opened: %2. %3").arg(name, file_actions::firstMessage(problems), kept), {},
                       MessageBar::Tone::problem);
    else
        m_messages.say(tr("%1 was not opened: it has %n problem(s). %2", nullptr, count).arg(name, kept),
                       {{tr("Show the problems"), [this] { Q_EMIT problemsWanted(); }}}, MessageBar::Tone::problem);
}

bool FileActions::save() {
    ScenarioModel& document = m_workspace.document();
    if (document.filePath().isEmpty()) return saveAs();
    if (m_watch.isChangedOnDisk()) {
        m_messages.say(tr("%1 was not saved: another program has changed it, and saving would overwrite that "
                          "change.")
                           .arg(document.displayName()),
                       {{tr("Keep mine"),
                         [this] {
                             m_watch.acknowledge();
                             save();
                         }},
                        {tr("Take theirs"), [this] { revert(); }},
                        {tr("Save as…"), [this] { saveAs(); }}});
        return false;
    }
    if (document.reformatsOnSave() && !m_reformatAgreed) {
        m_messages.say(tr("%1 was written by hand. Saving will reformat it: same content, Trainyard's layout.")
                           .arg(document.displayName()),
                       {{tr("Save and reformat"),
                         [this] {
                             m_reformatAgreed = true;
                             save();
                         }},
                        {tr("Save as…"), [this] { saveAs(); }}});
        return false;
    }
    return saveTo(document.filePath());
}

bool FileActions::saveAs() {
    const ScenarioModel& document = m_workspace.document();
    const QString proposed = document.filePath().isEmpty()
                                 ? proposedFile(document.displayName() + QStringLiteral(".json"))
                                 : document.filePath();
    const QString path =
        QFileDialog::getSaveFileName(m_window, tr("Save Scenario As"), proposed, tr("Scenarios (*.json)"));
    return !path.isEmpty() && saveTo(path);
}

bool FileActions::saveTo(const QString& path) {
    if (m_workspace.document().saveAs(path)) {
        m_watch.acknowledge();
        rememberRecentFile(path);
        return true;
    }
    const QFileInfo file(path);
    const bool readOnly = file.exists() ? !file.isWritable() : !QFileInfo(file.path()).isWritable();
    const QString why =
        readOnly ? tr("it is read-only") : file_actions::firstMessage(m_workspace.document().problems());
    m_messages.say(tr("%1 was not saved: %2. Your changes are still here.").arg(file.fileName(), why),
                   {{tr("Save as…"), [this] { saveAs(); }}}, MessageBar::Tone::problem);
    return false;
}

bool FileActions::mayClose() {
    const QStringList changes = m_workspace.document().changesToSave();
    if (changes.isEmpty()) return true;
    QMessageBox question(QMessageBox::NoIcon, tr("Unsaved changes"),
                         tr("%1 has changes that are not saved: %2.")
                             .arg(m_workspace.document().displayName(), changes.join(QStringLiteral(", "))),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    question.setDefaultButton(QMessageBox::Save);
    const int answer = question.exec();
    if (answer == QMessageBox::Discard) return true;
    if (answer != QMessageBox::Save) return false;
    m_reformatAgreed = true; // leaving is not the moment for a second question
    return save();
}

bool FileActions::recover(const Journal::Entry& entry) {
    if (!mayClose()) return false;
    if (m_workspace.recover(entry)) {
        m_messages.hide();
        return true;
    }
    m_messages.say(tr("The unsaved changes could not be read: %1").arg(entry.journal), {}, MessageBar::Tone::problem);
    return false;
}

void FileActions::offerRecovery() {
    const auto left = m_workspace.leftBehind();
    if (left.isEmpty()) return;
    const Journal::Entry entry = left.first();
    m_messages.say(tr("Trainyard ended without saving. %1 has changes from %2.")
                       .arg(entry.name(), entry.written.toString(QStringLiteral("yyyy-MM-dd HH:mm"))),
                   {{tr("Recover"), [this, entry] { recover(entry); }}, {tr("Discard"), [this, entry] {
                                                                             Journal::discard(entry.journal);
                                                                             offerRecovery();
                                                                         }}});
}

void FileActions::tellWhatIsKept() {
    const QString name = m_workspace.document().displayName();
    if (const QString& why = m_workspace.whyNotKept(); why.isEmpty())
        m_messages.say(tr("What is not saved of %1 outlives a crash again.").arg(name));
    else
        m_messages.say(
            tr("What is not saved of %1 would be lost in a crash: %2. Trainyard keeps trying.").arg(name, why),
            {{tr("Save as…"), [this] { saveAs(); }}}, MessageBar::Tone::problem);
}

bool FileActions::accepts(const QMimeData* data) { return data->hasUrls(); }

void FileActions::openDropped(const QMimeData* data) {
    QStringList files, openable;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    for (const QString& file : files)
        if (file_actions::looksOpenable(file)) openable << file;
    if (files.isEmpty()) {
        m_messages.say(tr("The dropped item is not a file on this computer: download it first."), {},
                       MessageBar::Tone::problem);
    } else if (openable.isEmpty()) {
        m_messages.say(tr("%1 is neither a scenario (.json) nor a figure that Trainyard exported.")
                           .arg(QFileInfo(files.first()).fileName()),
                       {}, MessageBar::Tone::problem);
    } else if (openable.size() == 1) {
        open(openable.first());
    } else {
        constexpr int mostOffered = 3;
        QList<MessageBar::Answer> answers;
        for (const QString& file : openable.mid(0, mostOffered))
            answers << MessageBar::Answer{tr("Open %1").arg(QFileInfo(file).fileName()), [this, file] { open(file); }};
        m_messages.say(tr("%n files were dropped, but only one can be open.", nullptr, files.size()), answers);
    }
}

} // namespace trainyard
