import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import {
  ask,
  askCode,
  elapse,
  enter,
  expectUnchanged,
  inventory,
  me,
  notThe,
  ownersOf,
  parallel,
  storedCode,
  tally,
} from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';
import { rounds } from '../../../support/rounds.ts';
import { codeFor, signInByEmail } from '../../../support/sign-in.ts';
import { createCodeStore } from '../../../../src/areas/identity/codes/store.ts';
import { hiddenFieldsOf } from '../../../surfaces/pages/support.ts';

const locked = { status: 429, body: { code: 'otp.too_many_attempts' } };
const invalid = { status: 400, body: { code: 'otp.invalid', detail: 'Invalid or expired code' } };
const lockMs = 15 * 60_000;

const app = await sharedApp();
const client = new TestClient(app);

const failuresOf = async (hash: string) =>
  Number(await app.stores.redis.hget(`otp:${hash}:failures`, 'failures'));
const lockOf = (hash: string) => app.stores.redis.pttl(`otp:${hash}:lock`);
const sessionsOf = async (key: string) => {
  const [owner] = await ownersOf(app, key);
  return owner === undefined ? 0 : (await app.services.sessions.list(owner)).length;
};

describe('sign-in', () => {
  it('a user signs in by phone and is identified by the token', async () => {
    const sent = await client.post('/api/auth/mobile/initiate', { phone: '+1 415 555 0132' });
    expect(sent).toMatchObject({
      status: 200,
      body: { success: true, to: '+1•••••0132', channel: 'sms' },
    });
    const code = await codeFor(app, '+14155550132');
    const response = await client.post('/auth/mobile/verify', { phone: '+14155550132', code });
    expect(response.body).toMatchObject({
      token_type: 'Bearer',
      is_new_user: true,
      status: 'authenticated',
      user: { phone_number: '+14155550132' },
    });
    const known = await me(app, { authorization: `Bearer ${String(response.body.access_token)}` });
    expect(known.body).toMatchObject({
      phone_number: '+14155550132',
      amr: ['otp', 'sms'],
      acr: 'aal1',
      authenticated: true,
    });
  });

  it('a user signs in by email', async () => {
    const { bearer } = await signInByEmail(app, 'Ada@Example.com');
    const known = await client.get('/auth/me', { headers: bearer });
    expect(known.body).toMatchObject({ email: 'Ada@Example.com', email_verified: true });
  });
});

