/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* liblithe-bake: meshes to shapes, offline. The runtime never needs it. */

#ifndef LITHE_BAKE_H
#define LITHE_BAKE_H

#include "lithe/mesh_file.h"
#include "lithe/shape.h"

LT_EXTERN_C_BEGIN

/* How the surface follows the carrier. */
typedef enum lt_embedding_kind {
    LT_EMBEDDING_BARYCENTRIC, /* weights in the containing tet (default) */
    LT_EMBEDDING_RIGID_LINKS  /* the sphere-tree paper's links to three surface nodes, errata corrected */
} lt_embedding_kind;

/* A carrier of tets with its own boundary as surface, or with a given surface inside. Arrays are read during
 * the call only. */
typedef struct lt_bake_tets_def {
    const char *name;             /* for messages; default "mesh" */
    const double *node_positions; /* [node_count][3], metres */
    const uint32_t *tets;         /* [tet_count][4], any orientation */
    uint32_t node_count;
    uint32_t tet_count;
    const float *surface_positions;    /* [surface_vertex_count][3]; NULL: the boundary of the tets */
    const uint32_t *surface_triangles; /* [surface_triangle_count][3], counter-clockwise from outside */
    uint32_t surface_vertex_count;
    uint32_t surface_triangle_count;
    lt_embedding_kind embedding;
    uint32_t distance_resolution; /* cells of the rest distance grid along the longest side; default 48 */
    lt_allocator allocator;
    uint64_t cookie;
} lt_bake_tets_def;

/* What the baker noticed and dealt with. */
typedef struct lt_bake_notes {
    uint32_t turned_tets;  /* of negative volume, turned */
    uint32_t unused_nodes; /* nodes of no tet, dropped */
    uint32_t
        outside_vertices; /* surface vertices outside every tet: embedded by extrapolation in the nearest */
    double farthest_outside; /* how far from its tet, as a fraction of the diagonal of the surface's box */
    uint32_t open_edges;     /* edges of the surface with one triangle: the inside is then a guess */
} lt_bake_notes;

LT_API lt_bake_tets_def lt_bake_tets_def_default(void);
/* `notes` may be NULL. Refuses NaN, indices out of range, zero volumes, empty meshes, naming the element,
 * and closed surfaces that are inside out. */
LT_API lt_status lt_bake_tets(const lt_bake_tets_def *def, lt_shape **out, lt_bake_notes *notes,
                              lt_error *error);

/* ---- ladders of a user's own meshes ---- */

#define LT_BAKE_LEVELS_MAX 12

/* One mesh of a ladder. Its tets should not overlap each other: which of two holds a vertex could not be told. */
typedef struct lt_bake_level {
    const double *node_positions; /* [node_count][3], metres */
    const uint32_t *tets;         /* [tet_count][4], any orientation */
    uint32_t node_count;
    uint32_t tet_count;
} lt_bake_level;

/* Meshes of one body from fine to coarse, for the multigrid model; everything else uses the finest of them alone, on which the
 * surface hangs. Arrays are read during the call only. */
typedef struct lt_bake_ladder_def {
    const char *name; /* for messages; default "ladder" */
    const lt_bake_level
        *levels;          /* [level_count], the finest first, each with fewer tets than the one before */
    uint32_t level_count; /* 2 to LT_BAKE_LEVELS_MAX */
    /* As in lt_bake_tets_def. NULL: the boundary of the finest mesh. Every level must hold every vertex of it */
    const float *surface_positions;
    const uint32_t *surface_triangles;
    uint32_t surface_vertex_count;
    uint32_t surface_triangle_count;
    /* Weights between levels of nodes far outside the other mesh are cut at -1/2, as the paper's errata would have it; default
     * false: linear displacements pass from level to level exactly, and a body that only turns looks the same on all */
    bool clamp_weights;
    uint32_t distance_resolution; /* as in lt_bake_tets_def */
    lt_allocator allocator;
    uint64_t cookie;
} lt_bake_ladder_def;

LT_API lt_bake_ladder_def lt_bake_ladder_def_default(void);
/* All levels get the same mass: how much of every tet is solid is found by samples. `notes` may be NULL. Refuses what
 * lt_bake_tets refuses, levels in the wrong order, and levels that do not hold the surface, naming level and vertex. */
LT_API lt_status lt_bake_ladder(const lt_bake_ladder_def *def, lt_shape **out, lt_bake_notes *notes,
                                lt_error *error);

/* ---- any surface to a shape ---- */

/* Called now and then with a stage and the share of it that is done, 0 to 1; false cancels. */
typedef bool lt_bake_progress(void *context, const char *stage, float share);

