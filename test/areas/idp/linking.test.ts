import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { openBearer } from '../../support/sign-in.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';
import { begin, me, signInAs } from './fake-sign-in.ts';
import { traces } from './idp-app.ts';
import { client } from './real-provider.ts';

let provider: FakeProvider;
let app: FreshApp;
beforeAll(async () => {
  provider = await startFakeProvider();
  app = await freshApp({
    env: {
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: client.id,
      IDP_CLIENT_SECRET: client.secret,
      ADMIN_EMAILS: 'boss@company.test',
    },
  });
  await app.services.queues.start();
}, 60_000);
afterAll(async () => {
  await app.close();
  await provider.close();
});

const identitiesOf = async (id: unknown) =>
  (await app.services.users.get(String(id))).identities.map(({ kind, key }) => `${kind}:${key}`);

describe('case 42: an address that the provider has not verified', () => {
  it.each([false, undefined, 'true', 1])(
    'email_verified %j gives no access to the user with that address',
    async (verified) => {
      const email = `known-${String(verified)}@company.test`;
      const known = await openBearer(app, email);
      const { session } = await signInAs(app, provider, {
        sub: `stranger-${String(verified)}`,
        email,
        email_verified: verified,
      });
      const stranger = await me(app, session);
      expect(stranger).toMatchObject({ email: null, email_verified: false, amr: ['fed'] });
      expect(stranger.id).not.toBe(known.userId);
      expect(await identitiesOf(known.userId)).toEqual([`email:${email}`]);
      expect(await identitiesOf(stranger.id)).toEqual([
        `idp:${provider.issuer} stranger-${String(verified)}`,
      ]);
    },
  );

  it('makes no user an admin', async () => {
    const { session } = await signInAs(app, provider, {
      sub: 'not-the-boss',
      email: 'boss@company.test',
      email_verified: false,
    });
    expect(await me(app, session)).toMatchObject({ roles: [] });
  });
});

describe('case 42: the subject identifies the user', () => {
  it('a changed address belongs to the same user, and becomes another way to sign in', async () => {
    const first = await signInAs(app, provider, {
      sub: 'mover',
      email: 'old@company.test',
      email_verified: true,
      name: 'Mover',
    });
    const second = await signInAs(app, provider, {
      sub: 'mover',
      email: 'new@company.test',
      email_verified: true,
    });
    const [before, after] = [await me(app, first.session), await me(app, second.session)];
    expect(after).toMatchObject({ id: before.id, name: 'Mover' });
    expect(await identitiesOf(after.id)).toEqual([
      `idp:${provider.issuer} mover`,
      'email:old@company.test',
      'email:new@company.test',
    ]);
  });

  it('an address moved to another subject does not bring the old account along', async () => {
    const owner = await me(
      app,
      (
        await signInAs(app, provider, {
          sub: 'owner',
          email: 'shared@company.test',
          email_verified: true,
        })
      ).session,
    );
    await signInAs(app, provider, {
      sub: 'other',
      email: 'other@company.test',
      email_verified: true,
    });
    const other = await me(
      app,
      (
        await signInAs(app, provider, {
          sub: 'other',
          email: 'shared@company.test',
          email_verified: true,
        })
      ).session,
    );
    expect(other.id).not.toBe(owner.id);
    expect(await identitiesOf(other.id)).not.toContain('email:shared@company.test');
  });

  it('a sign-in without an address succeeds', async () => {
    const { session, status } = await signInAs(app, provider, { sub: 'nameless' });
    expect(status).toBe(200);
    expect(await me(app, session)).toMatchObject({ email: null, name: null });
  });

  it('an invalid address is ignored', async () => {
    for (const email of ['not an address', 'a@b.c\r\nBcc: x@y.test', 7]) {
      expect(
        await me(
          app,
          (await signInAs(app, provider, { sub: 'strange', email, email_verified: true })).session,
        ),
      ).toMatchObject({ email: null });
    }
  });
});

