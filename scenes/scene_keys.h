/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What scene files can say: the keys of every object, where each goes in the structs of scene.h, and its range. The reader
 * and the writer both go by these tables, so that neither knows a key that the other does not. docs/scenes.md has the
 * same for people. Private to scenes/. */

#ifndef LITHE_SCENES_SCENE_KEYS_H
#define LITHE_SCENES_SCENE_KEYS_H

#include "scenes/scene.h"

typedef enum lt_key_type {
    LT_KEY_REAL,      /* float, lo to hi */
    LT_KEY_THRESHOLD, /* float, lo to hi, or the word nowhere: infinite */
    LT_KEY_VECTOR,    /* lt_vec3, each lo to hi */
    LT_KEY_PLACE,     /* double[3], each lo to hi */
    LT_KEY_ROTATION,  /* lt_quat: four numbers, or axis and degrees */
    LT_KEY_COUNT,     /* uint32_t, lo to hi */
    LT_KEY_COUNTS,    /* uint32_t[3], each lo to hi */
    LT_KEY_UNITS,     /* uint64_t, lo to hi; LT_UNLIMITED is not written */
    LT_KEY_FLAG,      /* bool */
    LT_KEY_CHOICE,    /* an enum whose values are the indices of choices */
    LT_KEY_TEXT,      /* char[hi] */
    LT_KEY_LETTER,    /* char, A to Z */
    LT_KEY_OBJECT,    /* a struct, by `table` */
    LT_KEY_OWN        /* known here, read and written by functions of its own */
} lt_key_type;

typedef struct lt_name_list {
    const char *what; /* "a model" */
    const char *const *names;
    uint32_t count;
} lt_name_list;

typedef struct lt_scene_key {
    const char *name;
    lt_key_type type;
    bool is_required;
    size_t offset;
    double lo, hi;
    const lt_name_list *choices;
    const struct lt_key_table *table;
} lt_scene_key;

typedef struct lt_key_list {
    const lt_scene_key *keys;
    uint32_t count;
} lt_key_list;

/* An object. One that comes in kinds has a key "kind", which comes first, and other keys for each of them. */
typedef struct lt_key_table {
    lt_key_list common;
    const lt_name_list *kinds; /* NULL: all alike */
    size_t kind_offset;
    const lt_key_list *of_kind; /* [kinds->count] */
} lt_key_table;

enum { LT_KEY_TABLE_KEYS_MAX = 32 };

extern const lt_key_table lt_keys_scene, lt_keys_camera, lt_keys_shape, lt_keys_body, lt_keys_obstacle,
    lt_keys_pin, lt_keys_handle;
/* The whole of a file of version 1, for the reader only: LT_SCENE_VERSION_FIRST. */
extern const lt_key_table lt_keys_scene_1;

/* Bytes of the field in its struct; 0 for LT_KEY_OBJECT and LT_KEY_OWN. */
size_t lt_key_size(const lt_scene_key *key);
/* The kind of an item, 0 where there is one only. */
uint32_t lt_key_kind(const lt_key_table *table, const void *item);

#endif
