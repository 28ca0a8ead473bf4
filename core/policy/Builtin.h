#pragma once
// The entries of the policies that ship: one function per policy, defined in the policy's own file. Only
// Registry.cpp calls them, to make the one visible list.
#include "policy/Registry.h"

namespace trainyard::builtin {

SchedulerEntry fifo();
SchedulerEntry srtf();
SchedulerEntry drf();
SchedulerEntry fair();

SynchronizationEntry fullSync();
SynchronizationEntry fastestK();
SynchronizationEntry backupWorkers();
SynchronizationEntry kBatchSync();
SynchronizationEntry kAsync();
SynchronizationEntry kBatchAsync();
SynchronizationEntry async();
SynchronizationEntry ssp();
SynchronizationEntry dsag();
SynchronizationEntry localSgd();
SynchronizationEntry adaComm();
SynchronizationEntry gradientCoding();
SynchronizationEntry adaptiveK();
SynchronizationEntry adaptiveLoad();

ParametersEntry staticParameters();

PartitionerEntry noPartitioning();
PartitionerEntry maxPartitioning();
PartitionerEntry randomPartitioning();

} // namespace trainyard::builtin
