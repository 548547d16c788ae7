# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT

# What `cmake --install` puts where: libraries, headers, the program, and the two ways by which other builds find them
# (find_package and pkg-config). Nothing in it names the prefix: an installed tree may be moved.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(LITHE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Lithe)

foreach(name Lithe::lithe Lithe::bake Lithe::scenes)
  if(TARGET ${name})
    get_target_property(target ${name} ALIASED_TARGET)
    install(TARGETS ${target} EXPORT LitheTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
endforeach()
install(DIRECTORY include/lithe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET lithe_program)
  install(TARGETS lithe_program)
endif()

# ---- find_package(Lithe): before 1.0 every minor version may change the interface ----
install(EXPORT LitheTargets NAMESPACE Lithe:: DESTINATION ${LITHE_CMAKE_DIR})
configure_package_config_file(cmake/LitheConfig.cmake.in LitheConfig.cmake INSTALL_DESTINATION ${LITHE_CMAKE_DIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(LitheConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/LitheConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/LitheConfigVersion.cmake
  DESTINATION ${LITHE_CMAKE_DIR})

# ---- pkg-config: the prefix is found from where the .pc file lies ----
set(pc_private "")
if(LITHE_SYSTEM_LIBRARIES)
  set(pc_private "-pthread -lm")
endif()
# libmeshoptimizer is C++: whoever links with a static one needs the library of that language as well, and C compilers do
# not think of it. A shared one brings it along.
set(pc_bake_private "")
set(pc_bake_static "")
if(LITHE_BAKE_SYSTEM_LIBRARIES)
  set(pc_bake_private "-lmeshoptimizer")
  set(pc_bake_static "-lstdc++")
  if(LITHE_MESHOPTIMIZER_LIBRARY MATCHES "\\.a$")
    set(pc_bake_private "-lmeshoptimizer -lstdc++")
    set(pc_bake_static "")
  endif()
endif()
if(BUILD_SHARED_LIBS)
  set(pc_libs "-llithe")
  set(pc_private "${pc_private} ${pc_bake_private}")
  set(pc_bake_libs "")
  set(pc_bake_private "")
  set(pc_scenes_libs "")
else()
  # There is no shared one: what the static one needs is always needed, also where nobody says --static.
  set(pc_libs "-llithe ${pc_private}")
  set(pc_bake_libs "-llithe-bake ${pc_bake_private}")
  set(pc_scenes_libs "-llithe-scenes")
  set(pc_private "")
  set(pc_bake_private "${pc_bake_static}")
endif()
file(RELATIVE_PATH pc_includedir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(pc_files lithe)
foreach(part IN LISTS LITHE_PARTS)
  list(APPEND pc_files lithe-${part})
endforeach()
foreach(name IN LISTS pc_files)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
