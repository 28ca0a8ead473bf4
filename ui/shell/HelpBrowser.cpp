// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/HelpBrowser.h"

#include "record/Metrics.h"
#include "shell/NamedParts.h"
#include "theme/CoreText.h"
#include "theme/ElidedComboBox.h"
#include "theme/Icons.h"

#include <QComboBox>
#include <QFile>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard {

HelpBrowser::HelpBrowser(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_list(new ElidedComboBox), m_text(new QTextBrowser),
      m_back(new QToolButton), m_forward(new QToolButton) {
    setProperty("panel", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 6, 8, 6);
    line->setSpacing(4);
    m_back->setIcon(icon("back"));
    m_back->setToolTip(tr("Previous page"));
    m_back->setAccessibleName(tr("Back"));
    m_forward->setIcon(icon("forward"));
    m_forward->setToolTip(tr("Next page"));
    m_forward->setAccessibleName(tr("Forward"));
    m_list->setAccessibleName(tr("Help page"));
    keepListShort(*m_list);
    m_list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_list->setMinimumContentsLength(12);
    line->addWidget(m_back);
    line->addWidget(m_forward);
    line->addWidget(m_list, 1);
    column->addLayout(line);
    column->addWidget(m_text, 1);
    m_text->setOpenLinks(false);
    m_text->setAccessibleName(tr("Help"));
    m_text->document()->setDocumentMargin(12);
    setFocusProxy(m_text);
    fillList();
    connect(m_list, &QComboBox::activated, this, [this](int i) { show(m_list->itemData(i).toString()); });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme().isEmpty())
            show(link.path());
        else
            Q_EMIT partWanted(link.toString());
    });
    connect(m_back, &QToolButton::clicked, this, [this] {
        m_future << m_page;
        open(m_past.takeLast());
    });
    connect(m_forward, &QToolButton::clicked, this, [this] {
        m_past << m_page;
        open(m_future.takeLast());
    });
    open(QStringLiteral("start"));
}

void HelpBrowser::fillList() {
    const auto add = [this](const QString& title, const char* page) { m_list->addItem(title, QLatin1String(page)); };
    add(tr("Getting started"), "start");
    add(tr("The cluster"), "cluster");
    add(tr("Time"), "time");
    add(tr("Reading the charts"), "charts");
    add(tr("Views of a run"), "views");
    add(tr("Figures, tables and movies"), "export");
    add(tr("Policies and tuning"), "tuning");
    add(tr("Comparing policies"), "compare");
    add(tr("Training an agent"), "training");
    add(tr("Files and export"), "files");
    add(tr("Metrics"), "metrics");
    for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                              PolicyFamily::partitioner}) {
        m_list->insertSeparator(m_list->count());
        for (const PolicyInfo* info : m_workspace.registry().list(family))
            m_list->addItem(coreText(info->label), QString::fromStdString(info->id));
    }
}

QStringList HelpBrowser::pages() const {
    QStringList names;
    for (int i = 0; i < m_list->count(); ++i)
        if (const QString name = m_list->itemData(i).toString(); !name.isEmpty()) names << name;
    return names;
}

void HelpBrowser::show(const QString& page) {
    if (page != m_page) {
        m_past << m_page;
        m_future.clear();
    }
    open(page);
}

void HelpBrowser::open(const QString& page) {
    m_page = page;
    if (page == QLatin1String("metrics"))
        m_text->setHtml(metricsPage());
    else
        m_text->setMarkdown(linkedMarkdown(markdownOf(page)));
    calmHeadings();
    m_text->moveCursor(QTextCursor::Start);
    const QSignalBlocker quiet(m_list);
    m_list->setCurrentIndex(m_list->findData(page));
    refreshButtons();
}

/// Headings of the size of panel titles: pages are read in a narrow dock.
void HelpBrowser::calmHeadings() {
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        const int level = block.blockFormat().headingLevel();
        if (level == 0) continue;
        QTextCharFormat smaller;
        smaller.setProperty(QTextFormat::FontSizeAdjustment, level == 1 ? 1 : 0);
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(smaller);
    }
}

void HelpBrowser::refreshButtons() {
    m_back->setEnabled(!m_past.isEmpty());
    m_forward->setEnabled(!m_future.isEmpty());
    m_back->setToolTip(m_past.isEmpty() ? tr("There is no previous page") : tr("Previous page"));
    m_forward->setToolTip(m_future.isEmpty() ? tr("There is no next page") : tr("Next page"));
}

QString HelpBrowser::text() const { return m_text->toPlainText(); }

QString HelpBrowser::markdownOf(const QString& page) const {
    for (const char* folder : {"guide", "help"}) {
        const auto path = m_workspace.resources().root / folder / (page.toStdString() + std::string(".md"));
        QFile file(QString::fromStdString(path.string()));
        if (file.open(QIODevice::ReadOnly)) return QString::fromUtf8(file.readAll());
    }
    return tr("There is no help page “%1” in %2.")
        .arg(page, QString::fromStdString(m_workspace.resources().root.string()));
}

QString HelpBrowser::metricsPage() {
    QString html = QStringLiteral("<h1>%1</h1><p>%2</p>")
                       .arg(tr("Metrics"), tr("The metrics of a run. The panel Metrics shows them at the cursor "
                                              "and at the end; the command line prints them by the names given "
                                              "here."));
    for (const MetricDefinition& metric : metricDefinitions()) {
        const QString unit = QString::fromStdString(metric.unit);
        html += QStringLiteral("<h4>%1%2</h4><p><code>%3</code><br>%4%5</p>")
                    .arg(coreText(metric.label).toHtmlEscaped(),
                         unit.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(unit.toHtmlEscaped()),
                         QString::fromStdString(metric.id).toHtmlEscaped(), coreText(metric.definition).toHtmlEscaped(),
                         metric.perJob() ? QStringLiteral("<br><i>%1</i>").arg(tr("Also per job.")) : QString());
    }
    return html;
}

} // namespace trainyard
