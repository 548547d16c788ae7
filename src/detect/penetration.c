/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The collision cycle: its phases, and the cursor through them (penetration.h has the plan). How it begins is in
 * penetration_begin.c, what tets and triangles find in penetration_query.c, depths are in penetration_depth.c. */

#include "detect/penetration.h"

/* ---- what the phases ask ---- */

static const lt_collider *collider_of(const lt_cycle *c, const lt_cycle_body *b) {
    return &c->input.colliders[b->slot];
}

/* Moves on to the body that the next point belongs to. */
static const lt_cycle_body *body_at_next(lt_cycle *c) {
    while (c->body + 1 < c->body_count && c->bodies[c->body + 1].first_point <= c->next)
        c->body++;
    return &c->bodies[c->body];
}

/* ---- phases ---- */

enum { POINTS_A_PIECE = 64, HASH_ELEMENTS_A_PIECE = 64, UNITS_A_POINT = 2 };

/* The velocity that leads, in the horizon, to where a point may be: that of its body on the whole lasts, swinging and turning
 * beside it for one step only. Blades of grass that whip would else be everywhere. */
static lt_vec3 lasting_velocity(const lt_cycle *c, const lt_cycle_body *b, lt_vec3 v) {
    const float swing_steps = 1;
    float share = lt_min_f(1, swing_steps * c->input.dt / c->horizon);
    lt_vec3 lasting = lt_v3_mad(b->velocity, lt_v3_sub(v, b->velocity), share);
    float way = c->horizon * lt_v3_length(lasting);
    return way > b->farthest ? lt_v3_scale(lasting, b->farthest / way) : lasting;
}

static void embed_piece(lt_cycle *c) {
    const lt_cycle_body *b = body_at_next(c);
    const lt_skin *skin = collider_of(c, b)->skin;
    uint32_t begin = c->next - b->first_point, end = lt_min_u32(begin + POINTS_A_PIECE, skin->point_count);
    lt_embed_positions(c->input.kernels, c->points + b->first_point, skin,
                       c->nodes + 4 * (size_t)b->first_node, begin, end);
    /* Of a link that of the point that it turns around. */
    c->input.kernels->barycentric(c->point_velocities + b->first_point, skin,
                                  c->velocities + 4 * (size_t)b->first_node, begin, end);
    for (uint32_t i = b->first_point + begin; i < b->first_point + end; i++)
        c->point_velocities[i] = lasting_velocity(c, b, c->point_velocities[i]);
    c->next = b->first_point + end;
}

/* A point of a body against an obstacle, as it was: response looks at where it is. */
static void meet_obstacle(lt_cycle *c) {
    const lt_pair *p = &c->pairs[c->next];
    const lt_cycle_body *b = &c->bodies[c->body_of_slot[p->a]];
    uint32_t point = b->first_point + c->sub++;
    const lt_obstacle *o = lt_obstacle_seen(&c->input.colliders[p->a], c->input.obstacles, p->b);
    lt_obstacle_hit hit = lt_obstacle_distance(o, c->points[point]);
    float margin = b->skin + c->horizon / c->input.dt * lt_obstacle_sweep(o, b->box, c->input.dt);
    /* As it was told in mode paper, where velocities are not copied: as fast as anything of the body. */
    lt_vec3 v = c->input.live ? lt_v3_scale(hit.normal, -b->speed) : c->point_velocities[point];
    if (hit.distance < margin + c->horizon * lt_cycle_haste(v, hit.normal))
        lt_cycle_add(c, &(lt_found){.point = point,
                                    .other = p->b,
                                    .tet = LT_NONE,
                                    .normal = hit.normal,
                                    .depth = -hit.distance,
                                    .next = LT_NONE,
                                    .status = LT_FOUND_OBSTACLE});
    if (c->sub == collider_of(c, b)->skin->point_count) c->next++, c->sub = 0;
}

/* Cells somewhat larger than the edges of the tets: what asks is about as large. From 1 to 2.2 times it makes no difference. */
static float cell_size_of(const lt_cycle *c) {
    double sum = 0, count = 0;
    for (uint32_t i = 0; i < c->body_count; i++) {
        const lt_soft *soft = collider_of(c, &c->bodies[i])->soft;
        sum += soft->carrier.tet_count * (double)soft->mean_edge;
        count += soft->carrier.tet_count;
    }
    return count > 0 ? (float)(1.5 * sum / count) : 0;
}

