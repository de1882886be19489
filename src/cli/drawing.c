/* See drawing.h. */
#include "cli/drawing.h"

#include <stdlib.h>

/* A whole number in range at *text, which then points behind it; 0 if there is none. */
static int read_length(const char **text, int most, int *out)
{
  char *end;
  long value = **text >= '0' && **text <= '9' ? strtol(*text, &end, 10) : 0;
  if (value < DRAWING_LEAST || value > most)
    return 0;
  *out = (int)value;
  *text = end;
  return 1;
}

int drawing_size(const char *command, const char *text, int most, int *width, int *height)
{
  const char *p = text;
  int good = 1;
  *width = *height = 0;
  if (*p != 'x')
    good = read_length(&p, most, width);
  if (good && *p == 'x') {
    p++;
    good = read_length(&p, most, height);
  }
  if (good && *p == '\0')
    return CLI_DONE;
  return cli_usage_error(command, "--size: expected WIDTH, WIDTHxHEIGHT or xHEIGHT, each from %d to %d, found '%s'",
                         DRAWING_LEAST, most, text);
}
