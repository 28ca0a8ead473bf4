#pragma once
// Light, dark, or as the system has it; remembered between starts and applied at once to the running program.
#include <QObject>

class QAction;
class QActionGroup;
class QMenu;

namespace trainyard {

class ThemeChoice final : public QObject {
    Q_OBJECT
public:
    enum Kind { system, light, dark };
    /// Before anything else has touched the application's palette: that is how the system's lightness is
    /// known.
    explicit ThemeChoice(QObject* parent = nullptr);

    void choose(Kind kind, bool remember = true);
    Kind kind() const { return m_kind; }
    void addTo(QMenu* menu);

Q_SIGNALS:
    void changed();

private:
    Kind m_kind = system;
    bool m_systemIsDark = false;
    QActionGroup* m_actions = nullptr;
};

} // namespace trainyard