/* Points that no partner's box comes near are left out. */
static void choose_points(lt_cycle *c) {
    const lt_cycle_body *b = body_at_next(c);
    uint32_t end = b->first_point + collider_of(c, b)->skin->point_count;
    float reach = lt_cycle_growth(c, b);
    end = lt_min_u32(end, c->next + POINTS_A_PIECE);
    for (; c->next < end; c->next++) {
        lt_vec3 p = c->points[c->next];
        c->first_found[c->next] = LT_NONE;
        if (lt_cycle_near_a_partner(c, c->body, lt_box_inflate((lt_box){p, p}, reach)))
            lt_cloud_add(&c->near_points, c->next, c->body, p, reach);
    }
}

static uint32_t level_of(const lt_cycle *c, float reach) {
    uint32_t level = LT_CYCLE_SLOW;
    for (float longest = c->cell_size; level + 1 < LT_CYCLE_LEVELS && reach > longest; longest *= 4)
        level++;
    return level;
}

/* From half-way everything that a point may come to is as far as half of its way, and what it may stray. */
static void add_path(lt_cycle *c, const lt_cycle_body *b, uint32_t point) {
    LT_ASSERT(point < c->point_count);
    lt_vec3 v = c->point_velocities[point], middle = lt_v3_mad(c->points[point], v, 0.5f * c->horizon);
    float stray = (0.5f + LT_CYCLE_MORE) * c->horizon * lt_v3_length(v), reach = b->skin + stray;
    c->middles[point] = middle;
    c->strays[point] = stray;
    if (lt_cycle_near_a_partner(c, c->body, lt_box_inflate((lt_box){middle, middle}, reach)))
        lt_cloud_add(&c->paths[level_of(c, reach)], point, c->body, middle, reach);
}

/* What is inside looks for the surface that it came through. */
static void choose_paths(lt_cycle *c) {
    const lt_cycle_body *b = body_at_next(c);
    uint32_t end = b->first_point + collider_of(c, b)->skin->point_count;
    end = lt_min_u32(end, c->next + POINTS_A_PIECE);
    for (; c->next < end; c->next++) {
        add_path(c, b, c->next);
        for (uint32_t i = c->first_found[c->next]; i != LT_NONE; i = c->found[i].next)
            if (c->found[i].nearest_squared > 0)
                lt_cloud_add(&c->paths[LT_CYCLE_INSIDE], c->next, c->found[i].other, c->points[c->next],
                             (float)sqrt(c->found[i].nearest_squared));
    }
}

/* ---- the cursor ---- */

static void end_query(lt_cycle *c) {
    c->inside_end = c->found_count;
    c->inside_count = c->found_count - c->obstacle_count;
}

static void begin_edges(lt_cycle *c) {
    lt_cloud_clear(&c->border_edges);
    for (uint32_t i = 0; i < c->body_count; i++)
        c->bodies[i].edges = lt_box_empty();
}

/* By its middle; of the kind of what it pierces. Live: of a point that has come out since, none. */
static void add_edge(lt_cycle *c, uint32_t edge) {
    LT_ASSERT(edge < c->edge_capacity);
    const lt_border_edge *e = &c->edges[edge];
    const lt_found *f = &c->found[e->found];
    if (f->status == LT_FOUND_GONE) return;
    lt_vec3 p = c->points[f->point], q = c->points[e->to], d = lt_v3_sub(p, q);
    float growth = lt_cycle_growth(c, &c->bodies[c->body_of_point[f->point]]);
    float half = 0.5f * lt_max_f(fabsf(d.x), lt_max_f(fabsf(d.y), fabsf(d.z)));
    lt_box box = lt_box_inflate(lt_box_add_point((lt_box){p, p}, q), growth);
    lt_box *all = &c->bodies[f->other].edges;
    *all = lt_box_union(*all, box);
    lt_cloud_add(&c->border_edges, edge, f->other, lt_v3_scale(lt_v3_add(p, q), 0.5f),
                 1.0001f * half + growth);
}

