import { cacheFormatters } from './formatter-cache.ts';
import { defaultLocale, type Locale, type LocaleOptions } from './locale.ts';

const listFormats = cacheFormatters(
  (locale: Locale, type: 'conjunction' | 'disjunction') => new Intl.ListFormat(locale, { type }),
);

export interface ListOptions extends LocaleOptions {
  /** `one, two, or three` instead of `one, two, and three`. */
  or?: boolean;
}

/** `one, two, and three`. */
export const formatList = (
  items: Iterable<string>,
  { or = false, locale = defaultLocale }: ListOptions = {},
): string => listFormats(locale, or ? 'disjunction' : 'conjunction').format(items);
