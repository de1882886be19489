/* XML files, read into a plain tree with the line of everything: elements and their attributes. What stands between
 * elements, comments, processing instructions and the document type are passed over; entities are the five of XML and
 * numbers of characters, so that nothing can grow while it is read. Nested elements need no stack. */
#ifndef MUYBRIDGE_BASE_XML_H
#define MUYBRIDGE_BASE_XML_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

#define XML_MAX_SIZE  (8L << 20)      /* bytes of a file */
#define XML_MAX_NODES 100000          /* elements of a file */
#define XML_MAX_DEPTH 500             /* so that who reads the tree may call itself */

struct xml_attribute {
  const char *key, *value;
  struct xml_attribute *next;
};

struct xml_node {
  const char *name, *file;
  int line;
  struct xml_attribute *attributes;   /* in the order of the file, each key once      */
  struct xml_node *children, *last;   /* first and last                               */
  struct xml_node *next, *parent;
};

/* The outermost element of a file, or of text in memory that stands for it; NULL after an error. */
struct xml_node *xml_read_file(struct arena *arena, const char *path, struct diag *d);
struct xml_node *xml_parse(struct arena *arena, const char *name, const char *text, size_t length, struct diag *d);

/* The value of an attribute, NULL if there is none. */
const char *xml_get(const struct xml_node *n, const char *key);

/* The first child of that name, the next sibling of that name; NULL. */
struct xml_node *xml_child(const struct xml_node *n, const char *name);
struct xml_node *xml_next(const struct xml_node *n, const char *name);

#endif
