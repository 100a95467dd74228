import { z } from 'zod';
import { operators, visitDimensions } from '../../store/queries.ts';
import { FilterParameter, hasNoPattern } from '../../figures/filters.ts';
import { PeriodQuery } from '../../figures/periods/period-query.ts';
import { intervals } from '../../figures/periods/periods.ts';

const dimensions: ReadonlySet<string> = new Set<string>(['page', ...visitDimensions]);
// Compares the raw text, so that a backslash can't disguise another dimension.
const toList = (filter: string | readonly string[] | undefined): readonly string[] =>
  [filter ?? []].flat();
const shareOperators = operators.filter((operator) => !operator.startsWith('matches'));
const maxFilters = 10;
const isShared = (filter: string) => dimensions.has(filter.split(':', 1).join(''));

/** The query of a share link, which can't single out a person. */
export const ShareQuery = PeriodQuery.pick({
  period: true,
  from: true,
  to: true,
  timezone: true,
}).extend({
  compare: z
    .enum(['previous', 'year'])
    .default('previous')
    .describe('Compare with the previous period or the same period a year ago.'),
  interval: z
    .enum(intervals)
    .optional()
    .describe('Interval of the series. Default: depends on the length of the period.'),
  filter: FilterParameter.refine((filter) => toList(filter).every(isShared), {
    error: `unknown dimension; use one of ${[...dimensions].join(', ')}`,
  })
    .refine((filter) => hasNoPattern(toList(filter)), {
      error: `filters of a share link support the operators ${shareOperators.join(', ')}`,
    })
    .refine((filter) => toList(filter).length <= maxFilters, {
      error: `a share link can have ${maxFilters} filters`,
    })
    .describe(
      `\`dimension:operator:value\`, up to ${maxFilters} filters; all must match. ` +
        `Operators: ${shareOperators.join(', ')}.`,
    ),
});
export type ShareQuery = z.output<typeof ShareQuery>;
