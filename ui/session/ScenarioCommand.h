#pragma once
// What all undo commands of the document have in common: they can be copied to another stack. Used by
// ScenarioModel alone.
#include <QUndoCommand>

#include <memory>

namespace trainyard {

class ScenarioCommand : public QUndoCommand {
public:
    using QUndoCommand::QUndoCommand;
    virtual std::unique_ptr<ScenarioCommand> copy() const = 0;
};

} // namespace trainyard
