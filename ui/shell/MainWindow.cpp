#include "shell/MainWindow.h"

namespace trainyard {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) { setWindowTitle(tr("Trainyard")); }

} // namespace trainyard
