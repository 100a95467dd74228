import { once } from '../memoize.ts';

const names = new Intl.DisplayNames('en', {
  type: 'language',
  languageDisplay: 'standard',
  fallback: 'none',
});

/** Languages of regions that differ enough for a page of their own. */
const regional = [
  'de-at',
  'de-ch',
  'en-gb',
  'en-us',
  'es-mx',
  'fr-ca',
  'pt-br',
  'pt-pt',
  'zh-cn',
  'zh-hk',
  'zh-tw',
] as const;

const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at));

/** Whether a code is the one in use, such as `he` instead of `iw`. */
const isCurrent = (code: string): boolean => new Intl.Locale(code).language === code;

/**
 * The languages of ISO 639-1, and those of a few regions, by code (BCP 47 in lower case), with
 * their English names in alphabetical order.
 */
export const languages = once((): readonly (readonly [code: string, name: string])[] => {
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return [...codes.filter(isCurrent), ...regional]
    .flatMap((code): [string, string][] => {
      const name = names.of(code);
      return name === undefined ? [] : [[code, name]];
    })
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
});
