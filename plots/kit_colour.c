/* The drawing kit: colours. See plots/kit.h. */
#include "plots/kit.h"

struct colour colour_rgb(unsigned rgb)
{
  return (struct colour){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0, 1.0};
}

struct colour palette(int i)
{
  static const unsigned okabe_ito[PALETTE_SIZE] = {0x000000, 0xe69f00, 0x56b4e9, 0x009e73,
                                                   0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7};
  if (i <= 0) return colour_rgb(okabe_ito[0]);
  return colour_rgb(okabe_ito[1 + (i - 1) % (PALETTE_SIZE - 1)]);
}

struct colour colour_mix(struct colour a, struct colour b, double share_of_b)
{
  double s = share_of_b, r = 1.0 - s;
  return (struct colour){r * a.r + s * b.r, r * a.g + s * b.g, r * a.b + s * b.b, r * a.a + s * b.a};
}

struct colour colour_fade(struct colour c, double alpha)
{
  return (struct colour){c.r, c.g, c.b, c.a * alpha};
}

struct theme theme_paper(void)
{
  return (struct theme){.paper = colour_rgb(0xffffff), .panel = colour_rgb(0xf7f6f3), .ink = colour_rgb(0x1d1d1f),
                        .muted = colour_rgb(0x63615c), .faint = colour_rgb(0xdedbd4)};
}

struct theme theme_plate(void)
{
  return (struct theme){.paper = colour_rgb(0xf3ede1), .panel = colour_rgb(0x26211d), .ink = colour_rgb(0x2a231d),
                        .muted = colour_rgb(0x75685a), .faint = colour_rgb(0x4a4239)};
}
