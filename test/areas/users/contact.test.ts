import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { createContactStore } from '../../../src/areas/users/account/contact/contact-store.ts';
import type { TestApp } from '../../support/app.ts';
import {
  askCode,
  enter,
  me,
  notThe,
  openCookie,
  ownersOf,
  parallel,
  tally,
} from '../../support/abuse.ts';
import { codeFor, signInByEmail, type SignedIn } from '../../support/sign-in.ts';
import { call, newcomer } from './people.ts';

let app: TestApp;
let offset = 0;
beforeAll(async () => {
  app = await sharedApp('people', { clock: { now: () => Date.now() + offset } });
}, 60_000);

let counter = 0;
const fresh = () => `new.${(counter += 1)}@example.org`;
const newest = (to: string) => app.services.outbox.list(to)[0];
const actionsOf = async (userId: string) =>
  (await app.services.audit.list({ target_id: userId, limit: 50 })).data.map((e) => e.action);

/** Asks for a code to a new address and reads it there. */
async function start(person: SignedIn, email: string): Promise<string> {
  const after = app.services.outbox.list(email).length;
  const { status } = await call(app, person, 'POST', '/email', { email });
  if (status !== 200) throw new Error(`answered ${status}`);
  return codeFor(app, email, { after });
}
const confirm = (person: SignedIn, code: string) =>
  call(app, person, 'POST', '/email/confirm', { code });

