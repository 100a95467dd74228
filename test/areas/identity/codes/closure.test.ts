import { generate } from 'otplib';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import {
  ask,
  askCode,
  elapse,
  enter,
  inventory,
  notThe,
  ownersOf,
  parallel,
  storedCode,
  tally,
} from '../../../support/abuse.ts';
import { asAdmin } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { type Answer, openBearer, verifiedEmail } from '../../../support/sign-in.ts';
import { titleOf } from '../../../surfaces/pages/support.ts';
import { dayMs } from '../../../../src/lib/durations.ts';

const app = await sharedApp();
const client = new TestClient(app);

const refused = { status: 429, body: { code: 'otp.too_many_attempts' } };
const guessesOf = async (hash: string) =>
  Number((await app.stores.redis.get(`otp:${hash}:guesses`)) ?? '0');

/** Requests a code. Returns it with the hash under which its guesses are counted. */
async function requestCode(to: string) {
  const sent = await askCode(app, to);
  const { hash = '' } = (await storedCode(app, sent.id)) ?? {};
  return { ...sent, hash };
}

/** A live code for an identifier with this many previous guesses. */
async function afterGuesses(to: string, guesses: number) {
  const live = await requestCode(to);
  await app.stores.redis.set(`otp:${live.hash}:guesses`, String(guesses), 'PX', dayMs);
  return live;
}

/** Closes the codes of an identifier. */
async function close(to: string): Promise<string> {
  const { code, id, hash } = await afterGuesses(to, 99);
  expect(await enter(app, to, notThe(code), id)).toMatchObject({ status: 400 });
  expect(await enter(app, to, code, id)).toMatchObject(refused);
  return hash;
}

const plain = ({ status, headers, body }: Answer) => ({
  status,
  names: Object.keys(headers).sort(),
  body: { ...body, request_id: '', retry_after: 0 },
});
const reopen = (identifier: unknown, headers: Record<string, string> = asAdmin) =>
  client.post('/api/v1/one-time-codes/reopen', { identifier }, { headers });
async function auditEntries(action: string) {
  await app.services.audit.settled();
  return (await app.services.audit.list({ action, limit: 50 })).data;
}

describe('a hundred guesses in a row (NIST SP 800-63B-4 §3.2.2)', () => {
  it('close an identifier: no code is sent or accepted, however long one waits', async () => {
    const to = 'closure@example.com';
    let looked = 0;
    const locks: Answer[] = [];
    for (let round = 0; round < 10; round += 1) {
      const { code, id, hash } = await requestCode(to);
      for (let at = 0; at < 10; at += 1)
        expect(await enter(app, to, notThe(code), at < 5 ? undefined : id)).toMatchObject({
          status: 400,
          body: { code: 'otp.invalid' },
        });
      expect(await guessesOf(hash)).toBe((looked += 10));
      const response = await enter(app, to, code);
      expect(response).toMatchObject(refused);
      locks.push(response);
      await elapse(app, Number(response.headers['retry-after']) * 1000 + 1000);
    }
    const [locked = await ask(app, to)] = locks;
    const before = await inventory(app);
    for (const days of [0, 1, 30, 365]) {
      await elapse(app, days * dayMs);
      const responses = [
        await ask(app, to),
        await enter(app, to, '000000'),
        await enter(app, to, '000000', 'x'),
      ];
      for (const response of responses)
        expect({ days, ...plain(response) }).toEqual({ days, ...plain(locked) });
      expect(responses[0]?.headers['retry-after']).toBe('86400');
    }
    expect(await inventory(app)).toEqual(before);
    expect(await ownersOf(app, to)).toEqual([]);
    const page = await client.form('/login', { identifier: to });
    expect(page.status).toBe(429);
    expect(titleOf(page.text)).toBe('Error: Too many attempts');
    expect(await auditEntries('otp.closed')).toMatchObject([
      { outcome: 'failure', actor: { kind: 'anonymous' } },
    ]);
    expect(await ask(app, 'closure.other@example.com')).toMatchObject({ status: 200 });
  }, 30_000);

  it('close it at a hundred, even concurrently, and the right code is refused then', async () => {
    const to = 'closure.parallel@example.com';
    const { code, id, hash } = await afterGuesses(to, 98);
    const before = await inventory(app);
    const responses = await parallel(50, () => enter(app, to, notThe(code), id));
    expect(tally(responses)).toEqual({ 400: 2, 429: 48 });
    expect(await guessesOf(hash)).toBe(100);
    expect(await app.stores.redis.pttl(`otp:${hash}:guesses`)).toBe(-1);
    expect(await storedCode(app, id)).toBeUndefined();
    expect(await enter(app, to, code, id)).toMatchObject(refused);
    expect(await inventory(app)).toEqual(before);
  });

  it('are counted from zero after a right code', async () => {
    const to = 'closure.right@example.com';
    const first = await afterGuesses(to, 99);
    expect(await enter(app, to, first.code, first.id)).toMatchObject({ status: 200 });
    expect(await guessesOf(first.hash)).toBe(0);
    const second = await requestCode(to);
    for (let at = 0; at < 4; at += 1)
      expect(await enter(app, to, notThe(second.code), second.id)).toMatchObject({ status: 400 });
    expect(await enter(app, to, second.code, second.id)).toMatchObject({ status: 200 });
  });

  it("count only while a code is live, so strangers can't close an identifier", async () => {
    const to = 'closure.stranger@example.com';
    const { code, id, hash } = await requestCode(to);
    for (let round = 0; round < 11; round += 1) {
      for (let at = 0; at < 10; at += 1) await enter(app, to, notThe(code));
      await elapse(app, dayMs + 1000);
    }
    // Five of a hundred and ten were compared: the strangers' attempts at the one code.
    expect(await guessesOf(hash)).toBe(5);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 400 });
    const later = await requestCode(to);
    expect(await enter(app, to, later.code, later.id)).toMatchObject({ status: 200 });
  }, 30_000);

  it('are forgotten three months after the last one', async () => {
    const { code, id, hash } = await requestCode('closure.old@example.com');
    await enter(app, 'closure.old@example.com', notThe(code), id);
    await elapse(app, 89 * dayMs);
    expect(await guessesOf(hash)).toBe(1);
    await elapse(app, dayMs);
    expect(await guessesOf(hash)).toBe(0);
  });
});

