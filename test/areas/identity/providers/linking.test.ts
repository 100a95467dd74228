import { generate } from 'otplib';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { openBearer } from '../../../support/sign-in.ts';
import { me, providerEnv, signInAs, useFakeProvider } from './fake-sign-in.ts';
import { traces } from './idp-app.ts';

const idp = await useFakeProvider({
  ADMIN_EMAILS: 'boss@company.test,boss.by.string@company.test',
});

const identitiesOf = async (id: unknown) =>
  (await idp.app.services.users.get(String(id))).identities.map(
    ({ kind, key }) => `${kind}:${key}`,
  );
const atProvider = (sub: string) => `idp:${idp.provider.issuer} ${sub}`;

describe('case 42: an address that the provider has not verified', () => {
  it.each([false, undefined, 'false', 'False', 'yes', '1', 'true ', '', 1, ['true'], null])(
    'gives no access to the user with that address: email_verified %j',
    async (verified) => {
      const claim = Buffer.from(`${typeof verified} ${String(verified)}`).toString('hex');
      const email = `known-${claim}@company.test`;
      const sub = `stranger-${String(verified)}`;
      const known = await openBearer(idp.app, email);
      const stranger = await idp.me(await idp.signInAs({ sub, email, email_verified: verified }));
      expect(stranger).toMatchObject({ email: null, email_verified: false, amr: ['fed'] });
      expect(stranger.id).not.toBe(known.userId);
      expect(await identitiesOf(known.userId)).toEqual([`email:${email}`]);
      expect(await identitiesOf(stranger.id)).toEqual([atProvider(sub)]);
    },
  );

  it('makes no user an admin', async () => {
    const email = 'boss@company.test';
    const ended = await idp.signInAs({ sub: 'not-the-boss', email, email_verified: false });
    expect(await idp.me(ended)).toMatchObject({ roles: [] });
  });
});

describe('an address that the provider calls verified in a string', () => {
  it.each(['true', 'True', 'TRUE'])('is the address of the account: %j', async (verified) => {
    const email = `string-${Buffer.from(verified).toString('hex')}@company.test`;
    const ended = await idp.signInAs({ sub: `by ${verified}`, email, email_verified: verified });
    expect(await idp.me(ended)).toMatchObject({ email, email_verified: true });
  });

  it('makes a listed user an admin', async () => {
    const email = 'boss.by.string@company.test';
    const ended = await idp.signInAs({ sub: 'string boss', email, email_verified: 'true' });
    expect(await idp.me(ended)).toMatchObject({ roles: ['admin'] });
  });

  it('counts in UserInfo too, and "false" does not', async () => {
    const { scene, issuer } = idp.provider;
    for (const verified of ['True', 'False']) {
      const sub = `informed ${verified}`;
      const email = `informed.${verified}@company.test`;
      scene.metadata = { userinfo_endpoint: `${issuer}/userinfo` };
      scene.userInfo = { sub, email, email_verified: verified };
      const app = await freshApp({ env: providerEnv(issuer) });
      const ended = await signInAs(app, idp.provider, { sub });
      const claims = await me(app, ended.session);
      await app.close();
      expect(claims.email).toBe(verified === 'True' ? email : null);
    }
    scene.metadata = {};
    scene.userInfo = undefined;
  });
});

describe('an address with every character that email clients take', () => {
  it.each(['r&d', 'a/b', 'x=y', "o'neil", 'q?r', 'p%q', '$m'])(
    'is the address of the account: %s',
    async (local) => {
      const email = `${local}@company.test`;
      const ended = await idp.signInWith(`sub of ${local}`, email);
      expect(await idp.me(ended)).toMatchObject({ email });
    },
  );

  it('has its domain in punycode, and is found by either form', async () => {
    const email = 'ada@xn--bcher-kva.example';
    const ended = await idp.signInWith('umlaut', 'ada@bücher.example');
    const user = await idp.me(ended);
    expect(user).toMatchObject({ email });
    expect((await openBearer(idp.app, email)).userId).toBe(user.id);
  });
});

describe('case 42: the subject identifies the user', () => {
  it('a changed address belongs to the same user, and becomes another way to sign in', async () => {
    const before = await idp.me(await idp.signInWith('mover', 'old@company.test', 'Mover'));
    const after = await idp.me(await idp.signInWith('mover', 'new@company.test'));
    expect(after).toMatchObject({ id: before.id, name: 'Mover' });
    expect(await identitiesOf(after.id)).toEqual([
      atProvider('mover'),
      'email:old@company.test',
      'email:new@company.test',
    ]);
  });

  it('an address moved to another subject does not bring the old account along', async () => {
    const owner = await idp.me(await idp.signInWith('owner', 'shared@company.test'));
    await idp.signInWith('other', 'other@company.test');
    const other = await idp.me(await idp.signInWith('other', 'shared@company.test'));
    expect(other.id).not.toBe(owner.id);
    expect(await identitiesOf(other.id)).not.toContain('email:shared@company.test');
  });

  it('a sign-in without an address succeeds', async () => {
    const ended = await idp.signInAs({ sub: 'nameless' });
    expect(ended.status).toBe(200);
    expect(await idp.me(ended)).toMatchObject({ email: null, name: null });
  });

  it.each(['not an address', 'a@b.c\r\nBcc: x@y.test', 7])(
    'an invalid address is ignored: %j',
    async (email) => {
      const ended = await idp.signInAs({ sub: 'strange', email, email_verified: true });
      expect(await idp.me(ended)).toMatchObject({ email: null });
    },
  );
});

