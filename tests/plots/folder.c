#include "plots/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char folder[64];

char *in_folder(const char *name)
{
  static char path[4][256];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

int count_files(const char *path)
{
  int n = 0;
  DIR *dir = opendir(path);
  for (struct dirent *e; dir && (e = readdir(dir));) n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
  if (dir) closedir(dir);
  return n;
}

char *read_all(const char *path, size_t *length)
{
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  *length = (size_t)ftell(f);
  rewind(f);
  char *data = malloc(*length + 1);
  *length = fread(data, 1, *length, f);
  data[*length] = '\0';
  fclose(f);
  return data;
}