/* What carries the surface. */
typedef enum lt_carrier_kind {
    LT_CARRIER_TETS,    /* for the methods sphere-tree and tet-hash (default) */
    LT_CARRIER_LATTICE, /* cubes, for the method cell-box: few, whatever the number of triangles */
    LT_CARRIER_LADDER /* tets in several meshes from fine to coarse, for the multigrid model; else as tets */
} lt_carrier_kind;

/* How many tets are aimed for when nobody says: of a carrier, and of the finest level of a ladder. */
#define LT_BAKE_TETS        400
#define LT_BAKE_LADDER_TETS 2000

/* A surface of triangles in, a carrier that contains it made around it. Arrays are read during the call only. */
typedef struct lt_bake_surface_def {
    const char *name;          /* for messages; default "surface" */
    const float *positions;    /* [vertex_count][3], metres */
    const uint32_t *triangles; /* [triangle_count][3] */
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t target_triangles; /* simplify the surface to about that many; default 0: keep it */
    /* 8 to 2,000,000; default 0: LT_BAKE_TETS, of a ladder LT_BAKE_LADDER_TETS. Met within some 15 %, exceeded where separate
     * pieces need tets of their own. A step takes time with them: some hundred bend, some thousand bend well */
    uint32_t target_tets;
    float min_dihedral; /* degrees, 1 to 45; default 18: of tets that are pulled in; smaller fits tighter */
    uint32_t rounds;    /* of pulling the carrier in towards the surface, 0 to 100; default 14 */
    uint32_t seed;      /* of the directions tried while pulling in */
    lt_embedding_kind embedding; /* of a lattice: trilinear, and this must be barycentric */
    lt_carrier_kind carrier;
    /* Of a lattice, which has no use for the four fields of tets above: */
    uint32_t target_cells; /* 1 to 200,000; default 500. Met as near as sizes allow */
    float cell_size;       /* m; default 0: what target_cells gives */
    bool fill;             /* cells inside, too; default false: only those that hold surface */
    /* Of a ladder, whose finest level has target_tets; embedding must be barycentric: */
    uint32_t ladder_levels; /* 2 to LT_BAKE_LEVELS_MAX; default 6 */
    uint32_t
        coarsest_tets; /* of the coarsest level, as target_tets; default 85. Those between in equal ratios */
    const uint32_t
        *level_tets; /* [ladder_levels] targets of all levels, falling; default NULL: by the two above */
    uint32_t distance_resolution; /* as in lt_bake_tets_def */
    lt_bake_progress *progress;   /* default NULL */
    void *progress_context;
    lt_allocator allocator;
    uint64_t cookie;
} lt_bake_surface_def;

/* One kind of thing that was found on the surface, mended or only reported. */
typedef struct lt_bake_finding {
    const char *what;    /* "duplicate triangles" */
    const char *element; /* what `first` numbers: "input triangle" */
    uint32_t count;
    uint32_t first[2]; /* UINT32_MAX where there is no second (or no) number */
} lt_bake_finding;

#define LT_BAKE_FINDINGS_MAX 16

typedef struct lt_bake_surface_notes {
    lt_bake_finding findings[LT_BAKE_FINDINGS_MAX]; /* [finding_count], those with a count above 0 */
    uint32_t finding_count;
    uint32_t vertex_count, triangle_count; /* of the surface in the shape */
    double simplify_error;                 /* m, reached where target_triangles asked for fewer */
    uint32_t node_count, tet_count;
    uint32_t target_tets;
    uint32_t
        level_count; /* of a ladder; 0: none. node_count, tet_count and volumes are those of the finest */
    uint32_t level_nodes[LT_BAKE_LEVELS_MAX], level_tets[LT_BAKE_LEVELS_MAX];
    double level_volumes[LT_BAKE_LEVELS_MAX];          /* m³, of all tets of a level */
    uint32_t piece_count;                              /* of the solid, each in one tet of every level */
    uint32_t cell_count;                               /* of a lattice; 0: tets */
    uint32_t target_cells;                             /* 0: a size was given */
    uint32_t whole_vertex_count, whole_triangle_count; /* of a lattice: before it was cut at faces of cells */
    uint32_t copy_count;                               /* tets or cells more than if near pieces were glued */
    bool is_closed;
    bool is_glued; /* near pieces could not be kept apart, and share tets */
    bool is_sheet; /* nothing is inside: the carrier is a shell of the tets or cells it touches */
    double solid_volume, carrier_volume; /* m³ */
    double cell_size;                    /* m, of the lattice, or of that from which the tets came */
} lt_bake_surface_notes;

