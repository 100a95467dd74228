import { formatNumber } from '../../../platform/i18n/numbers.ts';
import type { Setting } from '../operations/settings.ts';
import { variableValues } from './texts/variables.ts';

const sizes = /^(?:STORED_BYTES_|JOURNAL_)/;
const kilo = 1024;

/** Binary steps, as the variables are written: `128 MB` is 128 MiB there. */
function sizeOf(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const step = bytes === 0 ? 0 : Math.min(4, Math.floor(Math.log(bytes) / Math.log(kilo)));
  return `${formatNumber(bytes / kilo ** step, { decimals: 1 })} ${units[step] ?? ''}`;
}

const units: readonly (readonly [RegExp, string])[] = [
  [/_SECONDS$/, 's'],
  [/_HOURS$/, 'h'],
  [/_MS$/, 'ms'],
];

/** The value of a variable as people write it: with its unit, and words for codes. */
export function valueText({ name, value = '' }: Setting): string {
  const word = variableValues[name]?.[value];
  if (word !== undefined) return word;
  if (!/^\d+$/.test(value) || name.endsWith('PORT')) return value.replaceAll(',', ', ');
  if (sizes.test(name)) return value === '0' ? 'no limit' : sizeOf(Number(value));
  const unit = units.find(([pattern]) => pattern.test(name))?.[1];
  const number = formatNumber(Number(value));
  return unit === undefined ? number : `${number} ${unit}`;
}
