/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the method multiscale: what its files share. multiscale.c has the hooks and verbs, multiscale_motion.c where bodies
 * come from and get to, multiscale_reach.c how far they may be pushed, multiscale_turn.c is the turn of one pair,
 * multiscale_tangle.c that of two bodies in each other, multiscale_long.c what of a turn goes on in the next step, multiscale_way.c
 * the ways that is about, multiscale_round.c gives turns while the budget lasts, multiscale_contacts.c makes contacts of what was
 * found, multiscale_answer.c answers them and looks again, multiscale_seen.c looks only at what was met,
 * multiscale_sight.c at nothing, where that is known to be enough. Who is not decided:
 * multiscale_near.c and multiscale_ground.c let parts stand in for contacts that are not known, multiscale_parts.c keeps parts of a body
 * apart, multiscale_bodies.c two bodies (by planes, multiscale_plane.c) and a body and an obstacle, multiscale_slow.c lets less time pass
 * for them, multiscale_pending.c is about obstacles that move. multiscale_state.c is about snapshots. */

#ifndef LITHE_METHOD_MULTISCALE_WORK_H
#define LITHE_METHOD_MULTISCALE_WORK_H

#include "detect/moving_surface.h"
#include "detect/query_obstacle.h"
#include "method/pair_words.h"
#include "method/roots.h"
#include "method/stages.h"
#include "respond/lcp.h"

/* Steps of a turn. */
typedef enum lt_multi_phase {
    LT_TURN_BODIES,  /* boxes, marks */
    LT_TURN_CROSS,   /* do they cross as the step begins? */
    LT_TURN_CORNERS, /* two triangles do: how deep are they there? Then the next crossing */
    LT_TURN_REFRESH, /* boxes of tets */
    LT_TURN_POINTS,  /* some of one against the other */
    LT_TURN_QUERY,   /* where do they meet on the way */
    LT_TURN_DONE
} lt_multi_phase;

enum { LT_MULTI_PARTS = 64 /* of a body, at most */ };

/* Parts of a body (multiscale_divide.c): tets that hold surface, near each other, and their nodes. */
typedef struct lt_multi_parts {
    uint32_t count;
    uint32_t begin[LT_MULTI_PARTS + 1];
    uint32_t *nodes; /* [begin[count]] part after part */
    uint32_t node_capacity;
    uint32_t tet_begin[LT_MULTI_PARTS + 1];
    uint32_t *tets;  /* [tet_begin[count]] likewise, of the carrier */
    uint8_t *of_tet; /* [tet_count] of the carrier; LT_MULTI_PARTS: of none */
    uint32_t tet_count;
    uint32_t point_begin[LT_MULTI_PARTS + 1];
    uint32_t *points; /* [point_begin[count]] likewise, of the skin */
    uint32_t point_count;
    float
        room; /* m between the surface and the outside of tets, on average: so far nodes may be in each other */
    /* Bits of parts with tets that are near each other at rest, and its own; of a body that never meets itself: none */
    uint64_t neighbours[LT_MULTI_PARTS];
} lt_multi_parts;

/* The way of a body that a long turn is about (multiscale_way.c): taken down when the turn begins, with boxes of its own. */
typedef struct lt_multi_way {
    uint32_t node_count;
    uint32_t lent_to; /* the body whose long turn with this one is about it; LT_NONE: there is none */
    float edge;       /* m, of the surface, on average, at rest */
    float *ends[2];   /* [node_count][4] */
    lt_moving_surface surface;
} lt_multi_way;

/* A turn that takes more than a step (multiscale_long.c): boxes, marks and query are of its own, about ways of its own, and stay. A body
 * has one for turns with itself, and one for those with others, of which one at a time is under way. */