describe('closed codes are reopened', () => {
  it('when the user signs in with another identifier, not when others do', async () => {
    const [to, phone] = ['closure.person@example.com', '+447400123900'];
    const { userId } = await openBearer(app, to);
    await app.services.users.link(userId, { kind: 'phone', key: phone, value: phone });
    await close(to);
    await openBearer(app, 'closure.somebody@example.com');
    expect(await ask(app, to)).toMatchObject(refused);
    const wrong = await askCode(app, phone);
    expect(await enter(app, phone, notThe(wrong.code), wrong.id)).toMatchObject({ status: 400 });
    expect(await ask(app, to)).toMatchObject(refused);
    expect(await enter(app, phone, wrong.code, wrong.id)).toMatchObject({ status: 200 });
    const { code, id } = await askCode(app, to);
    expect(await enter(app, to, code, id)).toMatchObject({
      status: 200,
      body: { user: { id: userId } },
    });
    expect(await auditEntries('otp.reopened')).toMatchObject([
      { actor: { kind: 'user', id: userId } },
    ]);
  });

  it('when the user signs in through the identity provider', async () => {
    const to = 'closure.company@example.com';
    const { userId } = await openBearer(app, to);
    await close(to);
    const identity = { kind: 'idp', key: 'https://idp.test closure', value: 'closure' } as const;
    const proved = verifiedEmail(to, Date.now(), 'fed');
    await app.services.signIn.asCookie({ ...proved, identity, also: [proved.identity] });
    expect(await ownersOf(app, identity.key)).toEqual([userId]);
    expect(await ask(app, to)).toMatchObject({ status: 200 });
  });

  it('when the user uses a backup code, not before the second factor', async () => {
    const to = 'closure.factor@example.com';
    const { userId, bearer } = await openBearer(app, to);
    const { body } = await client
      .as(bearer)
      .post<{ backup_codes: string[] }>('/api/auth/backup-codes', {});
    const [backupCode = ''] = body.backup_codes;
    const { secret } = await app.services.secondFactor.enrolTotp(userId, to);
    const proved = verifiedEmail(to, Date.now(), 'fed');
    await app.services.secondFactor.confirmTotp(
      userId,
      await generate({ secret, epoch: Math.floor(Date.now() / 1000) }),
      proved,
    );
    const due = await app.services.signIn.asBearer(proved);
    await close(to);
    await app.services.signIn.asBearer(proved);
    expect(await ask(app, to)).toMatchObject(refused);
    await expect(
      app.services.signIn.completeAsBearer(
        due.mfa_token ?? '',
        { method: 'totp', code: '000000' },
        proved,
      ),
    ).rejects.toMatchObject({ code: 'otp.invalid' });
    expect(await ask(app, to)).toMatchObject(refused);
    const query = { code: backupCode, user_id: userId };
    const used = await client.post('/api/auth/backup-codes/verify', {}, { query });
    expect(used).toMatchObject({ status: 200 });
    expect(await ask(app, to)).toMatchObject({ status: 200 });
  });

  it('when an admin reopens them, without the lock of the last guesses', async () => {
    const [to, other] = ['closure.admin@example.com', 'closure.admin.other@example.com'];
    const hash = await close(to);
    await close(other);
    await app.stores.redis.set(`otp:${hash}:lock`, '1', 'PX', dayMs);
    expect(await reopen(' Closure.Admin@example.com ')).toMatchObject({
      status: 200,
      body: { ok: true, reopened: true },
      headers: { 'cache-control': 'no-store' },
    });
    expect(await reopen(to)).toMatchObject({ status: 200, body: { ok: true, reopened: false } });
    expect(await ask(app, other)).toMatchObject(refused);
    const { code, id } = await askCode(app, to);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
    const entries = (await auditEntries('otp.reopened')).filter(
      ({ actor }) => actor.kind === 'api_key',
    );
    expect(entries).toMatchObject([
      { actor: { id: 'env' }, target: { kind: 'identifier', id: hash } },
    ]);
    expect(app.log()).not.toMatch(/closure\.admin@/i);
  });

  it('by no other request: anonymous, non-admin or with an invalid identifier', async () => {
    const to = 'closure.nobody@example.com';
    await close(to);
    const { bearer } = await openBearer(app, 'closure.viewer@example.com');
    expect(await reopen(to, {})).toMatchObject({ status: 401 });
    expect(await reopen(to, bearer)).toMatchObject({ status: 403 });
    for (const identifier of ['nonsense', '', 7, undefined, 'a@'])
      expect(await reopen(identifier)).toMatchObject({ status: 422 });
    const read = await client.as(asAdmin).get('/api/v1/one-time-codes/reopen');
    expect(read).toMatchObject({ status: 405 });
    expect(await ask(app, to)).toMatchObject(refused);
  });
});
