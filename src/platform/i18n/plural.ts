import { cacheFormatters } from './formatter-cache.ts';
import { requireFinite } from './numbers.ts';
import { defaultLocale, type Locale } from './locale.ts';

/** The plural categories (CLDR) of each language, for whole numbers and fractions. */
export const pluralCategories = { en: ['one', 'other'] } as const satisfies Readonly<
  Record<Locale, readonly Intl.LDMLPluralRule[]>
>;

/** A text for each plural category of a language. */
export type PluralForms<L extends Locale = typeof defaultLocale> = Readonly<
  Record<(typeof pluralCategories)[L][number] | 'other', string>
>;

const pluralRules = cacheFormatters((locale: Locale) => new Intl.PluralRules(locale));

/** Selects the text for a count: `plural(days, { one: '1 day', other: `${days} days` })`. */
export function plural<L extends Locale = typeof defaultLocale>(
  count: number,
  forms: PluralForms<L>,
  { locale = defaultLocale }: { locale?: L | typeof defaultLocale } = {},
): string {
  const category = pluralRules(locale).select(requireFinite(count));
  const all: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = forms;
  return all[category] ?? forms.other;
}
