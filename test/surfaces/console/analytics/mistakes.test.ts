import { expect, it } from 'vitest';
import { mistakesIn } from '../../../../src/surfaces/console/analytics/figures.ts';
import type { ViewParams } from '../../../../src/surfaces/console/analytics/view-params.ts';

const now = Date.UTC(2026, 10, 23);
const mistakes = (view: Partial<ViewParams>): string[] =>
  mistakesIn(
    {
      site: 'shop',
      period: 'custom',
      from: '2026-05-01',
      to: '2026-05-05',
      timezone: 'UTC',
      compare: undefined,
      filters: [],
      bots: false,
      ...view,
    },
    now,
  );

it('says what is wrong with a period, and what to do', () => {
  expect(mistakes({})).toEqual([]);
  expect(mistakes({ to: '2026-04-01' })).toEqual(['The end date can’t be before the start date.']);
  expect(mistakes({ from: undefined })).toEqual(['Enter a start date.']);
  expect(mistakes({ to: undefined })).toEqual(['Enter an end date.']);
  expect(mistakes({ from: '2001-01-01' })).toEqual(['A period can be at most 10 years long.']);
  expect(mistakes({ to: 'tomorrow' })).toEqual([
    'Enter the end date as YYYY-MM-DD, between 1970 and 9000.',
  ]);
  expect(mistakes({ timezone: 'Mars/Olympus' })).toEqual([
    'Unknown time zone. Enter an IANA name such as Europe/Berlin.',
  ]);
  expect(mistakes({ filters: ['nonsense'] }).join()).toContain('Filter not applied: ');
});
