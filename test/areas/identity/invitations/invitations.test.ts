import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import { inventory, me, sqlContent } from '../../../support/abuse.ts';
import { atOnce, oneOf } from '../../../support/abuse-tables.ts';
import { asAdmin, freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { hiddenFieldsOf, titleOf } from '../../../surfaces/pages/support.ts';
import { redisContent } from '../../comms/redis-content.ts';
import { saying } from '../../../support/responses.ts';
import { openCookie } from '../../../support/sign-in.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await freshApp({
  clock,
  env: { BASE_URL: 'http://127.0.0.1:3000', SIGN_UP: 'invitation', APP_NAME: 'Acme' },
});
await app.services.queues.start();
const client = new TestClient(app);
const admin = client.as(asAdmin).at('/api/v1/invitations');
beforeEach(() => {
  offset = 0;
});

let count = 0;
const newAddress = () => `guest-${(count += 1)}@example.com`;

/** A user with a session in a browser. */
async function userOf(email: string, roles: readonly ('admin' | 'viewer')[] = []) {
  const identity = { kind: 'email', key: email, value: email } as const;
  const { user } = await app.services.users.signInAs(identity, { isVouched: true });
  await app.services.users.setRoles(user.id, roles);
  return openCookie(app, email);
}

async function tokenFor(email: string, after = 0): Promise<string> {
  const { text } = await client.mailTo(email, { after });
  return /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? '(missing)';
}

const send = (body: object) => admin.post('', body);
const resend = (id: string) => admin.post(`/${id}/resend`, {});
const revoke = (id: string) => admin.delete(`/${id}`);
const show = async (id: string) => (await admin.get(`/${id}`)).body;

/** Invites an address; returns the id and the token of the link. */
async function invited(email: string, body: object = {}) {
  const created = await send({ email, ...body });
  expect(created).toMatchObject({ status: 200, body: { status: 'pending' } });
  return { id: String(created.body.id), token: await tokenFor(email) };
}

const open = (token: string, headers: Record<string, string> = {}) =>
  client.page(`/invitation?token=${token}`, { headers });
const accept = (token: string, headers: Record<string, string> = {}) =>
  client.form('/invitation', { token }, { headers });

const cookieOf = (answer: Awaited<ReturnType<typeof open>>): Record<string, string> => {
  const cookies = [answer.headers['set-cookie'] ?? []].flat();
  const session = cookies.find((each) => /^svc_session=[^;]/.test(each));
  return session === undefined ? {} : { cookie: session.split(';')[0] ?? '' };
};
const [pending, gone] = [{ status: 'pending' }, { status: 410 }];
const rolesOf = async (email: string) =>
  (await app.services.users.ownerOf({ kind: 'email', key: email }))?.roles;

