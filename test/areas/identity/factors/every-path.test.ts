import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { askCode, elapse, enter, inventory, ownersOf, storedCode } from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';
import { codeFor, type SignedIn, signInByEmail } from '../../../support/sign-in.ts';
import { hiddenFieldsOf, titleOf } from '../../../surfaces/pages/support.ts';
import { createPeople } from './people.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await sharedApp('plain', { clock });
const client = new TestClient(app);

const invalid = { status: 400, body: { code: 'otp.invalid' } };
const locked = { status: 429, body: { code: 'otp.too_many_attempts' } };
const { addApp, newBackupCodes, sessionsOf, totp } = createPeople(app, clock.now);
const verify = (body: object) => client.post('/api/auth/otp/verify', body);

interface Person extends SignedIn {
  email: string;
  phone: string;
  secret: string;
  backupCodes: string[];
}

let people = 0;

/** A user with an address, a number, an authenticator app and ten backup codes. */
async function person(): Promise<Person> {
  const [email, phone] = [`every-path-${(people += 1)}@example.com`, `+44740012350${people}`];
  const signedIn = await signInByEmail(app, email);
  await app.services.users.link(signedIn.userId, { kind: 'phone', key: phone, value: phone });
  const backupCodes = await newBackupCodes(signedIn.bearer);
  const secret = await addApp(signedIn.bearer);
  offset += 30_000;
  return { ...signedIn, email, phone, secret, backupCodes };
}

async function mfaTokenOf({ email }: Person): Promise<string> {
  const { code, id } = await askCode(app, email);
  return String((await enter(app, email, code, id)).body.mfa_token);
}

const byBackupCode = (
  { userId }: Pick<Person, 'userId'>,
  code: string,
  body: object = {},
  headers: Record<string, string> = {},
) =>
  client.post('/api/auth/backup-codes/verify', body, {
    query: { code, user_id: userId },
    headers,
  });

