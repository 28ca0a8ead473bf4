#pragma once
// A law as scenario files write it.
#include "base/Distribution.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::cli {

/// {"law": …, …}
nlohmann::ordered_json lawJson(const Distribution& law);

} // namespace trainyard::cli
