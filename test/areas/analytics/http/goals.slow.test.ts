import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest } from './ingest-client.ts';

let client: IngestClient;
let reader: { authorization: string };
const site = newSite();
const unknownId = '01900000-0000-7000-8000-000000000000';
const nul = String.fromCharCode(0);
const loneSurrogate = String.fromCharCode(0xd800);
type Member = Record<string, unknown>;
const dataOf = (body: Member) => body.data as Member[];

/**
 * Ann reads about prices and buys the big plan, Ben buys the small one on his second visit, Eve
 * only browses.
 */
async function storeEvents(): Promise<void> {
  const at = (minutes: number) =>
    new Date(Date.parse('2026-01-05T09:00:00Z') + minutes * 60_000).toISOString();
  const event = (user: string, minutes: number, url: string, more: object = {}) => ({
    event: 'pageview',
    url: `https://example.org${url}`,
    site_id: site,
    user_id: user,
    timestamp: at(minutes),
    ...more,
  });
  const buy = (plan: string, amount: number) => ({
    event: 'buy',
    props: { plan },
    revenue: { amount, currency: 'EUR' },
  });
  await client.store(
    batch,
    {
      events: [
        event('ann', 0, '/'),
        event('ann', 1, '/prices/eu'),
        event('ann', 3, '/cart', buy('big', 49.5)),
        event('ann', 4, '/prices/us', {
          event: 'engagement',
          engagement_ms: 3000,
          scroll_depth: 80,
        }),
        event('ben', 0, '/prices/us'),
        event('ben', 100, '/cart', buy('small', 9)),
        event('eve', 5, '/cart', { event: 'look' }),
        event('eve', 6, '/'),
        event('bot', 7, '/cart', { ...buy('big', 1000), bot: true }),
      ],
    },
    asAdmin,
  );
  await client.app.applied();
}

beforeAll(async () => {
  client = await openIngest();
  reader = await client.keyWith('analytics:read');
  await storeEvents();
});
afterAll(() => client.close());

const period = 'period=custom&from=2026-01-05&to=2026-01-05';
const at = (resource: 'goals' | 'funnels', path = '', name = site) =>
  `/analytics/sites/${name}/${resource}${path}`;
const add = (
  resource: 'goals' | 'funnels',
  body: object,
  { headers = asAdmin, name = site }: { headers?: Record<string, string>; name?: string } = {},
) => client.ask('POST', at(resource, '', name), headers, body);
const list = async (resource: 'goals' | 'funnels', name = site) =>
  dataOf((await client.ask('GET', at(resource, '/', name), reader)).body);
const auditEntries = async (id: unknown) =>
  dataOf(
    (await client.ask('GET', `/api/v1/audit?action=analytics.*&target_id=${String(id)}`, asAdmin))
      .body,
  ).map(({ action, details }) => ({ action, details }));

const bigPlan = { name: 'Big plan', kind: 'event', value: 'buy', filters: ['props.plan:is:big'] };
const steps = [
  { name: 'Prices', kind: 'page', value: '/prices/*' },
  { kind: 'event', value: 'buy' },
];
const bodies = { goals: bigPlan, funnels: { name: 'Prices to purchase', steps } };

