import { afterAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

const open: IngestClient[] = [];
async function openService(env: Record<string, string>): Promise<IngestClient> {
  const client = await openIngest({ env });
  open.push(client);
  return client;
}
afterAll(() => Promise.all(open.map(({ close }) => close())));

const view = (site: string) => ({ event: 'pageview', url: '/', site_id: site });
const siteNames = async (client: IngestClient) =>
  ((await client.ask('GET', '/analytics/sites', asAdmin)).body.data as { site_id: string }[]).map(
    ({ site_id: name }) => name,
  );

describe('an unknown site', () => {
  it('is registered by its first event up to the limit, even under concurrency', async () => {
    const client = await openService({ SITE_LIMIT: '4' });
    await client.store(track, view('known'));
    const names = Array.from({ length: 30 }, () => newSite());
    const results = await Promise.all([
      ...names.slice(0, 10).map(async (name) => client.ask('POST', track, {}, view(name))),
      client.ask('POST', batch, {}, { events: names.slice(10, 20).map(view) }),
      ...names
        .slice(20)
        .map(async (name) => client.ask('GET', `/analytics/pixel.gif?site=${name}&page=/`)),
    ]);
    expect(await siteNames(client)).toHaveLength(4);
    for (const { status } of results) expect([200, 422]).toContain(status);
    const refused = await client.ask('POST', track, {}, view(newSite()));
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toMatchObject([
      { loc: ['body', 'site_id'], ctx: { code: 'unknown_site' } },
    ]);
    expect(await client.store(track, view('known'))).toMatchObject({ accepted: 1 });
  });

  it('is refused and counted when registration is closed', async () => {
    const client = await openService({ SITE_REGISTRATION: 'closed' });
    expect((await client.ask('POST', track, {}, view('x'))).status).toBe(422);
    expect(await client.store(batch, { events: [view('x'), view('y')] })).toMatchObject({
      accepted: 0,
      rejected: [{ code: 'unknown_site' }, { code: 'unknown_site' }],
    });
    const pixel = await client.ask('GET', '/analytics/pixel.gif?site=x&page=/');
    expect({
      status: pixel.status,
      'content-type': pixel.headers['content-type'],
      'x-svc-reason': pixel.headers['x-svc-reason'],
    }).toEqual({ status: 200, 'content-type': 'image/gif', 'x-svc-reason': 'unknown_site' });
    expect(await siteNames(client)).toEqual([]);
    expect((await client.ask('GET', '/analytics/dashboard?site_id=x', asAdmin)).status).toBe(404);
  });
});

describe('GET /analytics/sites', () => {
  it('lists the sites with their events, for a key that may read', async () => {
    const client = await openService({});
    await client.store(batch, { events: [view('a'), view('b'), view('a')] });
    await client.app.applied();
    const reader = await client.keyWith('analytics:read');
    const writer = await client.keyWith('analytics:write');
    for (const url of ['/analytics/sites', '/analytics/sites/']) {
      const { status, body } = await client.ask('GET', url, reader);
      expect(status).toBe(200);
      const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string;
      expect(
        (body.data as { site_id: string }[]).sort((x, y) => x.site_id.localeCompare(y.site_id)),
      ).toEqual([
        { site_id: 'a', created_at: time, events: 2, last_event_at: time },
        { site_id: 'b', created_at: time, events: 1, last_event_at: time },
      ]);
    }
    expect((await client.ask('GET', '/analytics/sites')).status).toBe(401);
    const forbidden = await client.ask('GET', '/analytics/sites', writer);
    expect({ status: forbidden.status, required_scope: forbidden.body.required_scope }).toEqual({
      status: 403,
      required_scope: 'analytics:read',
    });
  });
});
