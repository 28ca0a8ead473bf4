// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "pages/StartPage.h"

#include "gallery/Gallery.h"
#include "gallery/GalleryModel.h"
#include "session/RecentFiles.h"
#include "session/Templates.h"
#include "theme/Icons.h"
#include "theme/Theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

namespace trainyard {

namespace start_page {

constexpr int mostRecent = 6, sideWidth = 248;

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    label->setProperty("heading", true);
    return label;
}

QLabel* muted(const QString& text) {
    auto* label = new QLabel(text);
    label->setProperty("muted", true);
    label->setWordWrap(true);
    return label;
}

/// One line of the side: an icon and a text, as wide as the side.
QToolButton* row(const char* iconName, const QString& text, const QString& tip) {
    auto* button = new QToolButton;
    button->setProperty("row", true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIcon(icon(iconName));
    button->setText(text);
    button->setToolTip(tip);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void clear(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) widget->deleteLater();
        delete item;
    }
}

} // namespace start_page

StartPage::StartPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace),
      m_model(new GalleryModel(
          std::make_shared<const Registry>(workspace.registry()),
          QString::fromStdString((workspace.resources().root.parent_path() / "scenarios").string()), this)),
      m_gallery(new Gallery(*m_model)), m_search(new QLineEdit) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(makeSide());
    auto* main = new QVBoxLayout;
    main->setContentsMargins(24, 16, 8, 0);
    main->setSpacing(8);
    auto* top = new QHBoxLayout;
    auto* title = new QLabel(tr("Scenarios"));
    title->setProperty("title", true);
    m_search->setPlaceholderText(tr("Search scenarios"));
    m_search->setAccessibleName(tr("Search scenarios"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(180);
    m_search->setMaximumWidth(320);
    m_search->installEventFilter(this);
    top->setContentsMargins(8, 0, 16, 0);
    top->addWidget(title);
    top->addStretch(1);
    top->addWidget(m_search, 1);
    main->addWidget(makeTourOffer());
    main->addLayout(top);
    main->addWidget(m_gallery, 1);
    columns->addLayout(main, 1);
    connect(m_search, &QLineEdit::textChanged, m_gallery, &Gallery::setFilter);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        if (const QString path = m_gallery->currentPath(); !path.isEmpty()) Q_EMIT fileChosen(path);
    });
    connect(m_gallery, &Gallery::chosen, this, &StartPage::fileChosen);
    connect(m_model, &QAbstractItemModel::rowsInserted, m_gallery, &Gallery::selectFirst);
    setFocusProxy(m_gallery);
    setWhatsThis(tr("Scenarios to look at, documents to start from, and what you worked on last."));
}

QWidget* StartPage::makeSide() {
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(static_cast<int>(start_page::sideWidth * Theme::scale()));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* side = new QWidget;
    side->setProperty("panel", true);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(4);
    auto* name = new QLabel(tr("Trainyard"));
    name->setProperty("display", true);
    column->addWidget(name);
    column->addWidget(start_page::muted(tr("How a cluster schedules distributed training.")));
    column->addSpacing(8);
    m_unsaved = new QVBoxLayout;
    m_unsaved->setSpacing(4);
    column->addLayout(m_unsaved);
    fillTemplates(column);
    column->addSpacing(12);
    column->addWidget(start_page::heading(tr("Open")));
    auto* open = start_page::row("open", tr("Open a file…"), tr("A scenario, or a figure that Trainyard wrote"));
    connect(open, &QToolButton::clicked, this, &StartPage::openRequested);
    column->addWidget(open);
    m_recent = new QVBoxLayout;
    m_recent->setSpacing(0);
    column->addLayout(m_recent);
    column->addStretch(1);
    scroll->setWidget(side);
    return scroll;
}

void StartPage::fillTemplates(QVBoxLayout* column) {
    column->addWidget(start_page::heading(tr("New from template")));
    for (const Template& each : documentTemplates()) {
        auto* button = start_page::row(each.id == QLatin1String("empty")  ? "new"
                                       : each.id == QLatin1String("star") ? "switch"
                                                                          : "rack",
                                       each.title, each.sentence);
        button->setObjectName(QStringLiteral("template-") + each.id);
        connect(button, &QToolButton::clicked, this,
                [this, scenario = each.scenario] { Q_EMIT templateChosen(scenario); });
        column->addWidget(button);
    }
}

