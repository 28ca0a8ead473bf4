// libFuzzer on the scenario reader, writer and validation. Build the preset "fuzz", then
//   build/fuzz/bin/fuzz_scenario -dict=tests/fuzz/scenario.dict -max_len=20000 NEW tests/fuzz/corpus
//   scenarios/start scenarios/tests
// with NEW a directory for what it finds; an input that breaks something goes to tests/fuzz/corpus together
// with the fix.
#include "fuzz/ScenarioFuzz.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const trainyard::Registry registry = trainyard::Registry::builtin();
    trainyard::test::checkAnyBytes({reinterpret_cast<const char*>(data), size}, registry);
    return 0;
}
