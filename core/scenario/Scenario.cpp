#include "scenario/Scenario.h"

namespace trainyard {

const Choice& PolicySet::of(PolicyFamily family) const {
    switch (family) {
    case PolicyFamily::scheduler: return scheduler;
    case PolicyFamily::synchronization: return synchronization;
    case PolicyFamily::parameters: return parameters;
    case PolicyFamily::partitioner: break;
    }
    return partitioner;
}

Choice& PolicySet::of(PolicyFamily family) { return const_cast<Choice&>(std::as_const(*this).of(family)); }

} // namespace trainyard
