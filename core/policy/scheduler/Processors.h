// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What counts as the processors of a job: the one notion that schedulers share who rank jobs by service, processors × time.
#include "model/Workload.h"

namespace trainyard {

/// Of one worker: what it takes of the cluster's accelerators (resources named gpu, tpu, npu or accelerator, of all of them
/// together) if it asks for any, else of its CPU cores (cpu, core), else 1. Names are compared without regard to case and to
/// an s at the end.
double processorsPerWorker(const Cluster& cluster, const Job& job);

} // namespace trainyard
