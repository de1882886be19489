/* Which library this is. */
#include "api/muybridge.h"

#include "config.h"

const char *muy_version(void)
{
  return PACKAGE_VERSION;
}
