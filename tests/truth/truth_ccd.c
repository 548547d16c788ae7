/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Continuous collision against exact answers from outside: every folder of $LITHE_TRUTH/ccd-queries, and the pairs of
 * $LITHE_TRUTH/ccd-mesh (../shared/truth); all of them in every build, skipped where they are absent. A query is eight
 * rows, four points at the start and four at the end, each coordinate a numerator and a denominator. No contact may be
 * missed; contacts that are none may be at most 5 % of the queries without one, over all folders of ccd-queries together.
 *
 * labels: data */

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "bake/adjacency.h"
#include "check.h"
#include "detect/ccd.h"
#include "io/read.h"

#include <dirent.h>

enum { FOLDER_LIMIT = 64, FILES_A_KIND = 100 };

typedef struct folder_name {
    char text[128];
} folder_name;

static const char *const kind_names[2] = {
    [LT_CCD_VERTEX_FACE] = "vertex-face", [LT_CCD_EDGE_EDGE] = "edge-edge"};

typedef struct tally {
    uint32_t query_count, contact_count, missed_count, false_count;
    uint32_t undecided_count, box_count, oracle_missed_count, oracle_false_count;
} tally;

static void add_tally(tally *sum, const tally *t) {
    sum->query_count += t->query_count;
    sum->contact_count += t->contact_count;
    sum->missed_count += t->missed_count;
    sum->false_count += t->false_count;
    sum->undecided_count += t->undecided_count;
    sum->box_count += t->box_count;
    sum->oracle_missed_count += t->oracle_missed_count;
    sum->oracle_false_count += t->oracle_false_count;
}

static void print_tally(const char *name, const tally *t) {
    printf("%-44s %5u queries, %4u meet: %u missed, %u false (%u undecided, %u boxes); "
           "by subdivision: %u missed, %u false\n",
           name, t->query_count, t->contact_count, t->missed_count, t->false_count, t->undecided_count,
           t->box_count, t->oracle_missed_count, t->oracle_false_count);
}

static const char *truth_folder(void) {
    const char *folder = getenv("LITHE_TRUTH");
    return folder && folder[0] ? folder : "../shared/truth";
}

/* Three fractions; the denominators are powers of two, so that the quotients are exact. */
static bool read_point(FILE *file, lt_dvec3 *p) {
    double n[3], d[3];
    if (fscanf(file, " %lf,%lf,%lf,%lf,%lf,%lf", &n[0], &d[0], &n[1], &d[1], &n[2], &d[2]) != 6) return false;
    *p = lt_d3_make(n[0] / d[0], n[1] / d[1], n[2] / d[2]);
    return true;
}

/* A query and, where `label` is not NULL, the column of labels. */
static bool read_query(FILE *file, lt_ccd_query *query, int *label) {
    for (int row = 0; row < 8; row++) {
        if (!read_point(file, row < 4 ? &query->start[row] : &query->end[row - 4])) return false;
        if (label && fscanf(file, ",%d", label) != 1) return false;
    }
    return true;
}

static void count_query(tally *t, const lt_ccd_query *query, bool meets) {
    lt_ccd_result result, oracle;
    bool hit = lt_ccd_test(query, 0, &result);
    t->query_count++;
    t->contact_count += meets;
    t->missed_count += meets && !hit;
    t->false_count += hit && !meets;
    t->undecided_count += result.outcome == LT_CCD_UNDECIDED;
    t->box_count += result.box_count;
    lt_ccd_effort effort = {.tolerance = 1e-6, .box_limit = 4096};
    hit = lt_ccd_inclusion(query, 0, &effort, &oracle);
    t->oracle_missed_count += meets && !hit;
    t->oracle_false_count += hit && !meets;
}

static bool count_file(tally *t, const char *path, lt_ccd_kind kind) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    lt_ccd_query query = {.kind = kind};
    int label;
    while (read_query(file, &query, &label))
        count_query(t, &query, label == 1);
    CHECK(feof(file));
    fclose(file);
    return true;
}

/* Files are numbered data_0_0, data_0_1, … */
static void count_folder(tally *sum, const char *folder) {
    for (int kind = 0; kind < 2; kind++) {
        tally t = {0};
        char path[1024], name[256];
        for (int number = 0; number < FILES_A_KIND; number++) {
            snprintf(path, sizeof path, "%s/ccd-queries/%.127s/%s/data_0_%d.csv", truth_folder(), folder,
                     kind_names[kind], number);
            if (!count_file(&t, path, (lt_ccd_kind)kind)) break;
        }
        snprintf(name, sizeof name, "%.127s/%s", folder, kind_names[kind]);
        CHECK(t.query_count > 0);
        print_tally(name, &t);
        add_tally(sum, &t);
    }
}

