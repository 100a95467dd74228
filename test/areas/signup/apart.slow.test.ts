import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

async function start(env: Record<string, string> = {}) {
  const app = await freshApp({ env });
  onTestFinished(() => app.close());
  return { app, client: new TestClient(app) };
}

const isPage = { 'content-type': 'text/html; charset=utf-8' };

it('a signup queries nothing before the response, so that timing reveals nothing', async () => {
  const { app, client } = await start();
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
    expect(await client.post('/signup', { email })).toMatchObject({ status: 200 });
  const { handlers } = await app.services.queues.observe();
  expect(handlers.find(({ name }) => name === 'signups')?.waiting).toBe(2);
  await sql`alter table signups_away rename to signups`.execute(app.stores.db);
});

it('signups are refused with 503 if no email can be sent', async () => {
  const { app, client } = await start({
    NODE_ENV: 'production',
    BASE_URL: 'https://svc.example',
    AUTH_SECRET: randomBytes(32).toString('hex'),
  });
  const page = await client.get('/signup');
  expect(page.status).toBe(200);
  expect(page.text).toContain('this service can’t send confirmation emails');
  expect(page.text).not.toContain('action="/signup"');
  const refused = await client.post('/signup', { email: 'a@example.com' });
  expect(refused).toBeProblem(503, 'signup.email_not_configured');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const form = await client.form('/signup', { email: 'a@example.com', consent: 'true' });
  expect(form).toMatchObject({ status: 503, headers: isPage });
  expect(await app.stores.db.selectFrom('signups').selectAll().execute()).toEqual([]);
});

it('limits signups by client to ten in ten minutes; browsers get a page', async () => {
  const { client } = await start({ RATE_LIMIT: 'on' });
  const statuses: number[] = [];
  for (let at = 0; at < 11; at += 1)
    statuses.push((await client.post('/signup', { email: `x${at}@example.com` })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  const page = await client.form('/signup', { email: 'x' });
  expect(page).toMatchObject({ status: 429, headers: isPage });
  expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
});
