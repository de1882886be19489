/* The drawing kit: colours. See plots/kit.h. */
#include "plots/kit.h"

#include <math.h>

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

/* ---- dark pages: lightness of OKLab (Ottosson 2020) mirrored, hue kept, chroma as far as there is such a colour
 * ---- */

static double to_linear(double v) { return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4); }
static double to_srgb(double v) { return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1.0 / 2.4) - 0.055; }

static void to_oklab(struct colour c, double *lab)
{
  double r = to_linear(c.r), g = to_linear(c.g), b = to_linear(c.b);
  double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* Linear RGB; outside of 0 to 1 when there is no such colour. */
static void from_oklab(const double *lab, double chroma, double *rgb)
{
  double l = lab[0] + chroma * (0.3963377774 * lab[1] + 0.2158037573 * lab[2]);
  double m = lab[0] - chroma * (0.1055613458 * lab[1] + 0.0638541728 * lab[2]);
  double s = lab[0] - chroma * (0.0894841775 * lab[1] + 1.2914855480 * lab[2]);
  l = l * l * l, m = m * m * m, s = s * s * s;
  rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

#define DARKEST 0.19 /* what white becomes: a dark page is not black */

struct colour colour_dark(struct colour c)
{
  double lab[3], rgb[3] = {0.0, 0.0, 0.0};
  to_oklab(c, lab);
  double coloured = fmin(1.0, hypot(lab[1], lab[2]) / 0.10); /* what has a colour keeps most of its light */
  double mirrored = DARKEST + (0.98 - DARKEST) * fmin(1.0, (1.0 - lab[0]) / 0.85);
  lab[0] = fmax(mirrored, (0.45 + 0.45 * lab[0]) * coloured);
  for (double chroma = 1.0; chroma >= 0.0; chroma -= 0.05) {
    from_oklab(lab, chroma, rgb);
    if (fmin(rgb[0], fmin(rgb[1], rgb[2])) >= 0.0 && fmax(rgb[0], fmax(rgb[1], rgb[2])) <= 1.0) break;
  }
  for (int k = 0; k < 3; k++) rgb[k] = to_srgb(fmin(1.0, fmax(0.0, rgb[k])));
  return (struct colour){rgb[0], rgb[1], rgb[2], c.a};
}

/* ---- heat maps ---- */

#define HEAT_STOPS 4
static const double heat_at[HEAT_STOPS] = {0.0, 0.36, 0.62, 1.0};

struct colour colour_heat(double share)
{
  struct colour stops[HEAT_STOPS] = {colour_rgb(0xfdf8e6), palette(PALETTE_ORANGE), palette(PALETTE_VERMILION),
                                     colour_rgb(0x3a0d1e)};
  double x = fmin(1.0, fmax(0.0, share));
  int k = x < heat_at[1] ? 0 : x < heat_at[2] ? 1 : 2;
  return colour_mix(stops[k], stops[k + 1], (x - heat_at[k]) / (heat_at[k + 1] - heat_at[k]));
}

void heat_bar_draw(struct canvas *cv, struct rect area, int upright)
{
  struct fill bar = {.n_stops = HEAT_STOPS, .p0 = {area.x, upright ? area.y + area.h : area.y},
                     .p1 = {upright ? area.x : area.x + area.w, area.y}};
  for (int i = 0; i < HEAT_STOPS; i++) {
    bar.at[i] = heat_at[i];
    bar.stop[i] = colour_heat(heat_at[i]);
  }
  canvas_as_is(cv, 1);
  path_rect(cv, area);
  canvas_paint(cv, &bar, NULL);
  canvas_as_is(cv, 0);
}
