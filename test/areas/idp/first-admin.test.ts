import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { traces } from './idp-app.ts';

let on: FreshApp;
beforeAll(async () => {
  on = await freshApp({ env: { ADMIN_API_KEY: '' } });
}, 60_000);
beforeEach(async () => {
  await on.stores.db.deleteFrom('identities').execute();
  await on.stores.db.deleteFrom('users').execute();
  for (const key of await on.stores.redis.keys('first-admin:*')) await on.stores.redis.del(key);
});
afterAll(() => on.close());

const base = 'https://svc.company.test';
const pathOf = (link: string | undefined): string => new URL(link ?? '', base).pathname;
const submit = (url: string, email: string) =>
  on.http.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams({ email }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe('the first-admin link', { timeout: 60_000 }, () => {
  it('makes its holder the first admin, once', async () => {
    const link = await on.services.firstAdmin.offer(base);
    expect(link).toMatch(/^https:\/\/svc\.company\.test\/api\/auth\/setup\/[\w-]{43}$/);
    const url = pathOf(link);
    const page = await on.http.inject({ url });
    expect({ status: page.statusCode, 'cache-control': page.headers['cache-control'] }).toEqual({
      status: 200,
      'cache-control': 'no-store',
    });
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const input =
      /<input [^>]*id="email" name="email" type="email"[\s\S]*<button [^>]*type="submit">/;
    expect(page.body).toMatch(new RegExp(`<label for="email">[\\s\\S]*${input.source}`));

    const wrong = await submit(url, 'no address');
    expect({ status: wrong.statusCode, 'set-cookie': wrong.headers['set-cookie'] }).toEqual({
      status: 422,
      'set-cookie': undefined,
    });
    const done = await submit(url, 'Boss@company.test');
    expect({ status: done.statusCode, location: done.headers.location }).toEqual({
      status: 303,
      location: '/account/devices',
    });
    const me = await on.http.inject({
      url: '/api/auth/me',
      headers: { cookie: String(done.headers['set-cookie']).split(';')[0] ?? '' },
    });
    expect(me.json()).toMatchObject({
      email: 'Boss@company.test',
      roles: ['admin'],
      amr: ['setup'],
    });
    const { data } = await on.services.audit.list({ action: 'first_admin.created', limit: 5 });
    expect(data).toHaveLength(1);

    const before = await traces(on);
    const unknown = await on.http.inject({ url: '/api/auth/setup-of-nothing' });
    for (const response of [
      await on.http.inject({ url }),
      await submit(url, 'second@company.test'),
    ]) {
      expect({
        status: response.statusCode,
        'set-cookie': response.headers['set-cookie'],
        code: response.json<{ code: string }>().code,
      }).toEqual({
        status: 404,
        'set-cookie': undefined,
        code: unknown.json<{ code: string }>().code,
      });
    }
    expect(await traces(on)).toEqual(before);
    expect(await on.services.firstAdmin.offer(base)).toBeUndefined();
    expect(on.log()).not.toContain(url.split('/').at(-1));
  });

  it('makes one admin of ten concurrent users with a link each', async () => {
    const links = await Promise.all(
      Array.from({ length: 5 }, () => on.services.firstAdmin.offer(base)),
    );
    const all = await Promise.all(
      [...links, ...links].map((link, index) =>
        submit(pathOf(link), `person-${index}@company.test`),
      ),
    );
    expect(all.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
    expect(all.filter(({ headers }) => headers['set-cookie'] !== undefined)).toHaveLength(1);
    expect(await traces(on)).toMatchObject({ users: 1 });
  });

  it('is invalid after half an hour, and once there is an admin', async () => {
    const [first, second] = [
      pathOf(await on.services.firstAdmin.offer(base)),
      pathOf(await on.services.firstAdmin.offer(base)),
    ];
    const keys = await on.stores.redis.keys('first-admin:*');
    expect(keys.join()).not.toContain(first.split('/').at(-1));
    const left = await Promise.all(keys.map((key) => on.stores.redis.pttl(key)));
    expect(Math.max(...left)).toBeLessThanOrEqual(30 * 60_000);
    const { user } = await on.services.users.signInAs({
      kind: 'email',
      key: 'a@company.test',
      value: 'a@company.test',
    });
    await on.services.users.setRoles(user.id, ['admin']);
    expect((await submit(first, 'late@company.test')).statusCode).toBe(404);
    expect((await on.http.inject({ url: second })).statusCode).toBe(404);
    expect(await traces(on)).toMatchObject({ users: 1 });
  });
});
