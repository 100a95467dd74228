const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/**
 * Returns the English name of a country by ISO 3166-1 alpha-2 code; undefined for unknown codes.
 */
export const countryName = (code: string): string | undefined =>
  /^[A-Z]{2}$/.test(code) ? names.of(code) : undefined;
