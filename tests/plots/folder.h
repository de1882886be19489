/* A folder for the files of a test: empty again at its end, if all is well. */
#ifndef MUYBRIDGE_TESTS_PLOTS_FOLDER_H
#define MUYBRIDGE_TESTS_PLOTS_FOLDER_H

#include <stddef.h>

extern char folder[64];                       /* the test makes it, by mkdtemp()                     */

char *in_folder(const char *name);            /* its path; good until the fourth call from here      */
int count_files(const char *path);            /* of a folder; 0 if there is none                     */

/* The whole file and a 0 after it, NULL if there is none; the caller frees it. */
char *read_all(const char *path, size_t *length);

#endif
