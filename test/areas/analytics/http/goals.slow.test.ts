import { describe, expect } from 'vitest';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { it } from '../../../support/test.ts';
import {
  expectAdminsOnly,
  expectReadersOnly,
  newSite,
  useSharedAnalytics,
  view,
} from '../support.ts';

const analytics = await useSharedAnalytics();
const site = newSite();
const unknownId = '01900000-0000-7000-8000-000000000000';
const nul = String.fromCharCode(0);
const loneSurrogate = String.fromCharCode(0xd800);
const period = 'period=custom&from=2026-01-05&to=2026-01-05';

// Ann reads about prices and buys the big plan, Ben buys the small one on his second visit, Eve
// only browses.
const reader = await analytics.key('analytics:read');
const event = (user: string, minutes: number, url: string, more: object = {}) =>
  view(site, {
    url: `https://example.org${url}`,
    user_id: user,
    timestamp: Date.parse('2026-01-05T09:00:00Z') + minutes * minuteMs,
    ...more,
  });
const buy = (plan: string, amount: number) => ({
  event: 'buy',
  props: { plan },
  revenue: { amount, currency: 'EUR' },
});
const read = { event: 'engagement', engagement_ms: 3000, scroll_depth: 80 };
await analytics.fill(
  event('ann', 0, '/'),
  event('ann', 1, '/prices/eu'),
  event('ann', 3, '/cart', buy('big', 49.5)),
  event('ann', 4, '/prices/us', read),
  event('ben', 0, '/prices/us'),
  event('ben', 100, '/cart', buy('small', 9)),
  event('eve', 5, '/cart', { event: 'look' }),
  event('eve', 6, '/'),
  event('bot', 7, '/cart', { ...buy('big', 1000), bot: true }),
);

type Resource = 'goals' | 'funnels';

const at = (resource: Resource, path: unknown = '', of = site) =>
  `/analytics/sites/${of}/${resource}${path === '' ? '' : `/${String(path)}`}`;
const add = (resource: Resource, body: object, of = site) =>
  analytics.admin.post(at(resource, '', of), body);
const list = async (resource: Resource, of = site) =>
  (await reader.get<{ data: { id: string; name: string }[] }>(`${at(resource, '', of)}/`)).body
    .data;
const goalsReport = (query = '', of = site) =>
  reader.get(`/analytics/goals/?site_id=${of}&${period}${query}`);

const goal = { name: 'x', kind: 'event', value: 'buy' };
const bigPlan = { ...goal, name: 'Big plan', filters: ['props.plan:is:big'] };
const steps = [
  { name: 'Prices', kind: 'page', value: '/prices/*' },
  { kind: 'event', value: 'buy' },
];
const bodies = { goals: bigPlan, funnels: { name: 'Prices to purchase', steps } };

describe('a goal', () => {
  it('counts every page view and every event that matches', async () => {
    const made = await add('goals', bigPlan);
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual({
      id: expect.any(String) as string,
      site_id: site,
      ...bigPlan,
      created_at: expect.any(String) as string,
    });
    for (const body of [
      { name: 'Prices', kind: 'page', value: '/prices/*' },
      { ...goal, name: 'Bought' },
      { ...goal, name: 'Nothing', value: 'b_y' },
    ])
      expect(await add('goals', body)).toMatchObject({ status: 201 });
    const euros = (amount: string) => [{ currency: 'EUR', amount }];
    const reached = (name: string, times: number, rate: number, revenue: object[]) => {
      const counts = { visitors: times, visits: times, events: times };
      return { name, ...counts, conversion_rate: rate, revenue };
    };
    const data = [
      reached('Big plan', 1, 25, euros('49.5000')),
      reached('Prices', 2, 50, []),
      reached('Bought', 2, 50, euros('58.5000')),
      reached('Nothing', 0, 0, []),
    ];
    expect(await goalsReport()).toMatchObject({ status: 200, body: { visits: 4, data } });
    const events = [0, 1, 1, 0].map((count) => ({ events: count }));
    const ofBen = { visits: 2, data: events };
    expect(await goalsReport('&filter=user_id:is:ben')).toMatchObject({ body: ofBen });
    const withBots = [{ events: 2, revenue: euros('1049.5000') }, {}, {}, {}];
    expect(await goalsReport('&bots=true')).toMatchObject({ body: { data: withBots } });
  });

  it('of a site without visits has no conversion rate', async () => {
    const empty = await analytics.registerSite();
    expect((await goalsReport('', empty)).body).toEqual({ data: [], visits: 0 });
    await add('goals', bigPlan, empty);
    const data = [{ events: 0, conversion_rate: null }];
    expect((await goalsReport('', empty)).body).toMatchObject({ data });
  });
});

