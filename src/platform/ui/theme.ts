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

/** The style sheet of a theme. Paper is always light. */
export const themeStyle = (theme: Theme): string =>
  `@media not print{:root{color-scheme:${theme === 'system' ? 'light dark' : theme}}}\n`;
