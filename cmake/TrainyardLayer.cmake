# SPDX-FileCopyrightText: 2026 The Trainyard authors
# SPDX-License-Identifier: GPL-3.0-or-later
# trainyard_layer(NAME LINKS a b … [PRIVATE x y …]): the folder is the layer; every .cpp under it belongs to it.
# LINKS names lower layers and public libraries. Which layer may link which is checked by tests/arch.
function(trainyard_layer name)
    cmake_parse_arguments(ARG "" "" "LINKS;PRIVATE" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
    if(sources)
        add_library(trainyard_${name} STATIC ${sources} ${headers})
        target_link_libraries(trainyard_${name} PUBLIC trainyard_compiler ${ARG_LINKS} PRIVATE ${ARG_PRIVATE})
        target_include_directories(trainyard_${name} PUBLIC ${CMAKE_SOURCE_DIR}/core)
    else()
        add_library(trainyard_${name} INTERFACE)
        target_link_libraries(trainyard_${name} INTERFACE trainyard_compiler ${ARG_LINKS})
        target_include_directories(trainyard_${name} INTERFACE ${CMAKE_SOURCE_DIR}/core)
    endif()
    add_library(trainyard::${name} ALIAS trainyard_${name})
endfunction()
