# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# Prints path:line: code for each line of C whose code matches the environment's PATTERN (unset: every line).
# Comments and the insides of strings are taken out first; #include lines keep their quotes.

BEGIN { pattern = ENVIRON["PATTERN"] }

# Where the literal that opens at the start of `text` ends (its closing quote, or the line's end).
function literal_end(text, quote,    i, c) {
    for (i = 2; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "\\") i++
        else if (c == quote) return i
    }
    return length(text)
}

FNR == 1 { in_comment = 0 }

{
    sub(/\r$/, "")
    rest = $0
    code = ""
    while (rest != "") {
        if (in_comment) {
            at = index(rest, "*/")
            if (!at) break
            in_comment = 0
            rest = substr(rest, at + 2)
            code = code " "
        } else if (rest ~ /^[ \t]*#[ \t]*include[ \t]*"/ && code == "") {
            at = index(rest, "\"")
            stop = at + literal_end(substr(rest, at), "\"") - 1
            code = substr(rest, 1, stop)
            rest = substr(rest, stop + 1)
        } else if (match(rest, /\/\*|\/\/|"|'/)) {
            code = code substr(rest, 1, RSTART - 1)
            opener = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART)
            if (opener == "//") break
            if (opener == "/*") {
                in_comment = 1
                rest = substr(rest, 3)
            } else {
                code = code opener opener
                rest = substr(rest, literal_end(rest, opener) + 1)
            }
        } else {
            code = code rest
            break
        }
    }
    if (pattern == "" || code ~ pattern) print FILENAME ":" FNR ": " code
}
