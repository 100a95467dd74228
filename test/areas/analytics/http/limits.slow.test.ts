import { afterAll, beforeAll, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

let client: IngestClient;
beforeAll(async () => {
  client = await openIngest({ env: { RATE_LIMIT: 'on' } });
});
afterAll(() => client.close());

it.each([
  ['single events', track, (site: string) => ({ event: 'pageview', url: '/', site_id: site })],
  [
    'batches',
    batch,
    (site: string) => ({ events: [{ event: 'pageview', url: '/', site_id: site }] }),
  ],
])(
  '%s are limited to 1,200 a minute from one address, 12,000 with a credential',
  async (_label, url, body) => {
    const writer = await client.keyWith('analytics:write');
    const [site, refused] = [newSite(), newSite()];
    const before = await client.ask('POST', url, {}, body(site));
    expect([
      before.status,
      before.headers['ratelimit-limit'],
      before.headers['ratelimit-remaining'],
    ]).toEqual([200, '1200', '1199']);
    // Invalid bodies count as well, so that nobody can send them without limit.
    for (let sent = 1; sent < 1200; sent += 1)
      await client.app.http.inject({ method: 'POST', url, payload: {} });
    const after = await client.ask('POST', url, {}, body(refused));
    expect([after.status, after.body.code, Number(after.headers['retry-after']) > 0]).toEqual([
      429,
      'request.rate_limited',
      true,
    ]);
    // A credential of another scheme does not count as one.
    expect(
      (await client.ask('POST', url, { authorization: 'Basic eDp5' }, body(refused))).status,
    ).toBe(429);
    expect(
      (await client.ask('POST', url, { authorization: 'Bearer svc_none' }, body(refused))).status,
    ).toBe(401);
    const keyed = await client.ask('POST', url, writer, body(site));
    expect([keyed.status, keyed.headers['ratelimit-limit']]).toEqual([200, '12000']);
    expect(await client.rows(site)).toHaveLength(2);
    expect((await client.ask('GET', `/analytics/sites/${refused}/`, asAdmin)).status).toBe(404);
  },
);