describe('the acceptance of an invitation', () => {
  it('creates the account, gives the role, and signs the person in with one factor', async () => {
    const email = newAddress();
    const { id, token } = await invited(email, { role: 'viewer', note: 'Hi <b>Grace</b>' });
    const page = await open(token);
    expect(page).toMatchObject({ status: 200 });
    expect(titleOf(page.text)).toBe('You’re invited to Acme – Acme');
    expect(page.text).toContain(email);
    expect(page.text).toContain('Hi &lt;b&gt;Grace&lt;/b&gt;');
    expect(page.text).not.toContain('<b>');
    const accepted = await accept(hiddenFieldsOf(page.text, '/invitation').token ?? '');
    expect(accepted).toMatchObject({ status: 303, headers: { location: '/api/svc/console/' } });
    const { body } = await me(app, cookieOf(accepted));
    expect(body).toMatchObject({
      email,
      email_verified: true,
      roles: ['viewer'],
      acr: 'aal1',
      amr: ['invitation'],
    });
    expect(await show(id)).toMatchObject({ status: 'accepted', accepted_by: body.id });
  });

  it('is not done by a program that opens the link', async () => {
    const email = newAddress();
    const { id, token } = await invited(email);
    for (let at = 0; at < 3; at += 1) expect((await open(token)).status).toBe(200);
    expect(await client.send('HEAD', `/invitation?token=${token}`)).toMatchObject({ status: 200 });
    expect(await show(id)).toMatchObject(pending);
    expect(await rolesOf(email)).toBeUndefined();
    expect((await accept(token)).headers.location).toBe('/account');
  });

  it('succeeds once of ten at once, and never again', async () => {
    const email = newAddress();
    const { token } = await invited(email, { role: 'admin' });
    expect(await atOnce(10, () => accept(token))).toEqual(oneOf(10, 303, 410));
    expect(await accept(token)).toMatchObject(gone);
    expect(await rolesOf(email)).toEqual(['admin']);
  });

  it('attaches nothing to another account that is signed in', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const mallory = await userOf(other);
    const { id, token } = await invited(email, { role: 'admin' });
    const before = await inventory(app);
    for (const visit of [open, accept]) {
      const answer = await visit(token, mallory.headers);
      expect(answer).toMatchObject(saying(403, `Sign in as ${email}`));
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect(await inventory(app)).toEqual(before);
    expect(await rolesOf(other)).toEqual([]);
    expect(await show(id)).toMatchObject(pending);
    const switched = await client.form('/invitation/switch', { token }, mallory);
    expect(switched).toMatchObject(saying(200, 'Accept invitation'));
    expect((await me(app, mallory.headers)).status).toBe(401);
    expect((await accept(token)).status).toBe(303);
    expect(await rolesOf(other)).toEqual([]);
    expect(await rolesOf(email)).toEqual(['admin']);
  });

  it('of an invitation to a known address gives the role to its owner', async () => {
    const [owner, other] = [newAddress(), newAddress()];
    const person = await userOf(owner);
    const mallory = await userOf(other);
    const { token } = await invited(owner, { role: 'viewer' });
    expect((await accept(token, mallory.headers)).status).toBe(403);
    const accepted = await accept(token, person.headers);
    expect(accepted.status).toBe(303);
    expect(accepted.headers).not.toHaveProperty('set-cookie');
    // The session that was open sees the role at once.
    expect((await me(app, person.headers)).body.roles).toEqual(['viewer']);
    expect(await rolesOf(other)).toEqual([]);
  });

  it('does not replace the second factor of an account', async () => {
    const email = newAddress();
    const { userId } = await userOf(email);
    const { uri } = await app.services.secondFactor.enrolTotp(userId, email, 'aal1');
    const secret = new URL(uri).searchParams.get('secret') ?? '';
    const from = { address: '203.0.113.9', requestId: 'r' };
    await app.services.secondFactor.confirmTotp(userId, await generate({ secret }), from);
    const { token } = await invited(email, { role: 'viewer' });
    const answer = await accept(token);
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toEqual({});
    const carried = hiddenFieldsOf(answer.text, '/login/second-factor');
    expect(Object.keys(carried)).toEqual(['mfa_token', 'next']);
  });

  it('is refused to disabled people, whose invitation stays open', async () => {
    const email = newAddress();
    const { userId } = await userOf(email);
    const { id, token } = await invited(email, { role: 'admin' });
    await app.services.users.setDisabled(userId, true);
    expect((await accept(token)).status).toBe(403);
    expect(await rolesOf(email)).toEqual([]);
    expect(await show(id)).toMatchObject(pending);
  });

  it('is refused to forms of another site', async () => {
    const { id, token } = await invited(newAddress());
    expect(await accept(token, { origin: 'https://evil.test' })).toMatchObject({ status: 403 });
    expect(await show(id)).toMatchObject(pending);
  });

  it('that a killed process left half done is possible again after a minute', async () => {
    const { id, token } = await invited(newAddress());
    await app.stores.db
      .updateTable('invitations')
      .set({ claimed_at: new Date(clock.now()) })
      .where('id', '=', id)
      .execute();
    expect(await accept(token)).toMatchObject(gone);
    expect((await revoke(id)).status).toBe(409);
    offset = minuteMs + 1000;
    expect((await accept(token)).status).toBe(303);
  });
});

