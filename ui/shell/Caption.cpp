// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/Caption.h"

#include "session/SameChoice.h"
#include "shell/NamedParts.h"
#include "theme/CoreText.h"
#include "theme/ElidedLabel.h"
#include "theme/Icons.h"
#include "theme/LinkLabel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QResizeEvent>
#include <QSettings>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace {
constexpr int captionLength = 150; // characters: more is not read at a glance

QString captionSetting() { return QStringLiteral("caption/wanted"); }

bool fitsTwoLines(const QString& text, const QFontMetrics& type, int width) {
    return type.boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), Qt::TextWordWrap, text).height() <=
           2.5 * type.lineSpacing(); // heights of lines are rounded
}

/// Where the sentence ends that goes on at `from`, its last sign included.
qsizetype endOfSentence(const QString& text, qsizetype from) {
    for (qsizetype at = from; at + 1 < text.size(); ++at)
        if (QStringLiteral(".?!").contains(text[at]) && text[at + 1] == u' ') return at + 1;
    return text.size();
}

/// As many whole sentences as two lines hold with `more` after them, which all of them do not need; of a first sentence
/// that is longer, as many words.
QString firstSentences(const QString& text, const QString& more, const QFontMetrics& type, int width) {
    const auto holds = [&](const QString& part) {
        return part.size() <= captionLength &&
               fitsTwoLines(part.size() < text.size() ? part + more : part, type, width);
    };
    qsizetype held = 0;
    for (qsizetype end = endOfSentence(text, 0); end > held && holds(text.left(end)); end = endOfSentence(text, end))
        held = end;
    if (held > 0 || text.isEmpty()) return text.left(held);
    const QString first = text.left(endOfSentence(text, 0));
    for (qsizetype end = first.size(); end > 0; end = first.lastIndexOf(u' ', end - 1))
        if (const QString part = first.left(end) + u'…'; fitsTwoLines(part + more, type, width)) return part;
    return first;
}

/// Whole words of at most so many characters.
QString firstWords(const QString& text, qsizetype most) {
    if (text.size() <= most) return text;
    const qsizetype end = text.lastIndexOf(u' ', most - 1);
    return text.left(end > 0 ? end : most - 1) + u'…';
}

} // namespace

Caption::Caption(Workspace& workspace, QWidget* parent)
    : QFrame(parent), m_workspace(workspace), m_title(new ElidedLabel), m_lookFor(new LinkLabel),
      m_try(new QPushButton), m_others(new QToolButton) {
    setProperty("card", true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 8, 6);
    row->setSpacing(16);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    m_title->setProperty("title", true);
    connect(m_lookFor, &QLabel::linkActivated, this, &Caption::follow);
    m_lookFor->installEventFilter(this);
    m_title->installEventFilter(this);
    texts->addWidget(m_title);
    texts->addWidget(m_lookFor);
    row->addLayout(texts, 1);
    m_try->setProperty("primary", true);
    m_try->setFocusPolicy(Qt::TabFocus); // after a click Space plays
    auto* choices = new QHBoxLayout;
    choices->setSpacing(2);
    choices->addWidget(m_try, 0, Qt::AlignVCenter);
    row->addLayout(choices);
    m_others->setAccessibleName(tr("Variants"));
    m_others->setText(QStringLiteral("⋯"));
    m_others->setToolTip(tr("All variants of the scenario"));
    m_others->setFocusPolicy(Qt::TabFocus);
    m_others->setAutoRaise(true);
    m_others->setPopupMode(QToolButton::InstantPopup);
    m_others->setMenu(new QMenu(m_others));
    choices->addWidget(m_others, 0, Qt::AlignVCenter);
    connect(m_others->menu(), &QMenu::aboutToShow, this, &Caption::listVariants);
    auto* close = new QToolButton;
    close->setIcon(icon("close"));
    close->setIconSize({14, 14});
    close->setToolTip(tr("Do not show this again (View → Caption brings it back)"));
    close->setAccessibleName(tr("Dismiss the caption"));
    row->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QToolButton::clicked, this, [this] { setWanted(false); });
    connect(m_try, &QPushButton::clicked, this, &Caption::useVariant);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, [this] {
        m_asOpened = m_workspace.document().scenario().policies;
        refresh();
    });
    connect(&workspace.outcome(), &Outcome::changed, this, &Caption::refresh);
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes != ScenarioModel::layout) refresh();
    });
    refresh();
}

