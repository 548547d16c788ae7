# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# Fails unless README.md holds examples/hello.c, without its SPDX lines, as a C block.

file(READ examples/hello.c example)
file(READ README.md readme)
string(REGEX REPLACE "^[^\n]*SPDX[^\n]*\n[^\n]*SPDX[^\n]*\n\n" "" example "${example}")
string(FIND "${readme}" "```c\n${example}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "The C block of README.md is not examples/hello.c: copy the file into it.")
endif()
