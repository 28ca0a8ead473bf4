#include "shell/FileActions.h"

#include "plots/Recover.h"
#include "plots/Render.h"
#include "shell/MessageBar.h"
#include "theme/Icons.h"
#include "theme/TimeText.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QUrl>

namespace trainyard {

namespace {

constexpr int mostRecentFiles = 10;
QString recentSetting() {
    return QStringLiteral("recentFiles");
}

} // namespace

FileActions::FileActions(Workspace& workspace, MessageBar& messages, QWidget* window)
    : QObject(window), m_workspace(workspace), m_messages(messages), m_window(window),
      m_open(new QAction(icon("open"), tr("&Open…"), this)),
      m_save(new QAction(icon("save"), tr("&Save"), this)), m_saveAs(new QAction(tr("Save &As…"), this)),
      m_export(new QAction(tr("&Export All…"), this)) {
    m_open->setShortcut(QKeySequence::Open);
    m_save->setShortcut(QKeySequence::Save);
    m_saveAs->setShortcut(QKeySequence::SaveAs);
    m_open->setToolTip(tr("<b>Open</b> (Ctrl+O)<br>Opens a scenario file and plays it"));
    connect(m_open, &QAction::triggered, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            m_window, tr("Open Scenario"), QFileInfo(m_workspace.document().filePath()).path(),
            tr("Scenarios and figures (*.json *.svg *.pdf *.png *.csv *.ndjson);;All files (*)"));
        if (!path.isEmpty()) open(path);
    });
    connect(m_save, &QAction::triggered, this, &FileActions::save);
    connect(m_saveAs, &QAction::triggered, this, &FileActions::saveAs);
    m_export->setShortcut(QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_E));
    connect(m_export, &QAction::triggered, this, &FileActions::exportAll);
    const auto refreshExport = [this] {
        const bool any = m_workspace.runs().current().log != nullptr;
        m_export->setEnabled(any);
        m_export->setToolTip(any ? tr("<b>Export All</b> (Ctrl+Shift+E)<br>Writes every chart of this run as "
                                      "SVG, PDF, PNG and CSV")
                                 : tr("<b>Export All</b><br>Nothing has run yet: press play first"));
    };
    connect(&workspace.runs(), &RunModel::runStarted, this, refreshExport);
    connect(&workspace.runs(), &RunModel::frame, this, [this, refreshExport] {
        if (!m_export->isEnabled()) refreshExport();
    });
    refreshExport();
    const auto refresh = [this] {
        const bool unchanged =
            !m_workspace.document().isModified() && !m_workspace.document().filePath().isEmpty();
        m_save->setEnabled(!unchanged);
        m_save->setToolTip(tr("<b>Save</b> (Ctrl+S)<br>%1")
                               .arg(unchanged ? tr("Nothing has changed since it was saved")
                                              : tr("Writes the scenario to its file")));
    };
    connect(&workspace.document(), &ScenarioModel::fileChanged, this, refresh);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this,
            [this] { m_reformatAgreed = false; });
    refresh();
}

void FileActions::addTo(QMenu* menu) {
    menu->addAction(m_open);
    m_recent = menu->addMenu(tr("Open &Recent"));
    connect(m_recent, &QMenu::aboutToShow, this, &FileActions::fillRecent);
    fillRecent();
    menu->addSeparator();
    menu->addAction(m_save);
    menu->addAction(m_saveAs);
    menu->addSeparator();
    menu->addAction(m_export);
}

QStringList FileActions::recentFiles() {
    return QSettings().value(recentSetting()).toStringList();
}

void FileActions::remember(const QString& path) {
    QStringList files = recentFiles();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(recentSetting(), files.mid(0, mostRecentFiles));
}

void FileActions::fillRecent() {
    m_recent->clear();
    for (const QString& path : recentFiles()) {
        QAction* action = m_recent->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        action->setStatusTip(path);
        action->setEnabled(QFileInfo::exists(path));
        connect(action, &QAction::triggered, this, [this, path] { open(path); });
    }
    m_recent->setEnabled(!m_recent->isEmpty());
}

/// A JSON file is a scenario (or an export that says so); everything else must carry its run.
bool FileActions::open(const QString& path) {
    if (!mayClose()) return false;
    const bool figure = QFileInfo(path).isDir() ||
                        QFileInfo(path).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) != 0;
    if (!(figure ? openFigure(path) : openScenario(path))) return false;
    remember(path);
    return true;
}