static int compare_names(const void *a, const void *b) {
    return strcmp(a, b);
}

static int list_folders(folder_name names[FOLDER_LIMIT], const char *parent) {
    DIR *directory = opendir(parent);
    int count = 0;
    if (!directory) return 0;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (strchr(entry->d_name, '.') || !strcmp(entry->d_name, "LICENSE")) continue;
        size_t length = strlen(entry->d_name);
        if (count < FOLDER_LIMIT && length < sizeof names[0].text)
            memcpy(names[count++].text, entry->d_name, length + 1);
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof names[0], compare_names);
    return count;
}

static void queries(void) {
    static folder_name folders[FOLDER_LIMIT];
    char parent[1024];
    snprintf(parent, sizeof parent, "%s/ccd-queries", truth_folder());
    int folder_count = list_folders(folders, parent);
    if (folder_count == 0) {
        check_skip("the queries are absent; set LITHE_TRUTH to the folder that holds ccd-queries/");
        return;
    }
    tally sum = {0};
    for (int i = 0; i < folder_count; i++)
        count_folder(&sum, folders[i].text);
    print_tally("all", &sum);
    CHECK_COUNT(sum.missed_count, 0);
    CHECK_COUNT(sum.oracle_missed_count, 0);
    CHECK(sum.false_count <= 0.05 * (sum.query_count - sum.contact_count));
}

/* The next word true or false of a JSON list. */
static bool read_label(FILE *file, bool *label) {
    int c = fgetc(file);
    while (c != EOF && c != 't' && c != 'f')
        c = fgetc(file);
    *label = c == 't';
    while (c != EOF && c != 'e')
        c = fgetc(file);
    return c != EOF;
}

static void count_mesh_pairs(tally *t, FILE *file, FILE *labels, lt_ccd_kind kind) {
    lt_ccd_query query = {.kind = kind};
    bool label;
    while (read_query(file, &query, NULL)) {
        bool labelled = read_label(labels, &label);
        CHECK_FATAL(labelled);
        count_query(t, &query, label);
    }
    CHECK(!read_label(labels, &label));
}

/* Its pairs without contact are near misses, so only missed contacts count. */
static void pairs_of_a_cloth(void) {
    static const char *const stems[2] = {"227vf", "227ee"};
    for (int kind = 0; kind < 2; kind++) {
        char path[1024], labels_path[1024];
        const char *scene = "ccd-mesh/cloth-funnel";
        snprintf(path, sizeof path, "%s/%s/queries/%s.csv", truth_folder(), scene, stems[kind]);
        snprintf(labels_path, sizeof labels_path, "%s/%s/mma_bool/%s_mma_bool.json", truth_folder(), scene,
                 stems[kind]);
        FILE *file = fopen(path, "r"), *labels = fopen(labels_path, "r");
        tally t = {0};
        if (file && labels)
            count_mesh_pairs(&t, file, labels, (lt_ccd_kind)kind);
        else
            check_skip("the pairs are absent; set LITHE_TRUTH to the folder that holds ccd-mesh/");
        if (file) fclose(file);
        if (labels) fclose(labels);
        if (t.query_count == 0) continue;
        print_tally(stems[kind], &t);
        CHECK_COUNT(t.missed_count, 0);
        CHECK_COUNT(t.oracle_missed_count, 0);
    }
}

/* ---- the meshes of those pairs: the filter must keep all that hit ---- */

enum { PAIR_LIMIT = 4096 };

typedef struct edge_id {
    uint32_t lower, higher;
} edge_id;

static int compare_edges(const void *a, const void *b) {
    const edge_id *x = a, *y = b;
    if (x->higher != y->higher) return x->higher < y->higher ? -1 : 1;
    return (x->lower > y->lower) - (x->lower < y->lower);
}

/* The files count edges by their higher, then by their lower vertex. */
static edge_id *order_edges(const lt_surface_adjacency *adjacency) {
    edge_id *edges = malloc(adjacency->edge_count * sizeof *edges);
    if (!edges) return NULL;
    for (uint32_t i = 0; i < adjacency->edge_count; i++)
        edges[i] = (edge_id){adjacency->edges[2 * i], adjacency->edges[2 * i + 1]};
    qsort(edges, adjacency->edge_count, sizeof *edges, compare_edges);
    return edges;
}