QWidget* StartPage::makeTourOffer() {
    m_tour = new QFrame;
    m_tour->setProperty("card", true);
    auto* line = new QHBoxLayout(m_tour);
    line->setContentsMargins(16, 8, 8, 8);
    auto* text = new QLabel(tr("New here? Five steps show what is where."));
    text->setWordWrap(true);
    line->addWidget(text, 1);
    auto* take = new QPushButton(tr("Take the tour"));
    take->setProperty("primary", true);
    take->setObjectName(QStringLiteral("take-tour"));
    auto* refuse = new QPushButton(tr("No, thanks"));
    refuse->setObjectName(QStringLiteral("refuse-tour"));
    line->addWidget(refuse);
    line->addWidget(take);
    connect(take, &QPushButton::clicked, this, &StartPage::tourChosen);
    connect(refuse, &QPushButton::clicked, this, &StartPage::tourRefused);
    m_tour->hide();
    return m_tour;
}

void StartPage::offerTour(bool offer) { m_tour->setVisible(offer); }

QString StartPage::firstScenario() const {
    const auto path = m_workspace.resources().root.parent_path() / "scenarios" / "start" / "one-slow-worker.json";
    return std::filesystem::exists(path) ? QString::fromStdString(path.string()) : QString();
}

void StartPage::refresh() {
    fillRecent();
    fillUnsaved();
}

void StartPage::fillRecent() {
    start_page::clear(m_recent);
    const QStringList files = recentFiles().mid(0, start_page::mostRecent), names = recentNames(files);
    for (qsizetype i = 0; i < files.size(); ++i) {
        const QString& path = files[i];
        const bool there = QFileInfo::exists(path);
        auto* button = start_page::row("scenario", {}, there ? path : tr("%1 no longer exists").arg(path));
        button->setText(button->fontMetrics().elidedText(
            names[i], Qt::ElideMiddle, static_cast<int>((start_page::sideWidth - 84) * Theme::scale())));
        button->setAccessibleName(names[i]);
        button->setEnabled(there);
        connect(button, &QToolButton::clicked, this, [this, path] { Q_EMIT fileChosen(path); });
        m_recent->addWidget(button);
    }
    if (files.isEmpty()) m_recent->addWidget(start_page::muted(tr("Files you have opened will be listed here.")));
}

void StartPage::fillUnsaved() {
    start_page::clear(m_unsaved);
    const auto left = m_workspace.leftBehind();
    if (left.isEmpty()) return;
    m_unsaved->addWidget(start_page::heading(tr("Not saved last time")));
    for (const Journal::Entry& entry : left) {
        auto* card = new QFrame;
        card->setProperty("card", true);
        auto* column = new QVBoxLayout(card);
        column->setContentsMargins(12, 8, 8, 8);
        auto* text = new QLabel(
            tr("%1, changed %2").arg(entry.name(), entry.written.toString(QStringLiteral("yyyy-MM-dd HH:mm"))));
        text->setWordWrap(true);
        column->addWidget(text);
        auto* buttons = new QHBoxLayout;
        auto* recover = new QPushButton(tr("Recover"));
        auto* discard = new QPushButton(tr("Discard"));
        buttons->addWidget(recover);
        buttons->addWidget(discard);
        column->addLayout(buttons);
        connect(recover, &QPushButton::clicked, this, [this, entry] { Q_EMIT recoveryChosen(entry); });
        connect(discard, &QPushButton::clicked, this, [this, entry] {
            Journal::discard(entry.journal);
            fillUnsaved();
        });
        m_unsaved->addWidget(card);
    }
    m_unsaved->addSpacing(12);
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    m_gallery->setFocus();
}

bool StartPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down) {
            m_gallery->setFocus();
            m_gallery->selectFirst();
            return true;
        }
        if (key == Qt::Key_Escape && !m_search->text().isEmpty()) {
            m_search->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