describe('a user with a second factor', () => {
  it('case 45 › gets no session with a one-time code alone, on any path', async () => {
    const { email, phone, userId } = await person();
    const before = await inventory(app);
    for (const [url, to, name] of [
      ['/api/auth/otp/verify', email, 'identifier'],
      ['/auth/otp/verify/', email, 'email'],
      ['/auth/otp/verify', phone, 'phone'],
      ['/api/auth/mobile/verify', phone, 'phone'],
      ['/auth/mobile/verify', email, 'identifier'],
      ['/api/auth/cmyk/verify', phone, 'phone'],
      ['/auth/cmyk/verify/', phone, 'phone'],
      ['/api/auth/cmyk/phone-only', phone, 'phone'],
      ['/auth/cmyk/phone-only', phone, 'phone'],
      ['/api/cmyk/auth/otp/verify', phone, 'phone'],
    ] as const) {
      const { code, id } = await askCode(app, to);
      const response = await client.post(url, { [name]: to, code, verification_id: id });
      expect(response, url).toMatchObject({
        status: 200,
        body: {
          status: 'mfa_required',
          mfa_required: true,
          access_token: null,
          refresh_token: null,
          session_id: null,
          user: null,
        },
      });
      expect(response.headers).not.toHaveProperty('set-cookie');
      expect(response.text).not.toMatch(/svc[sar]_/);
      await elapse(app, 3 * 3_600_000);
    }
    const sent = await client.form('/login', { identifier: email });
    const values = hiddenFieldsOf(sent.text, '/login/code');
    const code = await codeFor(app, email, { after: 4 });
    const page = await client.form('/login/code', { ...values, code });
    expect(page.status).toBe(200);
    expect(titleOf(page.text)).toBe('Two-factor authentication');
    expect(String(page.headers['set-cookie'])).not.toContain('svc_session=');
    const { sessions, users, identities } = before;
    expect(await inventory(app)).toMatchObject({ sessions, users, identities });
    expect(await sessionsOf(userId)).toBe(1);
  });

  it('case 46 › has one lock for all codes after the first factor, on every route', async () => {
    const one = await person();
    const token = await mfaTokenOf(one);
    const before = await inventory(app);
    const wrong = [
      () => verify({ mfa_token: token, code: '000000' }),
      () => client.post('/auth/mobile/verify', { mfa_token: token, code: 'AAAA-AAAA-AAAA-AAAA' }),
      () => byBackupCode(one, '0000-0000-0000-0000', { mfa_token: token }),
      () => byBackupCode(one, 'not-a-code', { mfa_token: token }),
      () => byBackupCode(one, '000000', { mfa_token: token }),
    ];
    for (let at = 0; at < 10; at += 1)
      expect(await wrong[at % wrong.length]?.()).toMatchObject(invalid);
    const [backupCode = '', other = ''] = one.backupCodes;
    const refused = [
      await verify({ mfa_token: token, code: await totp(one.secret) }),
      await verify({ mfa_token: token, code: backupCode }),
      await byBackupCode(one, backupCode, { mfa_token: token }),
      await wrong[0]?.(),
    ];
    for (const response of refused) expect(response).toMatchObject(locked);
    expect(await inventory(app)).toEqual(before);
    await app.stores.redis.del(`attempts:{${one.userId}}:pending:lock`);
    // The refusals used up no code, and a right one resets the count.
    expect(await byBackupCode(one, backupCode)).toMatchObject({ status: 200 });
    for (let at = 0; at < 9; at += 1)
      expect(await byBackupCode(one, '0000-0000-0000-0000')).toMatchObject(invalid);
    expect(await byBackupCode(one, other)).toMatchObject({ status: 200 });
  });

  it('case 46 › is locked for the usual time, which doubles each time', async () => {
    const one = await person();
    const seconds: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      for (let at = 0; at < 10; at += 1) await byBackupCode(one, '0000-0000-0000-0000');
      seconds.push(Number((await byBackupCode(one, '0000-0000-0000-0000')).headers['retry-after']));
      await app.stores.redis.del(`attempts:{${one.userId}}:stranger:lock`);
    }
    expect(seconds.map((each) => Math.round(each / 60))).toEqual([
      15, 30, 60, 120, 240, 480, 960, 1440, 1440,
    ]);
  });

  it("case 46 › can't sign in with another user's backup code or token", async () => {
    const [one, other] = [await person(), await person()];
    const [mine = ''] = one.backupCodes;
    const [theirs = ''] = other.backupCodes;
    const token = await mfaTokenOf(one);
    const before = await inventory(app);
    const responses = [
      await byBackupCode(one, theirs),
      await byBackupCode(other, mine),
      await byBackupCode(one, mine, { mfa_token: await mfaTokenOf(other) }),
      await byBackupCode(other, theirs, { mfa_token: token }),
    ];
    for (const response of responses) expect(response).toMatchObject(invalid);
    expect({ ...(await inventory(app)), messages: 0 }).toEqual({ ...before, messages: 0 });
    expect(await byBackupCode(one, mine, { mfa_token: token })).toMatchObject({ status: 200 });
    expect(await byBackupCode(other, theirs)).toMatchObject({ status: 200 });
  });
});

describe('codes of another purpose', () => {
  it('case 8 › a code by email or SMS is no second factor and stays usable', async () => {
    const one = await person();
    const token = await mfaTokenOf(one);
    for (const to of [one.email, one.phone]) {
      const { code, id } = await askCode(app, to);
      const before = await inventory(app);
      for (const url of ['/api/auth/otp/verify', '/auth/mobile/verify'])
        expect(
          await client.post(url, { mfa_token: token, code, identifier: to, verification_id: id }),
        ).toMatchObject(invalid);
      expect(await byBackupCode(one, code, { mfa_token: token })).toMatchObject(invalid);
      expect(await inventory(app)).toEqual(before);
      expect((await storedCode(app, id))?.fields).toMatchObject({ owner: '5', stranger: '5' });
      expect(await enter(app, to, code, id)).toMatchObject({
        status: 200,
        body: { mfa_required: true, access_token: null },
      });
    }
  });

  it('case 8 › app codes and backup codes are no first factor', async () => {
    const one = await person();
    const [backupCode = ''] = one.backupCodes;
    const { id } = await askCode(app, one.email);
    const before = await inventory(app);
    expect(await enter(app, one.email, await totp(one.secret), id)).toMatchObject(invalid);
    expect(await enter(app, one.email, backupCode, id)).toMatchObject({ status: 422 });
    expect(await inventory(app)).toEqual(before);
    expect(await byBackupCode(one, backupCode)).toMatchObject({ status: 200 });
    expect(await ownersOf(app, one.email)).toEqual([one.userId]);
  });
});