describe('guessing', () => {
  it.each(['a stranger', 'the one who asked'])(
    'case 1 › after five wrong codes of %s the right one is refused too',
    async (who) => {
      const to = `case1.${who.length}@example.com`;
      const { code, id } = await askCode(app, to);
      const given = who === 'a stranger' ? undefined : id;
      await expectUnchanged(app, async () => {
        for (let at = 0; at < 6; at += 1)
          expect(await enter(app, to, notThe(code), given)).toMatchObject(invalid);
        expect(await enter(app, to, code, given)).toMatchObject(invalid);
      });
    },
  );

  it.each([50, rounds(300, 1000)])(
    'case 2 › of %i parallel wrong codes of strangers five are compared, and ten lock',
    async (many) => {
      const to = `case2.strangers${many}@example.com`;
      const { code, id } = await askCode(app, to);
      const before = await inventory(app);
      const responses = await parallel(many, () => enter(app, to, notThe(code)));
      const { 400: wrong = 0, 429: refused = 0, 503: shed = 0 } = tally(responses);
      // Many in one process can exceed the Redis timeout: those get no result.
      expect(wrong).toBeLessThanOrEqual(10);
      expect(wrong + refused + shed).toBe(many);
      if (many === 50) expect(shed).toBe(0);
      const stored = await storedCode(app, id);
      expect(stored?.fields).toMatchObject({ stranger: '0', owner: '5' });
      expect(await app.stores.redis.hgetall(`otp:${stored?.hash}:failures`)).toEqual({
        failures: '0',
        locks: '1',
      });
      expect(await enter(app, to, code)).toMatchObject({ status: 429 });
      expect(await inventory(app)).toEqual(before);
    },
  );

  it('case 2 › of fifty parallel wrong codes with the id five are compared', async () => {
    const to = 'case2.owner@example.com';
    const { code, id } = await askCode(app, to);
    const { hash = '' } = (await storedCode(app, id)) ?? {};
    await expectUnchanged(app, async () => {
      const responses = await parallel(50, () => enter(app, to, notThe(code), id));
      expect(tally(responses)).toEqual({ 400: 10, 429: 40 });
      expect(await storedCode(app, id)).toBeUndefined();
      expect(await failuresOf(hash)).toBe(0);
      expect(await app.stores.redis.hget(`otp:${hash}:failures`, 'locks')).toBe('1');
      expect(await lockOf(hash)).toBeLessThanOrEqual(lockMs);
      expect(await enter(app, to, code, id)).toMatchObject({ status: 429 });
    });
  });

  it.each([1, 4, 7])('case 2 › the stored counters are exact: %i wrong codes', async (wrong) => {
    const to = `case2.exact${wrong}@example.com`;
    const { code, id } = await askCode(app, to);
    await parallel(wrong, () => enter(app, to, notThe(code)));
    const stored = await storedCode(app, id);
    expect(stored?.fields).toMatchObject({ stranger: String(Math.max(0, 5 - wrong)), owner: '5' });
    expect(await failuresOf(stored?.hash ?? '')).toBe(wrong);
  });

  it.each([50, rounds(300, 1000)])(
    'case 3 › of %i parallel right codes one succeeds',
    async (many) => {
      const to = `case3.strangers${many}@example.com`;
      const { code } = await askCode(app, to);
      const before = await inventory(app);
      const responses = await parallel(many, () => enter(app, to, code));
      const { 200: winners = 0, 400: losers = 0, 503: shed = 0 } = tally(responses);
      expect(winners).toBe(1);
      expect(losers + shed).toBe(many - 1);
      if (many === 50) expect(shed).toBe(0);
      expect(await inventory(app)).toEqual({
        ...before,
        users: before.users + 1,
        identities: before.identities + 1,
        sessions: before.sessions + 1,
      });
      expect(await ownersOf(app, to)).toHaveLength(1);
      expect(await sessionsOf(to)).toBe(1);
      const won = responses.filter(({ body }) => body.access_token !== undefined);
      expect(won).toHaveLength(1);
    },
  );

  it('case 3 › of fifty parallel right codes with the id one works, without a lock', async () => {
    const to = 'case3.owner@example.com';
    const { code, id } = await askCode(app, to);
    const { hash = '' } = (await storedCode(app, id)) ?? {};
    const responses = await parallel(50, () => enter(app, to, code, id));
    expect(tally(responses)).toEqual({ 200: 1, 400: 49 });
    expect(await sessionsOf(to)).toBe(1);
    expect(await ownersOf(app, to)).toHaveLength(1);
    expect(await lockOf(hash)).toBe(-2);
    await elapse(app, 61_000);
    expect(await ask(app, to)).toMatchObject({ status: 200 });
  });

  it('case 3 › twenty concurrent proofs of a new address create one user', async () => {
    const email = 'case3.one@example.com';
    const identity = { kind: 'email', key: email, value: email } as const;
    const before = await inventory(app);
    await parallel(20, () => app.services.users.signInAs(identity));
    expect(await inventory(app)).toEqual({
      ...before,
      users: before.users + 1,
      identities: before.identities + 1,
    });
  });

  it('case 4 › one right code among forty-nine wrong ones opens at most one session', async () => {
    for (let round = 0; round < 5; round += 1) {
      const to = `case4.${round}@example.com`;
      const { code } = await askCode(app, to);
      const responses = await parallel(50, (at) =>
        enter(app, to, at === round * 9 ? code : notThe(code)),
      );
      const winners = responses.filter(({ status }) => status === 200).length;
      expect(winners).toBeLessThanOrEqual(1);
      expect(await sessionsOf(to)).toBe(winners);
      expect(await ownersOf(app, to)).toHaveLength(winners);
      for (const { status } of responses) expect([200, 400, 429]).toContain(status);
    }
  });

  it('case 5 › a new code clears no failures: ten in all lock, from any client', async () => {
    const to = 'case5@example.com';
    const statuses: number[] = [];
    for (const tries of [4, 4, 2]) {
      const { code, id } = await askCode(app, to);
      for (let at = 0; at < tries; at += 1)
        statuses.push((await enter(app, to, notThe(code), at % 2 === 0 ? id : undefined)).status);
    }
    expect(statuses).toEqual(new Array(10).fill(400));
    const before = await inventory(app);
    const refused = await enter(app, to, '000000');
    expect(refused).toMatchObject(locked);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(lockMs / 1000 - 30);
    expect(refused.body.retry_after).toBe(Number(refused.headers['retry-after']));
    expect(await ask(app, to)).toMatchObject(locked);
    expect(await inventory(app)).toEqual(before);
  });

  it('case 5 › each lock lasts twice as long, up to a day; a right code resets it', async () => {
    const to = 'case5.locks@example.com';
    const seconds: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      for (let at = 0; at < 10; at += 1) await enter(app, to, '000000');
      seconds.push(Number((await enter(app, to, '000000')).headers['retry-after']));
      await elapse(app, (seconds.at(-1) ?? 0) * 1000 + 1000);
    }
    const minutes = seconds.map((each) => Math.round(each / 60));
    expect(minutes).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
    const { code, id } = await askCode(app, to);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
    for (let at = 0; at < 10; at += 1) await enter(app, to, '000000');
    expect(Number((await enter(app, to, '000000')).headers['retry-after'])).toBeLessThanOrEqual(
      900,
    );
  });

  it('case 6 › every route counts to the same ten failures', async () => {
    const phone = '+4915112340006';
    const identified = { phone, code: '000000' };
    const paths = [
      '/api/auth/otp/verify',
      '/auth/otp/verify',
      '/auth/otp/verify/',
      '/api/auth/mobile/verify',
      '/auth/mobile/verify/',
      '/api/auth/cmyk/verify',
      '/auth/cmyk/verify',
      '/api/auth/cmyk/phone-only',
      '/api/cmyk/auth/otp/verify',
      '/api/cmyk/auth/otp/verify/',
    ];
    const before = await inventory(app);
    for (const path of paths) expect(await client.post(path, identified)).toMatchObject(invalid);
    for (const path of paths) expect(await client.post(path, identified)).toMatchObject(locked);
    for (const path of [
      '/api/auth/mobile/initiate',
      '/auth/mobile/resend',
      '/api/auth/cmyk/phone',
      '/auth/cmyk/phone-only',
      '/api/cmyk/auth/otp/send',
    ]) {
      expect(await client.post(path, { phone }), path).toMatchObject({ status: 429 });
    }
    expect(await ask(app, phone)).toMatchObject({ status: 429 });
    expect(await inventory(app)).toEqual(before);
  });

  it('case 6 › the form of the sign-in page counts to the same ten failures', async () => {
    const to = 'case6.page@example.com';
    const sent = await client.form('/login', { identifier: to });
    const form = hiddenFieldsOf(sent.text, '/login/code');
    const code = await codeFor(app, to);
    const strangers = { identifier: to, verification_id: '', next: '' };
    const submit = (values: Record<string, string>, given: string) =>
      client.form('/login/code', { ...values, code: given });
    await expectUnchanged(app, async () => {
      for (let at = 0; at < 10; at += 1) {
        const { status } =
          at % 2 === 0
            ? await submit(at < 5 ? strangers : form, notThe(code))
            : await enter(app, to, notThe(code));
        expect(status, `attempt ${at}`).toBe(400);
      }
      expect(await enter(app, to, code)).toMatchObject({ status: 429 });
      const refused = await submit(strangers, code);
      expect(refused.status).toBe(429);
      expect(String(refused.headers['set-cookie'])).not.toContain('svc_session=');
      expect(await client.form('/login', { identifier: to })).toMatchObject({ status: 429 });
    });
    expect(await submit(form, code)).toMatchObject({ status: 303 });
  });

  it("case 21 › a stranger's wrong codes and lock leave the owner's code alone", async () => {
    const to = 'case21@example.com';
    const { code, id } = await askCode(app, to);
    for (let at = 0; at < 12; at += 1) await enter(app, to, notThe(code));
    expect(await enter(app, to, code)).toMatchObject({ status: 429 });
    expect(await sessionsOf(to)).toBe(0);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
    expect(await enter(app, to, code, id)).toMatchObject({ status: 429 });
    expect(await sessionsOf(to)).toBe(1);
  });

  it("case 21 › the id of another verification does not give the owner's attempts", async () => {
    const to = 'case21.other@example.com';
    const foreign = await askCode(app, 'case21.foreign@example.com');
    const { code, id } = await askCode(app, to);
    for (const given of [foreign.id, '', 'x', id.toUpperCase()])
      expect(await enter(app, to, notThe(code), given)).toMatchObject(invalid);
    expect((await storedCode(app, id))?.fields).toMatchObject({ owner: '5', stranger: '1' });
  });
});

