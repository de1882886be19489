/* What is open, as JSON: all that a page needs to know before the first frame. doc/stage.md lists the keys. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/json.h"
#include "exchange/exchange.h"
#include "stage/room.h"

#define DIGITS 9                 /* of lengths and the like: pages draw with numbers of 4 bytes */
#define EXACT  17

static void describe_modes(struct json *j, const struct stage_cast *c)
{
  json_object(j, "modes");
  for (int i = 0; i < N_STAGE_MODES; i++) {
    const struct stage_mode_kind *k = stage_mode_kind(i);
    if (k)
      json_truth(j, k->name, k->can(c));
  }
  json_end(j);
}

static void describe_dofs(struct json *j, const struct creature *c)
{
  json_array(j, "dofs");
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *d = &c->dofs[i];
    json_object(j, NULL);
    json_text(j, "name", d->name);
    json_integer(j, "limb", d->limb);
    json_number(j, "torque_max", d->torque_max, DIGITS);
    json_number(j, "lower", d->lower, DIGITS);
    json_number(j, "upper", d->upper, DIGITS);
    json_end(j);
  }
  json_end(j);
}

/* 1 left, -1 right, 0 on the midline. */
static int side_of(const struct creature *c, int limb)
{
  double y = c->limbs[limb].com[1];
  if (c->limbs[limb].mirror == limb)
    return 0;
  for (int l = limb; l >= 0; l = c->limbs[l].parent)
    y += c->limbs[l].parent >= 0 ? c->limbs[l].at[1] : 0;
  return y > 0 ? 1 : -1;
}

static void describe_shape(struct json *j, const struct shape *s)
{
  static const char *const kinds[] = {[SHAPE_CAPSULE] = "capsule", [SHAPE_BOX] = "box",
                                      [SHAPE_ELLIPSOID] = "ellipsoid"};
  if (s->kind == SHAPE_NONE)
    return;
  json_object(j, NULL);
  json_text(j, "kind", kinds[s->kind]);
  json_numbers(j, "centre", 3, s->centre, DIGITS);
  json_numbers(j, "frame", 9, s->frame, DIGITS);
  json_numbers(j, "size", 3, s->size, DIGITS);
  json_numbers(j, "from", 3, s->from, DIGITS);
  json_numbers(j, "to", 3, s->to, DIGITS);
  json_end(j);
}

static void describe_limbs(struct json *j, const struct creature *c)
{
  json_array(j, "limbs");
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    json_object(j, NULL);
    json_text(j, "name", l->name);
    json_integer(j, "parent", l->parent);
    json_integer(j, "side", side_of(c, i));
    json_number(j, "mass", l->mass, DIGITS);
    json_numbers(j, "com", 3, l->com, DIGITS);
    json_array(j, "shapes");
    describe_shape(j, &l->shape);
    json_end(j);
    json_end(j);
  }
  json_end(j);
  json_array(j, "points");
  for (int i = 0; i < c->n_points; i++) {
    json_object(j, NULL);
    json_text(j, "name", c->points[i].name);
    json_integer(j, "limb", c->points[i].limb);
    json_end(j);
  }
  json_end(j);
}

/* Limbs that carry no other: hands, feet, head, tail. */
static void describe_handles(struct json *j, const struct creature *c)
{
  json_array(j, "handles");
  for (int i = 0; i < c->n_limbs; i++) {
    int carries = c->limbs[i].is_load;
    for (int k = i + 1; k < c->n_limbs; k++)
      carries |= c->limbs[k].parent == i && !c->limbs[k].is_load;
    if (!carries)
      json_integer(j, NULL, i);
  }
  json_end(j);
}

static void describe_parameters(struct json *j, const struct stage_cast *c)
{
  static const char *const spaces[] = {[TASK_CIRCLE] = "circle", [TASK_INTERVAL] = "interval",
                                       [TASK_CATEGORY] = "category"};
  json_text(j, "task", c->package.task ? c->package.task->name : NULL);
  json_array(j, "parameters");
  for (int i = 0; i < c->n_parameters; i++) {
    const struct stage_parameter *p = &c->parameters[i];
    int circle = p->space == TASK_CIRCLE, category = p->space == TASK_CATEGORY;
    json_object(j, NULL);
    json_text(j, "name", p->name);
    json_text(j, "kind", p->kind);
    json_text(j, "space", spaces[p->space]);
    json_truth(j, "relative", p->relative);
    json_text(j, "unit", p->unit);
    json_text(j, "zero", c->kinds[i] ? c->kinds[i]->zero : NULL);
    json_number(j, "scale", c->kinds[i] ? c->kinds[i]->scale : 1, EXACT);
    json_text(j, "file_unit", c->kinds[i] ? c->kinds[i]->unit : p->unit);
    json_number(j, "least", circle ? -PI : category ? 0 : p->values[0], EXACT);
    json_number(j, "most", circle ? PI : category ? p->n - 1 : p->values[p->n - 1], EXACT);
    json_array(j, "names");
    for (int k = 0; p->names && k < p->n; k++)
      json_text(j, NULL, p->names[k]);
    json_end(j);
    json_end(j);
  }
  json_end(j);
}

