/* By make: where the program and its data are installed. */
#define INSTALLED_BIN "/usr/local/bin"
#define INSTALLED_DATA "/usr/local/share/muybridge"
