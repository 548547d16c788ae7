# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT

# cmake -DLIST=FILES.txt -DWITH=TEXT -DOUTPUT=HEADER -P baker_digest.cmake: a header with a number of what bakes, its source text and
# `WITH`. Shapes that another baker left in the user's cache have another key (scenes/shape_cache.c).

file(STRINGS ${LIST} files)
set(digests "${WITH}")
foreach(path IN LISTS files)
  file(SHA256 ${path} digest)
  string(APPEND digests " ${digest}")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)
set(text "/* Made by cmake/baker_digest.cmake. */\n#define LT_BAKER_DIGEST 0x${digest}u\n")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before) # or all that includes it would be compiled again
  file(WRITE ${OUTPUT} "${text}")
endif()
