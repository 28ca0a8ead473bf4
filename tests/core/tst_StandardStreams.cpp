// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whichever of the standard streams are closed, a file opened later is none of them, and using them fails.
#include "base/StandardStreams.h"
#include "support/TestMain.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace trainyard;

class tst_StandardStreams : public QObject {
    Q_OBJECT
private slots:
    void closedOnesAreNotGivenToFiles();
};

void tst_StandardStreams::closedOnesAreNotGivenToFiles() {
    for (int closed = 0; closed < 8; ++closed) {
        std::array<int, 3> kept{}, failed{};
        for (int stream = 0; stream < 3; ++stream) kept[stream] = fcntl(stream, F_DUPFD_CLOEXEC, 10);
        for (int stream = 0; stream < 3; ++stream)
            if (closed >> stream & 1) close(stream);
        guardStandardStreams();
        const int file = open("/dev/zero", O_RDWR);
        char byte = 0;
        for (int stream = 0; stream < 3; ++stream)
            if (closed >> stream & 1) {
                const auto used = stream == 0 ? read(stream, &byte, 1) : write(stream, &byte, 1);
                failed[stream] = used < 0 && errno == EBADF;
            }
        close(file);
        for (int stream = 0; stream < 3; ++stream) {
            dup2(kept[stream], stream);
            close(kept[stream]);
        }
        QVERIFY2(file > 2, qPrintable(QString::number(closed)));
        for (int stream = 0; stream < 3; ++stream) QCOMPARE(failed[stream], closed >> stream & 1);
    }
}

TRAINYARD_TEST(tst_StandardStreams)
#include "tst_StandardStreams.moc"
