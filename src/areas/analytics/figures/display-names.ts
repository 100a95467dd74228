import { countryName } from '../../../lib/places/country-names.ts';
import { texts } from '../texts/en/figures.ts';

const languages = new Intl.DisplayNames('en', {
  type: 'language',
  languageDisplay: 'standard',
  fallback: 'code',
});
const devices: Readonly<Partial<Record<string, string>>> = texts.devices;

/** The name of a country (ISO 3166-1): `DE` is Germany. Unknown codes stay as they are. */
export const countryOf = (code: string): string => countryName(code) ?? code;

/** The name of a language (BCP 47): `de-AT` is German (Austria). Other texts stay as they are. */
export function languageOf(code: string): string {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}

/** The name of a kind of device: `tv` is TV. Other texts stay as they are. */
export const deviceOf = (kind: string): string =>
  Object.hasOwn(devices, kind) ? (devices[kind] ?? kind) : kind;
