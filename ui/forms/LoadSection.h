// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How fast jobs arrive, as a slider for each of the first four generators that have a gap between arrivals, and how unevenly keyed jobs
// draw their keys, as one slider for all of them; beside those of the policies: the load that policies are tuned under. Hidden where
// there is none. Part of the PolicyPanel.
#include "base/ParamSchema.h"
#include "session/ScenarioModel.h"

#include <QWidget>

#include <map>

class QLabel;

namespace trainyard {

class ParamForm;

class LoadSection final : public QWidget {
    Q_OBJECT
public:
    explicit LoadSection(ScenarioModel& document, QWidget* parent = nullptr);
    ParamForm* form() const {
        return m_form;
    } ///< fields are called "gap-0", "gap-2", … by number of the generator; "exponent"

    void refresh();

private:
    /// Kept while the gap is within: a slider that is held stays where it is.
    struct Span {
        double least = 0, most = 0, first = 0;
        bool holds(double gap) const { return gap >= least * (1 - 1e-9) && gap <= most * (1 + 1e-9); } // as rounded
    };
    static Span around(double gap);
    ParamField fieldOf(const std::string& key, const JobGenerator& generator, const Span& span) const;
    ParamField exponentField(std::size_t jobs) const;
    /// Of the scenario.
    std::vector<EntityRef> keyedJobs() const;
    void edit(const std::string& key, const ParamValue& value);

    ScenarioModel& m_document;
    ParamForm* m_form;
    QLabel* m_more;                      ///< generators without a slider
    std::map<std::string, Span> m_spans; ///< by key
    ScenarioModel::Gesture m_gesture = 0;
};

} // namespace trainyard
