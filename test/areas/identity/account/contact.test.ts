import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { createContactStore } from '../../../../src/areas/identity/account/contact/store.ts';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { TestClient } from '../../../support/client.ts';
import { askCode, enter, me, notThe, ownersOf, parallel, tally } from '../../../support/abuse.ts';
import { codeFor, openCookie } from '../../../support/sign-in.ts';
import { type Person, signIn } from '../users/people.ts';

let offset = 0;
const app = await sharedApp('people', { clock: { now: () => Date.now() + offset } });

let counter = 0;
const fresh = () => `new.${(counter += 1)}@example.org`;
const newest = (to: string) => app.services.outbox.list(to)[0];
const actionsOf = async (userId: string) =>
  (await app.services.audit.list({ target_id: userId, limit: 50 })).data.map((e) => e.action);

/** Asks for a code to a new address and reads it there. */
async function start(person: Person, email: string): Promise<string> {
  const after = app.services.outbox.list(email).length;
  const { status } = await person.account.post('/email', { email });
  if (status !== 200) throw new Error(`answered ${status}`);
  return codeFor(app, email, { after });
}
const confirm = (person: Person, code: string) => person.account.post('/email/confirm', { code });

describe('a person', () => {
  it('can replace the address: the old one is notified, and all sessions stay', async () => {
    const ada = await signIn(app);
    const phoneSession = await signIn(app, ada.email);
    const next = fresh();
    const code = await start(ada, next);
    expect(await confirm(ada, code)).toMatchObject({
      status: 200,
      body: { email: next, email_verified: true },
    });
    for (const session of [ada, phoneSession])
      expect((await me(app, session.bearer)).body.email).toBe(next);
    expect(await ownersOf(app, next)).toEqual([ada.userId]);
    expect(await ownersOf(app, ada.email)).toEqual([]);
    expect(await actionsOf(ada.userId)).toContain('identity.replaced');
    await expect.poll(() => newest(ada.email)?.subject).toMatch(/Email address changed/);
    const told = newest(ada.email)?.text ?? '';
    expect(told).toContain('If you didn’t make this change, undo it within 7 days.');
    expect(told).toContain('If you can’t, write to help@example.com');
    expect(told).not.toContain(code);
    expect(told).not.toContain(next);
    expect(told).not.toMatch(/Open your account|\/account(?!\/undo-change\?)/);
    expect((await signIn(app, next)).userId).toBe(ada.userId);
    expect((await signIn(app, ada.email)).userId).not.toBe(ada.userId);
  });

  it('can add a phone number, of which the address is notified', async () => {
    const ada = await signIn(app);
    const sent = await ada.account.post('/phone', { phone: '(415) 555-0171', country: 'US' });
    expect(sent.body).toMatchObject({ channel: 'sms', to: '+1•••••0171' });
    const code = await codeFor(app, '+14155550171');
    expect(newest('+14155550171')?.text).toMatch(/\n@127\.0\.0\.1 #\d{6}$/);
    const { body } = await ada.account.post('/phone/confirm', { code });
    expect(body).toMatchObject({ phone_number: '+14155550171', email: ada.email });
    await expect.poll(() => newest(ada.email)?.subject).toMatch(/Sign-in method added/);
    expect(await actionsOf(ada.userId)).toContain('identity.linked');
  });

  it.each([
    ['email', { email: 'ada@' }],
    ['email', { email: 'a@example.com\r\nBcc: b@example.com' }],
    ['email', {}],
    ['phone', { phone: '4155550132' }],
    ['phone', { phone: '4155550132', country: 'ZZ' }],
  ])('cannot change the %s to %j', async (path, body) => {
    const { account } = await signIn(app);
    expect(await account.post(`/${path}`, body)).toMatchObject({ status: 422 });
  });
});

describe('a change of the address', () => {
  it('is not made by a code for signing in', async () => {
    const ada = await signIn(app);
    const next = fresh();
    await start(ada, next);
    const { code } = await askCode(app, next);
    expect(await confirm(ada, code)).toBeProblem(400, 'otp.invalid');
    expect(await ownersOf(app, next)).toEqual([]);
  });

  it('has a code that does not sign in', async () => {
    const ada = await signIn(app);
    const next = fresh();
    const code = await start(ada, next);
    const refused = await enter(app, next, code);
    expect(refused).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
    expect(await ownersOf(app, next)).toEqual([]);
  });

  it('of one account is not made by a code of another', async () => {
    const [ada, eve] = [await signIn(app), await signIn(app)];
    const next = fresh();
    const forAda = await start(ada, next);
    const forEve = await start(eve, next);
    expect((await confirm(ada, forEve)).status).toBe(400);
    expect((await confirm(eve, forAda)).status).toBe(400);
    expect(await ownersOf(app, next)).toEqual([]);
  });

  it('is made only by the session that began it, not by a stolen one', async () => {
    const ada = await signIn(app);
    const stolen = await signIn(app, ada.email);
    const code = await start(ada, fresh());
    expect((await confirm(stolen, code)).status).toBe(400);
    expect((await confirm(ada, code)).status).toBe(200);
  });

  it('needs a fresh sign-in', async () => {
    const ada = await signIn(app);
    offset += 6 * minuteMs;
    expect(await ada.account.post('/email', { email: fresh() })).toBeProblem(
      401,
      'auth.step_up_required',
    );
  });

  it('does not reveal that another account has the address', async () => {
    const [ada, victim] = [await signIn(app), await signIn(app)];
    const answers = [];
    for (const email of [victim.email, fresh()])
      answers.push(await ada.account.post('/email', { email }));
    const [taken, free] = answers.map(({ status, headers, body }) => ({
      status,
      headers: Object.keys(headers).sort(),
      body: { ...body, to: '', expires_at: '' },
    }));
    expect(taken).toEqual(free);
  });

  it('takes no address from another account, even with the right code', async () => {
    const [ada, victim] = [await signIn(app), await signIn(app)];
    const code = await start(ada, victim.email);
    expect(await confirm(ada, code)).toBeProblem(409, 'account.contact_taken');
    expect(await ownersOf(app, victim.email)).toEqual([victim.userId]);
    expect(await ownersOf(app, ada.email)).toEqual([ada.userId]);
  });

  it('to one address by two accounts at once is made by one of them', async () => {
    const people = [await signIn(app), await signIn(app)];
    const next = fresh();
    const contacts = createContactStore(app.stores.db);
    const change = {
      identity: { kind: 'email', key: next, value: next },
      at: new Date(),
    } as const;
    const outcomes = await Promise.all(
      people.map(({ userId }) => contacts.replace({ ...change, userId, id: randomUUID() })),
    );
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
    expect(await ownersOf(app, next)).toHaveLength(1);
    const loser = people[outcomes.indexOf('taken')];
    expect(await ownersOf(app, loser?.email ?? '')).toEqual([loser?.userId]);
  });

  it('is made once when its code is entered twenty times at once', async () => {
    const ada = await signIn(app);
    const code = await start(ada, fresh());
    expect(tally(await parallel(20, () => confirm(ada, code)))).toEqual({ 200: 1, 400: 19 });
  });

  it('is made by its code however pasted, and anything but a code costs no attempt', async () => {
    const ada = await signIn(app);
    const next = fresh();
    const code = await start(ada, next);
    for (let at = 0; at < 6; at += 1)
      expect(await confirm(ada, ['12345', `${code}0`, 'wrong'][at % 3] ?? '')).toBeInvalid(
        'body.code',
      );
    const pasted = `\u202a${code.slice(0, 3)}\u2013${code.slice(3)}\u202c`;
    expect(await confirm(ada, pasted)).toMatchObject({ status: 200, body: { email: next } });
  });

  it('is over after five wrong codes', async () => {
    const ada = await signIn(app);
    const code = await start(ada, fresh());
    for (let at = 0; at < 5; at += 1) expect((await confirm(ada, notThe(code))).status).toBe(400);
    expect((await confirm(ada, code)).status).toBe(400);
    expect((await me(app, ada.bearer)).body.email).toBe(ada.email);
  });

  it('is not made by a form of another site', async () => {
    const eve = await openCookie(app, 'csrf@example.com');
    const forger = new TestClient(app).as({ ...eve.headers, origin: 'https://evil.example' });
    const forged = await forger.post('/api/v1/users/me/email', { email: fresh() });
    expect(forged.status).toBe(403);
  });

  it('leaves neither code nor address in the log or in Redis in plain text', async () => {
    const ada = await signIn(app);
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
    const [ada, victim] = [await signIn(app), await signIn(app)];
    const code = await start(ada, victim.email);
    await confirm(ada, notThe(code));
    const own = await askCode(app, victim.email);
    expect((await enter(app, victim.email, own.code, own.id)).status).toBe(200);
  });
});