typedef struct lt_multi_long {
    bool is_begun;        /* one is under way */
    lt_pair pair;         /* whose: its bodies and kind only; while it is begun, or was aimed */
    lt_multi_phase phase; /* BODIES or QUERY */
    float separation;     /* m */
    uint64_t units;       /* spent on it so far */
    uint32_t paid;        /* of them, for the next piece, which no step had enough for at once */
    uint64_t whole_units; /* of the last one that ended */
    uint32_t steps;       /* in which it went on, so far */
    uint32_t last_steps;  /* of the last one that ended */
    uint32_t age;         /* steps since it was begun: others may have their turns between */
    uint32_t last_age;    /* of the last one, when it ended */
    uint32_t stages;      /* of the way of two bodies; others have one */
    uint32_t stages_left; /* behind the one that is looked at */
    bool has_met;         /* anything in that one */
    uint64_t past_units;  /* spent on those before */
    lt_multi_way way;     /* of the body that has it */
    lt_multi_way *second; /* lent by the other body, while it is begun; NULL: there is none */
    lt_obstacle obstacle; /* on its way, of a turn with one */
    lt_query query;       /* from phase QUERY on; with an obstacle the other one */
    lt_obstacle_query obstacle_query;
    /* Of a body with itself only */
    const lt_multi_parts *parts;
    bool has_known;   /* the body is not decided since, and `known` is what it was then */
    float known_room; /* m nearer than on the way of `known` nothing meets either */
    float *known[2];  /* [node_count][4] the way of the last one that ended: what did not meet on it is
                              * known to be apart there */
    /* When a part first met any on the way of this turn and of the last one that ended, of 255 */
    uint8_t times[LT_MULTI_PARTS], known_times[LT_MULTI_PARTS];
    lt_vec3 known_middles[2][LT_MULTI_PARTS]; /* of parts, on that way */
} lt_multi_long;

/* What of a body is remembered from step to step. */
typedef struct lt_multi_body {
    uint32_t node_count;     /* 0: there is none */
    uint32_t row_count;      /* that sigma is of */
    uint32_t pin_count;      /* when σ was found */
    lt_real sigma;           /* 0: not known */
    bool is_warm;            /* `warm` is not zero */
    lt_real *warm;           /* [node_count][4] Δv of the last step */
    const lt_real *v_before; /* [node_count][4] as the step began, while it lasts; NULL: not known */
    lt_multi_parts *parts;
    lt_multi_long *own; /* NULL: it is never looked at with itself */
    lt_multi_long *others;
} lt_multi_body;

/* How far the sides of a pair are apart at least, as the last step ended (multiscale_sight.c). */
typedef struct lt_multi_entry {
    uint32_t a, kind, b; /* of the pair */
    float clear, way;    /* m; how far they moved against each other in that step */
    lt_vec3 position;    /* of the obstacle */
    lt_quat rotation;
} lt_multi_entry;
typedef struct lt_multi_entries {
    lt_multi_entry *items; /* [count] of [capacity], in the order of pairs */
    uint32_t count, capacity;
} lt_multi_entries;

typedef struct lt_multi_method {
    lt_memory memory; /* first: see memory.h */
    lt_method_options options;
    lt_multi_body *bodies; /* [body_capacity] by slot */
    uint32_t body_capacity;
    float dt;                    /* s, of the last step: what σ was found for */
    lt_multi_entries entries[2]; /* of the last step, and of this one as it ends */
    uint32_t entries_now;
} lt_multi_method;

/* What is known of a pair over steps, in lt_pair_words.left: the lowest two bits; above them for how many steps it was not decided; the
 * highest bit: its turns are long ones. */
typedef enum lt_multi_knowledge {
    LT_MULTI_UNKNOWN,    /* new, or it was not decided whether they met */
    LT_MULTI_APART,      /* as the last step ended: what is to meet will be found on the way */
    LT_MULTI_OVERLAPPING /* they were in each other */
} lt_multi_knowledge;

/* A part of the step, from 0 to 1. */
typedef struct lt_multi_span {
    float begin, end;
} lt_multi_span;

/* One body in this step. */
typedef struct lt_multi_motion {
    float *from;              /* [node_count][4] at the beginning of the step; NULL: it stands still */
    lt_real *free_x, *free_v; /* [node_count][4] where the models left it; NULL likewise */
    lt_rvec3 free_drag;
    lt_box start;            /* around it at the beginning of the step; while `from` */
    float *ends[2];          /* [node_count][4] of a part of the step; NULL likewise */
    lt_multi_span span;      /* that boxes and marks are about */
    float *aim;              /* [node_count][4] where turns took it to get to */
    const lt_system *system; /* NULL: explicit, or it stands still */
    bool is_begun;           /* its surface was, for that span */
    bool is_touched;         /* by the last answer */
    bool was_answered;       /* by any */
    float
        part_share; /* of the change of its shape that could be (multiscale_parts.c), if it touches others */
    lt_rvec3 fall;  /* m, of its centre, before that; while it is less than 1 */
    lt_real passed; /* that has; less than 1: it was held */
} lt_multi_motion;

