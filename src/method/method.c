/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "method/method.h"

extern const lt_method_verbs lt_method_reference;

const lt_method_verbs *lt_method_verbs_of(lt_method method) {
    switch (method) {
    case LT_METHOD_REFERENCE: return &lt_method_reference;
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

const char *lt_model_name(lt_model model) {
    static const char *const names[LT_MODEL_COUNT] = {
#define MODEL_NAME(NAME, text, about) text,
        LT_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
    };
    return (unsigned)model < LT_MODEL_COUNT ? names[model] : "unknown";
}