it('the dashboard shows the engaged time and the scroll depth of each page', async () => {
  const { body } = await reader.get(`/analytics/dashboard?site_id=${site}&${period}`);
  expect(body.pages).toMatchObject([
    { value: '/', engaged_seconds: null, scroll_depth: null },
    { value: '/prices/eu', engaged_seconds: null },
    { value: '/prices/us', pageviews: 1, engaged_seconds: 3, scroll_depth: 80 },
  ]);
});

it('a funnel counts the visits or visitors that took the steps in order', async () => {
  const reportOf = (id: unknown, query = '') =>
    reader.get(`/analytics/funnels/${String(id)}/?${period}${query}`);
  const made = await add('funnels', bodies.funnels);
  expect(made).toMatchObject({
    status: 201,
    body: { within: 'visit', steps: [{ name: 'Prices', filters: [] }, { name: 'buy' }] },
  });
  const { id } = made.body;
  const first = { entered: 2, of_first: 100, of_previous: null, dropped: 0, median_seconds: null };
  const second = { entered: 1, of_first: 50, of_previous: 50, dropped: 1, median_seconds: 120 };
  expect(await reportOf(id)).toMatchObject({
    status: 200,
    body: {
      id,
      name: 'Prices to purchase',
      within: 'visit',
      conversion_rate: 50,
      steps: [
        { ...steps[0], ...first },
        { ...steps[1], name: 'buy', ...second },
      ],
    },
  });
  const visitor = await add('funnels', { name: 'By visitors', within: 'visitor', steps });
  expect((await reportOf(visitor.body.id)).body.steps).toMatchObject([
    { entered: 2 },
    { entered: 2, median_seconds: 3060 },
  ]);
  const reversed = { name: 'Backwards', within: 'visitor', steps: steps.toReversed() };
  const backwards = await add('funnels', reversed);
  expect((await reportOf(backwards.body.id)).body).toMatchObject({
    conversion_rate: 0,
    steps: [{ entered: 2 }, { entered: 0, of_previous: 0, dropped: 2, median_seconds: null }],
  });
  expect((await reportOf(id, '&filter=user_id:is:eve')).body).toMatchObject({
    conversion_rate: null,
    steps: [{ entered: 0, of_first: null }, { of_previous: null }],
  });
});

describe.each(['goals', 'funnels'] as const)('the %s of a site', (resource) => {
  const kind = resource.slice(0, -1);
  const reportUrl = (of: string, id: unknown) =>
    resource === 'goals' ? `/analytics/goals?site_id=${of}` : `/analytics/funnels/${String(id)}`;

  it('are renamed and deleted, each with an entry in the audit log', async () => {
    const { id } = (await add(resource, { ...bodies[resource], name: 'To be renamed' })).body;
    const renamed = await analytics.admin.patch(at(resource, id), { name: '  New name ' });
    expect(renamed).toMatchObject({ status: 200, body: { id, name: 'New name' } });
    expect(await list(resource)).toContainEqual(renamed.body);
    const deleted = await analytics.admin.delete(`${at(resource, id)}/`);
    expect(deleted).toMatchObject({ status: 204, text: '' });
    expect(await list(resource)).not.toContainEqual(expect.objectContaining({ id }));
    const entry = (verb: string, name: string) => ({
      action: `analytics.${kind}_${verb}`,
      details: { site_id: site, name },
    });
    expect(await analytics.auditEntries(id)).toEqual([
      entry('deleted', 'New name'),
      entry('changed', 'New name'),
      entry('created', 'To be renamed'),
    ]);
  });

  it('can be changed by admins only: a refused request writes nothing', async () => {
    const name = await analytics.registerSite();
    const { id } = (await add(resource, bodies[resource], name)).body;
    const [all, one] = [at(resource, '', name), at(resource, id, name)];
    await expectAdminsOnly(
      analytics,
      (by) => by.post(all, { ...bodies[resource], name: 'x' }),
      (by) => by.patch(one, { name: 'x' }),
      (by) => by.delete(one),
    );
    for (const url of [all, reportUrl(name, id)])
      await expectReadersOnly(analytics, (by) => by.get(url));
    expect(await list(resource, name)).toMatchObject([{ id, name: bodies[resource].name }]);
    expect(await analytics.auditEntries(id)).toHaveLength(1);
  });

  it('fail with their own code when they or their site are unknown', async () => {
    const { id } = (await add(resource, { ...bodies[resource], name: 'Of this site' })).body;
    const other = await analytics.registerSite();
    const nowhere = newSite();
    const { admin } = analytics;
    for (const response of [
      await admin.get(at(resource, '', nowhere)),
      await add(resource, bodies[resource], nowhere),
      await admin.delete(at(resource, id, nowhere)),
    ])
      expect(response).toBeProblem(404, 'analytics.site_unknown');
    for (const path of [at(resource, unknownId), at(resource, id, other)]) {
      expect(await admin.patch(path, { name: 'x' })).toBeProblem(404, `analytics.${kind}_unknown`);
      expect(await admin.delete(path)).toBeProblem(404, `analytics.${kind}_unknown`);
    }
    const missing = resource === 'goals' ? 'site' : 'funnel';
    const report = await admin.get(reportUrl(nowhere, unknownId));
    expect(report).toBeProblem(404, `analytics.${missing}_unknown`);
    const kept = { id, name: 'Of this site' };
    expect(await list(resource)).toContainEqual(expect.objectContaining(kept));
  });

  it('have unique names and number at most a hundred, even under concurrent requests', async () => {
    const name = await analytics.registerSite();
    const twins = await Promise.all([1, 2].map(() => add(resource, bodies[resource], name)));
    const [refused, made] = twins.sort((a, b) => b.status - a.status);
    expect(refused).toBeProblem(409, `analytics.${kind}_exists`);
    expect(made).toMatchObject({ status: 201 });
    // Patterns are tested in the event store, which limits the concurrent queries of a caller.
    const answers = [];
    for (let from = 0; from < 101; from += 25) {
      const some = Array.from({ length: Math.min(25, 101 - from) }, (_, index) =>
        add(resource, { ...bodies[resource], name: `Number ${from + index}` }, name),
      );
      answers.push(...(await Promise.all(some)));
    }
    const beyond = answers.filter(({ status }) => status !== 201);
    expect(beyond).toHaveLength(2);
    for (const response of beyond)
      expect(response).toBeProblem(409, `analytics.too_many_${resource}`);
    const [first, second] = await list(resource, name);
    const renaming = analytics.admin.patch(at(resource, first?.id, name), { name: second?.name });
    expect(await renaming).toBeProblem(409, `analytics.${kind}_exists`);
    expect(await list(resource, name)).toHaveLength(100);
  });
});