/* A contact as a constraint. */
typedef struct lt_multi_contact {
    lt_pair pair;
    uint64_t identity; /* of the features that meet, for all steps */
    uint32_t feature;  /* likewise, as the list of contacts has it */
    lt_attachment own, other;
    lt_vec3 normal;   /* unit, pushes a */
    float target;     /* m along it, between the two places at the end of the step */
    lt_real level;    /* of an obstacle: where its surface is along the normal at the end */
    uint32_t age;     /* 0: found in this step */
    bool is_guess;    /* of a turn that was cut, or is a long one */
    bool is_coarse;   /* of two parts that may get no deeper (multiscale_near.c): for this step alone */
    lt_rvec3 impulse; /* N s, on a */
} lt_multi_contact;

/* Along it two bodies are least deep in each other; below 0: apart. */
typedef struct lt_plane {
    lt_vec3 normal; /* unit, pushes a */
    float depth;    /* m */
} lt_plane;

/* What became of a pair in this step. */
typedef struct lt_multi_outcome {
    bool done;
    bool has_points_left;          /* it is, of two bodies in each other, but not all was looked at */
    bool is_parted;                /* of those it is known in this step where they cross */
    bool begun;                    /* its turn was; not done: it was cut */
    bool by_long;                  /* what is done is a long turn: about where the body was when that began */
    uint32_t age_limit;            /* contacts from before that are carried on are younger */
    uint32_t held_begin, held_end; /* its contacts, from before */
    bool has_seen;                 /* all that the turn with another has met was kept */
    uint32_t seen_begin, seen_end; /* that */
    float clear;                   /* m that they are apart at least as the step begins; 0: not known */
    float last_way;                /* m against each other in the last step, where that is known */
    bool rests;                    /* it is decided by that, without a look */
    bool is_apart;                 /* it is known that they do not touch, as they went in the end */
    float looked;                  /* of the step, up to there it was looked at */
    float room;                    /* m beside the way */
    bool has_plane;                /* of two bodies: */
    lt_plane plane;                /* as the step begins */
    bool has_coarse;               /* it stands on what is not known: held */
    bool has_near_parts;           /* of a body and an obstacle: parts that come near it are known */
    uint64_t near_parts;           /* bits of those */
    bool has_near;                 /* of two bodies: parts that come near each other are listed */
    bool near_is_whole;            /* all of them */
    bool near_says_more;           /* than a plane between all nodes */
    uint32_t near_begin, near_end; /* those */
    uint64_t tested;
    lt_rvec3 impulse; /* on a */
} lt_multi_outcome;

enum { LT_MULTI_CROWDS = 1024, LT_MULTI_LONGEST = 1 << 28 /* units of a long turn: it is given up there */ };

typedef struct lt_multi_turn {
    struct lt_multi_work *work;
    lt_pair *pair;
    lt_multi_outcome *outcome;
    float separation;
    bool is_again;      /* after an answer */
    lt_multi_long *own; /* NULL: no long one */
    lt_multi_span span;
    uint64_t query_units; /* of the query so far */
    bool is_fast;         /* it may sweep over so much that parts of the step are looked at one by one */
    bool is_thinned;      /* not all that was met is there */
    uint32_t seen_next;   /* of one that looks at what was met alone: that is looked at next */
    lt_multi_phase phase;
    uint32_t crossing_count; /* of two bodies, so far */
    uint32_t first_point;    /* that is looked at, of both bodies */
    uint32_t next_point;     /* in the order in which they are looked at */
    /* Of what was found, answers set aside: of a group of meetings not more than become contacts */
    uint32_t reserved;
    uint32_t looked_at, crowd_count; /* meetings that were; groups */
    uint32_t suspect,
        suspect_count; /* of a long one: meeting that is asked next whether triangles cross; asked */
    uint32_t crowds[LT_MULTI_CROWDS]; /* groups, hashed; 0: none */
    uint8_t members[LT_MULTI_CROWDS]; /* of each, for which an answer is set aside */
    lt_refresh refresh[2];
    lt_query query;
    lt_obstacle_query obstacle_query;
} lt_multi_turn;

/* A fresh meeting, before it is decided whether it becomes a contact. */
typedef struct lt_multi_candidate {
    lt_multi_contact contact;
    lt_vec3 place; /* of a's side, at the end */
    float gap;     /* m, there */
    float time;
    bool is_held; /* it was a contact in the last step */
} lt_multi_candidate;

