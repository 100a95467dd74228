import { afterAll, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../../src/config.ts';
import { liveSettingsOf } from '../../../../src/platform/settings/live-settings.ts';
import { ask, enter, inventory, me, ownersOf } from '../../../support/abuse.ts';
import { asAdmin, freshApp, type FreshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { addUnverified, codeFor, openBearer, post } from '../../../support/sign-in.ts';
import { hiddenFieldsOf } from '../../../surfaces/pages/support.ts';
import { startFakeProvider } from '../providers/fake-provider.ts';
import { signInAs } from '../providers/fake-sign-in.ts';
import { client } from '../providers/real-provider.ts';

const provider = await startFakeProvider();
const idp = {
  IDP_ISSUER: provider.issuer,
  IDP_CLIENT_ID: client.id,
  IDP_CLIENT_SECRET: client.secret,
};
const invited = await freshApp({
  env: { ...idp, SIGN_UP: 'invitation', ADMIN_EMAILS: 'boss@company.test', OTP_LIMITS: 'off' },
});
const listed = await freshApp({
  env: { ...idp, SIGN_UP: 'domain', SIGN_UP_DOMAINS: 'company.test,*.company.test' },
});
await invited.services.queues.start();
await listed.services.queues.start();
afterAll(async () => {
  await invited.close();
  await listed.close();
  await provider.close();
});

let count = 0;
const newAddress = (host = 'elsewhere.test') => `person-${(count += 1)}@${host}`;
const newNumber = () => `+1415555${String(1000 + (count += 1))}`;

const letIn = (app: FreshApp, kind: 'email' | 'phone', key: string) =>
  app.services.users.signInAs({ kind, key, value: key }, { isVouched: true });
const invite = (app: FreshApp, email: string, role = 'none') =>
  post(app, '/api/v1/invitations', { email, role }, asAdmin);

const comparable = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  headers: Object.keys(headers).sort(),
  body: { ...body, request_id: '', verification_id: '', expires_at: '', to: '' },
});