/* All of them first, then the hash; `sub` says that it has begun. */
static void add_edges(lt_cycle *c) {
    uint32_t end = lt_min_u32(c->edge_count, c->next + HASH_ELEMENTS_A_PIECE);
    while (c->next < end)
        add_edge(c, c->next++);
    if (c->next < c->edge_count) return;
    lt_cloud_begin(&c->border_edges, c->cell_size, c->input.function);
    c->sub = 1;
}

static bool is_open(const lt_found *f) {
    return f->layer == LT_NONE && f->status != LT_FOUND_GONE;
}

static void begin_spread(lt_cycle *c) {
    c->open_count = 0;
    c->layer = c->reached = 0;
    for (uint32_t i = c->obstacle_count; i < c->inside_end; i++)
        if (is_open(&c->found[i])) c->open[c->open_count++] = i;
}

static void begin_paths(lt_cycle *c) {
    float cell = c->cell_size;
    lt_cloud_begin(&c->paths[LT_CYCLE_INSIDE], cell, c->input.function);
    for (int i = LT_CYCLE_SLOW; i < LT_CYCLE_LEVELS; i++, cell *= 4)
        lt_cloud_begin(&c->paths[i], cell, c->input.function);
}

/* The first that is not sorted yet; NULL: all are. */
static lt_cloud *unsorted_paths(const lt_cycle *c) {
    for (int i = 0; i < LT_CYCLE_LEVELS; i++)
        if (!lt_cloud_is_done(&c->paths[i])) return (lt_cloud *)&c->paths[i];
    return NULL;
}

static bool has_paths(const lt_cycle *c) {
    uint32_t count = 0;
    for (int i = 0; i < LT_CYCLE_LEVELS; i++)
        count += c->paths[i].count;
    return count > 0;
}

static void enter(lt_cycle *c, lt_cycle_phase phase) {
    c->phase = phase;
    c->next = c->sub = c->body = 0;
    c->walk = (lt_cloud_walk){0, 0};
    c->marks = c->level = 0;
    lt_cycle_ahead_forget(&c->ahead);
    if (phase == LT_CYCLE_POINTS) {
        c->obstacle_count = c->found_count;
        c->cell_size = cell_size_of(c);
        lt_cloud_clear(&c->near_points);
        for (int i = 0; i < LT_CYCLE_LEVELS; i++)
            lt_cloud_clear(&c->paths[i]);
    }
    if (phase == LT_CYCLE_HASH_POINTS) lt_cloud_begin(&c->near_points, c->cell_size, c->input.function);
    if (phase == LT_CYCLE_PATHS) end_query(c);
    if (phase == LT_CYCLE_HASH_PATHS) begin_paths(c);
    if (phase == LT_CYCLE_EDGES) c->next = c->obstacle_count;
    if (phase == LT_CYCLE_HASH_EDGES) begin_edges(c);
    if (phase == LT_CYCLE_SPREAD) begin_spread(c);
}

/* A layer is through: what it reached is there for the next. The rest keeps its guess when nothing was reached. */
static void end_layer(lt_cycle *c) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < c->open_count; i++)
        if (is_open(&c->found[c->open[i]])) c->open[left++] = c->open[i];
    bool stuck = c->reached == 0;
    for (uint32_t i = 0; stuck && i < left; i++)
        c->found[c->open[i]].status = LT_FOUND_LEFT;
    c->open_count = stuck ? 0 : left;
    c->layer++;
    c->reached = 0;
    c->next = 0;
}

static bool phase_has_more(const lt_cycle *c) {
    switch (c->phase) {
    case LT_CYCLE_EMBED: return !c->input.live && c->next < c->point_count;
    case LT_CYCLE_OBSTACLES: return c->next < c->pair_count;
    case LT_CYCLE_POINTS: return c->next < c->point_count;
    case LT_CYCLE_HASH_POINTS: return !lt_cloud_is_done(&c->near_points);
    case LT_CYCLE_TETS: return c->marks || (c->near_points.count && c->next < c->tet_count);
    case LT_CYCLE_PATHS: return !c->input.live && c->next < c->point_count;
    case LT_CYCLE_HASH_PATHS: return unsorted_paths(c) != NULL;
    case LT_CYCLE_TRIANGLES: return c->marks || (has_paths(c) && c->next < c->triangle_count);
    case LT_CYCLE_EDGES: return c->next < c->found_count;
    case LT_CYCLE_HASH_EDGES: return c->edge_count && (!c->sub || !lt_cloud_is_done(&c->border_edges));
    case LT_CYCLE_PIERCE: return c->marks || (c->edge_count && c->next < c->triangle_count);
    case LT_CYCLE_BORDER: return c->next < c->edge_count;
    case LT_CYCLE_SPREAD: return c->open_count > 0;
    default: return false;
    }
}

