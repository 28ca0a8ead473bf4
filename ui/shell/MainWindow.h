#pragma once
// The main window: menus, docks, layout. Nothing else.
#include <QMainWindow>

namespace trainyard {

class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
};

} // namespace trainyard