LT_API lt_bake_surface_def lt_bake_surface_def_default(void);
/* Repairs, encloses, proves that every triangle is inside (cells: cuts it so that it is), embeds. `notes` may be NULL. Refuses NaN, indices out of
 * range, surfaces of which nothing is left, and options out of range, with a reason. LT_STATUS_CANCELLED when the
 * progress function said so. */
LT_API lt_status lt_bake_surface(const lt_bake_surface_def *def, lt_shape **out, lt_bake_surface_notes *notes,
                                 lt_error *error);

/* ---- what a file holds to a shape ---- */

/* A mesh as lt_mesh_file_load reads it. Without tets, a carrier is made around its surface; with tets, these are the carrier.
 * Arrays are read during the call only. */
typedef struct lt_bake_mesh_def {
    const lt_mesh_file *mesh;
    /* For a mesh of tets: whose triangles lie inside and are seen. Default NULL: the boundary of the tets, whatever triangles
     * stand in the file beside them */
    const lt_mesh_file *surface;
    /* As for lt_bake_surface, but for its arrays, which are the mesh's. Tets are taken as they are: of these only name,
     * embedding, distance_resolution and allocator count for them, and carrier must be LT_CARRIER_TETS */
    lt_bake_surface_def options;
    uint64_t cookie;
} lt_bake_mesh_def;

typedef struct lt_bake_mesh_notes {
    bool has_tets;                 /* which of the two was filled */
    lt_bake_surface_notes surface; /* a carrier was made around the surface */
    lt_bake_notes tets;            /* the carrier came with the mesh */
} lt_bake_mesh_notes;

LT_API lt_bake_mesh_def lt_bake_mesh_def_default(void);
/* lt_bake_surface or lt_bake_tets, by what the mesh holds. `notes` may be NULL. */
LT_API lt_status lt_bake_mesh(const lt_bake_mesh_def *def, lt_shape **out, lt_bake_mesh_notes *notes,
                              lt_error *error);

/* ---- sphere trees ---- */

/* How spheres are chosen. */
typedef enum lt_sphere_method {
    LT_SPHERES_MEDIAL, /* along the medial axis, adapted level by level (default): the tightest */
    LT_SPHERES_OCTREE  /* around the cubes of an octree: quick and loose */
} lt_sphere_method;

/* How much time may be spent. */
typedef enum lt_bake_effort {
    LT_EFFORT_FULL, /* default: as tight as it gets; some six seconds for a small shape, ten for a scan */
    LT_EFFORT_QUICK /* for start-up and trying things out: an eighth of that or less, errors a quarter larger, looser bounds */
} lt_bake_effort;

/* A tree of spheres over the surface of a shape, for the method sphere-tree and for whoever wants spheres. */
typedef struct lt_bake_spheres_def {
    lt_sphere_method method;
    uint32_t branching; /* children of a sphere, 2 to 8; default 8 */
    uint32_t depth;     /* levels below the root, 0 to 5; default 3: at most 585 spheres */
    bool layered;       /* spheres hold their children's spheres; default false: only the surface, tighter */
    uint32_t seed;
    /* A .sph file whose spheres are taken as they are, but for those that must grow to cover the surface; method,
     * branching, depth and seed have no meaning then. Default NULL */
    const char *sphere_file;
    lt_bake_effort effort;
    lt_bake_progress *progress; /* default NULL */
    void *progress_context;
    lt_allocator allocator;
    uint64_t cookie;
} lt_bake_spheres_def;

LT_API lt_bake_spheres_def lt_bake_spheres_def_default(void);
/* A new shape: all that `shape` has, and a sphere tree (in place of the one it may have). `shape` stays as it is. */
LT_API lt_status lt_bake_spheres(const lt_shape *shape, const lt_bake_spheres_def *def, lt_shape **out,
                                 lt_error *error);

/* ---- multiscale trees ---- */

/* A tree of boxes over the surface of a shape on tets, for the method multiscale: the surface is cut at the faces of the
 * tets, and every box knows which tets govern it. */
typedef struct lt_bake_tree_def {
    uint32_t max_governors;     /* tets that a box refitted in every step may hang on, 1 to 64; default 8 */
    lt_bake_progress *progress; /* default NULL */
    void *progress_context;
    lt_allocator allocator;
    uint64_t cookie;
} lt_bake_tree_def;

LT_API lt_bake_tree_def lt_bake_tree_def_default(void);
/* A new shape: all that `shape` has, and a tree (in place of the one it may have). `shape` stays as it is. Refuses lattices and
 * rigid links. */
LT_API lt_status lt_bake_tree(const lt_shape *shape, const lt_bake_tree_def *def, lt_shape **out,
                              lt_error *error);

LT_EXTERN_C_END

#endif
