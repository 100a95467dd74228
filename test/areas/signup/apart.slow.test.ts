import { sql } from 'kysely';
import { describe, expect, onTestFinished } from 'vitest';
import { freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { openWithoutMail } from '../../support/without-mail.ts';

const inAWhile = expect.stringMatching(/^[1-9]\d*$/) as string;
const htmlType = { 'content-type': 'text/html; charset=utf-8' };

describe('a signup', { timeout: 60_000 }, () => {
  it('queries nothing before the response, so that timing reveals nothing', async () => {
    const app = await freshApp();
    onTestFinished(() => app.close());
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
      expect(await new TestClient(app).post('/signup', { email })).toMatchObject({ status: 200 });
    const { handlers } = await app.services.queues.observe();
    expect(handlers.find(({ name }) => name === 'signups')).toMatchObject({ waiting: 2 });
    await sql`alter table signups_away rename to signups`.execute(app.stores.db);
  });

  it('is refused with 503 if no email can be sent', async () => {
    const app = await openWithoutMail();
    const client = new TestClient(app);
    const page = await client.get('/signup');
    expect(page.status).toBe(200);
    expect(page.text).toContain('this service can’t send confirmation emails');
    expect(page.text).not.toContain('action="/signup"');
    const refused = await client.post('/signup', { email: 'a@example.com' });
    expect(refused).toBeProblem(503, 'signup.email_not_configured');
    expect(refused.headers['retry-after']).toEqual(inAWhile);
    expect(await client.form('/signup', { email: 'a@example.com', consent: 'true' })).toMatchObject(
      { status: 503, headers: htmlType },
    );
    expect(await app.stores.db.selectFrom('signups').selectAll().execute()).toEqual([]);
  });

  it('is refused to a client after ten in ten minutes; browsers get a page', async () => {
    const client = new TestClient(await sharedApp('limited'));
    for (let at = 0; at < 11; at += 1)
      expect(await client.post('/signup', { email: `x${at}@example.com` })).toMatchObject({
        status: at < 10 ? 200 : 429,
      });
    expect(await client.form('/signup', { email: 'x' })).toMatchObject({
      status: 429,
      headers: { ...htmlType, 'retry-after': inAWhile },
    });
  });
});
