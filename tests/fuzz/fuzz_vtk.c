/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The VTK reader on mutated files. */

#include "fuzz/mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(SAMPLE_VTK, data, size);
    return 0;
}

#ifndef LITHE_LIBFUZZER
int main(int argument_count, char **arguments) {
    return fuzz_main(SAMPLE_VTK, 80000, argument_count, arguments);
}
#endif
