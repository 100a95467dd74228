import { describe, expect } from 'vitest';
import { clockFromNoon } from '../../../support/clock.ts';
import { it } from '../../../support/test.ts';
import { batch, newSite, track, useSharedAnalytics, view } from '../support.ts';

// A visitor who returns on another day counts as another visitor.
const analytics = await useSharedAnalytics({ clock: clockFromNoon() });

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) ' +
  'Version/17.4 Mobile/15E148 Safari/604.1';

describe('the address and user agent in an event', () => {
  it('are trusted with a write key', async () => {
    const site = newSite();
    const event = view(site, { ip: '8.8.8.8', user_agent: phone });
    for (const sender of [analytics.admin, await analytics.key('analytics:write')])
      expect(await analytics.store(track, event, sender)).toMatchObject({ dropped: [] });
    const rows = await analytics.rows(site);
    for (const row of rows)
      expect(row).toMatchObject({ country: 'US', os: 'iOS', device: 'mobile' });
    expect(new Set(rows.map((row) => row.visitor_id)).size).toBe(1);
  });

  it('are dropped and reported from other senders, and the event is stored', async () => {
    const site = newSite();
    const event = view(site, { ip: '8.8.8.8', user_agent: phone, country: 'JP' });
    for (const sender of [analytics.tracker, await analytics.key('analytics:read')])
      expect(await analytics.store(track, event, sender)).toMatchObject({
        accepted: 1,
        dropped: ['ip', 'user_agent', 'country'].map((field) => ({
          index: 0,
          reason: 'needs_api_key',
          field,
        })),
      });
    for (const row of await analytics.rows(site))
      expect(row).toMatchObject({ browser: 'Chrome', country: null });
  });
});

describe('an event with a credential', () => {
  it.each([
    ['Bearer nonsense', track],
    [`Bearer ${'x'.repeat(40)}`, batch],
    ['Bearer ', track],
  ])('that is invalid, %s, is refused and not stored', async (authorization, url) => {
    const site = newSite();
    await analytics.store(track, view(site));
    const body = url === batch ? { events: [view(site)] } : view(site);
    const refused = await analytics.tracker.as({ authorization }).post(url, body);
    expect(refused).toMatchObject({
      status: 401,
      headers: {
        'www-authenticate': expect.stringContaining('invalid_token') as string,
        'content-type': expect.stringMatching(/^application\/problem\+json/) as string,
      },
    });
    expect(await analytics.rows(site)).toHaveLength(1);
  });

  it('of another scheme is stored', async () => {
    const sender = analytics.tracker.as({ authorization: 'Basic eDp5' });
    expect(await sender.post(track, view(newSite()))).toMatchObject({ status: 200 });
  });
});

describe('a visitor', () => {
  it('is distinguished by address and user agent, per site', async () => {
    const [site, other] = [newSite(), newSite()];
    await analytics.fill(
      ...[
        ['1.1.1.1', phone],
        ['1.1.1.1', phone],
        ['1.1.1.2', phone],
        ['1.1.1.1', `${phone} x`],
      ].map(([ip, agent]) => view(site, { ip, user_agent: agent })),
      view(other, { ip: '1.1.1.1', user_agent: phone }),
    );
    const ids = (await analytics.rows(site)).map((row) => row.visitor_id);
    const counts = [...new Set(ids)].map((id) => ids.filter((one) => one === id).length);
    expect(counts.sort()).toEqual([1, 1, 2]);
    expect(ids).not.toContain((await analytics.rows(other))[0]?.visitor_id);
    expect(await analytics.figures(site)).toMatchObject({
      totals: { visitors: 3, visits: 3, pageviews: 4 },
    });
  });

  it('with Sec-GPC: 1 is counted but not recognised', async () => {
    const site = newSite();
    const sender = analytics.tracker.as({ 'sec-gpc': '1' });
    for (let times = 0; times < 2; times += 1) await analytics.store(track, view(site), sender);
    for (const row of await analytics.rows(site))
      expect(row).toMatchObject({ visitor_id: null, session_id: null });
    expect(await analytics.figures(site)).toMatchObject({
      totals: { pageviews: 2, visitors: 0, visits: 0 },
    });
  });

  it.each([
    // Sites do not honour DNT by default.
    ['DNT: 1', { dnt: '1' }],
    ['Sec-GPC: 0', { 'sec-gpc': '0' }],
  ])('with %s is recognised', async (_, headers) => {
    const site = newSite();
    await analytics.store(track, view(site), analytics.tracker.as(headers));
    expect((await analytics.rows(site))[0]?.visitor_id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('that is a bot is stored and flagged, and in the figures only if requested', async () => {
    const site = newSite();
    await analytics.store(track, view(site));
    for (const agent of [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'curl/8.5.0',
    ])
      await analytics.store(track, view(site), analytics.tracker.as({ 'user-agent': agent }));
    expect((await analytics.rows(site)).map((row) => row.bot).sort()).toEqual([false, true, true]);
    expect(await analytics.figures(site)).toMatchObject({
      totals: { pageviews: 1, visitors: 1 },
      left_out: { bot_events: 2 },
    });
    expect(await analytics.figures(site, '&bots=true')).toMatchObject({
      totals: { pageviews: 3, visitors: 3 },
    });
  });

  it.each(['curl/8.5.0', 'node', 'python-requests/2.32.3', ''])(
    'counts if a server with an API key reports them, whose user agent is "%s"',
    async (agent) => {
      const site = newSite();
      const server = analytics.admin.as({ 'user-agent': agent });
      await analytics.store(track, view(site), server);
      await analytics.store(
        track,
        view(site, { user_agent: 'curl/8.5.0', user_id: 'ben' }),
        server,
      );
      await analytics.store(track, view(site, { bot: true, user_id: 'eve' }), server);
      const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
      await analytics.store(track, view(site), analytics.admin.as({ 'user-agent': crawler }));
      expect(await analytics.figures(site)).toMatchObject({
        totals: { pageviews: 1 },
        browsers: [{ value: null }],
        devices: [{ value: 'unknown' }],
        left_out: { bot_events: 3 },
      });
    },
  );
});