describe('a link', () => {
  it('expires after seven days, or the days that were asked for', async () => {
    const email = newAddress();
    const week = await invited(email);
    const oneDay = await invited(newAddress(), { expires_in_days: 1 });
    offset = dayMs + 1000;
    expect(await open(week.token)).toMatchObject({ status: 200 });
    expect(await open(oneDay.token)).toMatchObject(saying(410, 'This invitation has expired'));
    expect((await open('x'.repeat(43))).text).not.toContain('has expired');
    offset = 7 * dayMs + 1000;
    expect(await accept(week.token)).toMatchObject(gone);
    expect(await show(week.id)).toMatchObject({ status: 'expired' });
    expect(await rolesOf(email)).toBeUndefined();
  });

  it('is void once it is revoked or replaced by a newer one', async () => {
    const revoked = await invited(newAddress());
    expect((await revoke(revoked.id)).body).toMatchObject({ status: 'revoked' });
    expect(await revoke(revoked.id)).toMatchObject({ status: 200 });
    expect(await accept(revoked.token)).toMatchObject(gone);
    const other = newAddress();
    const { id, token } = await invited(other);
    offset = 2 * minuteMs;
    expect((await resend(id)).body).toMatchObject({ times_sent: 2, status: 'pending' });
    const next = await tokenFor(other, 1);
    expect(next).not.toBe(token);
    expect(await accept(token)).toMatchObject(gone);
    expect((await accept(next)).status).toBe(303);
    expect(await resend(id)).toBeProblem(409, 'invitations.not_open');
    expect(await revoke(id)).toBeProblem(409, 'invitations.not_open');
  });

  it.each(['', 'x', 'A'.repeat(43), '(missing)'])(
    'has a secret that %j does not guess',
    async (token) => {
      expect((await open(encodeURIComponent(token))).status).toBe(410);
      expect(await accept(token)).toMatchObject(gone);
    },
  );

  it('with NUL in its secret opens nothing and is refused as a form', async () => {
    const token = `${'A'.repeat(43)}\0`;
    expect((await open(encodeURIComponent(token))).status).toBe(410);
    expect((await accept(token)).status).toBe(422);
  });

  it('of an admin who lost the role is void', async () => {
    const [mail, direct, boss] = [newAddress(), newAddress(), newAddress()];
    const { userId } = await userOf(boss, ['admin']);
    const by = { actor: { kind: 'user', id: userId }, authTime: clock.now() } as const;
    const body = { role: 'admin', expires_in_days: 7 } as const;
    await app.services.invitations.create({ ...body, email: mail }, by);
    const token = await tokenFor(mail);
    expect((await open(token)).status).toBe(200);
    await app.services.users.setRoles(userId, []);
    expect(await accept(token)).toMatchObject(gone);
    const { data } = await app.services.invitations.list({ filters: { email: mail }, limit: 1 });
    expect(data[0]?.status).toBe('revoked');
    // Even if the change is not announced, as after a crash.
    await app.services.users.setRoles(userId, ['admin']);
    await app.services.invitations.create({ ...body, email: direct }, by);
    const other = await tokenFor(direct);
    await app.stores.db.updateTable('users').set({ roles: [] }).where('id', '=', userId).execute();
    expect(await accept(other)).toMatchObject(gone);
    expect(await app.services.signUpPolicy.maySignUp([{ kind: 'email', key: direct }])).toBe(false);
    for (const email of [mail, direct]) expect(await rolesOf(email)).toBeUndefined();
  });

  it('of a revoked API key is void', async () => {
    const email = newAddress();
    const key = await app.services.apiKeys.create({ name: 'Import', scopes: ['admin'] });
    const body = { email, role: 'admin', expires_in_days: 7 } as const;
    const by = { actor: { kind: 'api_key', id: key.id } } as const;
    await app.services.invitations.create(body, by);
    const token = await tokenFor(email);
    await app.services.apiKeys.revoke(key.id);
    expect(await accept(token)).toMatchObject(gone);
    expect(await rolesOf(email)).toBeUndefined();
  });
});

