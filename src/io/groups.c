/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/groups.h"

#include "core/hash.h"

#include <string.h>

enum { FEWEST_SLOTS = 16 };

void lt_mesh_groups_free(lt_mesh_groups *groups, uint32_t triangle_count, uint32_t tet_count,
                         const lt_allocator *allocator) {
    if (groups->names) {
        const char *first = groups->names[0], *last = groups->names[groups->count - 1];
        LT_DELETE(allocator, (char *)(uintptr_t)first, (size_t)(last - first) + strlen(last) + 1, char);
    }
    LT_DELETE(allocator, (void *)groups->names, groups->count, const char *);
    LT_DELETE(allocator, groups->triangle_groups, triangle_count, uint32_t);
    LT_DELETE(allocator, groups->tet_groups, tet_count, uint32_t);
    *groups = (lt_mesh_groups){0};
}

lt_group_builder lt_group_builder_make(const lt_allocator *allocator) {
    return (lt_group_builder){.text = LT_ARRAY_OF(allocator, char),
                              .starts = LT_ARRAY_OF(allocator, uint32_t),
                              .slots = LT_ARRAY_OF(allocator, uint32_t),
                              .triangle_runs = LT_ARRAY_OF(allocator, lt_group_run),
                              .tet_runs = LT_ARRAY_OF(allocator, lt_group_run)};
}

void lt_group_builder_free(lt_group_builder *builder) {
    lt_array_free(&builder->text);
    lt_array_free(&builder->starts);
    lt_array_free(&builder->slots);
    lt_array_free(&builder->triangle_runs);
    lt_array_free(&builder->tet_runs);
}

/* ---- names ---- */

static const char *name_at(const lt_group_builder *builder, uint32_t group) {
    return (const char *)builder->text.items + ((const uint32_t *)builder->starts.items)[group];
}

/* Where the name is, or would be. At most half of the slots are taken, so that there is an end. */
static uint32_t *find_slot(const lt_group_builder *builder, const uint8_t *name, size_t size) {
    uint32_t *slots = builder->slots.items;
    size_t mask = builder->slots.count - 1;
    LT_ASSERT(builder->slots.count > 2 * builder->starts.count && (builder->slots.count & mask) == 0);
    size_t at = (size_t)lt_hash_bytes(LT_HASH_SEED, name, size) & mask;
    for (; slots[at] != LT_NONE; at = (at + 1) & mask) {
        const char *other = name_at(builder, slots[at]);
        if (strlen(other) == size && memcmp(other, name, size) == 0) break;
    }
    return &slots[at];
}

/* Room for one more group. */
static bool make_slots(lt_group_builder *builder) {
    size_t wanted = builder->slots.count ? builder->slots.count : FEWEST_SLOTS;
    while (wanted <= 2 * (builder->starts.count + 1))
        wanted *= 2;
    if (wanted == builder->slots.count) return true;
    if (!lt_array_grow(&builder->slots, wanted - builder->slots.count)) return false;
    memset(builder->slots.items, 0xff, wanted * sizeof(uint32_t)); /* LT_NONE */
    for (uint32_t group = 0; group < builder->starts.count; group++) {
        const char *name = name_at(builder, group);
        *find_slot(builder, (const uint8_t *)name, strlen(name)) = group;
    }
    return true;
}

static bool add_group(lt_group_builder *builder, const uint8_t *name, size_t size) {
    uint32_t start = (uint32_t)builder->text.count;
    bool has_room = make_slots(builder) && lt_array_make_room(&builder->starts, 1) &&
                    lt_array_make_room(&builder->text, size + 1);
    if (!has_room) return false;
    uint32_t *slot = find_slot(builder, name, size); /* before the name is there to be found */
    *slot = (uint32_t)builder->starts.count;
    memcpy(lt_array_grow(&builder->text, size + 1), name, size);
    return lt_array_push(&builder->starts, &start);
}

bool lt_group_find(lt_group_builder *builder, const uint8_t *name, size_t size, uint32_t *group) {
    for (; size > 0 && (*name == ' ' || *name == '\t'); size--)
        name++;
    size_t length = 0;
    while (length < size && name[length] >= ' ' && name[length] != 0x7f)
        length++;
    while (length > 0 && name[length - 1] == ' ')
        length--;
    *group = LT_NONE;
    if (length == 0) return true;
    if (builder->slots.count > 0) *group = *find_slot(builder, name, length);
    if (*group != LT_NONE) return true;
    *group = (uint32_t)builder->starts.count;
    return add_group(builder, name, length);
}

/* ---- elements ---- */

bool lt_group_begin_run(lt_array *runs, size_t first, uint32_t group) {
    lt_group_run *last = runs->count ? (lt_group_run *)runs->items + runs->count - 1 : NULL;
    LT_ASSERT(!last || last->first <= first);
    if (last ? last->group == group : group == LT_NONE) return true;
    if (last && last->first == first) {
        last->group = group;
        return true;
    }
    return lt_array_push(runs, &(lt_group_run){first, group});
}

/* A group for each of the elements; NULL where no run has any of them. */
static bool number_elements(uint32_t **out, const lt_array *runs, uint32_t count) {
    const lt_group_run *run = runs->items;
    size_t run_count = runs->count;
    bool has_any = false;
    for (size_t i = 0; i < run_count; i++)
        has_any |= run[i].group != LT_NONE && run[i].first < count;
    *out = NULL;
    if (!has_any) return true;
    *out = LT_NEW(&runs->allocator, count, uint32_t);
    if (!*out) return false;
    size_t at = 0;
    for (uint32_t i = 0, group = LT_NONE; i < count; i++) {
        while (at < run_count && run[at].first <= i)
            group = run[at++].group;
        (*out)[i] = group;
    }
    return true;
}

static bool take_names(lt_group_builder *builder, lt_mesh_groups *out) {
    size_t size, count = builder->starts.count;
    if (count == 0) return true;
    const char **names = LT_NEW(&builder->starts.allocator, count, const char *);
    const char *text = names ? lt_array_take(&builder->text, &size) : NULL;
    if (!text) {
        LT_DELETE(&builder->starts.allocator, (void *)names, count, const char *);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        names[i] = text + ((const uint32_t *)builder->starts.items)[i];
    out->names = names;
    out->count = (uint32_t)count;
    return true;
}

bool lt_group_builder_finish(lt_group_builder *builder, lt_mesh_groups *out, uint32_t triangle_count,
                             uint32_t tet_count) {
    *out = (lt_mesh_groups){0};
    bool ok = number_elements(&out->triangle_groups, &builder->triangle_runs, triangle_count) &&
              number_elements(&out->tet_groups, &builder->tet_runs, tet_count) && take_names(builder, out);
    if (!ok) lt_mesh_groups_free(out, triangle_count, tet_count, &builder->text.allocator);
    return ok;
}
