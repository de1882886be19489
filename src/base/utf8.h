/* UTF-8, as far as texts must be valid: names come from files that anybody may have written. */
#ifndef MUYBRIDGE_BASE_UTF8_H
#define MUYBRIDGE_BASE_UTF8_H

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, 3 bytes: for each byte that is no part of a character */

/* How many bytes the character at s has; 0 if there is none: a stray byte, a form that is too long, a surrogate. s ends
 * in a 0, which is a character of one byte. */
static inline int utf8_length(const char *text)
{
  const unsigned char *s = (const unsigned char *)text;
  int n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) /* too long; surrogates */
    return 0;
  if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) /* too long; too large */
    return 0;
  return n;
}

#endif
