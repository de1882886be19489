/* make_package FILE: writes the package of tests, for what runs outside of C. */
#include <stdio.h>

#include "stage/small_package.h"

int main(int argc, char **argv)
{
  struct small_package p = small_package_new();
  FILE *out = argc == 2 ? fopen(argv[1], "wb") : NULL;
  int good = out && fwrite(p.bytes, 1, p.n, out) == p.n;
  if (out && fclose(out))
    good = 0;
  if (!good)
    fprintf(stderr, "make_package: nothing was written\n");
  small_package_free(&p);
  return good ? 0 : 1;
}