bool Caption::isWanted() const { return QSettings().value(captionSetting(), true).toBool(); }

void Caption::setWanted(bool wanted) {
    QSettings().setValue(captionSetting(), wanted);
    refresh();
    Q_EMIT wantedChanged();
}

void Caption::refresh() {
    const Scenario& s = m_workspace.document().scenario();
    m_title->setWholeText(QString::fromStdString(s.title));
    m_whole = sentences();
    showText();
    const auto offers = offered();
    m_try->setVisible(!offers.empty());
    m_others->setVisible(offers.size() > 1);
    if (!offers.empty()) {
        constexpr qsizetype longest = 28; // characters of a button
        const auto inUse = std::ranges::find_if(offers, [&](const Variant* v) { return isInUse(*v); });
        const Variant& v = inUse == offers.end() ? *offers.front() : **inUse;
        const QString title = QString::fromStdString(v.title);
        const Choice& opened = m_asOpened.of(v.family);
        const PolicyInfo* before = m_workspace.registry().find(v.family, opened.id);
        const QString back = tr("Back to %1").arg(before ? coreText(before->label) : QString::fromStdString(opened.id));
        if (inUse != offers.end())
            m_try->setText(back.size() > longest ? tr("Back") : back);
        else
            m_try->setText(title.isEmpty() ? tr("Try %1").arg(QString::fromStdString(v.name))
                                           : firstWords(title, longest));
        m_try->setToolTip(tr("Runs the scenario again with this policy; the previous run stays for comparison"));
    }
    setVisible(isWanted() && !(s.title.empty() && s.lookFor.empty()) && !(m_bar && !m_bar->isHidden()));
}

void Caption::yieldTo(QWidget* bar) {
    m_bar = bar;
    bar->installEventFilter(this);
    refresh();
}

/// True for what is on show: what the scenario says holds for its own policies, a variant says what it does, and the
/// outcome of a change is stated as soon as it is known.
QString Caption::sentences() const {
    const Scenario& s = m_workspace.document().scenario();
    if (s.policies == m_asOpened) return QString::fromStdString(s.lookFor);
    QString text;
    for (const Variant& v : s.variants)
        if (isInUse(v) && text.isEmpty()) text = QString::fromStdString(v.title);
    if (!text.isEmpty() && !text.endsWith(u'.')) text += u'.';
    const QString& outcome = m_workspace.outcome().text();
    if (!outcome.isEmpty()) text = tr("%1 %2.").arg(text, outcome).trimmed();
    return text;
}

/// The caption is always as high as two lines, so that the canvas beneath keeps its size: a title and a line, or two
/// lines where the sentence needs them. A title that has no room is in the inspector, too.
void Caption::showText() {
    const QFontMetrics type = m_lookFor->fontMetrics();
    const int room = std::max(m_lookFor->width(), 1);
    const QString more = u' ' + tr("More"), first = firstSentences(m_whole, more, type, room);
    const bool isAll = first == m_whole, twoLines = type.horizontalAdvance(isAll ? first : first + more) > room;
    ensurePolished();
    m_title->ensurePolished(); // hidden, it would be measured in smaller type than it is shown in
    const QString title = QString::fromStdString(m_workspace.document().scenario().title);
    m_title->setVisible(first.isEmpty() ||
                        (!twoLines && QFontMetrics(m_title->font()).horizontalAdvance(title) < room));
    m_lookFor->setAlignment(Qt::AlignLeft | (m_title->isHidden() ? Qt::AlignVCenter : Qt::AlignTop));
    m_lookFor->setHtml(linkedText(first) +
                       (isAll ? QString() : QStringLiteral(" <a href=\"more\">%1</a>").arg(more.trimmed())));
    m_lookFor->setMaximumHeight(2 * (type.lineSpacing() + 1));
    m_lookFor->setAccessibleName(m_whole);
    m_lookFor->setToolTip(isAll ? QString() : m_whole);
    m_lookFor->setVisible(!m_whole.isEmpty());
    const int lines = QFontMetrics(m_title->font()).height() + type.height() + 2;
    setFixedHeight(std::max({lines, 2 * type.lineSpacing(), m_try->sizeHint().height()}) + 14);
}

