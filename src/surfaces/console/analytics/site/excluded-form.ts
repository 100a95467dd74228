import { countryCode } from '../../../../lib/places/countries.ts';
import { FormError, type FormValues, textOf } from '../../forms.ts';
import { texts } from '../texts/en.ts';

const words = texts.site.excluded;

/** The parts of a text between spaces, lines and commas. */
export const linesOf = (values: FormValues, name: string): string[] =>
  (textOf(values, name) ?? '').split(/[\s,]+/).filter((line) => line !== '');

/** The codes of the countries of a form. Throws `console.form_invalid` for unknown ones. */
function countriesIn(values: FormValues): string[] {
  const given = [textOf(values, 'shields.countries'), textOf(values, 'add_country')]
    .flatMap((text = '') => text.split(/[\n,]/))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const unknown = given.filter((line) => countryCode(line) === undefined);
  if (unknown.length > 0) {
    const problem = words.unknownCountry({ name: unknown.join(', ') });
    throw new FormError(problem, new Map([['shields.countries', problem]]));
  }
  return [...new Set(given.flatMap((line) => countryCode(line) ?? []))];
}

/** Whose events a site does not take, from its form. */
export const excludedIn = (values: FormValues) => ({
  shields: {
    ips: [...linesOf(values, 'shields.ips'), ...linesOf(values, 'add_ip')],
    countries: countriesIn(values),
    pages: linesOf(values, 'shields.pages'),
  },
});
