/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "records.h"

#include "picture/png.h"

#include <string.h>

static bool is_last_picture(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".png") == 0;
}

uint32_t lt_records_rate(double dt, uint32_t every) {
    double rate = 1.0 / (dt * every) + 0.5;
    return rate < 1.0 ? 1 : rate > 1000.0 ? 1000 : (uint32_t)rate;
}

lt_status lt_records_begin(lt_records *records, const lt_texts *paths, lt_size2 size, uint32_t fps,
                           lt_error *error) {
    lt_status status = LT_OK;
    *records = (lt_records){.paths = *paths};
    for (uint32_t i = 0; i < paths->count && status == LT_OK; i++)
        if (!is_last_picture(paths->items[i]))
            status = lt_record_begin(&records->recorders[i], paths->items[i], size.width, size.height, fps,
                                     NULL, error);
    return status;
}

lt_status lt_records_frame(lt_records *records, const lt_image *image, lt_error *error) {
    lt_status status = LT_OK;
    for (uint32_t i = 0; i < records->paths.count && status == LT_OK; i++)
        if (records->recorders[i]) status = lt_record_frame(records->recorders[i], image, error);
    return status;
}

static lt_status end_one(lt_records *records, uint32_t index, const lt_image *last, lt_error *error) {
    lt_recorder *recorder = records->recorders[index];
    records->recorders[index] = NULL;
    return recorder ? lt_record_end(recorder, error) : lt_png_write(records->paths.items[index], last, error);
}

lt_status lt_records_end(lt_records *records, const lt_image *last, lt_error *error) {
    lt_status first = LT_OK;
    for (uint32_t i = 0; i < records->paths.count; i++) {
        lt_error own = {0};
        lt_status status = end_one(records, i, last, &own);
        if (status == LT_OK || first != LT_OK) continue;
        first = status;
        *error = own;
    }
    return first;
}

void lt_records_abort(lt_records *records) {
    for (uint32_t i = 0; i < LT_TEXTS_MAX; i++) {
        if (records->recorders[i]) lt_record_abort(records->recorders[i]);
        records->recorders[i] = NULL;
    }
}
