/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "method/method.h"

extern const lt_method_verbs lt_method_reference, lt_method_sphere_tree, lt_method_tet_hash,
    lt_method_cell_box, lt_method_multiscale, lt_method_engine;

const lt_method_verbs *lt_method_verbs_of(lt_method method) {
    switch (method) {
    case LT_METHOD_REFERENCE: return &lt_method_reference;
    case LT_METHOD_SPHERE_TREE: return &lt_method_sphere_tree;
    case LT_METHOD_TET_HASH: return &lt_method_tet_hash;
    case LT_METHOD_CELL_BOX: return &lt_method_cell_box;
    case LT_METHOD_MULTISCALE: return &lt_method_multiscale;
    case LT_METHOD_ENGINE: return &lt_method_engine;
    default: return NULL;
    }
}

const char *lt_method_name(lt_method method) {
    static const char *const names[LT_METHOD_COUNT] = {
#define METHOD_NAME(NAME, text, about) text,
        LT_METHOD_LIST(METHOD_NAME)
#undef METHOD_NAME
    };
    return (unsigned)method < LT_METHOD_COUNT ? names[method] : "unknown";
}

const char *lt_mode_name(lt_mode mode) {
    static const char *const names[LT_MODE_COUNT] = {
#define MODE_NAME(NAME, text) text,
        LT_MODE_LIST(MODE_NAME)
#undef MODE_NAME
    };
    return (unsigned)mode < LT_MODE_COUNT ? names[mode] : "unknown";
}

const char *lt_order_name(lt_order order) {
    static const char *const names[LT_ORDER_COUNT] = {
#define ORDER_NAME(NAME, text) text,
        LT_ORDER_LIST(ORDER_NAME)
#undef ORDER_NAME
    };
    return (unsigned)order < LT_ORDER_COUNT ? names[order] : "unknown";
}

const char *lt_model_name(lt_model model) {
    static const char *const names[LT_MODEL_COUNT] = {
#define MODEL_NAME(NAME, text, about) text,
        LT_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
    };
    return (unsigned)model < LT_MODEL_COUNT ? names[model] : "unknown";
}

const char *lt_pending_name(lt_pending pending) {
    static const char *const names[LT_PENDING_COUNT] = {
#define PENDING_NAME(NAME, text) text,
        LT_PENDING_LIST(PENDING_NAME)
#undef PENDING_NAME
    };
    return (unsigned)pending < LT_PENDING_COUNT ? names[pending] : "unknown";
}
