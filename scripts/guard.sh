# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# What the scripts check-* share. A guard defines two functions and calls guard_main:
#
#   violations   looks at the tree in the current folder and prints one line per violation
#   self_test    writes small trees into the current, empty folder and says what must be found there:
#                    put FILE <<'END' ... END      a file, its folders made
#                    expect_clean                  no violation
#                    expect 'WORD'                 a violation whose text contains WORD; the tree is emptied
#
#   guard_main REMEDY [--self-test] [ARGUMENT...]    the arguments are left in "$@" of the two functions
#
# Exit codes: 0 clean, 1 violations, 77 (ctest: skipped) when `skip REASON` was called.

guard_scripts=$(cd "$(dirname "$0")" && pwd)
guard_name=$(basename "$0")

# Files that the engine replaces: what they are named, how they call each other and what they assert is not looked at.
doomed_files='^src/method/(multiscale_(divide|parts|near|ground|plane|bodies|slow|pending|long|way|sight|seen)|cell_(roots|spare|order)|roots)'

skip() {
    echo "$guard_name: skipped: $1"
    exit 77
}

# existing FOLDER... : those that are there, one per line.
existing() {
    for folder in "$@"; do
        if [ -e "$folder" ]; then echo "$folder"; fi
    done
}

# c_files FOLDER... : the C files below, one per line.
c_files() {
    existing "$@" | while IFS= read -r folder; do
        find "$folder" -type f \( -name '*.c' -o -name '*.h' \)
    done | LC_ALL=C sort
}

# on_files COMMAND... : runs it with the paths on standard input, one per line, as its last arguments.
on_files() {
    tr '\n' '\0' | xargs -0 -r "$@"
}

# code_lines PATTERN: of the files named on standard input, the lines whose code (comments and the text of
# strings taken out) matches the extended regular expression, as path:line: code.
code_lines() {
    PATTERN=$1 on_files awk -f "$guard_scripts/code-only.awk"
}

# project_files: every file git tracks or would track; in an unpacked archive, every file.
project_files() {
    if [ -e .git ] && git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -z -co --exclude-standard | tr '\0' '\n' | while IFS= read -r path; do
            if [ -f "$path" ]; then echo "$path"; fi
        done
    else
        find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o -type f -print | sed 's|^\./||'
    fi | LC_ALL=C sort
}

put() {
    mkdir -p "$(dirname "$1")"
    cat >"$1"
}

expect_clean() {
    found=$(violations)
    [ -z "$found" ] && return
    printf '%s: a clean tree was refused:\n%s\n' "$guard_name" "$found"
    exit 1
}

expect() {
    found=$(violations)
    case $found in
    *"$1"*) ;;
    *)
        printf '%s: not found: %s\nfound instead: %s\n' "$guard_name" "$1" "${found:-nothing}"
        exit 1
        ;;
    esac
    find . -mindepth 1 -delete
}

guard_main() {
    guard_remedy=$1
    shift
    if [ "${1-}" = --self-test ]; then
        guard_temporary=$(mktemp -d)
        trap 'cd /; rm -rf "$guard_temporary"' EXIT
        trap 'exit 130' INT TERM
        cd "$guard_temporary" || exit 1
        self_test
        echo "$guard_name: finds what it should"
    else
        cd "$guard_scripts/.." || exit 1
        found=$(violations)
        [ -z "$found" ] && exit 0
        printf '%s\n\n%s\n' "$found" "$guard_remedy"
        exit 1
    fi
}