static void describe_clips(struct json *j, const struct graph_input *in)
{
  json_array(j, "clips");
  for (int i = 0; i < in->n_clips; i++) {
    const struct clip *k = in->clips[i].clip;
    json_object(j, NULL);
    json_text(j, "name", k->name);
    json_integer(j, "id", in->clips[i].id);
    json_text(j, "gait", k->gait);
    json_integer(j, "frames", k->n_frames);
    json_truth(j, "cyclic", k->cyclic);
    json_number(j, "seconds", k->n_frames * k->dt, DIGITS);
    json_number(j, "speed", k->speed, DIGITS);
    json_number(j, "turn", k->turn, DIGITS);
    json_end(j);
  }
  json_end(j);
}

static void describe_graph(struct json *j, const struct motion_graph *g)
{
  json_object(j, "graph");
  json_array(j, "nodes");
  for (int i = 0; g && i < g->n_nodes; i++) {
    json_object(j, NULL);
    json_integer(j, "clip", g->nodes[i].clip);
    json_integer(j, "frame", g->nodes[i].frame);
    json_end(j);
  }
  json_end(j);
  json_array(j, "segments");
  for (int i = 0; g && i < g->n_segments; i++) {
    json_object(j, NULL);
    json_integer(j, "from", g->segments[i].from);
    json_integer(j, "to", g->segments[i].to);
    json_integer(j, "clip", g->segments[i].choice);
    json_integer(j, "frames", g->segments[i].length);
    json_end(j);
  }
  json_end(j);
  json_end(j);
}

static void describe_part(struct json *j, const char *key, int at, int n)
{
  json_array(j, key);
  json_integer(j, NULL, at);
  json_integer(j, NULL, n);
  json_end(j);
}

static void describe_record(struct json *j, const struct stage_layout *l, const struct stage_cast *c)
{
  json_object(j, "record");
  json_integer(j, "length", l->length);
  json_integer(j, "time", 0);
  json_integer(j, "state", 1);
  describe_part(j, "limbs", l->limbs, c->creature->n_limbs);
  describe_part(j, "ghost", l->ghost, c->creature->n_limbs);
  json_integer(j, "com", l->com);
  json_integer(j, "capture", l->capture);
  describe_part(j, "points", l->points, c->creature->n_points);
  describe_part(j, "limb_forces", l->limb_forces, c->creature->n_limbs);
  describe_part(j, "torques", l->torques, c->creature->n_dofs);
  describe_part(j, "balls", l->balls, STAGE_BALLS);
  describe_part(j, "asked", l->asked, c->n_parameters);
  describe_part(j, "done", l->done, c->n_parameters);
  const struct { const char *key; int at; } single[] = {
    {"clip", l->clip}, {"frame", l->frame}, {"node", l->node}, {"segment", l->segment},
    {"next", l->next}, {"value", l->value}, {"heading", l->heading}};
  for (size_t i = 0; i < sizeof single / sizeof *single; i++)
    json_integer(j, single[i].key, single[i].at);
  json_end(j);
}

static void describe_formats(struct json *j)
{
  json_array(j, "formats");
  for (int i = 0; exchange_format(i); i++)
    json_text(j, NULL, exchange_format(i)->name);
  json_end(j);
}

char *stage_describe(const struct stage *s)
{
  const struct stage_cast *c = s->cast;
  const struct creature *k = c->creature;
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (!out)
    arena_out_of_memory();
  struct json j = json_to(out);
  json_object(&j, NULL);
  json_integer(&j, "version", STAGE_PACKAGE_VERSION);
  json_text(&j, "name", k->name);
  json_number(&j, "dt", c->dt, EXACT);
  json_number(&j, "mass", k->mass, DIGITS);
  json_number(&j, "height", k->height, DIGITS);
  json_number(&j, "friction", k->friction, DIGITS);
  json_number(&j, "gravity", CREATURE_GRAVITY, DIGITS);
  json_integer(&j, "n_dofs", k->n_dofs);
  describe_modes(&j, c);
  describe_dofs(&j, k);
  describe_limbs(&j, k);
  json_integer(&j, "trunk", c->trunk);
  describe_handles(&j, k);
  describe_parameters(&j, c);
  describe_clips(&j, &c->package.clips);
  describe_graph(&j, c->graph);
  describe_record(&j, &s->layout, c);
  describe_formats(&j);
  json_text(&j, "note", c->package.note);
  json_end(&j);
  if (fclose(out))
    arena_out_of_memory();
  return text;
}