describe('a code is valid for one sign-in', () => {
  it('case 7 › a code for one number is wrong for another, and stays valid', async () => {
    const [one, other] = ['+447400123001', '+447400123002'];
    const { code, id } = await askCode(app, one);
    const before = await inventory(app);
    for (const given of [undefined, id])
      expect(
        await client.post('/api/auth/mobile/verify', {
          phone: other,
          code,
          verification_id: given,
        }),
      ).toMatchObject(invalid);
    expect(await inventory(app)).toEqual(before);
    expect(await ownersOf(app, other)).toEqual([]);
    expect(await client.post('/api/auth/mobile/verify', { phone: one, code })).toMatchObject({
      status: 200,
      body: { user: { phone_number: one } },
    });
  });

  it('case 8 › a code sent by email opens nothing by phone', async () => {
    const [email, phone] = ['case8@example.com', '+447400123003'];
    const { code, id } = await askCode(app, email);
    await askCode(app, phone);
    const before = await inventory(app);
    const body = { phone, code: code === '000000' ? '000001' : code, verification_id: id };
    for (const path of [
      '/api/auth/cmyk/verify',
      '/api/auth/mobile/verify',
      '/api/cmyk/auth/otp/verify',
    ])
      expect(await client.post(path, body)).toMatchObject(invalid);
    expect(await inventory(app)).toEqual(before);
    expect(await enter(app, email, code, id)).toMatchObject({ status: 200 });
  });

  it('case 8 › a code for another purpose opens nothing, and the attempt counts', async () => {
    const limits = {
      lifetimeMs: 300_000,
      attempts: 5,
      lock: { failures: 10, lockMs, longestLockMs: 86_400_000 },
      guesses: { max: 100, maxPerDevice: 30, ttlMs: 86_400_000 },
      sends: [],
      prefixPerHour: 20,
      perDay: { all: 100, unknown: 100, firstTime: 100, perAddress: 100 },
      breaker: { sends: 40, minVerifiedRatio: 0, ms: 1000 },
    };
    const codes = createCodeStore(app.stores.redis, limits);
    const one = {
      identifier: 'case8-purpose',
      bucket: 'unknown' as const,
      country: '',
      mac: 'mac of a sign-up',
    };
    await codes.put({
      ...one,
      hasAccount: undefined,
      address: '',
      prefix: '',
      channel: 'email',
      purpose: 'sign_up',
      verificationId: 'case8-purpose-id',
      isMuted: false,
    });
    const owner = { verificationId: 'case8-purpose-id' };
    for (const who of [owner, {}])
      expect(await codes.check({ ...one, ...who, purpose: 'sign_in' })).toEqual({
        outcome: 'wrong',
      });
    expect(await codes.check({ ...one, purpose: 'sign_up', verificationId: 'another-id' })).toEqual(
      { outcome: 'other' },
    );
    expect((await storedCode(app, 'case8-purpose-id'))?.fields).toMatchObject({
      owner: '4',
      stranger: '4',
    });
    expect(await codes.check({ ...one, ...owner, purpose: 'sign_up' })).toEqual({
      outcome: 'right',
    });
  });

  it('case 8 › of several identifiers in a body, the verified one signs in', async () => {
    const [email, identifier] = ['case8.mine@example.com', 'case8.yours@example.com'];
    const { code, id } = await askCode(app, email);
    const verify = (more: object) =>
      client.post('/api/auth/otp/verify', {
        email,
        identifier,
        code,
        verification_id: id,
        ...more,
      });
    await expectUnchanged(app, async () => {
      expect(await verify({ phone: '+447400123004' })).toMatchObject(invalid);
    });
    expect(await verify({})).toMatchObject({ status: 200, body: { user: { email } } });
    expect(await ownersOf(app, identifier)).toEqual([]);
  });

  it('case 9 › a new code invalidates the previous one', async () => {
    const to = 'case9@example.com';
    const first = await askCode(app, to);
    const second = await askCode(app, to);
    const before = await inventory(app);
    const old = first.code === second.code ? notThe(first.code) : first.code;
    for (const id of [undefined, first.id, second.id])
      expect(await enter(app, to, old, id)).toMatchObject(invalid);
    expect(await inventory(app)).toEqual(before);
    expect(await enter(app, to, second.code, second.id)).toMatchObject({ status: 200 });
  });

  it('case 10 › a used code is invalid, with and without its id', async () => {
    const to = 'case10@example.com';
    const { code, id } = await askCode(app, to);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
    const before = await inventory(app);
    for (let at = 0; at < 12; at += 1)
      expect(await enter(app, to, code, at % 2 === 0 ? id : undefined)).toMatchObject(invalid);
    expect(await enter(app, to, notThe(code), id)).toMatchObject(invalid);
    expect(await inventory(app)).toEqual(before);
  });

  it('case 10 › guesses after the code was used count as before', async () => {
    const to = 'case10.guess@example.com';
    const { code, id } = await askCode(app, to);
    await enter(app, to, code, id);
    const responses = await parallel(20, () => enter(app, to, notThe(code), id));
    expect(tally(responses)).toEqual({ 400: 10, 429: 10 });
    expect(await sessionsOf(to)).toBe(1);
  });

  it('case 11 › an expired code gets the response of a wrong one, to the second', async () => {
    const [live, dead] = ['case11.live@example.com', 'case11.dead@example.com'];
    const one = await askCode(app, live);
    const sent = await ask(app, dead);
    expect(sent.body).toMatchObject({ expires_in: 300, code_length: 6, max_attempts: 5 });
    const code = await codeFor(app, dead);
    await elapse(app, 290_000);
    expect(await enter(app, live, one.code, one.id)).toMatchObject({ status: 200 });
    await elapse(app, 11_000);
    const before = await inventory(app);
    const expired = await enter(app, dead, code, String(sent.body.verification_id));
    expect(expired).toMatchObject(invalid);
    const wrong = await enter(app, 'case11.nobody@example.com', '123456');
    expect({ ...expired.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
    expect(await inventory(app)).toEqual(before);
  });
});
