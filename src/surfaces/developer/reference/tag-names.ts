import { areaNames } from '../texts/en/pages.ts';

/** The page of a tag. */
export const tagPath = (tag: string): string => `/developer/reference/${encodeURIComponent(tag)}`;

/** The display name of a tag. */
export const titleOf = (tag: string): string =>
  areaNames[tag] ?? `${tag.slice(0, 1).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;