/* Nothing is left to do in phases without elements: they end at once. */
static void settle_phase(lt_cycle *c) {
    for (;;) {
        while (c->phase == LT_CYCLE_OBSTACLES && c->next < c->pair_count &&
               c->pairs[c->next].kind != LT_PAIR_OBSTACLE)
            c->next++;
        if (c->phase == LT_CYCLE_DONE || phase_has_more(c)) break;
        enter(c, (lt_cycle_phase)(c->phase + 1));
    }
}

static void settle_next(lt_cycle *c) {
    lt_found *f = &c->found[c->next];
    lt_cycle_merge_answer(f, lt_cycle_take_answer(c));
    lt_cycle_merge_edges(c, c->next++);
}

static void spread_next(lt_cycle *c) {
    lt_found *f = &c->found[c->open[c->next]];
    lt_cycle_merge_answer(f, lt_cycle_take_answer(c));
    if (f->layer != LT_NONE) c->reached++;
    if (++c->next == c->open_count) end_layer(c);
}

/* Edges of a point inside follow each other. */
static uint32_t border_end(const lt_cycle *c, uint32_t begin) {
    LT_ASSERT(begin < c->edge_capacity);
    uint32_t end = begin;
    while (end < c->edge_count && c->edges[end].found == c->edges[begin].found)
        end++;
    return end;
}

static void find_border(lt_cycle *c) {
    lt_found *f = &c->found[c->edges[c->next].found];
    uint32_t end = border_end(c, c->next);
    if (!c->input.live || lt_cycle_retest(c, f)) lt_cycle_border(c, f, c->next, end);
    c->next = end;
}

static void mark_row(lt_cycle *c) {
    lt_cycle_row row = lt_cycle_take_row(c);
    c->body = row.body;
    c->row_begin = row.begin;
    c->next = row.end;
    c->marks = row.marks;
    c->level = lt_cycle_next_level(c, 0);
}

/* Behind a batch: on in the same cloud, in the next, or with the next that is marked. */
static void walk_behind(lt_cycle *c, const lt_cycle_batch *batch) {
    c->marks &= ~0u << batch->element;
    c->walk = batch->walk;
    c->level = batch->level;
    if (c->walk.row != LT_NONE) return;
    c->walk = (lt_cloud_walk){0, 0};
    c->level = lt_cycle_next_level(c, c->level + 1);
    if (c->level < LT_CYCLE_LEVELS) return;
    c->marks &= c->marks - 1;
    c->level = lt_cycle_next_level(c, 0);
}

/* The first that is marked goes on, and so on, at most so many batches. Returns how many. */
static uint64_t walk_on(lt_cycle *c, uint64_t most) {
    uint64_t passed = lt_cycle_take_batch(c, most);
    if (passed == 0 && !lt_cycle_merge(c)) return 1;
    c->ahead.asked = false;
    walk_behind(c, lt_cycle_batch_now(c));
    return lt_max_u64(passed, 1);
}

/* Who has many partners is asked for each of them: eight cost as much as the rest. */
static uint32_t partner_share(const lt_cycle *c) {
    uint32_t most = c->partner_begin[c->body + 1] - c->partner_begin[c->body];
    if (c->body + 1 < c->body_count) /* the next element may be of the next body */
        most = lt_max_u32(most, c->partner_begin[c->body + 2] - c->partner_begin[c->body + 1]);
    return 1 + most / 8;
}

