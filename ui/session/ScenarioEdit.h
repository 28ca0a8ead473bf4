#pragma once
// The one kind of undo command: a part of the scenario before and after. A part is read and written by two
// functions, so a new edit is a getter and a setter, and undo cannot forget anything. Used by ScenarioModel
// alone.
#include "session/ScenarioCommand.h"
#include "session/ScenarioModel.h"

#include <functional>

namespace trainyard {

template <class T>
class ScenarioEdit final : public ScenarioCommand {
public:
    struct Part {
        QString target; ///< what merging compares: "policy/0/k"
        std::function<T(const Scenario&)> get;
        std::function<void(Scenario&, const T&)> set;
    };

    ScenarioEdit(ScenarioModel& model, const QString& text, Part part, T after,
                 ScenarioModel::Changes changes, ScenarioModel::Gesture gesture)
        : ScenarioCommand(text), m_model(model), m_part(std::move(part)), m_before(m_part.get(model.scenario())),
          m_after(std::move(after)), m_changes(changes), m_gesture(gesture) {}

    bool changesNothing() const { return m_before == m_after; }
    void undo() override { apply(m_before); }
    void redo() override { apply(m_after); }
    int id() const override { return m_gesture == 0 || m_model.m_restacking ? -1 : m_gesture; }
    std::unique_ptr<ScenarioCommand> copy() const override {
        auto same = std::make_unique<ScenarioEdit>(m_model, text(), m_part, m_after, m_changes, m_gesture);
        same->m_before = m_before;
        return same;
    }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const ScenarioEdit*>(other);
        if (!next || next->m_part.target != m_part.target) return false;
        m_after = next->m_after;
        setObsolete(changesNothing());
        return true;
    }

private:
    void apply(const T& value) {
        if (m_model.m_restacking) return;
        m_part.set(m_model.m_scenario, value);
        m_model.applied(m_changes, m_gesture);
    }

    ScenarioModel& m_model;
    Part m_part;
    T m_before, m_after;
    ScenarioModel::Changes m_changes;
    ScenarioModel::Gesture m_gesture;
};

} // namespace trainyard