describe("sources that have proved less can't lock out those that have proved more", () => {
  const wrongCode = '0000-0000-0000-0000';
  const tokenOf = async ({ refreshToken }: Pick<Person, 'refreshToken'>) => {
    const url = '/api/auth/token/refresh';
    return String((await client.post(url, { refresh_token: refreshToken })).body.device_token);
  };
  const asDevice = (token: string, person: Person, code: string, body: object = {}) =>
    byBackupCode(person, code, body, { 'device-token': token });
  async function wrongTen(call: () => Promise<{ status: number }>): Promise<void> {
    for (let at = 0; at < 10; at += 1) expect(await call()).toMatchObject(invalid);
    expect(await call()).toMatchObject(locked);
  }

  it('strangers lock only strangers, not pending sign-ins, known devices or sessions', async () => {
    const one = await person();
    const [first = '', second = ''] = one.backupCodes;
    const token = await tokenOf(one);
    await wrongTen(() => byBackupCode(one, wrongCode));
    expect(await byBackupCode(one, first)).toMatchObject(locked);
    expect(
      await verify({
        mfa_token: await mfaTokenOf(one),
        code: await totp(one.secret),
      }),
    ).toMatchObject({ status: 200 });
    expect(await asDevice(token, one, first)).toMatchObject({ status: 200 });
    expect(await byBackupCode(one, second, { mfa_token: await mfaTokenOf(one) })).toMatchObject({
      status: 200,
    });
    expect(await client.get('/api/auth/me', { headers: one.bearer })).toMatchObject({
      status: 200,
    });
    expect(await byBackupCode(one, first)).toMatchObject(locked);
  });

  it('the first factor alone locks its equals and strangers, not known devices', async () => {
    const one = await person();
    const [code = ''] = one.backupCodes;
    const token = await tokenOf(one);
    const pending = await mfaTokenOf(one);
    await elapse(app, 120_000);
    await wrongTen(() => verify({ mfa_token: pending, code: '000000' }));
    expect(await byBackupCode(one, code, { mfa_token: await mfaTokenOf(one) })).toMatchObject(
      locked,
    );
    expect(await asDevice(token, one, code, { mfa_token: await mfaTokenOf(one) })).toMatchObject({
      status: 200,
    });
  });

  it('a known device has its own ten attempts, with or without the first factor', async () => {
    const one = await person();
    const [code = ''] = one.backupCodes;
    const [token, pending] = [await tokenOf(one), await mfaTokenOf(one)];
    let at = 0;
    await wrongTen(() =>
      asDevice(token, one, wrongCode, (at += 1) % 2 === 0 ? { mfa_token: pending } : {}),
    );
    const again = await tokenOf(await signInAgain(one));
    expect(await asDevice(again, one, wrongCode)).toMatchObject(invalid);
    expect(await byBackupCode(one, code, { mfa_token: pending })).toMatchObject({ status: 200 });
  });

  async function signInAgain(one: Person) {
    const { body } = await verify({
      mfa_token: await mfaTokenOf(one),
      code: await totp(one.secret),
    });
    return { refreshToken: String(body.refresh_token) };
  }

  it('a device known for another user is a stranger', async () => {
    const [one, other] = [await person(), await person()];
    const token = await tokenOf(other);
    await wrongTen(() => byBackupCode(one, wrongCode));
    expect(await asDevice(token, one, one.backupCodes[0] ?? '')).toMatchObject(locked);
  });
});
