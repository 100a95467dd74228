import { expect, it } from 'vitest';
import {
  goalsPage,
  type GoalsView,
} from '../../../../src/surfaces/console/analytics/goals/goals-page.tsx';
import { goalPanelsPage } from '../../../../src/surfaces/console/analytics/goals/goal-panels.tsx';
import { formatFilter } from '../../../../src/surfaces/console/analytics/view-controls.tsx';
import { viewParams } from './view-params.ts';
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
  const length = Math.max(0, Math.min(10, funnelCount - skipped));
  const view = {
    address: viewParams(),
    sites: [],
    goals: { data: [], visits: 0 } as unknown as GoalsView['goals'],
    funnels: Array.from({ length }, (_, at) =>
      funnel(skipped + at),
    ) as unknown as GoalsView['funnels'],
    mistakes: [],
  };
  return markupOf(goalsPage({ ...view, funnelCount, skipped }, viewer).body);
}

const goals = '/api/svc/console/analytics/goals?site_id=shop';

/** What the pager says and where it leads; undefined without a pager. */
function pagerOf(body: string): { summary: string; links: string[] } | undefined {
  const [, pager] = /<nav class="pages"[^>]*>(.*?)<\/nav>/s.exec(body) ?? [];
  if (pager === undefined) return undefined;
  const links = [...pager.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
  return {
    summary: /<span>(.*?)<\/span>/.exec(pager)?.[1] ?? '',
    links: links.map(([, href, content = '']) => `${content.replace(/<[^>]*>/g, '')} ${href}`),
  };
}

it('shows ten funnels per page, with links to the other pages', () => {
  expect(pagerOf(bodyOf(0, 10))).toBeUndefined();
  expect(pagerOf(bodyOf(0, 24))).toEqual({
    summary: 'Funnels 1–10 of 24',
    links: [`Next page ${goals}&amp;skip=10`],
  });
  expect(pagerOf(bodyOf(20, 24))).toEqual({
    summary: 'Funnels 21–24 of 24',
    links: [`First page ${goals}`],
  });
  expect(pagerOf(bodyOf(99, 24))).toEqual({
    summary: '24 funnels, none on this page',
    links: [`First page ${goals}`],
  });
  expect(bodyOf(0, 0)).toContain('No funnels yet.');
});

it('sums up what the goals brought, and adds no revenue up that goals share', () => {
  const goal = (name: string, visits: number, amount: string) => ({
    id: name,
    name,
    visits,
    visitors: visits,
    events: visits + 1,
    conversion_rate: visits / 10,
    revenue: [{ currency: 'EUR', amount }],
  });
  const report = { visits: 1000, data: [goal('Paid', 20, '50.0000'), goal('Any', 40, '70.0000')] };
  const view = { address: viewParams(), sites: [], viewer, mistakes: [] };
  const page = goalPanelsPage(
    view as unknown as Parameters<typeof goalPanelsPage>[0],
    report as unknown as GoalsView['goals'],
    undefined,
  );
  const stats = [...markupOf(page.body).matchAll(/<li class="stat">(.*?)<\/li>/gs)];
  const texts = stats.map(([, stat = '']) => stat.replace(/<[^>]*>/g, '|').replace(/\|+/g, '|'));
  expect(texts).toEqual([
    '|Goals reached|62|in 1,000 visits|',
    '|Most reached|4%|Any|',
    '|Revenue|€70.00|Any|',
  ]);
});

it('shows the paths of a filter as people read them', () => {
  const readable = 'page:is:/danke-f%C3%BCr-kauf|/order%20complete';
  expect(formatFilter(readable)).toMatch(/\/danke-für-kauf.*\/order complete/);
  expect(formatFilter('page:is:/a%2Fb')).toContain('/a%2Fb');
  expect(formatFilter('title:is:100%20')).toContain('100%20');
});
