/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/pack.h"

extern const lt_pack_kernels lt_pack_kernels_scalar, lt_pack_kernels_wide4, lt_pack_kernels_avx2;

const lt_pack_kernels *lt_pack_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_pack_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_pack_kernels);
    return table[level];
}

size_t lt_packed_size(const void *block, const lt_packed_quads *quads) {
    LT_ASSERT(quads->begin <= quads->end);
    return lt_pack_kernels_for(lt_simd_best())->size(block, quads);
}

size_t lt_pack(const void *block, const lt_packed_quads *quads, uint8_t *out, size_t capacity) {
    LT_ASSERT(quads->begin <= quads->end);
    return lt_pack_kernels_for(lt_simd_best())->pack(block, quads, out, capacity);
}

size_t lt_unpack(void *block, const lt_packed_quads *quads, const uint8_t *bytes, size_t size) {
    LT_ASSERT(quads->begin <= quads->end);
    return lt_pack_kernels_for(lt_simd_best())->unpack(block, quads, bytes, size);
}