/* Everything of one step. */
typedef struct lt_multi_work {
    lt_multi_method *method;
    lt_method_step *step;
    float separation; /* m */
    /* By body */
    lt_multi_motion *motions;
    float *reaches; /* m, of the step */
    bool **crossed; /* [tet_count] each: its surface was in itself there as the step began */
    /* By pair */
    lt_multi_outcome *outcomes;
    uint32_t *heap; /* scratch of the scheduler */
    /* The turn under way */
    lt_multi_turn *turn;
    lt_meeting *meetings, *spare_meetings; /* [crowd] */
    lt_meeting *seen;                      /* [crowd] by turns of two bodies that are over */
    uint32_t seen_count;
    uint32_t *seen_points; /* [crowd] of the trees, with obstacles */
    uint32_t seen_point_count;
    lt_obstacle_meeting *obstacle_meetings;
    lt_touch *touches;
    uint32_t touch_count;
    lt_multi_candidate *candidates; /* [capacity] */
    float
        *first_times[2]; /* [tet_capacity] when a tet of either side first meets anything; between turns 2 */
    uint32_t tet_capacity;
    float *couple_columns; /* of the couple at hand (multiscale_plane.h) */
    size_t couple_stride;
    lt_contact_key *keys, *spare_keys;
    uint32_t capacity; /* of contacts, and of what one turn finds */
    /* Contacts */
    lt_multi_contact *contacts; /* [contact_count] */
    uint32_t contact_count;
    uint32_t limit;       /* of contacts that the budget can hold */
    struct lt_near *near; /* [near_count] parts of two bodies, pair after pair */
    uint32_t near_count;
    uint64_t near_reserved; /* units, set aside for that */
    uint32_t *slots;        /* [slot_mask + 1] contacts by identity, one more than they are; 0: none */
    uint32_t slot_mask;
    /* The answer */
    lt_lcp_body *bodies;
    lt_lcp_contact *rows; /* [capacity] */
    /* What it came to */
    bool foreseen; /* turns looked where contacts of the last step let bodies go, not where models did */
    bool complete; /* nothing was cut */
} lt_multi_work;

enum {
    LT_MULTI_ROUNDS = 3,   /* answers of a step, at most */
    LT_MULTI_CROWD = 8192, /* meetings of a turn at which it thins them out */
    LT_MULTI_CLAMPS = 8,   /* lt_lcp_params.max_clamps */
    LT_MULTI_KEPT = 4,     /* contacts between two tets that look the same way */
    LT_MULTI_SUSPECTS = 8, /* meetings of a long turn that are asked in a step whether triangles cross */
    /* Measured in instructions, of which sweeps and turns take 10 to 18 a unit: */
    LT_MULTI_ROW_UNITS = 200, /* of a contact, when it is carried on and becomes a constraint: 1,450 + 930 */
    LT_MULTI_EMIT_UNITS = 80, /* when it is told: 1,040 */
    LT_MULTI_EXIT_UNITS =
        320 /* at the end of an answer: 1,190 on a floor, 4,140 between two bodies; of a node
                                * there 730 to 1,330, those of a ladder more (lcp.h) */
};

/* Of the nodes of a body there. */
static inline uint64_t lt_multi_exit_nodes_units(const lt_soft *soft) {
    return LT_LCP_EXIT_VISITS * lt_lcp_nodes_units(lt_soft_row_count(soft), soft->grid != NULL);
}

/* Units of answering one contact at the end of sweeps, and of its record. */
static inline uint32_t lt_multi_contact_units(void) {
    return LT_MULTI_EXIT_UNITS + LT_MULTI_ROW_UNITS + LT_MULTI_EMIT_UNITS + 2 * LT_LISTING_UNITS +
           LT_COLLECT_UNITS;
}

/* The collider slots of a pair: one where it is of a body with itself or with an obstacle. */
static inline uint32_t lt_multi_pair_bodies(uint32_t bodies[2], const lt_pair *pair) {
    bodies[0] = pair->a;
    bodies[1] = pair->kind == LT_PAIR_BODIES ? pair->b : pair->a;
    return pair->kind == LT_PAIR_BODIES ? 2 : 1;
}

/* Two bodies that are in each other: parted by depth, not by where they meet. */
static inline uint32_t lt_multi_known(const lt_pair *pair) {
    return lt_words_of(pair)->left & 3;
}
static inline bool lt_multi_is_long(const lt_pair *pair) {
    return lt_words_of(pair)->left >> 31;
}
static inline void lt_multi_set_long(lt_pair *pair, bool is_long) {
    lt_words_of(pair)->left = (lt_words_of(pair)->left & UINT32_MAX >> 1) | (uint32_t)is_long << 31;
}
static inline uint32_t lt_multi_undecided_steps(const lt_pair *pair) {
    return lt_words_of(pair)->left << 1 >> 3;
}
static inline void lt_multi_know(lt_pair *pair, uint32_t known, uint32_t undecided_steps) {
    uint32_t steps = lt_min_u32(undecided_steps, UINT32_MAX >> 3);
    lt_words_of(pair)->left = known | steps << 2 | (uint32_t)lt_multi_is_long(pair) << 31;
}

