// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which jobs a parameter of a policy is about: forms disable it in a scenario without any of them. Policies that ask the same offer the
// same words, and these tell.
#include "policy/scheduler/JobStart.h"
#include "policy/synchronization/Averaging.h"

#include "base/ParamSchema.h"

namespace trainyard {

enum class ParameterScope {
    everyJob,
    elastic,  ///< jobs with a choice of numbers of workers
    gradients ///< jobs whose workers send gradients
};

inline ParameterScope scopeOf(const ParamField& field) {
    return field.choices == sizeChoices        ? ParameterScope::elastic
           : field.choices == pushScaleChoices ? ParameterScope::gradients
                                               : ParameterScope::everyJob;
}

} // namespace trainyard
