import { z } from 'zod';
import { canonicalInstant } from '../../../../lib/timestamps.ts';
import { RequestValidationError } from '../../../../platform/validation/validation-error.ts';
import { FilterParameter } from '../filters.ts';
import {
  type RequestedPeriod,
  periodIssues,
  periods,
  type ResolvedPeriod,
  resolvePeriod,
} from './periods.ts';

const edge = z.string().max(40).overwrite(canonicalInstant).optional();

/** Query parameters that every request for a site's figures over a period takes. */
export const PeriodQuery = z.object({
  site_id: z
    .string()
    .min(1)
    .max(64)
    .describe('The site.')
    .meta({ examples: ['example.com'] }),
  period: z
    .enum(periods)
    .default('30d')
    .describe('Whole local days up to and including today. `24h`: the last 24 hours.'),
  from: edge
    .describe('For `custom`: first day (YYYY-MM-DD), or an instant (RFC 3339).')
    .meta({ examples: ['2026-05-01'] }),
  to: edge
    .describe('For `custom`: last day, inclusive; or an instant, exclusive.')
    .meta({ examples: ['2026-05-05'] }),
  timezone: z
    .string()
    .max(64)
    .default('UTC')
    .describe('IANA time zone in which days start and end.')
    .meta({ examples: ['Europe/Berlin'] }),
  filter: FilterParameter,
  bots: z
    .stringbool()
    .default(false)
    .describe('Include bots.')
    .meta({ type: 'boolean', example: false }),
});
export type PeriodQuery = z.output<typeof PeriodQuery>;

/** The parameters of a query that select its period. */
export type PeriodSelection = Pick<PeriodQuery, 'period' | 'from' | 'to' | 'timezone'> &
  Partial<Pick<RequestedPeriod, 'interval' | 'compare'>>;

/** Returns the period that a query selects at `now` (Unix ms), not resolved yet. */
export const toRequestedPeriod = (
  { period, from, to, timezone, interval, compare }: PeriodSelection,
  now: number,
): RequestedPeriod => ({ period, from, to, timezone, interval, compare, now });

/** Resolves a query's period at `now` (Unix ms). Throws RequestValidationError. */
export function resolvePeriodQuery(query: PeriodSelection, now: number): ResolvedPeriod {
  const requested = toRequestedPeriod(query, now);
  const issues = periodIssues(requested);
  if (issues.length === 0) return resolvePeriod(requested);
  throw new RequestValidationError(
    issues.map(({ field, message }) => ({
      type: 'value_error',
      loc: ['query', field],
      msg: `Value error, ${message}`,
      input: query[field] ?? null,
    })),
  );
}
