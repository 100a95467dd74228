/** A language that pages and messages are written in, as a BCP 47 tag. */
export type Locale = 'en';

export const defaultLocale: Locale = 'en';

/** What every formatter takes. */
export interface LocaleOptions {
  locale?: Locale;
}
