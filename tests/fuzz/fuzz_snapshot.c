/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bytes into lt_world_restore: refused with nothing changed, or a world that steps without a crash. With
 * -DLITHE_LIBFUZZER this is a libFuzzer target; without, it damages snapshots of a busy world a fixed number of
 * times, the same way every time, multiplied by LITHE_FUZZ_ITERATIONS. */

#include "core/random.h"
#include "fuzz/rounds.h"
#include "world/scenes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static busy target;
static uint32_t accepted, stepped_wrong;

static void open_target(void) {
    if (target.world) return;
    busy_shapes shapes = make_busy_shapes();
    lt_world_def def = test_world_def();
    def.contact_capacity = 256;
    target = make_busy(&def, &shapes);
    drop_busy_shapes(&shapes);
    for (uint64_t i = 0; i < 40; i++)
        step_busy(&target, i, lt_budget_units(3000));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t nothing[1];
    open_target();
    uint64_t before = lt_world_hash(target.world);
    if (lt_world_restore(target.world, size ? data : nothing, size, NULL) != LT_OK) {
        stepped_wrong += lt_world_hash(target.world) != before;
        return 0;
    }
    accepted++;
    lt_report report = lt_world_step(target.world, STEP_DT, lt_budget_units(20000));
    stepped_wrong += !world_is_finite(target.world) || unsound_contacts(target.world) != 0 ||
                     !report_is_consistent(target.world, &report);
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { MUTATIONS = 600 };

static uint32_t some_offset(lt_random *random, uint32_t size) {
    /* A third of them at the end, where contacts and pairs are; some in the header. */
    uint32_t part = lt_random_below(random, 6);
    if (part < 2) return size - 1 - lt_random_below(random, size / 4);
    return part == 2 ? lt_random_below(random, 256) : lt_random_below(random, size);
}

static void damage(lt_random *random, uint8_t *bytes, size_t *size) {
    static const float values[] = {0, -1, 1e30f, -1e30f, 1e-38f, INFINITY, NAN};
    static const uint32_t words[] = {0, 1, 2, 255, 65536, 0x7fffffff, UINT32_MAX};
    for (uint32_t left = 1 + lt_random_below(random, 3); left > 0; left--) {
        uint32_t at = some_offset(random, (uint32_t)*size), word = at & ~3u;
        bool room = word + 4 <= *size;
        switch (lt_random_below(random, 5)) {
        case 0: bytes[at] ^= (uint8_t)(1u << lt_random_below(random, 8)); break;
        case 1: bytes[at] = (uint8_t)lt_random_below(random, 256); break;
        case 2:
            if (room) memcpy(bytes + word, &values[lt_random_below(random, LT_COUNT_OF(values))], 4);
            break;
        case 3:
            if (room) memcpy(bytes + word, &words[lt_random_below(random, LT_COUNT_OF(words))], 4);
            break;
        default:
            *size = lt_random_below(random, 8) ? *size : 300 + lt_random_below(random, (uint32_t)*size - 299);
            break;
        }
    }
}

int main(void) {
    open_target();
    saved s = save_world(target.world);
    uint8_t *bytes = LT_NEW(NULL, s.size, uint8_t);
    uint32_t rounds = fuzz_rounds(MUTATIONS);
    for (uint32_t i = 0; i < rounds; i++) {
        lt_random random = lt_random_seed(i);
        size_t size = s.size;
        memcpy(bytes, s.bytes, s.size);
        damage(&random, bytes, &size);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    bool sound = lt_world_restore(target.world, s.bytes, s.size, NULL) == LT_OK;
    printf("%u damaged snapshots, %u accepted, %u wrong\n", rounds, accepted, stepped_wrong);
    LT_DELETE(NULL, bytes, s.size, uint8_t);
    drop_saved(&s);
    lt_world_destroy(target.world);
    /* All refused would mean that nothing behind the first check was tried. */
    return sound && stepped_wrong == 0 && accepted > rounds / 50 && accepted < rounds ? 0 : 1;
}

#endif
