// trainyard: the window. Builds objects, connects, shows.
#include "shell/MainWindow.h"

#include <QApplication>

#include <clocale>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // QApplication set the user's; numbers in files stay in C
    trainyard::MainWindow window;
    window.show();
    return application.exec();
}
