import type { AccentColors, ColorPair } from '../../brand/accent.ts';

/**
 * Colours of emails: light, dark. Those of the pages, as hexadecimal numbers, because email clients
 * know no other notation. Many of them ignore style sheets too, so the light colours are inline;
 * the style sheet only adds dark mode and narrow screens.
 */
const mailColors = {
  page: ['#f3f4f6', '#0d0e12'],
  surface: ['#ffffff', '#15171b'],
  sunken: ['#f3f4f6', '#1e2026'],
  line: ['#e0e2e6', '#2b2e34'],
  text: ['#1a1d24', '#eff0f3'],
  soft: ['#51555e', '#b0b4bc'],
  link: ['#1957d2', '#87b1fd'],
  accent: ['#2060e0', '#336fe5'],
  onAccent: ['#ffffff', '#ffffff'],
  series: ['#2867e4', '#568ef9'],
  good: ['#036639', '#6ad895'],
  bad: ['#b01e25', '#fb9890'],
} as const satisfies Record<string, ColorPair>;

type Color = keyof typeof mailColors;

/** Uses of colours: class, property and colour. */
const roles = {
  page: ['page', 'background-color', 'page'],
  card: ['card', 'background-color', 'surface'],
  sunken: ['sunken', 'background-color', 'sunken'],
  button: ['button', 'background-color', 'accent'],
  bar: ['bar', 'background-color', 'series'],
  border: ['border', 'border-color', 'line'],
  text: ['text', 'color', 'text'],
  soft: ['soft', 'color', 'soft'],
  link: ['link', 'color', 'link'],
  onButton: ['on-button', 'color', 'onAccent'],
  good: ['good', 'color', 'good'],
  bad: ['bad', 'color', 'bad'],
} as const satisfies Record<string, readonly [name: string, property: string, color: Color]>;

type Role = keyof typeof roles;

interface Look {
  class: string;
  style: string;
  bgcolor?: string;
}

/** Returns the attributes of an element: its colours and other style. */
export type LookOf = (role: Role | readonly Role[], style: string) => Look;

/** The colours of mails with those that the brand decides. */
export const mailColorsOf = (brand: AccentColors): Record<Color, ColorPair> => ({
  ...mailColors,
  link: brand.accentText,
  accent: brand.accent,
  series: brand.series,
});

/** Creates the function that gives elements their colours. */
export const createLook =
  (colors: Record<Color, ColorPair>): LookOf =>
  (role, style) => {
    const used = [role].flat().map((name) => roles[name]);
    const background = used.find(([, property]) => property === 'background-color');
    const declared = used.map(([, property, color]) => `${property}:${colors[color][0]}`);
    return {
      class: used.map(([name]) => name).join(' '),
      // Colours last: `border` would reset that of the border.
      style: [style, ...declared].join(';'),
      ...(background === undefined ? {} : { bgcolor: colors[background[2]][0] }),
    };
  };

export const fonts = {
  text: 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
  code: 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,Courier New,monospace',
};

/** Sizes of text. */
export const type = {
  title: 'font-size:20px;line-height:28px;font-weight:600',
  heading: 'font-size:14px;line-height:20px;font-weight:600',
  text: 'font-size:16px;line-height:24px',
  small: 'font-size:14px;line-height:20px',
  caption: 'font-size:12px;line-height:16px',
  figure: 'font-size:20px;line-height:28px;font-weight:600',
  code: 'font-size:28px;line-height:36px;font-weight:600;letter-spacing:3px',
};

const inDark = (colors: Record<Color, ColorPair>): string =>
  Object.values(roles)
    .map(([name, property, color]) => `.${name}{${property}:${colors[color][1]}!important}`)
    .join('');

// Apple Mail needs the property as well as the meta elements.
export const mailStyleSheet = (colors: Record<Color, ColorPair>): string =>
  ':root{color-scheme:light dark;supported-color-schemes:light dark}' +
  `body,table,td,h1,h2,p,a{${fonts.text}}` +
  `.code{${fonts.code}}` +
  `@media (prefers-color-scheme:dark){${inDark(colors)}}` +
  '@media (max-width:480px){.outer{padding:12px 8px!important}.inner{padding:20px 16px!important}' +
  '.figure{font-size:17px!important;line-height:24px!important}}';