static inline bool lt_multi_is_overlapping(const lt_pair *pair) {
    return pair->kind == LT_PAIR_BODIES && lt_multi_known(pair) == LT_MULTI_OVERLAPPING;
}

/* ---- motion ---- */

size_t lt_multi_motion_scratch(const lt_collider *colliders, uint32_t count);
/* Where everybody comes from; false: too little scratch. */
bool lt_multi_begin_motions(lt_multi_work *work);
/* Boxes around the ways of all bodies, and pairs that may come as near as the separation. */
void lt_multi_find_pairs(lt_multi_work *work);
/* Before the pairs: who may be pushed farther than it goes by itself reaches as far (multiscale_reach.c). */
void lt_multi_grow_reaches(lt_multi_work *work);
size_t lt_multi_reach_scratch(uint32_t collider_count, uint32_t pair_capacity);
/* Around a body where it gets to. */
lt_box lt_multi_box_at_end(const lt_multi_work *work, uint32_t body);
/* Before the turns: they are about ways to where bodies would get to now. */
void lt_multi_take_aim(const lt_multi_work *work);
/* Units of the next piece that prepares a body for turns with itself (marks) or others; 0: it is prepared. */
lt_piece lt_multi_prepare_peek(const lt_multi_work *work, uint32_t body, lt_surface_stage wanted);
/* Boxes and marks are to be about that part of the step. */
void lt_multi_prepare_for(lt_multi_work *work, uint32_t body, lt_multi_span span);
uint32_t lt_multi_prepare_step(lt_multi_work *work, uint32_t body, float separation, uint32_t grant);
/* Back to where the models left it. */
void lt_multi_free_body(const lt_multi_work *work, uint32_t body);

/* ---- turns ---- */

void lt_multi_turn_begin(lt_multi_turn *turn, lt_multi_work *work, uint32_t index, float separation,
                         bool is_again);
/* Again, but only at what was met. */
void lt_multi_turn_see(lt_multi_turn *turn, lt_multi_work *work, uint32_t index, float separation);
/* Answers are set aside for what was found since it was done last. */
void lt_multi_reserve_found(lt_multi_turn *turn);
/* Goes on with a long turn, or begins one. */
void lt_multi_turn_resume(lt_multi_turn *turn, lt_multi_work *work, uint32_t index, lt_multi_long *own);
/* Of surfaces that are prepared; meetings and their capacity are set. */
void lt_multi_begin_query(lt_query *query, lt_moving_surface *a, lt_moving_surface *b, float separation,
                          lt_simd_level level, bool at_start);
void lt_multi_begin_obstacle_query(lt_obstacle_query *query, lt_moving_surface *surface,
                                   const lt_obstacle *obstacle, float separation);
lt_cursor lt_multi_turn_cursor(lt_multi_turn *turn);
/* Whether a turn is one that comes by crossings of two bodies without looking for them, and, when a step ends for it, the cursor that asks
 * whether it did: the pair is tangled then. */
bool lt_multi_may_cross(const lt_multi_turn *turn);
lt_cursor lt_multi_suspect_cursor(lt_multi_turn *turn);
/* Meetings, or points inside the other, so far. */
uint32_t lt_multi_turn_found(const lt_multi_turn *turn);

/* What becomes one group when contacts are made of it; never 0. */
uint32_t lt_multi_crowd_key(uint32_t tet_a, uint32_t tet_b, lt_vec3 normal);

/* ---- two bodies in each other ---- */

/* Crossings that are looked at. */
uint32_t lt_multi_tangle_most(const lt_multi_turn *turn);
/* Of phases CORNERS, REFRESH and POINTS; cost 0: that phase is over. After CORNERS the turn is in CROSS again. */
lt_piece lt_multi_tangle_peek(const lt_multi_turn *turn);
void lt_multi_tangle_step(lt_multi_turn *turn);
void lt_multi_tangle_begin_points(lt_multi_turn *turn);
/* The group of a touch. */
uint32_t lt_multi_tangle_crowd(const lt_multi_turn *turn, uint32_t touch);

/* ---- ways of long turns ---- */