void Caption::follow(const QString& link) {
    if (link == QLatin1String("more"))
        showWhole();
    else
        Q_EMIT partWanted(link);
}

/// All sentences over the canvas, until a link is chosen, Escape is pressed or something else is clicked.
void Caption::showWhole() {
    auto* sheet = new QFrame(this, Qt::Popup);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->setProperty("card", true);
    auto* text = new LinkLabel;
    text->setAccessibleName(m_whole);
    text->setHtml(linkedText(m_whole));
    auto* column = new QVBoxLayout(sheet);
    column->setContentsMargins(16, 12, 16, 12);
    column->addWidget(text);
    connect(text, &QLabel::linkActivated, sheet, &QWidget::close);
    connect(text, &QLabel::linkActivated, this, &Caption::follow);
    const int wide = std::min(width() - 32, 120 * fontMetrics().averageCharWidth()); // not longer than can be read
    text->ensurePolished();
    text->setFixedSize(wide, text->heightForWidth(wide));
    sheet->move(mapToGlobal(QPoint(0, height())));
    sheet->show();
    (text->focusPolicy() == Qt::NoFocus ? static_cast<QWidget*>(sheet) : text)->setFocus(Qt::TabFocusReason);
}

bool Caption::eventFilter(QObject* watched, QEvent* event) {
    // The title's type grows on a projector, after our own; the label's own size tells how much room there is. What is shown or hidden in
    // the middle of a layout would not be given its place: afterwards.
    const bool resized = watched == m_lookFor && event->type() == QEvent::Resize &&
                         static_cast<QResizeEvent*>(event)->oldSize().width() != m_lookFor->width();
    if (resized || (watched == m_title && event->type() == QEvent::FontChange))
        QTimer::singleShot(0, this, &Caption::showText);
    if (watched == m_bar && (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)) refresh();
    return QFrame::eventFilter(watched, event);
}

void Caption::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) showText();
}

std::vector<const Variant*> Caption::offered() const {
    std::vector<const Variant*> out;
    for (const Variant& v : m_workspace.document().scenario().variants)
        if (!isSameChoice(m_workspace.registry(), v.family, m_asOpened.of(v.family), v.choice)) out.push_back(&v);
    return out;
}

bool Caption::isInUse(const Variant& variant) const {
    return isSameChoice(m_workspace.registry(), variant.family, variant.choice,
                        m_workspace.document().scenario().policies.of(variant.family));
}

void Caption::useVariant() {
    const auto offers = offered();
    if (offers.empty()) return;
    const auto inUse = std::ranges::find_if(offers, [&](const Variant* v) { return isInUse(*v); });
    const Variant v = inUse == offers.end() ? *offers.front() : **inUse; // choosing may move it
    m_workspace.document().choosePolicy(v.family, inUse == offers.end() ? v.choice : m_asOpened.of(v.family));
}

void Caption::listVariants() {
    QMenu& menu = *m_others->menu();
    menu.clear();
    for (const Variant* v : offered()) {
        QAction* action = menu.addAction(QString::fromStdString(v->title.empty() ? v->name : v->title));
        action->setCheckable(true);
        action->setChecked(isInUse(*v));
        connect(action, &QAction::triggered, this,
                [this, v = *v] { m_workspace.document().choosePolicy(v.family, v.choice); });
    }
}

} // namespace trainyard
