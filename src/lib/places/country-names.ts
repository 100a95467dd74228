const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/**
 * The English name of a country by its code of ISO 3166-1 alpha-2; undefined when there is none
 * with it.
 */
export const countryName = (code: string): string | undefined =>
  /^[A-Z]{2}$/.test(code) ? names.of(code) : undefined;