/* With marks where it is of a body with itself. False: no memory; what there is must be freed. */
bool lt_multi_way_create(lt_multi_way *way, const lt_collider *collider, bool with_itself,
                         const lt_allocator *allocator);
void lt_multi_way_free(lt_multi_way *way, const lt_allocator *allocator);
/* Takes down the ways that the turn is about, from where this step begins. */
void lt_multi_take_ways(lt_multi_long *own, const lt_multi_work *work);
/* How far beside them it looks, if it is aimed. */
float lt_multi_way_room(const lt_multi_long *own, float separation);
/* To the next stage of them. */
void lt_multi_advance_ways(lt_multi_long *own);
/* Boxes are to be made around the way. */
void lt_multi_way_begin(lt_multi_way *way);

/* ---- long turns ---- */

/* Of a body with others, or, with its parts, of one that has marks with itself. NULL: no memory. */
lt_multi_long *lt_multi_long_create(const lt_collider *collider, const lt_multi_parts *parts,
                                    const lt_allocator *allocator);
void lt_multi_long_free(lt_multi_long *own, const lt_allocator *allocator);
/* Of a body with itself; NULL: the pair is another. */
lt_multi_long *lt_multi_long_of(const lt_multi_work *work, const lt_pair *pair);
/* The one that is or would be of the pair. */
lt_multi_long *lt_multi_long_for(const lt_multi_work *work, const lt_pair *pair);
/* The turn of another pair that must end before that of this one can begin; NULL: none. */
lt_multi_long *lt_multi_long_before(const lt_multi_work *work, const lt_pair *pair);
/* The turn that is under way is that of the pair. */
bool lt_multi_long_is_of(const lt_multi_long *own, const lt_pair *pair);
/* Forgets all. */
void lt_multi_long_stop(lt_multi_long *own);
/* Turns of the body, with itself and with others. */
void lt_multi_long_stop_body(const lt_multi_method *method, uint32_t body);
/* Into the next step, when its pairs are found. Bodies that stand still are in no turn with themselves; pairs that are no more, or
 * whose obstacle was put elsewhere, in none. */
void lt_multi_long_go_on(const lt_multi_work *work);
/* What became of the pair in this step, after all turns: where it was when it was last decided is taken down. */
void lt_multi_long_note(const lt_multi_work *work, const lt_pair *pair, const lt_multi_outcome *outcome);
/* The next turn is one of that pair. */
void lt_multi_long_aim(lt_multi_long *own, const lt_multi_method *method, const lt_pair *pair);
/* The boxes that side 0 or 1 is looked at with. */
lt_moving_surface *lt_multi_long_surface(lt_multi_long *own, uint32_t side);
/* The next piece towards boxes and marks: the first one takes the ways down that the turn is about. Cost 0: they are there. */
lt_piece lt_multi_long_peek(const lt_multi_long *own);
uint32_t lt_multi_long_step(lt_multi_long *own, const lt_multi_work *work, uint32_t grant);
/* Something of a body was met by itself. */
void lt_multi_long_meet(lt_multi_long *own, const lt_meeting *meeting);
/* At the end of a step or of the turn. False: of the turn a stage has ended, and the next one can go on. */
bool lt_multi_long_keep(lt_multi_turn *turn, bool ended, uint64_t units);
/* After `known` was set. */
void lt_multi_long_measure_known(lt_multi_long *own);
/* Whether the way of the other body, if it has one, can be lent to it: then it is. */
bool lt_multi_long_borrow(lt_multi_long *own, const lt_multi_method *method);
/* What was spent on it is spent again, after its ways and numbers were restored. */
void lt_multi_long_repeat(lt_multi_long *own, lt_simd_level level);

/* ---- rounds ---- */

/* Before anything else: which contacts of the last step each pair has. */
void lt_multi_begin_outcomes(lt_multi_work *work);
/* Turns for all pairs, by age and harm, until the budget ends. */
void lt_multi_search(lt_multi_work *work);
/* Turns for pairs whose bodies the last answer moved, with another separation; false: it was cut. What they find is in
 * work->meetings after each, for `use`. */
typedef void lt_multi_use(lt_multi_work *work, const lt_multi_turn *turn, void *context);
bool lt_multi_search_again(lt_multi_work *work, float separation, lt_multi_use *use, void *context);

/* ---- contacts ---- */

/* One of six directions: contacts between two tets that look the same way are a group. */
uint32_t lt_multi_direction(lt_vec3 normal);

/* Of what the turn found so far the earliest between every two tets stay: what is fast meets thousands of triangles on its way
 * that it would not if it were stopped. The others are found when the answer is looked at again. */
