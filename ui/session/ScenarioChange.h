// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The one undo command: the parts of the scenario that an edit changed, before and after. What it did not
// touch is not kept. Used by ScenarioModel alone.
#include "session/ScenarioModel.h"

#include <QUndoCommand>

namespace trainyard {

/// The parts of a scenario that differ from another's; an absent part is the same in both.
struct ScenarioParts {
    std::optional<Cluster> cluster;
    std::optional<std::vector<Job>> jobs;
    std::optional<std::vector<JobGenerator>> generators;
    std::optional<std::vector<Fault>> faults;
    std::optional<std::vector<Variant>> variants;
    std::optional<std::vector<Bookmark>> bookmarks;
    std::optional<Scenario> settings; ///< with empty lists
    /// Of machines and switches, by key; a drag changes nothing else, and does not keep the cluster.
    std::map<std::string, std::optional<Position>> places;

    /// What of `scenario` differs from `other`.
    static ScenarioParts differing(const Scenario& scenario, const Scenario& other);
    void putInto(Scenario& scenario) const;
    bool empty() const { return *this == ScenarioParts{}; }
    /// Takes the parts that this has not.
    void complete(const ScenarioParts& other);
    /// Takes all parts that the other has.
    void overwrite(const ScenarioParts& other);
    friend bool operator==(const ScenarioParts&, const ScenarioParts&) = default;
};

class ScenarioChange final : public QUndoCommand {
public:
    ScenarioChange(ScenarioModel& model, const QString& text, QString target, ScenarioParts before, ScenarioParts after,
                   ScenarioModel::Changes changes, ScenarioModel::Gesture gesture)
        : QUndoCommand(text), m_model(model), m_target(std::move(target)), m_before(std::move(before)),
          m_after(std::move(after)), m_changes(changes), m_gesture(gesture) {}

    void undo() override { apply(m_before); }
    void redo() override { apply(m_after); }
    int id() const override { return m_gesture == 0 || m_model.m_restacking ? -1 : m_gesture; }
    std::unique_ptr<ScenarioChange> copy() const; ///< for another stack
    bool mergeWith(const QUndoCommand* other) override;

private:
    void apply(const ScenarioParts& parts);

    ScenarioModel& m_model;
    QString m_target;
    ScenarioParts m_before, m_after;
    ScenarioModel::Changes m_changes;
    ScenarioModel::Gesture m_gesture;
};

} // namespace trainyard
