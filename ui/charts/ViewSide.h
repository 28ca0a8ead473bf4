// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Beside the picture of a view: the list of views to choose from, the options of the chosen one as a form, and a button that puts
// it on the timeline. The list keeps some lines beside a long form, and is as wide as the names in the form need.
#include "analysis/View.h"

#include <QWidget>

class QListWidget;
class QScrollArea;
class QToolButton;

namespace trainyard {

class ParamForm;
struct Cluster;

class ViewSide final : public QWidget {
    Q_OBJECT
public:
    /// `steps` stands below everything else.
    explicit ViewSide(QWidget* steps, QWidget* parent = nullptr);

    /// Lists these, under the headings of their groups if there are several, with `shown` as the current one.
    void list(const std::vector<const View*>& views, const View& shown);
    /// The next list is made anew, and as wide as the type asks for.
    void forget();
    /// Makes a listed view the current one: chosen() follows, also if it was that before.
    void makeCurrent(const View& view);
    const View* current() const; ///< null: none
    /// The form of a view's options. Machines and links are called by their names; null: there are none to choose from.
    void showOptions(const View& view, const ParamValues& options, const Cluster* cluster);
    ParamForm& form() { return *m_form; }
    /// Empty: the view can be put on the timeline.
    void setWhyNoLane(const QString& why);
    /// Between list and form, once both have their contents.
    void shareHeight();

Q_SIGNALS:
    void chosen(const View& view); ///< the current one is another
    void laneWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    const View* viewAt(int row) const; ///< null: a heading, or no row

    QWidget* m_steps;
    QListWidget* m_list;
    QScrollArea* m_formArea;
    ParamForm* m_form;
    QToolButton* m_addLane;
};

} // namespace trainyard
