# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# The library as objects that show who calls whom, for check-reach and report-sizes: not optimised, so that no call is
# inlined away, a section per function and per table, one SIMD level, asserts on. About 17 s of processor time.

# compile_objects COMPILER FOLDER : src/a/b.c and bake/c.c of the current folder to FOLDER/src%a%b.c.o, FOLDER/bake%c.c.o.
compile_objects() {
    mkdir -p "$2/generated"
    echo '#define LT_BAKER_DIGEST 0u' >"$2/generated/baker_digest.h" # cmake makes the real one
    # shellcheck disable=SC2016 # for the inner shell
    existing src bake scenes | while IFS= read -r folder; do find "$folder" -name '*.c'; done | grep -v '_windows\.c$' | LC_ALL=C sort |
        tr '\n' '\0' | xargs -0 -r -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c '
            "$1" -std=c17 -w -O0 -fPIC -ffunction-sections -fdata-sections -fvisibility=hidden -Iinclude -Isrc -I. -I"$2/generated" \
                -DLITHE_ASSERTS -DLITHE_VALIDATE -DLT_HAVE_LEVEL_SCALAR=1 -DLT_KERNEL_LEVEL_SCALAR=1 \
                -c "$3" -o "$2/$(echo "$3" | tr / %).o"' compile "$1" "$2"
}

# unreached COMPILER OBJECT... : lines `src/a/b.c function` of what no exported function of these objects leads to, by
# calls or by tables of functions. The linker decides; what it exports is what LT_API marks.
unreached() {
    unreached_compiler=$1
    shift
    LC_ALL=C "$unreached_compiler" -shared -o /dev/null -Wl,--gc-sections -Wl,--print-gc-sections "$@" -lm 2>&1 |
        sed -n "s|.*'\.text\.\(.*\)' in file '\(.*/\)*\(.*\)\.o'.*|\3 \1|p" | tr % / | LC_ALL=C sort -u
}
