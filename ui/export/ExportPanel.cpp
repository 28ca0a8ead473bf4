// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ExportPanel.h"

#include "export/FigureForm.h"
#include "export/FigurePreview.h"
#include "export/MovieForm.h"
#include "export/MoviePreview.h"
#include "forms/FieldText.h"
#include "theme/Icons.h"
#include "theme/Theme.h"

#include <QCheckBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace export_panel {

/// Scrolls upwards and downwards, and is as wide as what is in it.
class Column final : public QScrollArea {
public:
    explicit Column(QWidget* content) {
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
        content->setProperty("panel", true);
        setWidget(content);
    }
    QSize minimumSizeHint() const override {
        const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
        return {widget()->minimumSizeHint().width() + bar, QScrollArea::minimumSizeHint().height()};
    }
};

} // namespace export_panel

ExportPanel::ExportPanel(ExportController& controller, QWidget* parent)
    : QWidget(parent), m_controller(controller), m_settings(ExportSettings::remembered()), m_tabs(new QTabWidget),
      m_preview(new FigurePreview(controller)), m_moviePreview(new MoviePreview(controller)), m_views(new QListWidget),
      m_figure(new FigureForm(m_settings)), m_movie(new MovieForm(m_settings)), m_folder(new QLineEdit),
      m_export(new QPushButton), m_copy(new QToolButton), m_said(new QLabel),
      m_open(new QPushButton(tr("Open Folder"))) {
    setProperty("panel", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(8);
    m_tabs->addTab(makeCharts(), tr("Charts"));
    m_tabs->addTab(makeMovie(), tr("Movie"));
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setAccessibleName(tr("What to export"));
    column->addWidget(m_tabs, 1);
    makeFolder(column);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ExportPanel::refresh);
    connect(&controller, &ExportController::availableChanged, this, &ExportPanel::refreshButtons);
    connect(&controller, &ExportController::told, this, &ExportPanel::tell);
    connect(&controller.workspace().document(), &ScenarioModel::documentReplaced, m_figure, &FigureForm::forgetTexts);
    connect(&controller.workspace().runs(), &RunModel::runStarted, this, [this] {
        if (isVisible()) fillViews();
        refreshGhost();
    });
    connect(&controller.workspace().runs(), &RunModel::ghostChanged, this, &ExportPanel::refreshGhost);
    connect(&controller.workspace().runs(), &RunModel::frame, this, [this] {
        const auto frame = m_controller.workspace().runs().latestFrame();
        if (isVisible() && frame) m_movie->setHead(frame->now.toSeconds());
    });
    fillViews();
    refresh();
}

ExportPanel::~ExportPanel() { settings().remember(); }

QWidget* ExportPanel::makeCharts() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 8, 4, 0);
    column->setSpacing(8);
    column->addWidget(m_preview);
    m_views->setObjectName(QStringLiteral("export-views"));
    m_views->setAccessibleName(tr("Views to export"));
    m_views->setToolTip(tr("Ticked views are exported; the selected one is in the preview, with its texts below"));
    m_views->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_views->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_views);
    auto* formats = new QHBoxLayout;
    formats->setSpacing(8);
    for (const QString& format : exportFormats()) {
        auto* box = new QCheckBox(format.toUpper());
        box->setObjectName(QStringLiteral("export-") + format);
        box->setChecked(m_settings.formats.contains(format));
        box->setToolTip(format == QLatin1String("csv")   ? tr("The numbers behind the view")
                        : format == QLatin1String("png") ? tr("Pixels")
                                                         : tr("Vector graphics: sharp at any size"));
        connect(box, &QCheckBox::toggled, this, &ExportPanel::refresh);
        m_formats << box;
        formats->addWidget(box);
    }
    formats->addStretch(1);
    column->addLayout(formats);
    column->addWidget(m_figure);
    column->addStretch(1);
    connect(m_views, &QListWidget::itemChanged, this, &ExportPanel::refresh);
    connect(m_views, &QListWidget::currentRowChanged, this, [this] {
        const ExportView view = currentView();
        m_figure->setView(view, view.kind == ViewKind::lane);
        refresh();
        auto* area = qobject_cast<QScrollArea*>(m_tabs->widget(0)); // the list is scrolled with the page
        if (!area || !m_views->currentItem() || !m_views->hasFocus()) return;
        const QRect row = m_views->visualItemRect(m_views->currentItem());
        const QPoint at = m_views->viewport()->mapTo(area->widget(), row.center());
        area->ensureVisible(at.x(), at.y(), 0, 2 * row.height());
    });
    connect(m_figure, &FigureForm::changed, this, &ExportPanel::refresh);
    connect(m_preview, &FigurePreview::ownTextsChanged, this, [this] { m_figure->setOwnTexts(m_preview->ownTexts()); });
    return new export_panel::Column(page);
}