describe('changing the email address', () => {
  it('replaces it, tells the old one, and keeps all sessions', async () => {
    const ada = await newcomer(app);
    const phoneSession = await signInByEmail(app, ada.email);
    const next = fresh();
    const code = await start(ada, next);
    const { status, body } = await confirm(ada, code);
    expect({ status, email: body.email, email_verified: body.email_verified }).toEqual({
      status: 200,
      email: next,
      email_verified: true,
    });
    for (const session of [ada, phoneSession])
      expect((await me(app, session.bearer)).body.email).toBe(next);
    expect(await ownersOf(app, next)).toEqual([ada.userId]);
    expect(await ownersOf(app, ada.email)).toEqual([]);
    expect(await actionsOf(ada.userId)).toContain('identity.replaced');
    await expect.poll(() => newest(ada.email)?.subject).toMatch(/Email address changed/);
    const told = newest(ada.email)?.text ?? '';
    expect(told).toContain('If you didn’t make this change, write to help@example.com');
    expect(told).not.toContain(code);
    expect(told).not.toContain(next);
    expect((await signInByEmail(app, next)).userId).toBe(ada.userId);
    expect((await signInByEmail(app, ada.email)).userId).not.toBe(ada.userId);
  });

  it('adds a phone number to an account without one, and tells its address', async () => {
    const ada = await newcomer(app);
    const sent = await call(app, ada, 'POST', '/phone', { phone: '(415) 555-0171', country: 'US' });
    expect(sent.body).toMatchObject({ channel: 'sms', to: '+1•••••0171' });
    const code = await codeFor(app, '+14155550171');
    expect(newest('+14155550171')?.text).toMatch(/\n@127\.0\.0\.1 #\d{6}$/);
    const { body } = await call(app, ada, 'POST', '/phone/confirm', { code });
    expect(body).toMatchObject({ phone_number: '+14155550171', email: ada.email });
    await expect.poll(() => newest(ada.email)?.subject).toMatch(/Sign-in method added/);
    expect(await actionsOf(ada.userId)).toContain('identity.linked');
  });

  it('refuses what is neither an address nor a number', async () => {
    const ada = await newcomer(app);
    for (const [path, body] of [
      ['/email', { email: 'ada@' }],
      ['/email', { email: 'a@example.com\r\nBcc: b@example.com' }],
      ['/phone', { phone: '4155550132' }],
      ['/phone', { phone: '4155550132', country: 'ZZ' }],
      ['/email', {}],
    ] as const)
      expect((await call(app, ada, 'POST', path, body)).status).toBe(422);
  });
});

describe('abuse of changing the address', () => {
  it('a code for signing in does not change an address', async () => {
    const ada = await newcomer(app);
    const next = fresh();
    await start(ada, next);
    const { code } = await askCode(app, next);
    expect(await confirm(ada, code)).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
    expect(await ownersOf(app, next)).toEqual([]);
  });

  it('a code for a change does not sign in', async () => {
    const ada = await newcomer(app);
    const next = fresh();
    const code = await start(ada, next);
    expect(await enter(app, next, code)).toMatchObject({
      status: 400,
      body: { code: 'otp.invalid' },
    });
    expect(await ownersOf(app, next)).toEqual([]);
  });

  it('a code that was sent for one account does not work in another', async () => {
    const [ada, eve] = [await newcomer(app), await newcomer(app)];
    const next = fresh();
    const forAda = await start(ada, next);
    const forEve = await start(eve, next);
    for (const [person, code] of [
      [ada, forEve],
      [eve, forAda],
    ] as const)
      expect((await confirm(person, code)).status).toBe(400);
    expect(await ownersOf(app, next)).toEqual([]);
  });

  it('another session of the same user, such as a stolen one, cannot enter the code', async () => {
    const ada = await newcomer(app);
    const stolen = await signInByEmail(app, ada.email);
    const code = await start(ada, fresh());
    expect((await confirm(stolen, code)).status).toBe(400);
    expect((await confirm(ada, code)).status).toBe(200);
  });

  it('an old session cannot start a change', async () => {
    const ada = await newcomer(app);
    offset += 6 * 60_000;
    const { status, body } = await call(app, ada, 'POST', '/email', { email: fresh() });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'auth.step_up_required' });
  });

  it('an address of another account gets the same answer, and is not revealed', async () => {
    const [ada, victim] = [await newcomer(app), await newcomer(app)];
    const answers = [];
    for (const email of [victim.email, fresh()])
      answers.push(await call(app, ada, 'POST', '/email', { email }));
    const [taken, free] = answers.map(({ status, headers, body }) => ({
      status,
      headers: Object.keys(headers).sort(),
      body: { ...body, to: '', expires_at: '' },
    }));
    expect(taken).toEqual(free);
  });

  it('an address of another account stays there, even with the right code', async () => {
    const [ada, victim] = [await newcomer(app), await newcomer(app)];
    const code = await start(ada, victim.email);
    expect(await confirm(ada, code)).toMatchObject({
      status: 409,
      body: { code: 'account.contact_taken' },
    });
    expect(await ownersOf(app, victim.email)).toEqual([victim.userId]);
    expect(await ownersOf(app, ada.email)).toEqual([ada.userId]);
  });

  it('of two accounts that confirm the same address at once, one wins', async () => {
    const people = [await newcomer(app), await newcomer(app)];
    const next = fresh();
    const contacts = createContactStore(app.stores.db);
    const outcomes = await Promise.all(
      people.map(({ userId }) =>
        contacts.replace({
          userId,
          id: randomUUID(),
          identity: { kind: 'email', key: next, value: next },
          at: new Date(),
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
    expect(await ownersOf(app, next)).toHaveLength(1);
    const loser = people[outcomes.indexOf('taken')];
    expect(await ownersOf(app, loser?.email ?? '')).toEqual([loser?.userId]);
  });

  it('of a right code entered twenty times at once, one changes the address', async () => {
    const ada = await newcomer(app);
    const code = await start(ada, fresh());
    expect(tally(await parallel(20, () => confirm(ada, code)))).toEqual({ 200: 1, 400: 19 });
  });

  it('five wrong codes use up the code', async () => {
    const ada = await newcomer(app);
    const code = await start(ada, fresh());
    for (let at = 0; at < 5; at += 1) expect((await confirm(ada, notThe(code))).status).toBe(400);
    expect((await confirm(ada, code)).status).toBe(400);
    expect((await me(app, ada.bearer)).body.email).toBe(ada.email);
  });

  it('a form of another site changes nothing', async () => {
    const eve = await openCookie(app, 'csrf@example.com', Date.now() + offset);
    const { statusCode } = await app.http.inject({
      method: 'POST',
      url: '/api/v1/users/me/email',
      headers: { ...eve.headers, origin: 'https://evil.example' },
      payload: { email: fresh() },
    });
    expect(statusCode).toBe(403);
  });

  it('neither codes nor new addresses reach the log or Redis in plain text', async () => {
    const ada = await newcomer(app);
    const next = 'very.secret.address@example.org';
    const code = await start(ada, next);
    const { redis } = app.stores;
    for (const key of await redis.keys('account:contact:*'))
      expect(await redis.get(key)).not.toContain('very.secret');
    await confirm(ada, code);
    expect(app.log()).not.toContain(next);
    expect(app.log()).not.toContain(code);
  });

  it('starting a change does not lock the owner of the address out of signing in', async () => {
    const [ada, victim] = [await newcomer(app), await newcomer(app)];
    const code = await start(ada, victim.email);
    await confirm(ada, notThe(code));
    const own = await askCode(app, victim.email);
    expect((await enter(app, victim.email, own.code, own.id)).status).toBe(200);
  });
});
