import { cacheFormatters } from './formatter-cache.ts';
import { defaultLocale, type Locale, type LocaleOptions } from './locale.ts';

/** Returns the number, or throws a RangeError: a page must not show `NaN`. */
export function requireFinite(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`not a number to show: ${value}`);
  return value;
}

type Style = 'decimal' | 'signed' | 'compact' | 'percent' | 'percent-down' | 'change';

const styles: Readonly<Record<Style, Intl.NumberFormatOptions>> = {
  // `negative`: no sign of a zero, such as that of -0.04 with one decimal.
  decimal: { signDisplay: 'negative' },
  signed: { signDisplay: 'exceptZero' },
  compact: { notation: 'compact', signDisplay: 'negative' },
  percent: { style: 'percent', signDisplay: 'negative' },
  'percent-down': { style: 'percent', signDisplay: 'negative', roundingMode: 'floor' },
  change: { style: 'percent', signDisplay: 'exceptZero' },
};

const numberFormats = cacheFormatters(
  (locale: Locale, style: Style, decimals: number) =>
    new Intl.NumberFormat(locale, { ...styles[style], maximumFractionDigits: decimals }),
);

export interface NumberOptions extends LocaleOptions {
  /** The most decimal places that are shown. */
  decimals?: number;
}

/** `1,284`, with `decimals: 1` `2.8`, with `signed` `+3`. */
export const formatNumber = (
  value: number,
  {
    decimals = 0,
    signed = false,
    locale = defaultLocale,
  }: NumberOptions & { signed?: boolean } = {},
): string =>
  numberFormats(locale, signed ? 'signed' : 'decimal', decimals).format(requireFinite(value));

/** `12.3K`: where space is short and the exact number is elsewhere. */
export const formatCompact = (
  value: number,
  { decimals = 1, locale = defaultLocale }: NumberOptions = {},
): string => numberFormats(locale, 'compact', decimals).format(requireFinite(value));

export interface PercentOptions extends NumberOptions {
  /** Never shows more than was reached: 0.99999 is not 100%. */
  roundDown?: boolean;
}

/** A ratio as `36.6%`. */
export function formatPercent(
  ratio: number,
  { decimals = 1, roundDown = false, locale = defaultLocale }: PercentOptions = {},
): string {
  const style = roundDown ? 'percent-down' : 'percent';
  // 12 digits: 0.9998 that was computed as 0.99979999999999991 is not rounded down to 99.97%.
  const exact = Number(requireFinite(ratio).toPrecision(12));
  return numberFormats(locale, style, decimals).format(exact);
}

/** Above it, the ratio says more about how little there was before than about the change. */
export const largestChange = 9.99;

/** A ratio by which a figure has changed as `+3.1%`. More than tenfold is `> 999%`. */
export const formatChange = (
  ratio: number,
  { decimals = 1, locale = defaultLocale }: NumberOptions = {},
): string =>
  requireFinite(ratio) > largestChange
    ? `> ${formatPercent(largestChange, { decimals: 0, locale })}`
    : numberFormats(locale, 'change', decimals).format(ratio);

const moneyFormats = cacheFormatters(
  (locale: Locale, currency: string) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, signDisplay: 'negative' }),
);

/** An amount of a currency (ISO 4217) as `€1,284.50`. */
export const formatMoney = (
  amount: number,
  currency: string,
  { locale = defaultLocale }: LocaleOptions = {},
): string => moneyFormats(locale, currency).format(requireFinite(amount));

/** Formats a value with `format`; a dash when nothing was measured. */
export const formatOrDash = (
  value: number | null | undefined,
  format: (value: number) => string,
): string => (value == null ? '–' : format(value));
