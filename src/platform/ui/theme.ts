import { accentTokens } from '../brand/accent.ts';
import type { Brand } from '../brand/brand.ts';
import { cookieValues } from '../http/cookies.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const themeCookie = 'theme';
export const themePath = '/theme.css';

/** Returns the theme that a Cookie header asks for. */
export function themeOf(header: string | undefined): Theme {
  const [value] = cookieValues(header, themeCookie);
  return value === 'light' || value === 'dark' ? value : 'system';
}

const schemes = {
  system: 'color-scheme:light dark',
  light: 'color-scheme:light',
  dark: 'color-scheme:dark;--is-dark:1',
};
const darkDevice = '@media screen and (prefers-color-scheme:dark){:root{--is-dark:1}}';

/** Who asks for the sheet: nobody known, somebody signed in, or somebody with a role. */
export type Visitor = 'unknown' | 'signed in' | 'console';

const inHeader = '.account .when-out{display:none}.account .when-in{display:inline-flex}';
const headerStyle: Readonly<Record<Visitor, string>> = {
  unknown: '',
  'signed in': inHeader,
  console: `${inHeader}.account .when-console{display:inline-flex}`,
};

/**
 * The style sheet of a theme, with what the header shows a visitor. Paper is always light.
 * `--is-dark` is for what has no colours of its own to name with `light-dark()`.
 */
export const themeStyle = (
  theme: Theme,
  { colors }: Pick<Brand, 'colors'>,
  visitor: Visitor = 'unknown',
): string => {
  const tokens = accentTokens(colors);
  const accent = tokens === '' ? '' : `:root{${tokens}}`;
  const device = theme === 'system' ? darkDevice : '';
  const scheme = `@media not print{:root{${schemes[theme]}}}${device}`;
  return `${accent}${scheme}${headerStyle[visitor]}\n`;
};