/* Some triangle with both vertices; LT_NONE when there is none. */
static uint32_t triangle_with(const lt_surface *surface, const lt_surface_adjacency *adjacency, uint32_t v,
                              uint32_t w) {
    const uint32_t *around = lt_rows_at(&adjacency->vertex_triangles, v);
    for (uint32_t i = 0; i < lt_rows_count(&adjacency->vertex_triangles, v); i++) {
        const uint32_t *t = lt_triangle_at(surface, around[i]);
        if (t[0] == w || t[1] == w || t[2] == w) return around[i];
    }
    return LT_NONE;
}

typedef struct cloth {
    lt_mesh_content frames[2];
    lt_surface_adjacency adjacency;
    edge_id *edges;
} cloth;

static uint32_t triangle_of_id(const cloth *c, uint32_t id) {
    uint32_t vertex_count = c->frames[0].surface.vertex_count, edge_count = c->adjacency.edge_count;
    if (id >= vertex_count + edge_count) return id - vertex_count - edge_count;
    edge_id edge = {id, id};
    if (id >= vertex_count) edge = c->edges[id - vertex_count];
    return triangle_with(&c->frames[0].surface, &c->adjacency, edge.lower, edge.higher);
}

/* Pairs of triangles that hold the parts which meet. */
static uint32_t read_pairs(lt_ccd_pair *pairs, const cloth *c, FILE *ids, FILE *labels) {
    uint32_t count = 0, a, b;
    bool label;
    if (fscanf(ids, " [") != 0) return 0;
    while (count < PAIR_LIMIT && fscanf(ids, " [ %u , %u ] ,", &a, &b) == 2 && read_label(labels, &label))
        if (label) pairs[count++] = (lt_ccd_pair){triangle_of_id(c, a), triangle_of_id(c, b)};
    return count;
}

static void check_filter(const cloth *c, const char *stem) {
    static lt_ccd_pair pairs[PAIR_LIMIT];
    static uint64_t kept[PAIR_LIMIT / 64];
    char path[1024], labels_path[1024];
    snprintf(path, sizeof path, "%s/ccd-mesh/cloth-funnel/boxes/%s.json", truth_folder(), stem);
    snprintf(labels_path, sizeof labels_path, "%s/ccd-mesh/cloth-funnel/mma_bool/%s_mma_bool.json",
             truth_folder(), stem);
    FILE *ids = fopen(path, "r"), *labels = fopen(labels_path, "r");
    uint32_t count = ids && labels ? read_pairs(pairs, c, ids, labels) : 0;
    if (ids) fclose(ids);
    if (labels) fclose(labels);
    CHECK_FATAL(count > 0);
    lt_ccd_surface surface = {.start = c->frames[0].surface.positions,
                              .end = c->frames[1].surface.positions,
                              .triangles = c->frames[0].surface.triangles};
    lt_ccd_may_meet_for(lt_simd_best())(kept, &surface, &surface, pairs, count, 0);
    uint32_t lost_count = 0;
    for (uint32_t i = 0; i < count; i++)
        lost_count += !(kept[i / 64] >> (i % 64) & 1);
    printf("%-44s %5u pairs of triangles that meet, %u lost by the filter\n", stem, count, lost_count);
    CHECK_COUNT(lost_count, 0);
}

static void filter_keeps_pairs_of_a_cloth(void) {
    cloth c = {0};
    bool there = true;
    for (int i = 0; i < 2; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/ccd-mesh/cloth-funnel/frames/%d.ply", truth_folder(), 227 + i);
        there = there && lt_read_mesh(&c.frames[i], path, NULL, NULL) == LT_OK;
    }
    if (!there) {
        check_skip("the frames are absent; set LITHE_TRUTH to the folder that holds ccd-mesh/");
    } else if (lt_surface_adjacency_build(&c.adjacency, &c.frames[0].surface, NULL, NULL) == LT_OK) {
        c.edges = order_edges(&c.adjacency);
        check_filter(&c, "227vf");
        check_filter(&c, "227ee");
        free(c.edges);
        lt_surface_adjacency_free(&c.adjacency);
    }
    for (int i = 0; i < 2; i++)
        lt_mesh_content_free(&c.frames[i]);
}

int main(void) {
    RUN(queries);
    RUN(pairs_of_a_cloth);
    RUN(filter_keeps_pairs_of_a_cloth);
    return check_finish();
}