/* Triangles around a point that was found. */
static uint32_t fan_of(const lt_cycle *c, uint32_t found) {
    LT_ASSERT(found < c->found_capacity);
    uint32_t point = c->found[found].point;
    const lt_cycle_body *b = &c->bodies[c->body_of_point[point]];
    const lt_skin *skin = collider_of(c, b)->skin;
    return skin->fan_begin[point - b->first_point + 1] - skin->fan_begin[point - b->first_point];
}

/* Costs of an element, at most. Whatever may find contacts sets them aside. */
static lt_piece piece_of(const lt_cycle *c, uint32_t reserve) {
    enum {
        OBSTACLE_UNITS = 8,
        MARK_UNITS = 3 * LT_CYCLE_ROW,
        TET_UNITS = 48,
        TRIANGLE_UNITS = 64,
        SETTLE_UNITS = 16,
        SPREAD_UNITS = 4,
        FAN_UNITS = 3,
        EDGE_UNITS = 12
    };
    bool walks = c->phase == LT_CYCLE_TETS || c->phase == LT_CYCLE_TRIANGLES || c->phase == LT_CYCLE_PIERCE;
    if (walks && !c->marks) return (lt_piece){LT_WORK_BOUND, MARK_UNITS * partner_share(c), 0};
    switch (c->phase) {
    case LT_CYCLE_EMBED: return (lt_piece){LT_WORK_EMBED, POINTS_A_PIECE, 0};
    case LT_CYCLE_OBSTACLES: return (lt_piece){LT_WORK_OBSTACLE, OBSTACLE_UNITS, reserve};
    case LT_CYCLE_POINTS:
    case LT_CYCLE_PATHS:
        return (lt_piece){LT_WORK_BOUND, POINTS_A_PIECE * UNITS_A_POINT * partner_share(c), 0};
    case LT_CYCLE_HASH_POINTS:
    case LT_CYCLE_HASH_PATHS:
    case LT_CYCLE_HASH_EDGES:
        return (lt_piece){LT_WORK_HASH, HASH_ELEMENTS_A_PIECE * LT_SPATIAL_HASH_ELEMENT_UNITS, 0};
    case LT_CYCLE_TETS: return (lt_piece){LT_WORK_POINT_TET, TET_UNITS, reserve};
    case LT_CYCLE_TRIANGLES:
    case LT_CYCLE_PIERCE: return (lt_piece){LT_WORK_PIERCE, TRIANGLE_UNITS, 0};
    case LT_CYCLE_EDGES:
        return (lt_piece){LT_WORK_SPREAD, SETTLE_UNITS + FAN_UNITS * fan_of(c, c->next), reserve};
    case LT_CYCLE_BORDER:
        return (lt_piece){LT_WORK_SPREAD, EDGE_UNITS * (1 + border_end(c, c->next) - c->next), 0};
    case LT_CYCLE_SPREAD:
        return (lt_piece){LT_WORK_SPREAD, SPREAD_UNITS + FAN_UNITS * fan_of(c, c->open[c->next]), 0};
    default: return (lt_piece){LT_WORK_HASH, 0, 0};
    }
}

/* A piece of a cloud; or all of it, if so many may be done, on many threads. Returns how many were. */
static uint64_t sort_cloud(lt_cycle *c, lt_cloud *cloud, uint64_t most) {
    enum { WORTH_IT = 4096 }; /* points: fewer are not worth waking anybody */
    bool begins = cloud->hash.phase == LT_SPATIAL_MEASURE && cloud->hash.walk.item == 0;
    if (c->ahead.most && begins && cloud->count >= WORTH_IT &&
        lt_cloud_step_count(cloud, HASH_ELEMENTS_A_PIECE) <= most)
        return lt_cloud_build(cloud, HASH_ELEMENTS_A_PIECE, c->input.tasks);
    lt_cloud_step(cloud, HASH_ELEMENTS_A_PIECE);
    return 1;
}

