import { expect, it } from 'vitest';
import { mistakesIn } from '../../../../src/surfaces/console/analytics/figures.ts';
import { viewParams } from './view-params.ts';
import type { ViewParams } from '../../../../src/surfaces/console/analytics/view-params.ts';

const now = Date.UTC(2026, 10, 23);
const custom = { period: 'custom', from: '2026-05-01', to: '2026-05-05' } as const;
const mistakes = (view: Partial<ViewParams>): string[] =>
  mistakesIn(viewParams({ ...custom, ...view }), now);

it.each<[string, Partial<ViewParams>, string[]]>([
  ['nothing', {}, []],
  [
    'an end before the start',
    { to: '2026-04-01' },
    ['The end date can’t be before the start date.'],
  ],
  ['a missing start', { from: undefined }, ['Enter a start date.']],
  ['a missing end', { to: undefined }, ['Enter an end date.']],
  ['a period of decades', { from: '2001-01-01' }, ['A period can be at most 10 years long.']],
  [
    'a date in words',
    { to: 'tomorrow' },
    ['Enter the end date as YYYY-MM-DD, between 1970 and 9000.'],
  ],
  [
    'a time zone of Mars',
    { timezone: 'Mars/Olympus' },
    ['Unknown time zone. Enter an IANA name such as Europe/Berlin.'],
  ],
])('a view with %s says what to do about it', (_what, view, expected) => {
  expect(mistakes(view)).toEqual(expected);
});

it('a view with an invalid filter says that it is not applied', () => {
  expect(mistakes({ filters: ['nonsense'] }).join()).toContain('Filter not applied: ');
});
