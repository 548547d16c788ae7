/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The STL reader on mutated files. */

#include "fuzz/mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(SAMPLE_STL, data, size);
    return 0;
}

#ifndef LITHE_LIBFUZZER
int main(int argument_count, char **arguments) {
    return fuzz_main(SAMPLE_STL, 80000, argument_count, arguments);
}
#endif
