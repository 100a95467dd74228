import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { clockFromNoon } from '../../../support/clock.ts';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

let client: IngestClient;
// A visitor who returns on another day counts as another visitor.
beforeAll(async () => {
  client = await openIngest({ clock: clockFromNoon() });
});
afterAll(() => client.close());

const view = (site: string, more: object = {}) => ({
  event: 'pageview',
  url: '/',
  site_id: site,
  ...more,
});
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) ' +
  'Version/17.4 Mobile/15E148 Safari/604.1';

describe('fields that need a key', () => {
  it('trusts the address and user agent sent with a write key', async () => {
    const site = newSite();
    const writer = await client.keyWith('analytics:write');
    for (const headers of [asAdmin, writer]) {
      expect(
        (await client.store(track, view(site, { ip: '8.8.8.8', user_agent: phone }), headers))
          .dropped,
      ).toEqual([]);
    }
    const rows = await client.rows(site);
    for (const row of rows)
      expect(row).toMatchObject({ country: 'US', os: 'iOS', device: 'mobile' });
    expect(new Set(rows.map((row) => row.visitor_id)).size).toBe(1);
  });

  it('drops them from other senders, reports so and stores the event', async () => {
    const site = newSite();
    const reader = await client.keyWith('analytics:read');
    for (const headers of [{}, reader]) {
      const result = await client.store(
        track,
        view(site, { ip: '8.8.8.8', user_agent: phone, country: 'JP' }),
        headers,
      );
      expect(result).toMatchObject({
        accepted: 1,
        dropped: ['ip', 'user_agent', 'country'].map((field) => ({
          index: 0,
          reason: 'needs_api_key',
          field,
        })),
      });
    }
    for (const row of await client.rows(site))
      expect(row).toMatchObject({ browser: 'Chrome', country: null });
  });

  it('refuses an invalid key with 401 and stores nothing', async () => {
    const site = newSite();
    await client.store(track, view(site));
    const answers = [
      await client.ask('POST', track, { authorization: 'Bearer nonsense' }, view(site)),
      await client.ask(
        'POST',
        batch,
        { authorization: `Bearer ${'x'.repeat(40)}` },
        { events: [view(site)] },
      ),
      await client.ask('POST', track, { authorization: 'Bearer ' }, view(site)),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('invalid_token');
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    }
    expect(await client.rows(site)).toHaveLength(1);
  });

  it('ignores an authorization of another scheme', async () => {
    const site = newSite();
    expect(
      (await client.ask('POST', track, { authorization: 'Basic eDp5' }, view(site))).status,
    ).toBe(200);
  });
});

describe('visitors', () => {
  it('are distinguished by address and user agent, per site', async () => {
    const [site, other] = [newSite(), newSite()];
    const send = async (name: string, ip: string, agent: string) =>
      client.store(track, view(name, { ip, user_agent: agent }), asAdmin);
    await send(site, '1.1.1.1', phone);
    await send(site, '1.1.1.1', phone);
    await send(site, '1.1.1.2', phone);
    await send(site, '1.1.1.1', `${phone} x`);
    await send(other, '1.1.1.1', phone);
    const ids = (await client.rows(site)).map((row) => row.visitor_id);
    const counts = [...new Set(ids)].map((id) => ids.filter((one) => one === id).length);
    expect(counts.sort()).toEqual([1, 1, 2]);
    expect(ids).not.toContain((await client.rows(other))[0]?.visitor_id);
    expect(await client.figures(site)).toMatchObject({
      totals: { visitors: 3, visits: 3, pageviews: 4 },
    });
  });

  it.each([['Sec-GPC: 1', { 'sec-gpc': '1' }]])(
    'with %s are counted but not recognised',
    async (_, headers) => {
      const site = newSite();
      await client.store(track, view(site), headers);
      await client.store(track, view(site), headers);
      for (const row of await client.rows(site))
        expect(row).toMatchObject({ visitor_id: null, session_id: null });
      expect(await client.figures(site)).toMatchObject({
        totals: { pageviews: 2, visitors: 0, visits: 0 },
      });
    },
  );

  it('are recognised with DNT: 1, which sites do not honour by default', async () => {
    const site = newSite();
    await client.store(track, view(site), { dnt: '1' });
    expect((await client.rows(site))[0]?.visitor_id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('with Sec-GPC: 0 are recognised', async () => {
    const site = newSite();
    await client.store(track, view(site), { 'sec-gpc': '0' });
    expect((await client.rows(site))[0]?.visitor_id).not.toBeNull();
  });
});

describe('bots', () => {
  it('are stored and flagged, and left out of the figures unless requested', async () => {
    const site = newSite();
    await client.store(track, view(site));
    await client.store(track, view(site), {
      'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    });
    await client.store(track, view(site), { 'user-agent': 'curl/8.5.0' });
    expect((await client.rows(site)).map((row) => row.bot).sort()).toEqual([false, true, true]);
    expect(await client.figures(site)).toMatchObject({
      totals: { pageviews: 1, visitors: 1 },
      left_out: { bot_events: 2 },
    });
    expect(await client.figures(site, '&bots=true')).toMatchObject({
      totals: { pageviews: 3, visitors: 3 },
    });
  });
});
