import { formatChange, formatPoints } from './format.ts';
import type { DashboardView } from './schemas.dashboard.ts';

type Change = NonNullable<DashboardView['change']>;

export interface Comparison {
  totals: DashboardView['totals'];
  /** Totals for the comparison period. */
  before: DashboardView['totals'] | undefined;
  change: DashboardView['change'];
}

export interface TotalChange {
  /** With its sign: `+9.7%`, and `-0.4 pp` for a rate. */
  text: string;
  /** `same`: nothing is left of the change after rounding. */
  direction: 'up' | 'down' | 'same';
  isGood: boolean;
}

/**
 * How a total differs from the comparison period; undefined if that had none. A rate changes in
 * percentage points: from 40% to 36% is 4 points less, not 10% less. Fewer bounces are good.
 */
export function changeOfTotal(
  name: keyof Change,
  { totals, before, change }: Comparison,
): TotalChange | undefined {
  const isRate = name === 'bounce_rate' || name === 'conversion_rate';
  const [current, former] = [totals[name] ?? null, before?.[name] ?? null];
  const points = current === null || former === null ? null : current - former;
  const by = isRate ? points : (change?.[name] ?? null);
  if (by === null) return undefined;
  const { text, direction, isGood } = describeChange(by, isRate ? formatPoints : formatChange);
  return { text, direction, isGood: isGood !== (name === 'bounce_rate') };
}

/** Describes a change of a figure that should grow. `by` is in percent, unless `format` differs. */
export function describeChange(by: number, format = formatChange): TotalChange {
  const text = format(by);
  const direction = text === format(0) ? 'same' : by > 0 ? 'up' : 'down';
  return { text, direction, isGood: by > 0 };
}
