#pragma once
// The undo command of structural edits: the lists of the scenario that an edit changed, before and after.
// What it did not touch is not kept. Used by ScenarioModel alone; texts, policies and places have the smaller
// ScenarioEdit.
#include "session/ScenarioCommand.h"
#include "session/ScenarioModel.h"

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

    /// What of `scenario` differs from `other`.
    static ScenarioParts differing(const Scenario& scenario, const Scenario& other);
    void putInto(Scenario& scenario) const;
    bool empty() const {
        return !cluster && !jobs && !generators && !faults && !variants && !bookmarks && !settings;
    }
    /// Takes the parts that this has not.
    void complete(const ScenarioParts& other);
    /// Takes all parts that the other has.
    void overwrite(const ScenarioParts& other);
};

class ScenarioChange final : public ScenarioCommand {
public:
    ScenarioChange(ScenarioModel& model, const QString& text, QString target, ScenarioParts before,
                   ScenarioParts after, ScenarioModel::Changes changes, ScenarioModel::Gesture gesture)
        : ScenarioCommand(text), m_model(model), m_target(std::move(target)), m_before(std::move(before)),
          m_after(std::move(after)), m_changes(changes), m_gesture(gesture) {}

    void undo() override { apply(m_before); }
    void redo() override { apply(m_after); }
    int id() const override { return m_gesture == 0 || m_model.m_restacking ? -1 : m_gesture; }
    std::unique_ptr<ScenarioCommand> copy() const override;
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