describe('an address that both the service and the provider have verified', () => {
  it('belongs to the same user', async () => {
    const known = await openBearer(idp.app, 'Grace@company.test');
    const before = await traces(idp.app);
    const ended = await idp.signInWith('grace', 'GRACE@company.test');
    expect(await idp.me(ended)).toMatchObject({ id: known.userId, email: 'Grace@company.test' });
    expect((await traces(idp.app)).users).toBe(before.users);
    const identities = ['email:grace@company.test', atProvider('grace')];
    expect(await identitiesOf(known.userId)).toEqual(identities);
    const { data } = await idp.app.services.audit.list({ action: 'identity.linked', limit: 5 });
    expect(data[0]).toMatchObject({ actor: { id: known.userId }, details: { kinds: ['idp'] } });
  });

  it('signs in with a code after a sign-in at the provider', async () => {
    const { id } = await idp.me(await idp.signInWith('linus', 'linus@company.test'));
    expect((await openBearer(idp.app, 'linus@company.test')).userId).toBe(id);
  });

  it('makes a listed user an admin at the first sign-in', async () => {
    const ended = await idp.signInWith('boss', 'Boss@company.test');
    expect(await idp.me(ended)).toMatchObject({ roles: ['admin'] });
  });

  it('of a disabled user opens no session', async () => {
    const known = await openBearer(idp.app, 'gone@company.test');
    await idp.app.services.users.setDisabled(known.userId, true);
    const { users } = await traces(idp.app);
    const ended = await idp.signInWith('gone', 'gone@company.test');
    expect(ended).toBeProblem(403, 'auth.user_disabled');
    expect(ended.session).toBeUndefined();
    expect((await traces(idp.app)).users).toBe(users);
  });

  it('creates one user for ten concurrent sign-ins', async () => {
    const before = await traces(idp.app);
    const signIns = Array.from({ length: 10 }, () => idp.signInWith('many', 'many@company.test'));
    for (const { status } of await Promise.all(signIns)) expect(status).toBe(200);
    expect(await traces(idp.app)).toMatchObject({
      users: before.users + 1,
      identities: before.identities + 2,
    });
  });
});

describe('case 45: a user with an authenticator app', () => {
  const email = 'two@company.test';
  const signIn = () => idp.signInWith('two-factors', email);
  let secret: string;
  const totp = (aheadSeconds = 0) =>
    generate({ secret, epoch: Math.floor(Date.now() / 1000) + aheadSeconds });
  beforeAll(async () => {
    const { id } = await idp.me(await signIn());
    const { secondFactor } = idp.app.services;
    ({ secret } = await secondFactor.enrolTotp(String(id), email));
    const from = { address: '127.0.0.1', requestId: 'test' };
    await secondFactor.confirmTotp(String(id), await totp(), from);
  });

  it('gets no session from the provider alone', async () => {
    const { sessions } = await traces(idp.app);
    expect(await signIn()).toMatchObject({
      status: 200,
      session: undefined,
      body: { ok: false, mfa_required: true, mfa_methods: ['totp', 'backup_code'] },
    });
    expect((await traces(idp.app)).sessions).toBe(sessions);
  });

  it('gets a form for the second factor, which completes the sign-in', async () => {
    idp.provider.scene.subject = { sub: 'two-factors', email, email_verified: true };
    const { url, cookie } = await idp.begin('?next=/there');
    const page = await idp.end(idp.provider.authorize(url), cookie, { accept: 'text/html' });
    expect(page.status).toBe(200);
    expect(page.headers).not.toHaveProperty('set-cookie');
    expect(page.location).toBeUndefined();
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const [, token = ''] = /name="mfa_token" value="([^"]+)"/.exec(page.text) ?? [];
    // The current code has already been used to enrol the app.
    const values = { mfa_token: token, code: await totp(30), next: '/there' };
    const done = await new TestClient(idp.app).form('/login/second-factor', values);
    expect(done).toMatchObject({ status: 303, headers: { location: '/there' } });
    const session = /svc_session=([^;]*)/.exec(String(done.headers['set-cookie']))?.[1];
    expect(await me(idp.app, session)).toMatchObject({
      email,
      acr: 'aal2',
      amr: ['fed', 'otp', 'mfa'],
    });
  });
});