describe('an address that both the service and the provider have verified', () => {
  it('belongs to the same user', async () => {
    const known = await openBearer(app, 'Grace@company.test');
    const before = await traces(app);
    const { session } = await signInAs(app, provider, {
      sub: 'grace',
      email: 'GRACE@company.test',
      email_verified: true,
    });
    expect(await me(app, session)).toMatchObject({ id: known.userId, email: 'Grace@company.test' });
    expect((await traces(app)).users).toBe(before.users);
    expect(await identitiesOf(known.userId)).toEqual([
      'email:grace@company.test',
      `idp:${provider.issuer} grace`,
    ]);
    const { data } = await app.services.audit.list({ action: 'identity.linked', limit: 5 });
    expect(data[0]).toMatchObject({ actor: { id: known.userId }, details: { kinds: ['idp'] } });
  });

  it('signs in with a code after a sign-in at the provider', async () => {
    const { session } = await signInAs(app, provider, {
      sub: 'linus',
      email: 'linus@company.test',
      email_verified: true,
    });
    const { id } = await me(app, session);
    expect((await openBearer(app, 'linus@company.test')).userId).toBe(id);
  });

  it('makes a listed user an admin at the first sign-in', async () => {
    const { session } = await signInAs(app, provider, {
      sub: 'boss',
      email: 'Boss@company.test',
      email_verified: true,
    });
    expect(await me(app, session)).toMatchObject({ roles: ['admin'] });
  });

  it('of a disabled user opens no session', async () => {
    const known = await openBearer(app, 'gone@company.test');
    await app.services.users.setDisabled(known.userId, true);
    const before = await traces(app);
    const ended = await signInAs(app, provider, {
      sub: 'gone',
      email: 'gone@company.test',
      email_verified: true,
    });
    expect(ended).toMatchObject({
      status: 403,
      session: undefined,
      body: { code: 'auth.user_disabled' },
    });
    expect((await traces(app)).users).toBe(before.users);
  });

  it('creates one user for ten concurrent sign-ins', async () => {
    const before = await traces(app);
    const subject = { sub: 'many', email: 'many@company.test', email_verified: true };
    const ended = await Promise.all(
      Array.from({ length: 10 }, () => signInAs(app, provider, subject)),
    );
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await traces(app)).toMatchObject({
      users: before.users + 1,
      identities: before.identities + 2,
    });
  });
});

describe('case 45: a user with an authenticator app', () => {
  const subject = { sub: 'two-factors', email: 'two@company.test', email_verified: true };
  let secret: string;
  beforeAll(async () => {
    const { id } = await me(app, (await signInAs(app, provider, subject)).session);
    const requestSource = { address: '127.0.0.1', requestId: 'test' };
    ({ secret } = await app.services.secondFactor.enrolTotp(String(id), 'two@company.test'));
    await app.services.secondFactor.confirmTotp(
      String(id),
      await generate({ secret, epoch: Math.floor(Date.now() / 1000) }),
      requestSource,
    );
  });

  it('gets no session from the provider alone', async () => {
    const before = await traces(app);
    const ended = await signInAs(app, provider, subject);
    expect(ended).toMatchObject({
      status: 200,
      session: undefined,
      body: { ok: false, mfa_required: true, mfa_methods: ['totp', 'backup_code'] },
    });
    expect((await traces(app)).sessions).toBe(before.sessions);
  });

  it('gets a form for the second factor, which completes the sign-in', async () => {
    provider.scene.subject = subject;
    const { url, cookie } = await begin(app, '?next=/there');
    const page = await app.http.inject({
      url: `/api/auth/idp/callback?${provider.authorize(url).toString()}`,
      headers: { cookie, accept: 'text/html' },
    });
    expect({
      status: page.statusCode,
      'set-cookie': page.headers['set-cookie'],
      location: page.headers.location,
    }).toEqual({ status: 200, 'set-cookie': undefined, location: undefined });
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const token = /name="mfa_token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    // The current code has already been used to enrol the app.
    const code = await generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 });
    const done = await app.http.inject({
      method: 'POST',
      url: '/login/second-factor',
      payload: new URLSearchParams({ mfa_token: token, code, next: '/there' }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
    });
    expect({ status: done.statusCode, location: done.headers.location }).toEqual({
      status: 303,
      location: '/there',
    });
    const session = /svc_session=([^;]*)/.exec(String(done.headers['set-cookie']))?.[1];
    expect(await me(app, session)).toMatchObject({
      email: 'two@company.test',
      acr: 'aal2',
      amr: ['fed', 'otp', 'mfa'],
    });
  });
});
