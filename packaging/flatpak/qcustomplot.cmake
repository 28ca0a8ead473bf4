# SPDX-FileCopyrightText: 2026 The Trainyard authors
# SPDX-License-Identifier: GPL-3.0-or-later
# QCustomPlot comes without a build of its own; this one makes the library and the CMake package that Debian ships.
cmake_minimum_required(VERSION 3.16)
project(QCustomPlotQt6 LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_AUTOMOC ON)
find_package(Qt6 REQUIRED COMPONENTS Widgets PrintSupport)
add_library(QCustomPlotQt6 SHARED qcustomplot.cpp qcustomplot.h)
set_target_properties(QCustomPlotQt6 PROPERTIES OUTPUT_NAME qcustomplotQt6 PUBLIC_HEADER qcustomplot.h)
target_link_libraries(QCustomPlotQt6 PUBLIC Qt6::Widgets Qt6::PrintSupport)
target_include_directories(QCustomPlotQt6 INTERFACE $<INSTALL_INTERFACE:include>)
install(TARGETS QCustomPlotQt6 EXPORT QCustomPlotQt6Config LIBRARY DESTINATION lib PUBLIC_HEADER DESTINATION include)
install(EXPORT QCustomPlotQt6Config NAMESPACE QCustomPlotQt6:: DESTINATION lib/cmake/QCustomPlotQt6)