QWidget* ExportPanel::makeMovie() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 8, 4, 0);
    column->setSpacing(8);
    auto* what = new QLabel(tr("The cluster and the open lanes of the timeline, frame by frame, as the run went."));
    what->setWordWrap(true);
    column->addWidget(m_moviePreview);
    column->addWidget(what);
    column->addWidget(m_movie);
    column->addStretch(1);
    connect(m_movie, &MovieForm::changed, this, [this] {
        m_moviePreview->setMovie(movie(), m_movie->head());
        refreshButtons();
    });
    return new export_panel::Column(page);
}

void ExportPanel::makeFolder(QVBoxLayout* column) {
    m_said->setWordWrap(true);
    m_said->setObjectName(QStringLiteral("export-said"));
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_said->hide();
    m_open->hide();
    m_open->setToolTip(tr("Shows what was written"));
    column->addWidget(m_said); // above: the buttons stay where they are when something is said
    column->addWidget(m_open, 0, Qt::AlignLeft);
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    m_folder->setObjectName(QStringLiteral("export-folder"));
    m_folder->setText(QDir::toNativeSeparators(m_settings.folder));
    m_folder->setAccessibleName(tr("Folder"));
    m_folder->setToolTip(tr("Where files are written; the folder is created if needed"));
    auto* browse = new QToolButton;
    browse->setIcon(icon("open"));
    browse->setToolTip(tr("Choose the folder"));
    browse->setAccessibleName(browse->toolTip());
    line->addWidget(m_folder, 1);
    line->addWidget(browse);
    column->addLayout(line);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    m_export->setProperty("primary", true);
    m_export->setObjectName(QStringLiteral("export-begin"));
    m_copy->setText(tr("Copy"));
    m_copy->setProperty("framed", true);
    m_copy->setPopupMode(QToolButton::InstantPopup);
    m_copy->setObjectName(QStringLiteral("export-copy"));
    auto* menu = new QMenu(m_copy);
    const auto copies = [&](const QString& text, CopyAs as) {
        menu->addAction(text, this, [this, as] { m_controller.copy(currentView(), as, look()); });
    };
    copies(tr("Picture"), CopyAs::picture);
    copies(tr("Table as CSV"), CopyAs::csv);
    copies(tr("Table for a spreadsheet"), CopyAs::spreadsheet);
    m_copy->setMenu(menu);
    buttons->addWidget(m_export, 1);
    buttons->addWidget(m_copy);
    column->addLayout(buttons);
    connect(browse, &QToolButton::clicked, this, &ExportPanel::chooseFolder);
    connect(m_folder, &QLineEdit::textChanged, this, &ExportPanel::refreshButtons);
    connect(m_export, &QPushButton::clicked, this, &ExportPanel::begin);
    connect(m_open, &QPushButton::clicked, this, [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_written)); });
}

bool ExportPanel::event(QEvent* event) { return claimFormKey(event) || QWidget::event(event); }

void ExportPanel::showEvent(QShowEvent*) {
    fillViews();
    const auto frame = m_controller.workspace().runs().latestFrame();
    if (frame) m_movie->setHead(frame->now.toSeconds());
    refresh();
}

/// Lanes come and go; what was chosen stays chosen.
void ExportPanel::fillViews() {
    std::vector<ExportView> known = m_controller.views();
    const bool same =
        std::equal(known.begin(), known.end(), m_known.begin(), m_known.end(),
                   [](const ExportView& a, const ExportView& b) { return a.id == b.id && a.title == b.title; });
    if (same) return;
    const QString current = m_known.empty() ? QString() : currentView().id;
    if (!m_known.empty()) {
        const ExportSettings now = settings();
        m_settings.wanted = now.wanted, m_settings.unwanted = now.unwanted;
    }
    m_known = std::move(known);
    {
        const QSignalBlocker quiet(m_views);
        m_views->clear();
        for (const ExportView& view : m_known) {
            const bool ofInstant = view.kind == ViewKind::cluster || (view.view && view.isTable());
            auto* item = new QListWidgetItem(ofInstant ? tr("%1 at the cursor").arg(view.title) : view.title);
            item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
            item->setCheckState(m_settings.wants(view) ? Qt::Checked : Qt::Unchecked);
            item->setData(Qt::UserRole, view.id);
            m_views->addItem(item);
        }
    }
    const auto row = std::find_if(m_known.begin(), m_known.end(), [&](const ExportView& v) { return v.id == current; });
    m_views->setCurrentRow(row == m_known.end() ? 0 : static_cast<int>(row - m_known.begin()));
    m_views->setFixedHeight(m_views->sizeHintForRow(0) * m_views->count() + 2 * m_views->frameWidth() + 4);
    refresh();
}