describe('an invalid goal or funnel', () => {
  const many = <T>(length: number, item: T) => Array.from({ length }, () => item);
  it.each<[string, Resource, object]>([
    ['U+0000 in the name', 'goals', { name: `a${nul}b` }],
    ['U+0000 in the value', 'goals', { value: `a${nul}b` }],
    ['U+0000 in a filter', 'goals', { filters: [`props.a:is:${nul}`] }],
    ['a lone surrogate', 'goals', { value: loneSurrogate }],
    ['a lone surrogate in a filter', 'goals', { filters: [`props.${loneSurrogate}:is:x`] }],
    ['no name', 'goals', { name: '  ' }],
    ['a long name', 'goals', { name: 'x'.repeat(101) }],
    ['another kind', 'goals', { kind: 'wish' }],
    ['a page without a slash', 'goals', { kind: 'page', value: 'prices' }],
    ['page views as events', 'goals', { value: 'pageview' }],
    ['measurements', 'goals', { value: 'engagement' }],
    ['too many *', 'goals', { value: '*a'.repeat(11) }],
    ['a filter of the visit', 'goals', { filters: ['country:is:DE'] }],
    ['a malformed filter', 'goals', { filters: ['props.plan'] }],
    ['too many filters', 'goals', { filters: many(11, 'tag:is:x') }],
    ['an unknown member', 'goals', { visitors: 1 }],
    ['one step', 'funnels', { steps: steps.slice(1) }],
    ['nine steps', 'funnels', { steps: many(9, steps[0]) }],
    ['U+0000 in a step', 'funnels', { steps: [steps[0], { ...steps[1], name: nul }] }],
    ['an unknown scope', 'funnels', { within: 'year' }],
  ])('with %s is refused and not stored', async (_, resource, changed) => {
    const before = await list(resource);
    const valid = resource === 'goals' ? goal : { name: 'x', steps };
    expect(await add(resource, { ...valid, ...changed })).toMatchObject({ status: 422 });
    expect(await list(resource)).toEqual(before);
  });

  it('with an invalid pattern is refused and not stored', async () => {
    const before = await list('goals');
    const answer = await add('goals', { ...goal, filters: ['props.plan:matches:('] });
    expect(answer).toBeProblem(400, 'analytics.bad_pattern');
    expect(await list('goals')).toEqual(before);
  });

  it.each([
    `/analytics/goals?site_id=${site}&period=custom`,
    `/analytics/goals`,
    '/analytics/funnels/x',
    `/analytics/funnels/${unknownId}?timezone=Mars/Olympus`,
  ])('is not reported on: %s', async (url) => {
    expect(await reader.get(url)).toMatchObject({ status: 422 });
  });

  it.each([
    ['x', { name: 'x' }],
    [unknownId, { name: nul }],
    [unknownId, {}],
  ])('with the id %s is not changed to %j', async (id, body) => {
    expect(await analytics.admin.patch(at('goals', id), body)).toMatchObject({ status: 422 });
  });
});
