# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# Cuts the C blocks out of a Markdown file (see check-snippets). For block N writes folder/STEM-N.top, its
# #include lines, and folder/STEM-N.body, the rest; prints: STEM-N KIND PATH:LINE.

function kind_of(opening) {
    if (opening == "c") return has_main ? "program" : "part"
    if (opening == "c run") return has_main ? "run" : "run-without-main"
    if (opening ~ /^c skip [^ ]/) return "skip"
    return "unknown"
}

/^[ \t]*```/ && inside {
    if (inside == "c") {
        print block, kind_of(opening), FILENAME ":" first
        close(body)
        close(top)
    }
    inside = ""
    next
}

/^[ \t]*```/ {
    opening = $0
    sub(/^[ \t]*```[ \t]*/, "", opening)
    sub(/[ \t\r]+$/, "", opening)
    inside = opening ~ /^c( |$)/ ? "c" : "other"
    if (inside == "c") {
        block = stem "-" ++count
        body = folder "/" block ".body"
        top = folder "/" block ".top"
        first = FNR
        has_main = 0
        printf "#line %d \"%s\"\n", FNR + 1, FILENAME >body
        printf "" >top
    }
    next
}

inside == "c" {
    if ($0 ~ /int main\(/) has_main = 1
    if ($0 ~ /^[ \t]*#[ \t]*include/) {
        print >top
        print "" >body
    } else {
        print >body
    }
}
