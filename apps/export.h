/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The bodies of a run as files for other programs, in one folder (docs/export.md):
 *
 *   vtu   body-000-000012.vtu of body 0 after step 12, with velocities, and bodies.pvd with all of them and their times;
 *         of carriers likewise: carrier-000-000012.vtu, carriers.pvd
 *   pc2   body-000.obj as the run begins, and body-000.pc2 with the vertices of every state
 *   ply   body-000-000012.ply
 *   stl   body-000-000012.stl
 *   msh   carrier-000-000012.msh, the tets that carry the surface
 *
 * All files are whole after every state: a run that is stopped leaves good files. Nothing of the world is changed. */

#ifndef LITHE_APPS_EXPORT_H
#define LITHE_APPS_EXPORT_H

#include "scenes/scene.h"

/* X(NAME, "name") */
#define LT_EXPORT_LIST(X) X(VTU, "vtu") X(PC2, "pc2") X(PLY, "ply") X(STL, "stl") X(MSH, "msh")

typedef enum lt_export_format {
#define LT_EXPORT_ENUM(NAME, text) LT_EXPORT_##NAME,
    LT_EXPORT_LIST(LT_EXPORT_ENUM)
#undef LT_EXPORT_ENUM
        LT_EXPORT_COUNT
} lt_export_format;

typedef struct lt_export_def {
    const lt_scene_world *scene_world; /* stays while it is exported */
    const char *folder;                /* made when there is none */
    lt_export_format format;
    bool carriers; /* vtu only */
} lt_export_def;

typedef struct lt_exporter lt_exporter;

/* *out is NULL on failure. */
lt_status lt_export_begin(lt_exporter **out, const lt_export_def *def, const lt_allocator *allocator,
                          lt_error *error);
/* All bodies as they are now, after step number `step`; 0: as the run begins. */
lt_status lt_export_state(lt_exporter *exporter, uint64_t step, double time, lt_error *error);
/* How many states have been written. */
uint32_t lt_export_state_count(const lt_exporter *exporter);
/* What was written stays. NULL allowed. */
void lt_export_end(lt_exporter *exporter);

#endif
