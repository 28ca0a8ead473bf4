# SPDX-FileCopyrightText: 2026 The Trainyard authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiler settings for every target. The floating-point flags are part of the determinism promise (docs/decisions/0002).
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Assertions stay out of Release, which keeps -O2 so that dev and release differ little.
# Everything is linked statically: no function is ever replaced by another library's, so the compiler may inline it.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG -fno-semantic-interposition")
# Line numbers are all that reports of sanitizers and of fuzzing need; whole debug information makes their builds half as long again.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g1")

add_library(trainyard_compiler INTERFACE)
target_compile_options(trainyard_compiler INTERFACE
    -ffp-contract=off -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
    -Wno-missing-field-initializers) # designated initializers leave the rest at their defaults on purpose
target_compile_definitions(trainyard_compiler INTERFACE
    TRAINYARD_VERSION="${PROJECT_VERSION}" $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
# g++ 12 sees uninitialized values in moved-from variants and optionals once it optimizes; the sanitizers and clang's analyzer
# look for the real ones.
target_compile_options(trainyard_compiler INTERFACE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<NOT:$<CONFIG:Debug>>>:-Wno-maybe-uninitialized>)
if(TRAINYARD_WERROR)
    target_compile_options(trainyard_compiler INTERFACE -Werror)
endif()
if(TRAINYARD_HARDEN)
    # As Debian builds its packages. None of these changes what floating-point code computes.
    include(CheckPIESupported)
    check_pie_supported()
    target_compile_options(trainyard_compiler INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong
        -fstack-clash-protection $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-fcf-protection> -Werror=format-security)
    target_link_options(trainyard_compiler INTERFACE -Wl,-z,relro,-z,now)
endif()
if(TRAINYARD_SANITIZE)
    target_compile_options(trainyard_compiler INTERFACE -fsanitize=${TRAINYARD_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(trainyard_compiler INTERFACE -fsanitize=${TRAINYARD_SANITIZE})
    if(TRAINYARD_SANITIZE MATCHES "thread")
        # Debian's TBB is not instrumented; the parallel seam (base/Parallel.h) runs on std::jthread instead.
        target_compile_definitions(trainyard_compiler INTERFACE TRAINYARD_PARALLEL_JTHREAD)
    endif()
endif()
if(TRAINYARD_FUZZ)
    # Line coverage in the same build: packaging/fuzz reports it for the reader.
    target_compile_options(trainyard_compiler INTERFACE -fsanitize=fuzzer-no-link,address,undefined
        -fno-sanitize-recover=undefined -fno-omit-frame-pointer -fprofile-instr-generate -fcoverage-mapping)
    target_link_options(trainyard_compiler INTERFACE -fsanitize=address,undefined -fprofile-instr-generate)
endif()
if(TRAINYARD_TIDY)
    find_program(CLANG_TIDY clang-tidy REQUIRED)
    set(CMAKE_CXX_CLANG_TIDY ${CLANG_TIDY} --quiet)
endif()
find_program(CCACHE ccache)
if(CCACHE)
    # ccache keeps files that use a precompiled header only when told that their defines are settled. Paths relative to the
    # checkout make the cache serve every clone and work tree.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
        CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
set(CMAKE_AUTOMOC_MOC_OPTIONS --include ${CMAKE_SOURCE_DIR}/cmake/MocPrelude.h)
