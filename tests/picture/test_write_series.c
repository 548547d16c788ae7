/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Files that grow are whole after every step, also after one that failed. They are written beside this program. A disk
 * that is full is played by a limit on the size of files. */

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700
#endif

#include "check.h"
#include "core/memory.h"
#include "core/os.h"
#include "failing_allocator.h"
#include "io/text_scanner.h"
#include "picture/write_series.h"

#include <signal.h>
#include <sys/resource.h>

static char pc2_path[600], pvd_path[600];

static void limit_files(uint64_t size) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size == UINT64_MAX ? limit.rlim_max : (rlim_t)size;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* The head, and every sample that it counts, each of `value` plus its number. */
static void check_samples(uint32_t vertex_count, uint32_t sample_count, float value) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    CHECK_FATAL(lt_os_read_file(pc2_path, NULL, &bytes, &size, NULL) == LT_OK);
    CHECK_FATAL(size == 32 + (size_t)sample_count * vertex_count * 12);
    CHECK(memcmp(bytes, "POINTCACHE2", 12) == 0);
    CHECK_COUNT(lt_load_u32(bytes + 12, false), 1);
    CHECK_COUNT(lt_load_u32(bytes + 16, false), vertex_count);
    CHECK(lt_load_f32(bytes + 20, false) == 0 && lt_load_f32(bytes + 24, false) == 1);
    CHECK_COUNT(lt_load_u32(bytes + 28, false), sample_count);
    for (size_t i = 0; i < (size_t)sample_count * vertex_count * 3; i++)
        CHECK(lt_load_f32(bytes + 32 + 4 * i, false) == value + (float)(i / (3 * vertex_count)));
    LT_DELETE(NULL, bytes, size, uint8_t);
}

static lt_status add_sample(lt_pc2 *cache, float value, const lt_allocator *allocator, lt_error *error) {
    lt_vec3 points[5];
    for (int i = 0; i < 5; i++)
        points[i] = (lt_vec3){value, value, value};
    return lt_pc2_add(cache, points, allocator, error);
}

static void a_cache_counts_what_it_has(void) {
    lt_pc2 cache;
    lt_error error = {0};
    CHECK(lt_pc2_begin(&cache, pc2_path, 5, &error) == LT_OK);
    check_samples(5, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(add_sample(&cache, 0.5f + (float)i, NULL, &error) == LT_OK);
        check_samples(5, i + 1, 0.5f);
    }
    CHECK(lt_pc2_begin(&cache, pc2_path, 5, &error) == LT_OK); /* the old one is gone */
    check_samples(5, 0, 0);
    remove(pc2_path);
}

static void a_cache_survives_failures(void) {
    lt_pc2 cache;
    lt_error error = {0};
    CHECK(lt_pc2_begin(&cache, pc2_path, 0, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, pc2_path);
    CHECK(lt_pc2_begin(&cache, pc2_path, 5, &error) == LT_OK);
    CHECK(add_sample(&cache, 1, NULL, &error) == LT_OK);
    CHECK(add_sample(&cache, 1e38f * 1e38f, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "vertex 0");
    failing none = failing_after(0);
    lt_allocator refusing = failing_allocator(&none);
    CHECK(add_sample(&cache, 2, &refusing, &error) == LT_STATUS_MEMORY);
    CHECK_COUNT(none.blocks_out, 0);
    limit_files(32 + 60 + 20); /* a third of the next sample */
    CHECK(add_sample(&cache, 2, NULL, &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, pc2_path);
    limit_files(UINT64_MAX);
    check_samples(5, 1, 1);
    CHECK(add_sample(&cache, 2, NULL, &error) == LT_OK);
    check_samples(5, 2, 1);
    remove(pc2_path);
    CHECK(add_sample(&cache, 3, NULL, &error) == LT_STATUS_NOT_FOUND);
}

static const char *const list_head =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
    "<Collection>\n";

/* The list is its head, `entries`, and its closing tags. */
static void check_list(const char *entries) {
    char expected[2000];
    uint8_t *bytes = NULL;
    size_t size = 0;
    snprintf(expected, sizeof expected, "%s%s</Collection>\n</VTKFile>\n", list_head, entries);
    CHECK_FATAL(lt_os_read_file(pvd_path, NULL, &bytes, &size, NULL) == LT_OK);
    CHECK(size == strlen(expected) && memcmp(bytes, expected, size) == 0);
    LT_DELETE(NULL, bytes, size, uint8_t);
}

static void a_list_is_closed_after_every_entry(void) {
    static const char first[] = "<DataSet timestep=\"0\" part=\"0\" file=\"a.vtu\"/>\n";
    static const char second[] =
        "<DataSet timestep=\"0.016666666666666666\" part=\"3\" file=\"&lt;&amp;&quot;>.vtu\"/>\n";
    lt_pvd list;
    lt_error error = {0};
    char both[400], far[400];
    snprintf(both, sizeof both, "%s%s", first, second);
    CHECK(lt_pvd_begin(&list, pvd_path, &error) == LT_OK);
    check_list("");
    CHECK(lt_pvd_add(&list, 0, 0, "a.vtu", &error) == LT_OK);
    check_list(first);
    limit_files(strlen(list_head) + strlen(first) + 40); /* within the next entry */
    CHECK(lt_pvd_add(&list, 1.0 / 60, 3, "<&\">.vtu", &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, pvd_path);
    limit_files(UINT64_MAX);
    check_list(first);
    CHECK(lt_pvd_add(&list, 1.0 / 60, 3, "<&\">.vtu", &error) == LT_OK);
    check_list(both);
    memset(far, 'x', sizeof far);
    far[256] = 0;
    CHECK(lt_pvd_add(&list, 1, 0, far, &error) == LT_STATUS_INVALID);
    CHECK(lt_pvd_add(&list, 1e308 * 10, 0, "a.vtu", &error) == LT_STATUS_INVALID);
    check_list(both);
    remove(pvd_path);
}

static void missing_folders_are_named(void) {
    lt_pc2 cache;
    lt_pvd list;
    lt_error error = {0};
    CHECK(lt_pc2_begin(&cache, "no-such-folder/x.pc2", 5, &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "no-such-folder/x.pc2");
    CHECK(lt_pvd_begin(&list, "no-such-folder/x.pvd", &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "no-such-folder/x.pvd");
}

int main(int argument_count, char **arguments) {
    const char *program = argument_count > 0 ? arguments[0] : "write_series";
    snprintf(pc2_path, sizeof pc2_path, "%s.pc2", program);
    snprintf(pvd_path, sizeof pvd_path, "%s.pvd", program);
    signal(SIGXFSZ, SIG_IGN);
    RUN(a_cache_counts_what_it_has);
    RUN(a_cache_survives_failures);
    RUN(a_list_is_closed_after_every_entry);
    RUN(missing_folders_are_named);
    return check_finish();
}