void lt_multi_thin_out(lt_multi_work *work, lt_multi_turn *turn);

/* Contacts of what the turn found; after an answer contacts that are there stand for nothing else. Returns how many are new. */
uint32_t lt_multi_add_found(lt_multi_work *work, const lt_multi_turn *turn);
/* Contacts of the last step, of pairs that were not looked at. */
void lt_multi_add_held(lt_multi_work *work);
/* Whether one side at least is met from within, so that surfaces may be in each other there. */
bool lt_multi_is_odd(const lt_query *query, const lt_meeting *meeting);
/* Whether a meeting of a body with itself is where it is in itself already. */
bool lt_multi_is_crossed(const lt_multi_work *work, const lt_pair *pair, const lt_meeting *meeting);
/* The row of a contact, by where the models left its sides. */
lt_lcp_contact lt_multi_row(const lt_multi_work *work, const lt_multi_contact *contact);
/* Whether what the turn found is a contact of the last step, whose answer is set aside. */
bool lt_multi_is_held(const lt_multi_work *work, const lt_multi_turn *turn, uint32_t index);
/* As a record of the list. */
lt_contact_record lt_multi_record(const lt_multi_work *work, const lt_multi_contact *contact);

/* ---- parts of a body ---- */

/* NULL: no memory. */
lt_multi_parts *lt_multi_parts_create(const lt_collider *collider, const lt_allocator *allocator);
/* Safe on NULL. */
void lt_multi_parts_free(lt_multi_parts *parts, const lt_allocator *allocator);

size_t lt_multi_parts_scratch(const lt_collider *colliders, uint32_t count);
/* Velocities as the step begins. */
void lt_multi_keep_velocities(lt_multi_method *method, const lt_method_step *step);
/* Bodies of which it is not decided where they meet themselves, as lt_world_def.multiscale.pending says, after the answer. */
void lt_multi_hold_parts(lt_multi_work *work);
/* What that takes at most. */
uint64_t lt_multi_parts_units(const lt_multi_work *work);

/* ---- answers ---- */

/* Before the turns: lets the contacts of the last step, if there are any, push as they would now. What rests or is pressed on
 * another hardly moves then, and turns need not look at all that it would go through. */
void lt_multi_foresee(lt_multi_work *work);
/* Constraints answered, looked at again, answered again; at last the fail-safe. */
void lt_multi_answer(lt_multi_work *work);

/* ---- who was clear of each other ---- */

bool lt_multi_entries_reserve(lt_multi_method *method, uint32_t pair_capacity);
void lt_multi_entries_free(lt_multi_method *method);
/* Those of a body, or of an obstacle; LT_NONE: of none. */
void lt_multi_forget_entries(lt_multi_method *method, uint32_t body, uint32_t obstacle);
/* As the step begins: how far pairs are apart, of which it is known. */
void lt_multi_find_entries(lt_multi_work *work);
/* Whether nothing of the two comes as near as that, as they go now. */
bool lt_multi_stays_clear(const lt_multi_work *work, uint32_t index, float separation);
/* Before the turns: who needs none is decided, as far as can be told before the answer. */
void lt_multi_let_rest(lt_multi_work *work);
/* After it: who moved farther than was clear is not decided. */
void lt_multi_doubt_rest(lt_multi_work *work);
/* What that takes, and keeping them. */
uint32_t lt_multi_entries_units(const lt_multi_work *work);
/* As the step ends. */
void lt_multi_keep_entries(lt_multi_work *work);
size_t lt_multi_entries_size(const lt_multi_method *method);
uint8_t *lt_multi_entries_save(const lt_multi_method *method, uint8_t *bytes);
/* Where what follows begins; NULL: no step can have left them. */
const uint8_t *lt_multi_entries_check(const lt_multi_method *method, const uint8_t *bytes, const uint8_t *end,
                                      const lt_method_step *world);
void lt_multi_entries_restore(lt_multi_method *method, const uint8_t *bytes);
uint64_t lt_multi_entries_hash(const lt_multi_method *method, uint64_t hash);

/* ---- what was met ---- */

/* m that nodes of both get to at most from where they began, or from where turns took them to get, without what is common to both. */
typedef enum lt_multi_way_kind { LT_WAY_FROM_BEGIN, LT_WAY_FROM_AIM } lt_multi_way_kind;
float lt_multi_way_length(const lt_multi_work *work, const lt_pair *pair, lt_multi_way_kind kind);

