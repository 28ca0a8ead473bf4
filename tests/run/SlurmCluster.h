// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A cluster of two nodes on this machine, by Debian's slurm-wlm and munge, in a directory of its own: nothing of the system is used or
// changed. It ends with the object.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>

#include <memory>
#include <unistd.h>
#include <vector>

namespace trainyard::test {

class SlurmCluster {
public:
    SlurmCluster() {
        for (const char* program : {"munged", "slurmctld", "slurmd", "sbatch"})
            if (QStandardPaths::findExecutable(QLatin1String(program), paths()).isEmpty()) return;
        const QString port = QString::number(20'000 + getpid() % 10'000 * 3);
        QProcess setUp;
        setUp.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromLatin1(files), m_dir.path(), port});
        setUp.waitForFinished();
        start({"munged", "--foreground", "--force", "--key-file=key", "--socket=" + m_dir.filePath("munge"),
               "--pid-file=" + m_dir.filePath("munged.pid"), "--log-file=" + m_dir.filePath("munged.log"),
               "--seed-file=" + m_dir.filePath("seed")});
        QThread::msleep(300);
        start({"slurmctld", "-D", "-i"});
        QThread::msleep(500);
        for (const char* node : {"n1", "n2"}) start({"slurmd", "-D", "-N", node});
        for (int i = 0; i < 100 && !m_started; ++i, QThread::msleep(100))
            m_started = command({"sinfo", "-h", "-t", "idle", "-o", "%D"}) == "2\n";
    }
    ~SlurmCluster() {
        for (auto process = m_processes.rbegin(); process != m_processes.rend(); ++process) {
            (*process)->terminate();
            if (!(*process)->waitForFinished(10'000)) (*process)->kill();
        }
    }
    SlurmCluster(const SlurmCluster&) = delete;
    SlurmCluster& operator=(const SlurmCluster&) = delete;

    bool started() const { return m_started; } ///< false: not installed, or not allowed here
    QString configuration() const { return m_dir.filePath("slurm.conf"); } ///< for SLURM_CONF
    /// What a command of Slurm prints.
    QByteArray command(QStringList words) const {
        QProcess process;
        prepare(process);
        process.start(words.takeFirst(), words);
        process.waitForFinished();
        return process.readAllStandardOutput();
    }

private:
    static constexpr const char* files = R"(cd "$0" && head -c 1024 /dev/urandom > key && chmod 600 key && mkdir state
host=$(uname -n)
cat > slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
AuthType=auth/munge
AuthInfo=socket=$0/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$0/state
SlurmdSpoolDir=$0/spool-%n
SlurmctldPidFile=$0/slurmctld.pid
SlurmdPidFile=$0/slurmd-%n.pid
SlurmctldLogFile=$0/slurmctld.log
SlurmdLogFile=$0/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0
KillWait=2
MpiDefault=none
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(($1 + 1)) CPUs=1 RealMemory=100
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(($1 + 2)) CPUs=1 RealMemory=100
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
)";

    static QStringList paths() {
        return qEnvironmentVariable("PATH").split(QLatin1Char(':')) + QStringList{"/usr/sbin", "/sbin"};
    }
    void prepare(QProcess& process) const {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SLURM_CONF", configuration());
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_dir.path());
    }
    void start(QStringList words) {
        words.front() = QStandardPaths::findExecutable(words.front(), paths());
        m_processes.push_back(std::make_unique<QProcess>());
        prepare(*m_processes.back());
        m_processes.back()->setStandardErrorFile(QProcess::nullDevice());
        m_processes.back()->start("setpriv", QStringList{"--pdeathsig", "TERM"} + words); // they end with the test
    }
    QTemporaryDir m_dir;
    std::vector<std::unique_ptr<QProcess>> m_processes;
    bool m_started = false;
};

} // namespace trainyard::test
