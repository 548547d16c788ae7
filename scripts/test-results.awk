# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# From ctest's JUnit file, a line per test: NAME SECONDS passed|failed|skipped.

function attribute(name) {
    if (!match($0, " " name "=\"[^\"]*\"")) return ""
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}

/^[ \t]*<testcase / {
    status = attribute("status")
    verdict = status == "run" ? "passed" : status == "notrun" || status == "disabled" ? "skipped" : "failed"
    name = attribute("name")
    seconds = attribute("time")
    waiting = status == "notrun"
    if (!waiting) print name, seconds, verdict
    next
}

# "Not run" is a skip when the test said so itself (exit code 77), and a failure when its program is missing.
waiting && /<skipped / {
    print name, seconds, $0 ~ /SKIP_RETURN_CODE/ ? "skipped" : "failed"
    waiting = 0
}
