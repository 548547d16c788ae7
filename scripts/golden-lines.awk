# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# From ctest's LastTest.log, the lines `golden NAME HASH` that tests print, as: TEST NAME HASH.

/^[0-9]+\/[0-9]+ Testing: / { test = $3 }
/^golden [^ ]+ [0-9a-f]+$/ { print test, $2, $3 }
