import { contrast, hexOf, type Oklch, oklchOf } from '../../lib/colors.ts';

/** One colour for light pages, and one for dark ones. */
export type ColorPair = readonly [light: string, dark: string];

/** The colours that are made from an accent, by the names of `tokens.css`. */
export interface AccentColors {
  accent: ColorPair;
  accentHover: ColorPair;
  accentBg: ColorPair;
  accentText: ColorPair;
  bar: ColorPair;
  series: ColorPair;
}

/** The accent of the house, and what `tokens.css` makes of it. */
export const houseAccent = '#2060e0';
export const houseColors: AccentColors = {
  accent: ['#2060e0', '#336fe5'],
  accentHover: ['#0e4ec8', '#245fd4'],
  accentBg: ['#eef4fd', '#162540'],
  accentText: ['#1957d2', '#87b1fd'],
  bar: ['#d5e2f9', '#273c64'],
  series: ['#2867e4', '#568ef9'],
};

const white = '#ffffff';
/** The grounds with the least contrast: a selected row on light pages, and on dark ones. */
const selectedGround: ColorPair = ['#e6e8ec', '#272a31'];
const darkSurface = '#15171b';

const step = 0.005;

/** Moves the lightness until the colour passes: down, or up with `by` 1. The hue stays. */
function moved(color: Oklch, by: 1 | -1, passes: (hex: string) => boolean): Oklch {
  let { l } = color;
  const hasRoom = () => (by === 1 ? l < 1 : l > 0);
  while (hasRoom() && !passes(hexOf({ ...color, l }))) l += by * step;
  return { ...color, l: Math.min(1, Math.max(0, l)) };
}

const at = (color: Oklch, changes: Partial<Oklch>): Oklch => ({ ...color, ...changes });

/**
 * Makes every shade of an accent (`#rrggbb`) for light and dark pages. The hue stays; the lightness
 * moves until white text on it has a contrast of 4.5, and it has 3 to the ground of dark pages.
 */
export function accentColors(accent: string): AccentColors {
  if (accent.toLowerCase() === houseAccent) return houseColors;
  const chosen = oklchOf(accent);
  const holdsWhite = (hex: string) => contrast(hex, white) >= 4.5;
  const light = moved(chosen, -1, holdsWhite);
  const visible = moved(chosen, 1, (hex) => contrast(hex, darkSurface) >= 3.1);
  const dark = moved(visible, -1, holdsWhite);
  const text = (start: number, by: 1 | -1, ground: string) =>
    hexOf(moved(at(chosen, { l: start }), by, (hex) => contrast(hex, ground) >= 4.6));
  const { c } = chosen;
  return {
    accent: [hexOf(light), hexOf(dark)],
    accentHover: [hexOf(at(light, { l: light.l - 0.06 })), hexOf(at(dark, { l: dark.l - 0.05 }))],
    accentBg: [
      hexOf(at(chosen, { l: 0.965, c: Math.min(0.016, c * 0.07) })),
      hexOf(at(chosen, { l: 0.265, c: Math.min(0.055, c * 0.28) })),
    ],
    accentText: [
      text(Math.min(0.5, light.l), -1, selectedGround[0]),
      text(0.76, 1, selectedGround[1]),
    ],
    bar: [
      hexOf(at(chosen, { l: 0.91, c: Math.min(0.05, c * 0.2) })),
      hexOf(at(chosen, { l: 0.36, c: Math.min(0.08, c * 0.4) })),
    ],
    series: [hexOf(light), hexOf(at(visible, { l: Math.max(0.62, visible.l) }))],
  };
}

/** Whether white text can't be read on the colour itself, so that a darker shade is used. */
export const isAccentAdjusted = (accent: string): boolean => contrast(accent, white) < 4.5;

const tokenNames: Readonly<Record<keyof AccentColors, string>> = {
  accent: '--accent',
  accentHover: '--accent-hover',
  accentBg: '--accent-bg',
  accentText: '--accent-text',
  bar: '--bar',
  series: '--series',
};

const names: readonly (keyof AccentColors)[] = [
  'accent',
  'accentHover',
  'accentBg',
  'accentText',
  'bar',
  'series',
];

/** The declarations of the accent's tokens. Empty for the accent of the house. */
export const accentTokens = (colors: AccentColors): string =>
  colors === houseColors
    ? ''
    : names.map((name) => `${tokenNames[name]}:light-dark(${colors[name].join(',')})`).join(';');
