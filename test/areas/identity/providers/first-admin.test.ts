import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { traces } from './idp-app.ts';

const base = 'https://svc.company.test';
const app = await freshApp({ env: { ADMIN_API_KEY: '' } });
const client = new TestClient(app);
beforeEach(async () => {
  const { db, redis } = app.stores;
  await db.deleteFrom('identities').execute();
  await db.deleteFrom('users').execute();
  for (const key of await redis.keys('first-admin:*')) await redis.del(key);
});

const offer = async (): Promise<string> =>
  new URL((await app.services.firstAdmin.offer(base)) ?? '', base).pathname;
const submit = (url: string, email: string) => client.form(url, { email });

describe('the first-admin link', { timeout: 60_000 }, () => {
  it('makes its holder the first admin, once', async () => {
    const url = await offer();
    expect(url).toMatch(/^\/api\/auth\/setup\/[\w-]{43}$/);
    const page = await client.get(url);
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const input = /<input [^>]*id="email" name="email" type="email"/.source;
    const button = /<button [^>]*type="submit">/.source;
    expect(page.text).toMatch(new RegExp(`<label for="email">[^]*${input}[^]*${button}`));
    const wrong = await submit(url, 'no address');
    expect(wrong.status).toBe(422);
    expect(wrong.headers).not.toHaveProperty('set-cookie');
    const done = await submit(url, 'Boss@company.test');
    expect(done).toMatchObject({ status: 303, headers: { location: '/account/devices' } });
    const cookie = String(done.headers['set-cookie']).split(';', 1).join('');
    expect((await client.get('/api/auth/me', { headers: { cookie } })).body).toMatchObject({
      email: 'Boss@company.test',
      roles: ['admin'],
      amr: ['setup'],
    });
    const { data } = await app.services.audit.list({ action: 'first_admin.created', limit: 5 });
    expect(data).toHaveLength(1);

    const before = await traces(app);
    for (const refused of [await client.get(url), await submit(url, 'second@company.test')]) {
      expect(refused.status).toBe(404);
      expect(refused.headers).not.toHaveProperty('set-cookie');
    }
    const unknown = await client.get('/api/auth/setup-of-nothing');
    expect((await client.get(url)).body.code).toBe(unknown.body.code);
    expect(await traces(app)).toEqual(before);
    expect(await app.services.firstAdmin.offer(base)).toBeUndefined();
    expect(app.log()).not.toContain(url.split('/').at(-1));
  });

  it('makes one admin of ten concurrent users with a link each', async () => {
    const links = await Promise.all(Array.from({ length: 5 }, offer));
    const responses = await Promise.all(
      [...links, ...links].map((link, at) => submit(link, `person-${at}@company.test`)),
    );
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(responses.filter(({ headers }) => 'set-cookie' in headers)).toHaveLength(1);
    expect(await traces(app)).toMatchObject({ users: 1 });
  });

  it('is invalid after half an hour, and once there is an admin', async () => {
    const [first, second] = [await offer(), await offer()];
    const { redis } = app.stores;
    for (const key of await redis.keys('first-admin:*')) {
      expect(key).not.toContain(first.split('/').at(-1));
      expect(await redis.pttl(key)).toBeLessThanOrEqual(30 * minuteMs);
    }
    const email = 'a@company.test';
    const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
    await app.services.users.setRoles(user.id, ['admin']);
    expect(await submit(first, 'late@company.test')).toMatchObject({ status: 404 });
    expect(await client.get(second)).toMatchObject({ status: 404 });
    expect(await traces(app)).toMatchObject({ users: 1 });
  });
});