describe('the API for invitations', () => {
  it('lists by status and address, in pages', async () => {
    const email = newAddress();
    const { id } = await invited(email);
    await revoke(id);
    const { body: again } = await send({ email });
    const list = async (query: string) => {
      const { data } = (await admin.get<{ data: { id: string }[] }>(`?${query}`)).body;
      return data.map((each) => each.id);
    };
    expect(await list(`email=${email.toUpperCase()}`)).toEqual([again.id, id]);
    expect(await list(`email=${email}&status=pending`)).toEqual([again.id]);
    expect(await list(`email=${email}&status=revoked`)).toEqual([id]);
    const { next_cursor: cursor } = (await admin.get(`?email=${email}&limit=1`)).body;
    expect(await list(`email=${email}&limit=1&cursor=${String(cursor)}`)).toEqual([id]);
  });

  it.each([
    ['body.roles', { email: 'a@example.com', roles: ['admin'] }],
    ['body.role', { email: 'a@example.com', role: 'owner' }],
    ['body.expires_in_days', { email: 'a@example.com', expires_in_days: 31 }],
    ['body.note', { email: 'a@example.com', note: 'x'.repeat(501) }],
    ['body.email', { email: 'not an address' }],
    ['body.email', {}],
  ])('refuses a wrong %s', async (place, body) => {
    expect(await send(body)).toBeInvalid(place);
  });

  it('refuses an unknown filter', async () => {
    expect(await admin.get('?state=pending')).toBeInvalid('query.state');
  });

  it('keeps one pending invitation for an address, also in concurrent requests', async () => {
    const email = newAddress();
    expect(await atOnce(5, () => send({ email: email.toUpperCase() }))).toEqual(oneOf(5, 200, 409));
  });

  it('sends one invitation at most five times, a minute apart', async () => {
    const email = newAddress();
    const { id } = await invited(email);
    expect(await resend(id)).toBeProblem(429, 'invitations.resent_too_often');
    for (let sends = 2; sends <= 5; sends += 1) {
      offset += 2 * minuteMs;
      expect((await resend(id)).status).toBe(200);
    }
    offset += 2 * minuteMs;
    expect(await resend(id)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    await tokenFor(email, 4);
    expect(app.services.outbox.list(email).length).toBe(5);
  });

  it('sends at most 100 invitations in an hour', async () => {
    offset = 10 * dayMs;
    const invitation = { email: newAddress(), role: 'none', expires_in_days: 1 } as const;
    await app.services.invitations.create(invitation, { actor: { kind: 'api_key', id: 'env' } });
    const { db } = app.stores;
    const newest = db.selectFrom('invitations').selectAll().orderBy('id', 'desc').limit(1);
    const row = await newest.executeTakeFirstOrThrow();
    const copy = () => ({ id: randomUUID(), email: newAddress(), token_hash: randomUUID() });
    const copies = Array.from({ length: 99 }, () => ({ ...row, ...copy() }));
    await db.insertInto('invitations').values(copies).execute();
    const refused = await send({ email: newAddress() });
    expect(refused).toBeProblem(429, 'invitations.rate_limited');
    expect(refused.headers['retry-after']).toBe('3600');
    offset += 61 * minuteMs;
    expect(await send({ email: newAddress() })).toMatchObject({ status: 200 });
  }, 30_000);

  it('counts emails and not invitations: those sent again, too', async () => {
    offset = 40 * dayMs;
    const env = { actor: { kind: 'api_key', id: 'env' } } as const;
    const { invitations } = app.services;
    const invite = (email: string) =>
      invitations.create({ email, role: 'none', expires_in_days: 1 }, env);
    const ids: string[] = [];
    while (ids.length < 50) ids.push((await invite(newAddress())).id);
    offset += 2 * minuteMs;
    for (const id of ids) await invitations.resend(id, env);
    const [first = '', email] = [ids[0], newAddress()];
    offset += 2 * minuteMs;
    for (const refused of [await send({ email }), await resend(first)]) {
      expect(refused).toBeProblem(429, 'invitations.rate_limited');
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(56 * 60);
    }
    expect(app.services.outbox.list(email)).toEqual([]);
    expect((await admin.get(`?email=${email}`)).body).toMatchObject({ data: [] });
    expect((await admin.get(`/${first}`)).body).toMatchObject({ times_sent: 2 });
    offset += 57 * minuteMs;
    expect(await send({ email })).toMatchObject({ status: 200 });
  }, 30_000);

  it('sends at most ten emails a day to one mailbox, in whichever spelling', async () => {
    offset = 50 * dayMs;
    const [local = ''] = newAddress().split('@');
    const spelling = (at: number) => `${local}${at === 0 ? '' : `+${at}`}@example.com`;
    for (let at = 0; at < 5; at += 1) {
      const { body } = await send({ email: spelling(at) });
      offset += 2 * minuteMs;
      expect((await resend(String(body.id))).status).toBe(200);
      expect((await admin.delete(`/${String(body.id)}`)).status).toBe(200);
    }
    const refused = await send({ email: spelling(6).toUpperCase() });
    expect(refused).toBeProblem(429, 'invitations.address_rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(23 * 60 * 60);
    expect(app.services.outbox.list(spelling(6))).toEqual([]);
    expect(await send({ email: newAddress() })).toMatchObject({ status: 200 });
    offset += dayMs;
    expect(await send({ email: spelling(6) })).toMatchObject({ status: 200 });
  }, 30_000);

  it('counts no email that was refused', async () => {
    offset = 60 * dayMs;
    const email = newAddress();
    const { id } = await invited(email);
    for (let at = 0; at < 12; at += 1) {
      expect(await send({ email })).toBeProblem(409, 'invitations.already_pending');
      expect(await resend(id)).toBeProblem(429, 'invitations.resent_too_often');
    }
    offset += 2 * minuteMs;
    expect((await resend(id)).status).toBe(200);
  });

  it('has the link nowhere but in the message', async () => {
    const email = newAddress();
    offset = 20 * dayMs;
    const { token } = await invited(email);
    for (const [table, rows] of await sqlContent(app)) expect(rows, table).not.toContain(token);
    expect(await redisContent(app.stores.redis)).not.toContain(token);
    expect(app.log()).not.toContain(token);
    expect(app.log()).not.toContain(email);
    expect(JSON.stringify((await admin.get(`?email=${email}`)).body)).not.toContain(token);
  });
});