bool FileActions::openFigure(const QString& path) {
    auto run = scenarioFromFigure(path, m_workspace.registry());
    if (!run) {
        m_messages.say(tr("%1 was not opened: %2")
                           .arg(QFileInfo(path).fileName(),
                                QString::fromStdString(run.problems().front().message.english())),
                       {}, MessageBar::Tone::problem);
        return false;
    }
    m_messages.say(
        tr("This is the run that %1 shows, seed %2.").arg(QFileInfo(path).fileName()).arg(run->recipe.seed));
    m_workspace.repeat(std::move(run->scenario), std::move(run->recipe.commands));
    return true;
}

void FileActions::exportAll() {
    const QString directory = QFileDialog::getExistingDirectory(m_window, tr("Export All Charts To"));
    if (directory.isEmpty()) return;
    ExportOptions options;
    options.directory = directory;
    const ExportResult result = exportRun(m_workspace.runs().current(), options);
    if (result.problems.empty())
        m_messages.say(tr("%1 files were written to %2").arg(result.files.size()).arg(directory));
    else
        m_messages.say(tr("Not everything was written to %1: %2")
                           .arg(directory, QString::fromStdString(result.problems.front().message.english())),
                       {}, MessageBar::Tone::problem);
}

bool FileActions::openScenario(const QString& path) {
    if (!m_workspace.open(path)) {
        const auto count = static_cast<int>(m_workspace.document().problems().size());
        m_messages.say(
            tr("%1 was not opened: it has %2, listed below. What was open stays open.")
                .arg(QFileInfo(path).fileName(), counted(count, tr("1 problem"), tr("%1 problems"))),
            {}, MessageBar::Tone::problem);
        return false;
    }
    m_messages.hide();
    return true;
}

bool FileActions::save() {
    ScenarioModel& document = m_workspace.document();
    if (document.filePath().isEmpty()) return saveAs();
    if (document.reformatsOnSave() && !m_reformatAgreed) {
        m_messages.say(tr("%1 was written by hand. Saving it here will reformat it: same content, "
                          "Trainyard's own layout.")
                           .arg(document.displayName()),
                       {{tr("Save and reformat"),
                         [this] {
                             m_reformatAgreed = true;
                             save();
                         }},
                        {tr("Save under another name…"), [this] { saveAs(); }}});
        return false;
    }
    return saveTo(document.filePath());
}

bool FileActions::saveAs() {
    const ScenarioModel& document = m_workspace.document();
    const QString proposed = document.filePath().isEmpty() ? document.displayName() + QStringLiteral(".json")
                                                           : document.filePath();
    const QString path =
        QFileDialog::getSaveFileName(m_window, tr("Save Scenario As"), proposed, tr("Scenarios (*.json)"));
    return !path.isEmpty() && saveTo(path);
}

bool FileActions::saveTo(const QString& path) {
    if (m_workspace.document().saveAs(path)) {
        remember(path);
        return true;
    }
    const Problems& problems = m_workspace.document().problems();
    m_messages.say(
        tr("%1 was not saved: %2")
            .arg(QFileInfo(path).fileName(),
                 problems.empty() ? QString() : QString::fromStdString(problems.front().message.english())),
        {{tr("Save under another name…"), [this] { saveAs(); }}}, MessageBar::Tone::problem);
    return false;
}

bool FileActions::mayClose() {
    if (!m_workspace.document().isModified()) return true;
    QMessageBox question(QMessageBox::Question, tr("Unsaved changes"),
                         tr("%1 has changes that are not saved.").arg(m_workspace.document().displayName()),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    question.setDefaultButton(QMessageBox::Save);
    const int answer = question.exec();
    if (answer == QMessageBox::Discard) return true;
    if (answer != QMessageBox::Save) return false;
    m_reformatAgreed = true; // leaving is not the moment for a second question
    return save();
}

void FileActions::offerRecovery() {
    const auto left = m_workspace.leftBehind();
    if (left.isEmpty()) return;
    const Journal::Entry entry = left.first();
    const QString name =
        entry.documentPath.isEmpty() ? tr("An unnamed scenario") : QFileInfo(entry.documentPath).fileName();
    m_messages.say(tr("Trainyard ended without saving. %1 has changes from %2.")
                       .arg(name, entry.written.toString(QStringLiteral("yyyy-MM-dd HH:mm"))),
                   {{tr("Recover"),
                     [this, entry, name] {
                         if (mayClose() && !m_workspace.recover(entry))
                             m_messages.say(tr("%1 could not be recovered.").arg(name));
                     }},
                    {tr("Discard"), [this, entry] {
                         Journal::discard(entry.journal);
                         offerRecovery();
                     }}});
}

bool FileActions::accepts(const QMimeData* data) {
    return data->hasUrls() && data->urls().first().isLocalFile();
}

void FileActions::openDropped(const QMimeData* data) {
    if (accepts(data)) open(data->urls().first().toLocalFile());
}

} // namespace trainyard
