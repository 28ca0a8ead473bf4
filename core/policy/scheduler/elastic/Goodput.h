// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How fast a job comes ahead with so many workers and so large a batch: updates per second times what each of them is worth (goodput, Qiao
// et al., Pollux, OSDI 2021). Used by schedulers that choose batches.
#include "model/Job.h"

namespace trainyard {

struct Goodput {
    UpdateLaw other;   ///< seconds of an update that do not depend on the batch
    UpdateLaw batched; ///< and those that do, with the declared batch
    int declared = 1;  ///< samples
    int most = 1;      ///< samples, at least declared
    double noiseScale = 0;

    /// Of an update.
    double seconds(int workers, double batch) const {
        return other.at(workers) + batch / declared * batched.at(workers);
    }
    /// The batch with the greatest goodput, from the declared one to the greatest. With α seconds that do not depend on the batch and β
    /// per sample it is √(φ·α/β), where m/((φ + m)(α + β·m)) has its only maximum.
    int bestBatch(int workers) const;
    /// Updates of the declared batch per second.
    double at(int workers, double batch) const {
        return batchGain(batch, declared, noiseScale) / seconds(workers, batch);
    }
    double best(int workers) const { return at(workers, bestBatch(workers)); }
};

} // namespace trainyard
