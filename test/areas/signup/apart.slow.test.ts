import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { freshApp } from '../../support/app.ts';

const asBrowser = { accept: 'text/html,application/xhtml+xml' };

it('a signup queries nothing before the response, so that timing reveals nothing', async () => {
  const app = await freshApp();
  try {
    const known = {
      id: '018f0000-0000-7000-8000-000000000001',
      email: 'known@example.com',
      name: null,
      company: null,
      phone: null,
      plan: null,
      referral_code: null,
      consent_at: null,
      created_at: new Date(),
      confirmed_at: new Date(),
      confirm_hash: null,
      last_asked_at: new Date(0),
      asked: 1,
    };
    await app.stores.db.insertInto('signups').values(known).execute();
    // From now on every query of the table fails. Jobs are not run, because none are started.
    await sql`alter table signups rename to signups_away`.execute(app.stores.db);
    for (const email of [known.email, 'unknown@example.com'])
      expect(
        (await app.http.inject({ method: 'POST', url: '/signup', payload: { email } })).statusCode,
      ).toBe(200);
    expect(
      (await app.services.queues.observe()).handlers.find(({ name }) => name === 'signups')
        ?.waiting,
    ).toBe(2);
    await sql`alter table signups_away rename to signups`.execute(app.stores.db);
  } finally {
    await app.close();
  }
}, 60_000);

it('signups are refused with 503 if no email can be sent', async () => {
  const without = await freshApp({
    env: {
      NODE_ENV: 'production',
      BASE_URL: 'https://svc.example',
      AUTH_SECRET: randomBytes(32).toString('hex'),
    },
  });
  try {
    const page = await without.http.inject('/signup');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('this service can’t send confirmation emails');
    expect(page.body).not.toContain('action="/signup"');
    const response = await without.http.inject({
      method: 'POST',
      url: '/signup',
      payload: { email: 'a@example.com' },
    });
    expect({
      status: response.statusCode,
      code: response.json<{ code: string }>().code,
      saysWhen: Number(response.headers['retry-after']) > 0,
    }).toEqual({ status: 503, code: 'signup.email_not_configured', saysWhen: true });
    const form = await without.http.inject({
      method: 'POST',
      url: '/signup',
      payload: 'email=a@example.com&consent=true',
      headers: { ...asBrowser, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect({ status: form.statusCode, 'content-type': form.headers['content-type'] }).toEqual({
      status: 503,
      'content-type': 'text/html; charset=utf-8',
    });
    expect(await without.stores.db.selectFrom('signups').selectAll().execute()).toEqual([]);
  } finally {
    await without.close();
  }
}, 60_000);

it('limits signups by client to ten in ten minutes; browsers get a page', async () => {
  const limited = await freshApp({ env: { RATE_LIMIT: 'on' } });
  try {
    const statuses: number[] = [];
    for (let at = 0; at < 11; at += 1)
      statuses.push(
        (
          await limited.http.inject({
            method: 'POST',
            url: '/signup',
            payload: { email: `x${at}@example.com` },
          })
        ).statusCode,
      );
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    const page = await limited.http.inject({
      method: 'POST',
      url: '/signup',
      payload: 'email=x',
      headers: { ...asBrowser, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(page.statusCode).toBe(429);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await limited.close();
  }
}, 60_000);
