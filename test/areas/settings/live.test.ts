import { afterAll, describe, expect, vi } from 'vitest';
import { asAdmin, browser, freshApp, type FreshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { newServerDatabase } from '../../support/database-url.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { it } from '../../support/test.ts';
import { batch, newSite, view } from '../analytics/support.ts';

// Two replicas over one PostgreSQL and one Redis, with the same secret.
const database = await newServerDatabase({ hasTables: true });
const env = {
  REDIS_URL: await testRedisUrl(),
  AUTH_SECRET: 's'.repeat(48),
  BASE_URL: 'https://svc.example',
  WAITLIST_TOTAL: 'on',
};
const open = () => freshApp({ env, databaseUrl: database.url });
const [one, other] = [await open(), await open()];
// As with the first socket: without it, a replica looks for changes every few seconds.
for (const { services } of [one, other]) services.bus.listen();
afterAll(() => database.remove());

const settingsOf = (app: FreshApp) => new TestClient(app).as(asAdmin).at('/api/v1/settings');
const here = settingsOf(one);
const there = settingsOf(other);
const body = (email: string) => ({ email, consent: true });
const signUp = (app: FreshApp, email: string) => new TestClient(app).post('/signup', body(email));
const pageOf = async (app: FreshApp) => (await new TestClient(app).get('/')).text;
const within = { timeout: 5000 };

describe('the settings', () => {
  it('are at their defaults until something is saved', async () => {
    expect((await here.get('')).body).toMatchObject({
      sign_up: null,
      effective: { sign_up: 'open', site_registration: 'open', waitlist_total: true },
      fixed: ['waitlist_total'],
    });
    expect(await pageOf(one)).toContain('href="/signup"');
  });

  it('close the sign-up at once, on all replicas and on pages that were shown before', async () => {
    expect((await signUp(one, 'early@company.test')).status).toBeLessThan(300);
    expect(await pageOf(other)).toContain('href="/signup"');
    expect(await here.patch('', { sign_up: 'invitation' })).toMatchObject({
      status: 200,
      body: { sign_up: 'invitation', effective: { sign_up: 'invitation' } },
    });
    expect(await signUp(one, 'late@company.test')).toMatchObject({
      status: 403,
      body: { code: 'users.sign_up_closed' },
    });
    expect(await pageOf(one)).not.toContain('href="/signup"');
    await vi.waitFor(
      async () => expect(await pageOf(other)).not.toContain('href="/signup"'),
      within,
    );
    expect((await signUp(other, 'late@company.test')).status).toBe(403);
  });

  it('let people of some domains in, and nobody else', async () => {
    const domains = { sign_up: 'domain', sign_up_domains: ['Company.test', '*.company.test'] };
    expect((await here.patch('', domains)).body).toMatchObject({
      sign_up_domains: ['company.test', '*.company.test'],
    });
    expect((await signUp(one, 'ada@company.test')).status).toBeLessThan(300);
    expect((await signUp(one, 'ada@eu.company.test')).status).toBeLessThan(300);
    expect((await signUp(one, 'ada@elsewhere.test')).status).toBe(403);
    await vi.waitFor(async () => expect(await pageOf(other)).toContain('href="/signup"'), within);
    expect((await signUp(other, 'ben@company.test')).status).toBeLessThan(300);
    expect((await signUp(other, 'ben@elsewhere.test')).status).toBe(403);
  });

  it('refuse domains that are none, and no domains; nothing changes', async () => {
    expect(await here.patch('', { sign_up_domains: ['com'] })).toBeInvalid(
      'body.sign_up_domains.0',
    );
    expect(await here.patch('', { sign_up_domains: [] })).toBeInvalid('body.sign_up_domains');
    expect((await here.get('')).body).toMatchObject({
      sign_up: 'domain',
      sign_up_domains: ['company.test', '*.company.test'],
    });
  });

  it('are not changed where a variable of the environment sets them', async () => {
    expect(await here.patch('', { waitlist_total: false })).toMatchObject({
      status: 409,
      body: { code: 'settings.fixed' },
    });
    expect((await here.get('')).body).toMatchObject({
      waitlist_total: null,
      effective: { waitlist_total: true },
    });
  });

  it('decide whether unknown sites add themselves, on all replicas', async () => {
    const accepted = async (app: FreshApp) => {
      const events = [view(newSite())];
      const sender = new TestClient(app).as({ 'user-agent': browser });
      return (await sender.post(batch, { events })).body.accepted;
    };
    expect(await accepted(one)).toBe(1);
    expect(await accepted(other)).toBe(1);
    await there.patch('', { site_registration: 'closed' });
    expect(await accepted(other)).toBe(0);
    await vi.waitFor(async () => expect(await accepted(one)).toBe(0), within);
  });

  it('hide the leaderboard of the waitlist, on all replicas', async () => {
    const leaders = (app: FreshApp) => new TestClient(app).get('/api/v2/waitlist/leaderboard');
    expect((await leaders(other)).status).toBe(200);
    await here.patch('', { waitlist_leaderboard: false });
    expect((await leaders(one)).status).toBe(404);
    await vi.waitFor(async () => expect((await leaders(other)).status).toBe(404), within);
  });

  it('are in the audit log with what they were and became, once for a change', async () => {
    await here.patch('', { sign_up: 'invitation' });
    await here.patch('', { sign_up: 'invitation' });
    const found = await new TestClient(one)
      .as(asAdmin)
      .get('/api/v1/audit?action=settings.sign_up_changed');
    const entry = (from: string | null, to: string) => ({
      actor: { kind: 'api_key', id: 'env' },
      target: { kind: 'settings', id: 'live' },
      details: { sign_up: { from, to } },
    });
    expect(found.body).toMatchObject({
      data: [
        entry('domain', 'invitation'),
        entry('invitation', 'domain'),
        entry(null, 'invitation'),
      ],
    });
  });

  it('return to the default with null', async () => {
    await here.patch('', { sign_up: null, site_registration: null, waitlist_leaderboard: null });
    expect((await here.get('')).body).toMatchObject({ effective: { sign_up: 'open' } });
    expect((await signUp(one, 'again@elsewhere.test')).status).toBeLessThan(300);
  });

  it('are for admins alone', async () => {
    expect((await new TestClient(one).get('/api/v1/settings')).status).toBe(401);
    expect((await new TestClient(one).patch('/api/v1/settings', {})).status).toBe(401);
  });
});
