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

/**
 * The style sheet of a theme. Paper is always light. `--is-dark` is for what has no colours of its
 * own to name with `light-dark()`.
 */
export const themeStyle = (theme: Theme, { colors }: Pick<Brand, 'colors'>): string => {
  const tokens = accentTokens(colors);
  const accent = tokens === '' ? '' : `:root{${tokens}}`;
  const device = theme === 'system' ? darkDevice : '';
  return `${accent}@media not print{:root{${schemes[theme]}}}${device}\n`;
};