describe('goals', () => {
  it('count every page view and every event that matches', async () => {
    const made = [
      await add('goals', bigPlan),
      await add('goals', { name: 'Prices', kind: 'page', value: '/prices/*' }),
      await add('goals', { name: 'Bought', kind: 'event', value: 'buy' }),
      await add('goals', { name: 'Nothing', kind: 'event', value: 'b_y' }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(made[0]?.body).toEqual({
      id: expect.any(String) as string,
      site_id: site,
      ...bigPlan,
      created_at: expect.any(String) as string,
    });
    const { status, body } = await client.ask(
      'GET',
      `/analytics/goals/?site_id=${site}&${period}`,
      reader,
    );
    expect({ status, visits: body.visits }).toEqual({ status: 200, visits: 4 });
    expect(
      dataOf(body).map(({ name, visitors, visits, events, conversion_rate, revenue }) => [
        name,
        visitors,
        visits,
        events,
        conversion_rate,
        revenue,
      ]),
    ).toEqual([
      ['Big plan', 1, 1, 1, 25, [{ currency: 'EUR', amount: '49.5000' }]],
      ['Prices', 2, 2, 2, 50, []],
      ['Bought', 2, 2, 2, 50, [{ currency: 'EUR', amount: '58.5000' }]],
      ['Nothing', 0, 0, 0, 0, []],
    ]);
    const filtered = await client.ask(
      'GET',
      `/analytics/goals?site_id=${site}&${period}&filter=user_id:is:ben`,
      reader,
    );
    expect({
      visits: filtered.body.visits,
      data: dataOf(filtered.body).map(({ events }) => events),
    }).toEqual({ visits: 2, data: [0, 1, 1, 0] });
    const withBots = await client.ask(
      'GET',
      `/analytics/goals?site_id=${site}&${period}&bots=true`,
      reader,
    );
    expect(dataOf(withBots.body)[0]).toMatchObject({
      events: 2,
      revenue: [{ currency: 'EUR', amount: '1049.5000' }],
    });
  });

  it('of a site without visits have no conversion rate', async () => {
    const empty = newSite();
    await client.ask('POST', '/analytics/sites', asAdmin, { site_id: empty });
    expect((await client.ask('GET', `/analytics/goals?site_id=${empty}`, reader)).body).toEqual({
      data: [],
      visits: 0,
    });
    await add('goals', bigPlan, { name: empty });
    expect(
      dataOf((await client.ask('GET', `/analytics/goals?site_id=${empty}`, reader)).body),
    ).toMatchObject([{ events: 0, conversion_rate: null }]);
  });
});

describe('the dashboard', () => {
  it('shows the engaged time and the scroll depth of each page', async () => {
    const { body } = await client.ask(
      'GET',
      `/analytics/dashboard?site_id=${site}&${period}`,
      reader,
    );
    expect(body.pages).toMatchObject([
      { value: '/', engaged_seconds: null, scroll_depth: null },
      { value: '/prices/eu', engaged_seconds: null },
      { value: '/prices/us', pageviews: 1, engaged_seconds: 3, scroll_depth: 80 },
    ]);
  });
});

describe('funnels', () => {
  it('count the visits or visitors that took the steps in order', async () => {
    const { body: visit, status } = await add('funnels', bodies.funnels);
    expect({ status, visit }).toMatchObject({
      status: 201,
      visit: { within: 'visit', steps: [{ name: 'Prices', filters: [] }, { name: 'buy' }] },
    });
    const report = await client.ask(
      'GET',
      `/analytics/funnels/${String(visit.id)}/?${period}`,
      reader,
    );
    expect({ status: report.status, body: report.body }).toMatchObject({
      status: 200,
      body: {
        id: visit.id,
        name: 'Prices to purchase',
        within: 'visit',
        conversion_rate: 50,
        steps: [
          {
            name: 'Prices',
            kind: 'page',
            value: '/prices/*',
            entered: 2,
            of_first: 100,
            of_previous: null,
            dropped: 0,
            median_seconds: null,
          },
          {
            name: 'buy',
            kind: 'event',
            value: 'buy',
            entered: 1,
            of_first: 50,
            of_previous: 50,
            dropped: 1,
            median_seconds: 120,
          },
        ],
      },
    });
    const { body: visitor } = await add('funnels', {
      name: 'By visitors',
      within: 'visitor',
      steps,
    });
    const all = await client.ask(
      'GET',
      `/analytics/funnels/${String(visitor.id)}?${period}`,
      reader,
    );
    expect(all.body.steps).toMatchObject([{ entered: 2 }, { entered: 2, median_seconds: 3060 }]);
    const { body: backwards } = await add('funnels', {
      name: 'Backwards',
      within: 'visitor',
      steps: [...steps].reverse(),
    });
    const none = await client.ask(
      'GET',
      `/analytics/funnels/${String(backwards.id)}?${period}`,
      reader,
    );
    expect(none.body).toMatchObject({
      conversion_rate: 0,
      steps: [{ entered: 2 }, { entered: 0, of_previous: 0, dropped: 2, median_seconds: null }],
    });
    const unmatched = await client.ask(
      'GET',
      `/analytics/funnels/${String(visit.id)}?${period}&filter=user_id:is:eve`,
      reader,
    );
    expect(unmatched.body).toMatchObject({
      conversion_rate: null,
      steps: [{ entered: 0, of_first: null }, { of_previous: null }],
    });
  });
});

describe.each(['goals', 'funnels'] as const)('%s managed by admins', (resource) => {
  const kind = resource.slice(0, -1);

  it('are renamed and deleted, each with an entry in the audit log', async () => {
    const {
      body: { id },
    } = await add(resource, { ...bodies[resource], name: 'To be renamed' });
    const renamed = await client.ask('PATCH', at(resource, `/${String(id)}`), asAdmin, {
      name: '  New name ',
    });
    expect({ status: renamed.status, body: renamed.body }).toMatchObject({
      status: 200,
      body: { id, name: 'New name' },
    });
    expect(await list(resource)).toContainEqual(renamed.body);
    const gone = await client.ask('DELETE', at(resource, `/${String(id)}/`), asAdmin);
    expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: '' });
    expect(await list(resource)).not.toContainEqual(expect.objectContaining({ id }));
    expect(await auditEntries(id)).toEqual(
      [
        ['deleted', 'New name'],
        ['changed', 'New name'],
        ['created', 'To be renamed'],
      ].map(([verb, name]) => ({
        action: `analytics.${kind}_${verb}`,
        details: { site_id: site, name },
      })),
    );
  });

  it('can be changed by admins only: a refused request writes nothing', async () => {
    const name = newSite();
    await client.ask('POST', '/analytics/sites', asAdmin, { site_id: name });
    const {
      body: { id },
    } = await add(resource, bodies[resource], { name });
    const [writer, path] = [
      await client.keyWith('analytics:write'),
      at(resource, `/${String(id)}`, name),
    ];
    const report =
      resource === 'goals'
        ? `/analytics/goals?site_id=${name}`
        : `/analytics/funnels/${String(id)}`;
    const tries = [
      await add(resource, { ...bodies[resource], name: 'x' }, { name, headers: reader }),
      await client.ask('PATCH', path, reader, { name: 'x' }),
      await client.ask('DELETE', path, reader),
      await client.ask('GET', at(resource, '', name), writer),
      await client.ask('GET', report, writer),
      await client.ask('GET', report),
      await client.ask('DELETE', path),
    ];
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 401, 401]);
    expect((await client.ask('GET', report, reader)).status).toBe(200);
    expect(await list(resource, name)).toMatchObject([{ id, name: bodies[resource].name }]);
    expect(await auditEntries(id)).toHaveLength(1);
  });

  it('fail with their own code when they or their site are unknown', async () => {
    const {
      body: { id },
    } = await add(resource, { ...bodies[resource], name: 'Of this site' });
    const other = newSite();
    await client.ask('POST', '/analytics/sites', asAdmin, { site_id: other });
    const code = async (
      ...[method, url, body]: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object?]
    ) => (await client.ask(method, url, asAdmin, body)).body.code;
    const report =
      resource === 'goals'
        ? `/analytics/goals?site_id=${newSite()}`
        : `/analytics/funnels/${unknownId}`;
    const siteUnknown = 'analytics.site_unknown';
    const unknown = `analytics.${kind}_unknown`;
    expect({
      listOfUnknownSite: await code('GET', at(resource, '', newSite())),
      createInUnknownSite: await code('POST', at(resource, '', newSite()), bodies[resource]),
      deleteInUnknownSite: await code('DELETE', at(resource, `/${String(id)}`, newSite())),
      changeUnknown: await code('PATCH', at(resource, `/${unknownId}`), { name: 'x' }),
      deleteUnknown: await code('DELETE', at(resource, `/${unknownId}`)),
      changeOfOther: await code('PATCH', at(resource, `/${String(id)}`, other), { name: 'x' }),
      deleteOfOther: await code('DELETE', at(resource, `/${String(id)}`, other)),
      report: await code('GET', report),
    }).toEqual({
      listOfUnknownSite: siteUnknown,
      createInUnknownSite: siteUnknown,
      deleteInUnknownSite: siteUnknown,
      changeUnknown: unknown,
      deleteUnknown: unknown,
      changeOfOther: unknown,
      deleteOfOther: unknown,
      report: resource === 'goals' ? siteUnknown : 'analytics.funnel_unknown',
    });
    expect(await list(resource)).toContainEqual(
      expect.objectContaining({ id, name: 'Of this site' }),
    );
  });
});

