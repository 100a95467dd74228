import { once } from '../memoize.ts';
import { countryName } from './country-names.ts';

/** Codes with a name that are no country: unions, and codes for tests. */
const notCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at));

/** The code that replaces one of a former country: `DE` for `DD`. */
const currentCode = (code: string): string | undefined => new Intl.Locale(`und-${code}`).region;

const codesByName = once((): ReadonlyMap<string, string> => {
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const named = codes.flatMap((code): [string, string][] => {
    const isCurrent = !notCountries.has(code) && currentCode(code) === code;
    const name = isCurrent ? countryName(code) : undefined;
    return name === undefined ? [] : [[name, code]];
  });
  return new Map(named.sort(([one], [other]) => one.localeCompare(other, 'en')));
});

/** All countries by code (ISO 3166-1 alpha-2), with their English names in alphabetical order. */
export const countries = (): (readonly [code: string, name: string])[] =>
  [...codesByName()].map(([name, code]) => [code, name]);

/** The code (ISO 3166-1 alpha-2) of a country by its English name or its code. */
export function countryCode(text: string): string | undefined {
  const typed = text.trim();
  const code = typed.toUpperCase();
  if (countryName(code) !== undefined && !notCountries.has(code)) return currentCode(code);
  const lower = typed.toLowerCase();
  for (const [name, found] of codesByName()) if (name.toLowerCase() === lower) return found;
  return undefined;
}