/* At most so many of a row that is marked or of a cloud, else one. Returns how many. */
static uint64_t do_elements(lt_cycle *c, uint64_t most) {
    uint64_t count = 1;
    bool later = c->phase > LT_CYCLE_OBSTACLES;
    if (c->marks) {
        for (count = 0; c->marks && count < most;)
            count += walk_on(c, most - count);
    } else {
        switch (c->phase) {
        case LT_CYCLE_EMBED: embed_piece(c); break;
        case LT_CYCLE_OBSTACLES: meet_obstacle(c); break;
        case LT_CYCLE_POINTS: choose_points(c); break;
        case LT_CYCLE_HASH_POINTS: count = sort_cloud(c, &c->near_points, most); break;
        case LT_CYCLE_PATHS: choose_paths(c); break;
        case LT_CYCLE_HASH_PATHS: count = sort_cloud(c, unsorted_paths(c), most); break;
        case LT_CYCLE_TETS:
        case LT_CYCLE_TRIANGLES:
        case LT_CYCLE_PIERCE: mark_row(c); break;
        case LT_CYCLE_EDGES: settle_next(c); break;
        case LT_CYCLE_HASH_EDGES:
            if (c->sub)
                count = sort_cloud(c, &c->border_edges, most);
            else
                add_edges(c);
            break;
        case LT_CYCLE_BORDER: find_border(c); break;
        case LT_CYCLE_SPREAD: spread_next(c); break;
        default: break;
        }
    }
    c->element_count += count;
    if (later) c->later_elements += count;
    if (!c->marks) settle_phase(c);
    return count;
}

uint32_t lt_cycle_begin(lt_cycle *cycle, const lt_cycle_input *input) {
    lt_cycle *c = cycle;
    uint32_t cost = lt_cycle_take_over(c, input);
    c->found_count = c->inside_end = c->inside_count = c->obstacle_count = c->dropped_count = 0;
    c->edge_count = 0;
    c->open_count = c->reached = c->layer = 0;
    c->element_count = c->later_elements = 0;
    c->phase = c->body_count ? LT_CYCLE_EMBED : LT_CYCLE_DONE;
    c->next = c->sub = c->body = 0;
    c->walk = (lt_cloud_walk){0, 0};
    c->marks = c->level = 0;
    lt_cycle_ahead_forget(&c->ahead);
    c->ahead.most = 0;
    settle_phase(c);
    return cost;
}

lt_piece lt_cycle_peek(const lt_cycle *cycle, uint32_t reserve) {
    return piece_of(cycle, reserve);
}

uint32_t lt_cycle_step(lt_cycle *cycle, uint32_t grant) {
    uint32_t spent = 0;
    lt_piece piece = piece_of(cycle, 0);
    lt_work work = piece.work;
    lt_cycle_ahead_allow(cycle, grant);
    while (piece.cost && piece.work == work && spent + piece.cost <= grant) {
        spent += piece.cost * (uint32_t)do_elements(cycle, (grant - spent) / piece.cost);
        piece = piece_of(cycle, 0);
    }
    return spent;
}

void lt_cycle_redo(lt_cycle *cycle, lt_cycle_phase phase, uint64_t element_count, uint64_t later_elements,
                   uint32_t obstacle_found, uint32_t next, uint32_t sub) {
    lt_cycle *c = cycle;
    c->phase = LT_CYCLE_EMBED;
    c->next = c->sub = c->body = c->found_count = 0;
    uint64_t done = 0;
    while (c->phase == LT_CYCLE_EMBED && (phase > LT_CYCLE_EMBED || done < element_count))
        done += do_elements(c, 1);
    if (phase == LT_CYCLE_EMBED) return;
    c->phase = LT_CYCLE_OBSTACLES;
    c->found_count = obstacle_found;
    c->next = next;
    c->sub = sub;
    if (phase == LT_CYCLE_OBSTACLES && next < c->pair_count && c->pairs[next].kind == LT_PAIR_OBSTACLE) {
        c->sub = lt_min_u32(sub, c->input.colliders[c->pairs[next].a].skin->point_count - 1);
    } else {
        enter(c, LT_CYCLE_POINTS);
        settle_phase(c);
        for (done = 0; done < later_elements && !lt_cycle_is_done(c);)
            done += do_elements(c, later_elements - done);
    }
    for (uint32_t i = 0; i < c->found_count; i++) /* whoever saved had been told */
        c->found[i].emitted = lt_found_is_emitted(&c->found[i]) ? c->found[i].status + 1 : 0;
    c->element_count = element_count;
    c->later_elements = later_elements;
}
