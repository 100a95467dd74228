import { expect, it } from 'vitest';
import {
  retentionPage,
  type RetentionPageView,
} from '../../../../src/surfaces/console/analytics/visitors/retention-page.tsx';
import { viewParams } from './view-params.ts';
import { markupOf } from '../../../support/markup.ts';

function cellsOf(visitors: number[], returned: number[], partial: boolean): (string | undefined)[] {
  const cohorts = ['2026-05-04', '2026-05-11', '2026-05-18'].map((day) => ({
    start: `${day}T00:00:00.000Z`,
    size: 10,
    visitors,
    returned,
    partial,
  }));
  const view: RetentionPageView['view'] = {
    site_id: 'shop',
    unit: 'week',
    timezone: 'UTC',
    persons: 'named',
    cohorts,
  };
  const body = markupOf(
    retentionPage({ address: viewParams(), sites: [], isAdmin: true, view }).body,
  );
  const row = /<tbody><tr>(.*?)<\/tr>/.exec(body)?.[1] ?? '';
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) =>
    cell?.replace(/<[^>]*>/g, ''),
  );
}

it('shows a dash, not 0 %, for a week in progress in which nobody has come back yet', () => {
  expect(cellsOf([10, 4, 0], [100, 40, 0], true)).toEqual(['10', '100%', '40%', '–']);
  expect(cellsOf([10, 4, 1], [100, 40, 10], true).at(-1)).toBe('10% so far…');
  expect(cellsOf([10, 4, 0], [100, 40, 0], false).at(-1)).toBe('0%');
});
