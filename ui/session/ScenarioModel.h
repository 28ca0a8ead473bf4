// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The open document: one Scenario value, one undo stack, one file. Every edit of the window goes through here
// as a command; views listen to edited() and read scenario(). Opening a bad file leaves the open document as
// it is and fills problems(). Called from the window's thread only; a run gets its own copy by share().
#include "scenario/EntityFields.h"
#include "scenario/ScenarioFile.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include <functional>
#include <memory>

namespace trainyard {

class ScenarioModel final : public QObject {
    Q_OBJECT
public:
    /// What an edit touched. Texts and layout change no run; structure is what there is: machines, links,
    /// jobs, faults and their numbers.
    enum Change { texts = 1, layout = 2, policies = 4, settings = 8, structure = 16, everything = 31 };
    Q_DECLARE_FLAGS(Changes, Change)
    static bool changesRun(Changes changes) { return changes.testAnyFlags(Changes(policies) | settings | structure); }

    explicit ScenarioModel(std::shared_ptr<const Registry> registry, QObject* parent = nullptr);

    const Scenario& scenario() const { return m_scenario; }
    std::shared_ptr<const Scenario> share() const;
    const Registry& registry() const { return *m_registry; }
    QUndoStack& undoStack() { return m_undo; }
    /// How many steps are kept; 0: all. In effect at once: older steps are forgotten.
    void setUndoLimit(int steps);

    // --- The file
    // -----------------------------------------------------------------------------------------------------
    QString filePath() const { return m_path; }
    /// File name, or the title of a document that has no file yet.
    QString displayName() const;
    bool isModified() const { return !m_undo.isClean(); }
    /// What would be lost without saving, for people: "jobs", "faults". Policies and the seed are tried out, not lost. Nothing: none
    /// of it has changed.
    QStringList changesToSave() const;
    /// Reads the file. False: problems() says why, and nothing else has changed. As a copy it has no file of its own: saving
    /// asks for one.
    bool open(const QString& path, bool asCopy = false);
    QString copiedFrom() const { return m_copiedFrom; } ///< empty: it is no copy
    /// Puts another document in place, for instance a recovered one, which counts as modified.
    void replace(Scenario scenario, const QString& path, bool modified);
    /// Writes the file, whole or not at all. False: problems() says why.
    bool save() { return saveAs(m_path); }
    bool saveAs(const QString& path);
    /// True until the first save of a file that Trainyard did not write: saving it changes its layout and
    /// drops comments.
    bool reformatsOnSave() const;
    /// Of the last open, save or validate(). Lines are known for what came from the file.
    const Problems& problems() const { return m_problems; }
    /// Checks the document as it is now; true if it can run.
    bool validate();
    /// Values that stand in a form and cannot be kept: the document is still as it was before they were typed.
    int refused() const;
    void setRefused(const QObject* form, int values);
    /// As the undo of a value that was never taken: forms show what the document has.
    void withdrawRefused() { Q_EMIT refusedWithdrawn(); }

    // --- Edits: each is one step to undo
    // ------------------------------------------------------------------------------
    /// Edits with the same number and the same target are one step: ask for a number when a drag begins. 0:
    /// on its own.
    using Gesture = int;
    Gesture beginGesture() { return ++m_lastGesture; }
    /// The last step to undo is this gesture's: what it did has changed something, and not been taken back.
    bool hasChanged(Gesture gesture) const;

    void choosePolicy(PolicyFamily family, const Choice& choice);
    void setPolicyParameter(PolicyFamily family, const std::string& key, const ParamValue& value, Gesture gesture = 0);
    void setSeed(std::uint64_t seed, Gesture gesture = 0);
    void setMode(RunMode mode);
    void setTitle(const QString& title);
    /// New places of machines and switches, by key.
    void moveEntities(const QHash<QString, Position>& places, Gesture gesture = 0);
    void renameEntity(const QString& key, const QString& name);
    /// Sets one field of every entity (see scenario/EntityFields.h); an empty value means the default.
    /// Numbers out of range are kept and reported by validate(); what cannot be kept is returned, and then
    /// nothing has changed.
    Problems setField(const std::vector<EntityRef>& entities, const std::string& path, const std::string& json,
                      Gesture gesture = 0);
    /// Any other change of the scenario, as one step. `target`: what merging within a gesture compares.
    void change(const QString& text, const std::function<void(Scenario&)>& how, Gesture gesture = 0,
                const QString& target = {});
    /// Adds a piece under free ids, moved by the offset; ids of the machines, switches and racks it became.
    QStringList insert(const QString& text, const Scenario& piece, Position offset);
    /// Removes elements of the lists: jobs, generators, faults, variants, devices and those above.
    void removeElements(std::vector<EntityRef> elements);

Q_SIGNALS:
    /// After every edit, undo and redo. `gesture`: the number of the drag it belongs to, or 0.
    void edited(trainyard::ScenarioModel::Changes changes, int gesture);
    void documentReplaced();
    void fileChanged(); ///< path, name or modified state
    void problemsChanged();
    void refusedWithdrawn(); ///< see withdrawRefused()

private:
    friend class ScenarioChange;
    /// As change(), but nothing has changed if `how` says no.
    void tryChange(const QString& text, const std::function<bool(Scenario&)>& how, Gesture gesture,
                   const QString& target);
    void applied(Changes changes, Gesture gesture);
    void setProblems(Problems problems);

    std::shared_ptr<const Registry> m_registry;
    Scenario m_scenario;
    std::shared_ptr<const Scenario> m_saved; ///< as it was opened or saved last; null: never
    QUndoStack m_undo;
    QString m_path, m_copiedFrom;
    Problems m_problems;
    QHash<const QObject*, int> m_refused; ///< by form
    ScenarioText m_file;                  ///< that it came from; none where lines are not those of a file
    Gesture m_lastGesture = 0;
    bool m_restacking = false; ///< commands move to another stack: the scenario stays as it is
};

Q_DECLARE_OPERATORS_FOR_FLAGS(ScenarioModel::Changes)

} // namespace trainyard
