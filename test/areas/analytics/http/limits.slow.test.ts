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
    expect({
      status: before.status,
      'ratelimit-limit': before.headers['ratelimit-limit'],
      'ratelimit-remaining': before.headers['ratelimit-remaining'],
    }).toEqual({ status: 200, 'ratelimit-limit': '1200', 'ratelimit-remaining': '1199' });
    // Invalid bodies count as well, so that nobody can send them without limit.
    for (let sent = 1; sent < 1200; sent += 1)
      await client.app.http.inject({ method: 'POST', url, payload: {} });
    const after = await client.ask('POST', url, {}, body(refused));
    expect({
      status: after.status,
      code: after.body.code,
      saysWhen: Number(after.headers['retry-after']) > 0,
    }).toEqual({ status: 429, code: 'request.rate_limited', saysWhen: true });
    // A credential of another scheme does not count as one.
    expect(
      (await client.ask('POST', url, { authorization: 'Basic eDp5' }, body(refused))).status,
    ).toBe(429);
    expect(
      (await client.ask('POST', url, { authorization: 'Bearer svc_none' }, body(refused))).status,
    ).toBe(401);
    const keyed = await client.ask('POST', url, writer, body(site));
    expect({ status: keyed.status, 'ratelimit-limit': keyed.headers['ratelimit-limit'] }).toEqual({
      status: 200,
      'ratelimit-limit': '12000',
    });
    expect(await client.rows(site)).toHaveLength(2);
    expect((await client.ask('GET', `/analytics/sites/${refused}/`, asAdmin)).status).toBe(404);
  },
);
