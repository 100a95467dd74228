import { expect, it } from 'vitest';
import {
  goalsPage,
  type GoalsView,
} from '../../../../src/surfaces/console/analytics/goals/goals-page.tsx';
import { markupOf } from '../../../support/markup.ts';

const viewer = {
  userId: 'u',
  name: 'Ada',
  roles: ['viewer' as const],
  isAdmin: false,
  proof: undefined,
};
const funnel = (at: number) => ({
  id: `funnel-${at}`,
  site_id: 'shop',
  name: `Way ${at}`,
  within: 'visit' as const,
  created_at: '2026-05-04T09:30:00.000Z',
  steps: [],
  conversion_rate: null,
});

function bodyOf(skipped: number, funnelCount: number): string {
  const address = {
    site: 'shop',
    period: '30d' as const,
    from: undefined,
    to: undefined,
    timezone: 'UTC',
    compare: undefined,
    filters: [],
    bots: false,
  };
  const funnels = Array.from(
    { length: Math.max(0, Math.min(10, funnelCount - skipped)) },
    (_, at) => funnel(skipped + at),
  ) as unknown as GoalsView['funnels'];
  const goals = { data: [], visits: 0 } as unknown as GoalsView['goals'];
  return markupOf(
    goalsPage(
      { address, sites: [], goals, funnels, funnelCount, skipped, notice: undefined, mistakes: [] },
      viewer,
    ).body,
  );
}

const goals = '/api/svc/console/analytics/goals?site_id=shop';

it('shows ten funnels per page, with links to the other pages', () => {
  expect(bodyOf(0, 10)).not.toContain('class="pages"');
  const [first, last, beyond] = [bodyOf(0, 24), bodyOf(20, 24), bodyOf(99, 24)];
  expect(first).toContain('Funnels 1–10 of 24');
  expect(first).toContain(`href="${goals}&amp;skip=10" rel="next"`);
  expect(last).toContain('Funnels 21–24 of 24');
  expect(beyond).toContain('24 funnels, none on this page');
  for (const page of [last, beyond]) {
    expect(page).toMatch(/href="[^"]*goals\?site_id=shop">.*First page<\/a>/);
    expect(page).not.toContain('rel="next"');
  }
  expect(bodyOf(0, 0)).toContain('No funnels yet.');
});
