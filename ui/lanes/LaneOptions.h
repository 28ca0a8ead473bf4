// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What can be set about the lane of a view: an entry of the lane's menu per declared option, and the switches that the view names. Owned
// by the lane.
#include "analysis/View.h"

#include <QObject>

#include <functional>

class QAction;
class QMenu;

namespace trainyard {

class Lane;

class LaneOptions final : public QObject {
    Q_OBJECT
public:
    /// The lane's painter shows a view.
    explicit LaneOptions(Lane& lane);

Q_SIGNALS:
    void changed(); ///< the painter's subject is another

private:
    void addSwitch(const ViewSwitch& declared, const ParamField& field);
    void addFlag(const ParamField& field);
    void addChoice(const ParamField& field);
    void addSlider(const ParamField& field);
    ParamValues values() const;
    void set(const std::string& key, const ParamValue& value);
    void choose(const ViewSwitch& declared, bool on);
    void follow();
    QString help(const ParamField& field, const QString& whyIdle) const;

    Lane& m_lane;
    const View& m_view;
    std::vector<std::function<void(const ParamValues&)>> m_follow; ///< entries as the options are
    std::vector<std::function<void()>> m_followPicture;            ///< switches as the picture is
    QString m_followed;                                            ///< of which subject the entries are; empty: of none
};

} // namespace trainyard
