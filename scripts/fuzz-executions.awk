# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# From ctest's LastTest.log, the sum of the lines `fuzz-executions N` that fuzz targets print.

/^fuzz-executions [0-9]+$/ { sum += $2 }
END { printf "%d\n", sum }