describe('SIGN_UP=invitation', () => {
  it.each([
    ['/api/auth/email/initiate', 'email'],
    ['/auth/email/initiate', 'email'],
    ['/api/auth/mobile/initiate', 'phone'],
    ['/api/auth/mobile/resend', 'phone'],
    ['/api/auth/cmyk/phone', 'phone'],
    ['/api/auth/cmyk/phone-only', 'phone'],
    ['/api/cmyk/auth/otp/send', 'phone'],
    ['/auth/mobile/initiate', 'phone'],
  ] as const)('%s answers alike, and sends a code to existing people only', async (url, kind) => {
    const create = () => (kind === 'email' ? newAddress() : newNumber());
    const [known, unknown] = [create(), create()];
    await letIn(invited, kind, known);
    const first = await post(invited, url, { [kind]: known });
    const second = await post(invited, url, { [kind]: unknown });
    expect(first.status).toBe(200);
    expect(comparable(second)).toEqual(comparable(first));
    await codeFor(invited, known);
    await invited.settled();
    expect(invited.services.outbox.list(unknown)).toEqual([]);
    expect(await ownersOf(invited, unknown)).toEqual([]);
  });

  it('the login page shows the same form, and sends nothing to strangers', async () => {
    const [known, unknown] = [newAddress(), newAddress()];
    await letIn(invited, 'email', known);
    const pages = [];
    for (const identifier of [known, unknown]) {
      const page = await new TestClient(invited).form('/login', { identifier });
      const { verification_id: id = '' } = hiddenFieldsOf(page.text, '/login/code');
      expect(page.status).toBe(200);
      pages.push(page.text.replaceAll(identifier, 'ADDRESS').replaceAll(id, 'ID'));
    }
    expect(pages[1]).toBe(pages[0]);
    await codeFor(invited, known);
    await invited.settled();
    expect(invited.services.outbox.list(unknown)).toEqual([]);
  });

  it('requests for codes take the same time for known and unknown addresses', async () => {
    const rounds = 40;
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    const addresses = Array.from({ length: rounds }, () => ({
      known: newAddress(),
      unknown: newAddress(),
    }));
    for (const { known } of addresses) await letIn(invited, 'email', known);
    for (const [at, pair] of addresses.entries())
      for (const who of at % 2 === 0
        ? (['known', 'unknown'] as const)
        : (['unknown', 'known'] as const)) {
        const began = performance.now();
        expect((await ask(invited, pair[who])).status).toBe(200);
        times[who].push(performance.now() - began);
      }
    const quartile = (values: number[]) =>
      [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
    const gap = Math.abs(quartile(times.known) - quartile(times.unknown));
    expect(gap).toBeLessThan(Math.max(10, 0.05 * quartile(times.known)));
    await invited.settled();
  }, 30_000);

  it('an invitation revoked between code and sign-in lets nobody in', async () => {
    const email = newAddress();
    const { body } = await invite(invited, email);
    const sent = await ask(invited, email);
    await vi.waitFor(() => expect(invited.services.outbox.list(email).length).toBe(2));
    const code = await codeFor(invited, email);
    const by = { actor: { kind: 'api_key', id: 'env' } } as const;
    await invited.services.invitations.revoke(String(body.id), by);
    const before = await inventory(invited);
    const refused = await enter(invited, email, code, String(sent.body.verification_id));
    expect(refused).toMatchObject({ status: 403, body: { code: 'users.sign_up_closed' } });
    expect(refused.body.detail).toContain('Ask an admin to invite');
    expect(await inventory(invited)).toEqual(before);
    expect(await ownersOf(invited, email)).toEqual([]);
    const { data } = await invited.services.audit.list({
      action: 'user.sign_up_refused',
      limit: 9,
    });
    expect(data[0]).toMatchObject({ outcome: 'denied', reason: 'users.sign_up_closed' });
  });

  it('a pending invitation lets its address in by code, without the role', async () => {
    const email = newAddress();
    await invite(invited, email, 'admin');
    await vi.waitFor(() => expect(invited.services.outbox.list(email).length).toBe(1));
    const { userId } = await openBearer(invited, email);
    expect((await invited.services.users.get(userId)).roles).toEqual([]);
  });

  it('a person whom an admin has created gets a code, and signs in to that account', async () => {
    const email = newAddress();
    const { body } = await post(invited, '/api/v1/users', { email }, asAdmin);
    expect((await openBearer(invited, email)).userId).toBe(body.id);
  });

  it('an administrator’s address of the settings enters, and is an admin', async () => {
    const { userId } = await openBearer(invited, 'boss@company.test');
    expect((await invited.services.users.get(userId)).roles).toEqual(['admin']);
  });

  it.each([
    ['otp', newAddress()],
    ['dev', newAddress()],
    ['setup', newAddress()],
  ])('a proof by %s alone creates no account', async (method, email) => {
    const before = await inventory(invited);
    const identity = { kind: 'email', key: email, value: email } as const;
    const from = { begun: Date.now(), client: 'curl', address: '203.0.113.9', requestId: 'r' };
    const signIn = invited.services.signIn.asBearer({ identity, amr: [method], ...from });
    await expect(signIn).rejects.toMatchObject({ code: 'users.sign_up_closed' });
    const bypass = invited.services.devBypass.signIn(identity, undefined, from);
    await expect(bypass).rejects.toMatchObject({ code: 'users.sign_up_closed' });
    expect(await inventory(invited)).toEqual(before);
  });

  it('federated merge: an unverified address of the provider is no invitation', async () => {
    const email = newAddress();
    await invite(invited, email, 'admin');
    const before = await inventory(invited);
    const claims = { sub: 'unverified-invited', email, email_verified: false };
    const stranger = await signInAs(invited, provider, claims);
    expect(stranger).toMatchObject({ status: 403, body: { code: 'users.sign_up_closed' } });
    expect(stranger.session).toBeUndefined();
    expect((await inventory(invited)).users).toBe(before.users);
    const proved = { sub: 'verified-invited', email, email_verified: true };
    const guest = await signInAs(invited, provider, proved);
    expect(guest.status).toBe(200);
  });

  it('sign-up is closed, in the same way for every address', async () => {
    const known = newAddress();
    await letIn(invited, 'email', known);
    const client = new TestClient(invited);
    for (const email of [known, newAddress(), 'boss@company.test'])
      expect(await client.post('/signup', { email })).toBeProblem(403, 'users.sign_up_closed');
    const { text } = await client.page('/signup');
    expect(text).toContain('You need an invitation to sign up here.');
    expect((await client.page('/login')).text).not.toContain('href="/signup"');
  });
});

describe('SIGN_UP=domain', () => {
  it.each(['company.test', 'berlin.company.test'])('lets addresses of %s in', async (host) => {
    const { userId } = await openBearer(listed, newAddress(host));
    expect(userId).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([
    newAddress('company.test.evil.test'),
    newAddress('notcompany.test'),
    newAddress('xn--cmpany-jua.test'),
    newNumber(),
  ])('look-alike: sends nothing to %s, and creates no account', async (identifier) => {
    const known = newAddress('company.test');
    await letIn(listed, 'email', known);
    expect((await ask(listed, identifier)).status).toBe((await ask(listed, known)).status);
    await codeFor(listed, known);
    await listed.settled();
    expect(listed.services.outbox.list(identifier)).toEqual([]);
    expect(await ownersOf(listed, identifier)).toEqual([]);
  });

  it('refuses an account of the provider whose address of the domain is unverified', async () => {
    const subject = { sub: 'unverified', email: newAddress('company.test') };
    const refused = await signInAs(listed, provider, { ...subject, email_verified: false });
    expect(refused).toMatchObject({ status: 403, body: { code: 'users.sign_up_closed' } });
    const known = await signInAs(listed, provider, { ...subject, email_verified: true });
    expect(known.status).toBe(200);
  });

  it('never shuts out people who have an account', async () => {
    const email = newAddress();
    const { user } = await letIn(listed, 'email', email);
    expect((await openBearer(listed, email)).userId).toBe(user.id);
  });

  it('/signup takes addresses of the domains only', async () => {
    const taken = await post(listed, '/signup', { email: newAddress('company.test') });
    const refused = await post(listed, '/signup', { email: newAddress() });
    expect(taken.status).toBe(200);
    expect(refused.status).toBe(403);
  });
});

describe('SIGN_UP=open', () => {
  it('is the default', () => {
    expect(liveSettingsOf(parseConfig({})).signUp).toBe('open');
  });

  it.each([
    [{ SIGN_UP: 'domain' }, 'SIGN_UP_DOMAINS: is missing'],
    [{ SIGN_UP_DOMAINS: 'company.test' }, 'has no effect without SIGN_UP=domain'],
    [{ SIGN_UP: 'domain', SIGN_UP_DOMAINS: 'com' }, 'must list domains'],
    [{ SIGN_UP: 'closed' }, 'SIGN_UP'],
  ])('%j is refused at the start', (env, message) => {
    expect(() => parseConfig(env)).toThrow(message);
  });
});

describe('trojan identifier', () => {
  it('at the first proof, what others entered without proof is dropped', async () => {
    const email = newAddress('company.test');
    const attacker = await letIn(listed, 'phone', newNumber());
    await addUnverified(listed, attacker.user.id, email);
    const victim = await openBearer(listed, email);
    expect(victim.userId).not.toBe(attacker.user.id);
    expect(await ownersOf(listed, email)).toEqual([victim.userId]);
  });

  it('so it is when the address is linked to an account', async () => {
    const email = newAddress('company.test');
    const attacker = await letIn(listed, 'phone', newNumber());
    await addUnverified(listed, attacker.user.id, email);
    const { user } = await letIn(listed, 'phone', newNumber());
    const identity = { kind: 'email', key: email, value: email } as const;
    expect(await listed.services.users.link(user.id, identity)).toBe(true);
    expect(await ownersOf(listed, email)).toEqual([user.id]);
  });

  it('unexpired session: no session exists before an address is verified', async () => {
    const email = newAddress('company.test');
    const sent = await ask(listed, email);
    const before = await inventory(listed);
    const wrong = await enter(listed, email, '000000', String(sent.body.verification_id));
    expect(wrong.status).toBe(400);
    const bearer = { authorization: `Bearer ${String(sent.body.verification_id)}` };
    expect((await me(listed, bearer)).status).toBe(401);
    const after = await inventory(listed);
    expect(after).toMatchObject({ users: before.users, sessions: before.sessions });
  });
});