ExportView ExportPanel::currentView() const {
    const auto row = static_cast<std::size_t>(std::max(0, m_views->currentRow()));
    return row < m_known.size() ? m_known[row] : ExportView{};
}

QStringList ExportPanel::chosen() const {
    QStringList ids;
    for (int i = 0; i < m_views->count(); ++i)
        if (m_views->item(i)->checkState() == Qt::Checked) ids << m_views->item(i)->data(Qt::UserRole).toString();
    return ids;
}

void ExportPanel::chooseOnly(const QString& view) {
    m_tabs->setCurrentIndex(0);
    fillViews();
    for (int i = 0; i < m_views->count(); ++i) {
        const bool wanted = m_views->item(i)->data(Qt::UserRole).toString() == view;
        m_views->item(i)->setCheckState(wanted ? Qt::Checked : Qt::Unchecked);
        if (wanted) m_views->setCurrentRow(i);
    }
}

ExportSettings ExportPanel::settings() const {
    ExportSettings settings = m_settings;
    m_figure->takeInto(settings);
    m_movie->takeInto(settings);
    settings.folder = QDir::fromNativeSeparators(m_folder->text().trimmed());
    settings.formats.clear();
    for (const QCheckBox* box : m_formats)
        if (box->isChecked()) settings.formats << box->text().toLower();
    const QStringList wanted = chosen();
    for (const ExportView& view : m_known) {
        if (wanted.contains(view.id) == settings.wants(view)) continue; // as proposed, or as chosen before
        settings.wanted.removeAll(view.id);
        settings.unwanted.removeAll(view.id);
        (wanted.contains(view.id) ? settings.wanted : settings.unwanted) << view.id;
    }
    return settings;
}

ExportOptions ExportPanel::look() const {
    const ExportSettings set = settings();
    ExportOptions options = m_controller.now(set.charts(), set.shownRange);
    options.texts = m_figure->texts();
    return options;
}

MovieOptions ExportPanel::movie() const {
    const ExportSettings set = settings();
    MovieOptions movie = m_movie->options();
    movie.directory = set.folder;
    movie.unit = set.unit;
    return movie;
}

QString ExportPanel::whyNot() const {
    if (const QString why = m_controller.whyNot(); !why.isEmpty()) return why;
    if (m_folder->text().trimmed().isEmpty()) return tr("No folder is chosen");
    if (m_tabs->currentIndex() == 1) return m_movie->whyNot();
    if (chosen().isEmpty()) return tr("No view is chosen");
    return settings().formats.isEmpty() ? tr("No format is chosen") : QString();
}

void ExportPanel::refresh() {
    if (m_views->count() == 0) return; // not filled yet
    m_preview->setFigure(currentView(), look());
    m_moviePreview->setMovie(movie(), m_movie->head());
    refreshGhost();
    refreshButtons();
}

void ExportPanel::refreshGhost() {
    m_figure->setWhyNoGhost(m_controller.whyNoGhost(currentView()));
    m_movie->setWhyNoGhost(m_controller.whyNoGhost());
}

void ExportPanel::refreshButtons() {
    const bool running = m_controller.job().isRunning();
    const QString why = whyNot();
    const auto files = chosen().size() * settings().formats.size();
    m_export->setText(running                       ? tr("Cancel")
                      : m_tabs->currentIndex() == 1 ? tr("Export the Movie")
                      : files == 1                  ? tr("Export 1 File")
                                                    : tr("Export %1 Files").arg(files));
    m_export->setEnabled(running || why.isEmpty());
    m_export->setToolTip(running          ? tr("Cancels the export; complete files stay")
                         : !why.isEmpty() ? why
                                          : tr("Writes into the folder; files of the same name are replaced"));
    const QString noCopy = m_controller.whyNot();
    m_copy->setEnabled(noCopy.isEmpty());
    m_copy->setToolTip(noCopy.isEmpty() ? tr("The view in the preview, to the clipboard") : noCopy);
}

void ExportPanel::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Export To"), m_folder->text());
    if (!folder.isEmpty()) m_folder->setText(QDir::toNativeSeparators(folder));
}

void ExportPanel::begin() {
    if (m_controller.job().isRunning()) {
        m_controller.job().cancel();
        return;
    }
    m_said->hide(); // of the one before
    m_open->hide();
    m_settings = settings();
    m_settings.remember();
    if (m_tabs->currentIndex() == 1) {
        m_controller.exportMovie(movie());
        return;
    }
    ExportOptions options = look();
    options.views = chosen();
    m_controller.exportFiles(options);
}

QString ExportPanel::said() const { return m_said->isHidden() ? QString() : m_said->text(); }

void ExportPanel::tell(const QString& text, bool problem, const QString& folder) {
    m_said->setText(text);
    m_said->setProperty("problem", problem);
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
    m_said->show();
    m_written = folder;
    m_open->setVisible(!folder.isEmpty());
}

} // namespace trainyard
