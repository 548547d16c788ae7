# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT

# What CMake does not know about WASI: no shared libraries, programs end in .wasm.
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