describe('an invalid goal or funnel', () => {
  const goal = { name: 'x', kind: 'event', value: 'buy' };
  const funnel = { name: 'x', steps };
  it.each<[string, 'goals' | 'funnels', object]>([
    ['U+0000 in the name', 'goals', { ...goal, name: `a${nul}b` }],
    ['U+0000 in the value', 'goals', { ...goal, value: `a${nul}b` }],
    ['U+0000 in a filter', 'goals', { ...goal, filters: [`props.a:is:${nul}`] }],
    ['a lone surrogate', 'goals', { ...goal, value: loneSurrogate }],
    [
      'a lone surrogate in a filter',
      'goals',
      { ...goal, filters: [`props.${loneSurrogate}:is:x`] },
    ],
    ['no name', 'goals', { ...goal, name: '  ' }],
    ['a long name', 'goals', { ...goal, name: 'x'.repeat(101) }],
    ['another kind', 'goals', { ...goal, kind: 'wish' }],
    ['a page without a slash', 'goals', { ...goal, kind: 'page', value: 'prices' }],
    ['page views as events', 'goals', { ...goal, value: 'pageview' }],
    ['measurements', 'goals', { ...goal, value: 'engagement' }],
    ['too many *', 'goals', { ...goal, value: '*a'.repeat(11) }],
    ['a filter of the visit', 'goals', { ...goal, filters: ['country:is:DE'] }],
    ['a malformed filter', 'goals', { ...goal, filters: ['props.plan'] }],
    [
      'too many filters',
      'goals',
      { ...goal, filters: Array.from({ length: 11 }, () => 'tag:is:x') },
    ],
    ['an unknown member', 'goals', { ...goal, visitors: 1 }],
    ['one step', 'funnels', { ...funnel, steps: steps.slice(1) }],
    ['nine steps', 'funnels', { ...funnel, steps: Array.from({ length: 9 }, () => steps[0]) }],
    ['U+0000 in a step', 'funnels', { ...funnel, steps: [steps[0], { ...steps[1], name: nul }] }],
    ['an unknown scope', 'funnels', { ...funnel, within: 'year' }],
  ])('with %s gets 422', async (_, resource, body) => {
    const before = await list(resource);
    expect((await add(resource, body)).status).toBe(422);
    expect(await list(resource)).toEqual(before);
  });

  it('with an invalid pattern gets 400 and is not stored', async () => {
    const before = await list('goals');
    const answer = await add('goals', { ...goal, filters: ['props.plan:matches:('] });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: 'analytics.bad_pattern',
    });
    expect(await list('goals')).toEqual(before);
  });

  it('with an invalid id or period gets 422', async () => {
    const path = at('goals', `/${unknownId}`);
    const answers = [
      await client.ask('GET', `/analytics/goals?site_id=${site}&period=custom`, reader),
      await client.ask('GET', `/analytics/goals`, reader),
      await client.ask('GET', '/analytics/funnels/x', reader),
      await client.ask('GET', `/analytics/funnels/${unknownId}?timezone=Mars/Olympus`, reader),
      await client.ask('PATCH', at('goals', '/x'), asAdmin, { name: 'x' }),
      await client.ask('PATCH', path, asAdmin, { name: nul }),
      await client.ask('PATCH', path, asAdmin, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422));
  });
});