/* Keeps what the turn has met, of two bodies. */
void lt_multi_keep_seen(lt_multi_work *work, const lt_multi_turn *turn);
/* The share of the step that can pass for two bodies before anything of that touches, as they go now; 1: nothing does. */
float lt_multi_seen_share(const lt_multi_work *work, const lt_pair *pair, const lt_multi_outcome *outcome);
uint32_t lt_multi_seen_units(const lt_multi_outcome *outcome);
/* Whether two bodies go farther against each other in the step than an edge of their surfaces is long. */
bool lt_multi_is_fast(const lt_multi_work *work, const lt_pair *pair);
/* Whether nothing but what was met can come as near as the separation, as bodies go now. */
bool lt_multi_knows_all(const lt_multi_work *work, uint32_t index, float separation);
/* m between the features of something that was met, as the step ends. */
float lt_multi_seen_distance(const lt_multi_work *work, uint32_t index, uint32_t seen);
/* A turn that looks at that alone (lt_multi_turn_see). */
lt_cursor lt_multi_seen_cursor(lt_multi_turn *turn);

/* ---- parts of two bodies ---- */

/* As the step begins: planes of those that may not be decided. */
void lt_multi_find_planes(lt_multi_work *work);
/* Before the answer: which parts of bodies that are not decided come near each other, and what stands in for contacts that are not known. */
void lt_multi_find_near(lt_multi_work *work);
/* What that takes, as a rule. */
uint64_t lt_multi_near_units(const lt_multi_work *work);
/* And answering what stands in. */
uint64_t lt_multi_coarse_units(const lt_multi_work *work);
size_t lt_multi_near_scratch(void);

/* ---- parts of a body and an obstacle ---- */

/* m that a body may be deep in an obstacle that stands still, by the box around it, as a step ends in which it is not decided. */
float lt_multi_allowed_in_obstacle(const lt_multi_work *work, const lt_pair *pair, float before);
/* As the step begins: parts that come near it, as the models let them go; and how many may stand in. */
void lt_multi_find_ground(lt_multi_work *work, uint32_t index);
uint32_t lt_multi_ground_units(const lt_multi_work *work, uint32_t index);
uint32_t lt_multi_stand_count(const lt_multi_outcome *outcome);
/* Those stand in for contacts that are not known. */
void lt_multi_stand_on(lt_multi_work *work, uint32_t index);
uint32_t lt_multi_stand_on_units(const lt_multi_work *work, uint32_t index);
/* Parts of two bodies that are at one place as the step begins, or a part and an obstacle (the second: LT_NONE), and may get no deeper than
 * `target` behind each other along the normal. */
bool lt_multi_add_coarse(lt_multi_work *work, lt_multi_contact contact, const uint32_t parts[2]);

/* ---- two bodies ---- */

/* Bodies of which it is not decided where they meet each other, as lt_world_def.multiscale.pending says, after the answer. */
void lt_multi_hold_bodies(lt_multi_work *work);
/* What that takes at most. */
uint64_t lt_multi_bodies_units(const lt_multi_work *work);
size_t lt_multi_bodies_scratch(uint32_t collider_count, uint32_t pair_capacity);

/* For who may go only a share of the step less time passes; [collider_count]. False: too little scratch. */
bool lt_multi_slow_bodies(lt_multi_work *work, const float *shares);
size_t lt_multi_slow_scratch(uint32_t collider_count);

/* ---- who had no turn ---- */

/* As lt_world_def.multiscale.pending says; colliders have the boxes around the ends of their ways from then on. */
void lt_multi_hold_pending(lt_multi_work *work);
/* Whether an obstacle that moves is near a body. */
bool lt_multi_is_pushed(const lt_multi_work *work, uint32_t body);
/* How many pairs with others each body has. */
void lt_multi_count_pairs(const lt_multi_work *work, lt_root_push *pushes);
/* What that takes at most. */
uint64_t lt_multi_hold_units(const lt_multi_work *work);

/* ---- state ---- */

lt_status lt_multi_reserve(void *state, const lt_capacities *capacities, lt_collider *colliders,
                           uint32_t collider_count, lt_error *error);
void lt_multi_destroy(void *state);
void lt_multi_forget_body(void *state, uint32_t body);
void lt_multi_forget_obstacle(void *state, uint32_t obstacle);
void lt_multi_displace_body(void *state, uint32_t body);
uint64_t lt_multi_hash(const void *state, uint64_t hash);
size_t lt_multi_state_size(const void *state);
void lt_multi_save(const void *state, uint8_t *bytes);
bool lt_multi_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world);

#endif
