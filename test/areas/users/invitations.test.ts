import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { inventory, me, openCookie, sqlContent } from '../../support/abuse.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { post } from '../../support/sign-in.ts';
import { carriedBy, submit, titleOf } from '../../surfaces/pages/support.ts';
import { redisContent } from '../comms/redis-content.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
let app: FreshApp;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  app = await freshApp({
    clock,
    env: { BASE_URL: 'http://127.0.0.1:3000', SIGN_UP: 'invitation', APP_NAME: 'Acme' },
  });
  await app.services.queues.start();
}, 120_000);
afterAll(() => app.close());
beforeEach(() => {
  offset = 0;
});

let count = 0;
const newAddress = () => `guest-${(count += 1)}@example.com`;
const keyActor = { actor: { kind: 'api_key', id: 'env' } } as const;

/** A user with a session in a browser. */
async function userOf(email: string, roles: readonly ('admin' | 'viewer')[] = []) {
  const identity = { kind: 'email', key: email, value: email } as const;
  const { user } = await app.services.users.signInAs(identity, {}, [], 'vouched');
  await app.services.users.setRoles(user.id, roles);
  return openCookie(app, email);
}

async function tokenFor(email: string, after = 0): Promise<string> {
  const mails = () => app.services.outbox.list(email);
  await vi.waitFor(() => expect(mails().length).toBeGreaterThan(after), {
    timeout: 10_000,
    interval: 10,
  });
  return /\/invitation\?token=([\w-]+)/.exec(mails()[0]?.text ?? '')?.[1] ?? '(missing)';
}

const send = (body: object) => post(app, '/api/v1/invitations', body, asAdmin);
const act = (id: string, action: string) =>
  post(app, `/api/v1/invitations/${id}/${action}`, {}, asAdmin);
const get = async (path: string) =>
  (await app.http.inject({ url: `/api/v1/invitations${path}`, headers: asAdmin })).json<
    Record<string, unknown>
  >();
const revoke = (id: string) =>
  app.http.inject({ method: 'DELETE', url: `/api/v1/invitations/${id}`, headers: asAdmin });

/** Invites an address; returns the id and the token of the link. */
async function invited(email: string, body: object = {}) {
  const { status, body: created } = await send({ email, ...body });
  expect({ status, createdStatus: created.status }).toEqual({
    status: 200,
    createdStatus: 'pending',
  });
  return { id: String(created.id), token: await tokenFor(email) };
}

const open = (token: string, headers: Record<string, string> = {}) =>
  app.http.inject({
    url: `/invitation?token=${token}`,
    headers: { accept: 'text/html', ...headers },
  });
const accept = (token: string, headers: Record<string, string> = {}) =>
  submit(app, '/invitation', { token }, headers);

const cookieOf = (answer: Awaited<ReturnType<typeof open>>): Record<string, string> => {
  const cookies = [answer.headers['set-cookie'] ?? []].flat();
  const session = cookies.find((each) => /^svc_session=[^;]/.test(each));
  return session === undefined ? {} : { cookie: session.split(';')[0] ?? '' };
};
const rolesOf = async (email: string) =>
  (await app.services.users.ownerOf({ kind: 'email', key: email }))?.roles;

describe('accepting an invitation', () => {
  it('creates the account, gives the role, and signs the person in with one factor', async () => {
    const email = newAddress();
    const { id, token } = await invited(email, { role: 'viewer', note: 'Hi <b>Grace</b>' });
    const page = await open(token);
    expect({ status: page.statusCode, title: titleOf(page.body) }).toEqual({
      status: 200,
      title: 'You’re invited to Acme – Acme',
    });
    expect(page.body).toContain(email);
    expect(page.body).toContain('Hi &lt;b&gt;Grace&lt;/b&gt;');
    expect(page.body).not.toContain('<b>');
    const accepted = await accept(carriedBy(page.body, '/invitation').token ?? '');
    expect({ status: accepted.statusCode, location: accepted.headers.location }).toEqual({
      status: 303,
      location: '/api/svc/console/',
    });
    const { body } = await me(app, cookieOf(accepted));
    expect(body).toMatchObject({
      email,
      email_verified: true,
      roles: ['viewer'],
      acr: 'aal1',
      amr: ['invitation'],
    });
    expect(await get(`/${id}`)).toMatchObject({ status: 'accepted', accepted_by: body.id });
  });

  it('mail scanner: opening the link does not use it up', async () => {
    const email = newAddress();
    const { id, token } = await invited(email);
    for (let at = 0; at < 3; at += 1) expect((await open(token)).statusCode).toBe(200);
    const head = await app.http.inject({ method: 'HEAD', url: `/invitation?token=${token}` });
    expect(head.statusCode).toBe(200);
    expect(await get(`/${id}`)).toMatchObject({ status: 'pending' });
    expect(await rolesOf(email)).toBeUndefined();
    expect((await accept(token)).headers.location).toBe('/account');
  });

  it('replay: of ten concurrent acceptances one succeeds, and no later one', async () => {
    const email = newAddress();
    const { token } = await invited(email, { role: 'admin' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b);
    expect(statuses).toEqual([303, ...Array.from({ length: 9 }, () => 410)]);
    expect((await accept(token)).statusCode).toBe(410);
    expect(await rolesOf(email)).toEqual(['admin']);
  });

  it('another login: nothing is attached to the account that is signed in', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const mallory = await userOf(other);
    const { id, token } = await invited(email, { role: 'admin' });
    const before = await inventory(app);
    for (const answer of [
      await open(token, mallory.headers),
      await accept(token, mallory.headers),
    ]) {
      expect(answer.statusCode).toBe(403);
      expect(answer.body).toContain(`Sign in as ${email}`);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect(await inventory(app)).toEqual(before);
    expect(await rolesOf(other)).toEqual([]);
    expect(await get(`/${id}`)).toMatchObject({ status: 'pending' });
    const switched = await submit(app, '/invitation/switch', { token }, mallory.headers);
    expect(switched.statusCode).toBe(200);
    expect(switched.body).toContain('Accept invitation');
    expect((await me(app, mallory.headers)).status).toBe(401);
    expect((await accept(token)).statusCode).toBe(303);
    expect({ otherRoles: await rolesOf(other), emailRoles: await rolesOf(email) }).toEqual({
      otherRoles: [],
      emailRoles: ['admin'],
    });
  });

  it('an invitation to an address owned by someone else gives that person the role', async () => {
    const [owner, other] = [newAddress(), newAddress()];
    const person = await userOf(owner);
    const mallory = await userOf(other);
    const { token } = await invited(owner, { role: 'viewer' });
    expect((await accept(token, mallory.headers)).statusCode).toBe(403);
    const accepted = await accept(token, person.headers);
    expect({ status: accepted.statusCode, 'set-cookie': accepted.headers['set-cookie'] }).toEqual({
      status: 303,
      'set-cookie': undefined,
    });
    // The session that was open sees the role at once.
    expect((await me(app, person.headers)).body.roles).toEqual(['viewer']);
    expect(await rolesOf(other)).toEqual([]);
  });

  it('stolen mailbox: an account with a second factor still asks for it', async () => {
    const email = newAddress();
    const { userId } = await userOf(email);
    const { uri } = await app.services.secondFactor.enrolTotp(userId, email, 'aal1');
    const secret = new URL(uri).searchParams.get('secret') ?? '';
    const from = { address: '203.0.113.9', requestId: 'r' };
    await app.services.secondFactor.confirmTotp(userId, await generate({ secret }), from);
    const { token } = await invited(email, { role: 'viewer' });
    const answer = await accept(token);
    expect(answer.statusCode).toBe(200);
    expect(cookieOf(answer)).toEqual({});
    expect(Object.keys(carriedBy(answer.body, '/login/second-factor'))).toEqual([
      'mfa_token',
      'next',
    ]);
  });

  it('a disabled person is refused, and the invitation is not used up', async () => {
    const email = newAddress();
    const { userId } = await userOf(email);
    const { id, token } = await invited(email, { role: 'admin' });
    await app.services.users.setDisabled(userId, true);
    expect((await accept(token)).statusCode).toBe(403);
    expect(await rolesOf(email)).toEqual([]);
    expect(await get(`/${id}`)).toMatchObject({ status: 'pending' });
  });

  it('cross-site: another site cannot press the button', async () => {
    const email = newAddress();
    const { id, token } = await invited(email);
    const answer = await accept(token, { origin: 'https://evil.test' });
    expect(answer.statusCode).toBe(403);
    expect(await get(`/${id}`)).toMatchObject({ status: 'pending' });
  });

  it('a process killed while accepting leaves a link that works again after a minute', async () => {
    const email = newAddress();
    const { id, token } = await invited(email);
    await app.stores.db
      .updateTable('invitations')
      .set({ claimed_at: new Date(clock.now()) })
      .where('id', '=', id)
      .execute();
    expect((await accept(token)).statusCode).toBe(410);
    expect((await revoke(id)).statusCode).toBe(409);
    offset = minute + 1000;
    expect((await accept(token)).statusCode).toBe(303);
  });
});

describe('a link that is no longer valid', () => {
  it('expired: seven days later, and after the days that were asked for', async () => {
    const [email, short] = [newAddress(), newAddress()];
    const [week, oneDay] = [await invited(email), await invited(short, { expires_in_days: 1 })];
    offset = day + 1000;
    expect({
      weekStatus: (await open(week.token)).statusCode,
      oneDayStatus: (await open(oneDay.token)).statusCode,
    }).toEqual({ weekStatus: 200, oneDayStatus: 410 });
    offset = 7 * day + 1000;
    expect((await accept(week.token)).statusCode).toBe(410);
    expect(await get(`/${week.id}`)).toMatchObject({ status: 'expired' });
    expect(await rolesOf(email)).toBeUndefined();
  });

  it('revoked, or replaced by a newer one', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const revoked = await invited(email);
    expect((await revoke(revoked.id)).json()).toMatchObject({ status: 'revoked' });
    expect((await revoke(revoked.id)).statusCode).toBe(200);
    expect((await accept(revoked.token)).statusCode).toBe(410);
    const { id, token } = await invited(other);
    offset = 2 * minute;
    expect((await act(id, 'resend')).body).toMatchObject({ times_sent: 2, status: 'pending' });
    const next = await tokenFor(other, 1);
    expect(next).not.toBe(token);
    expect((await accept(token)).statusCode).toBe(410);
    expect((await accept(next)).statusCode).toBe(303);
    expect((await act(id, 'resend')).body.code).toBe('invitations.not_open');
    expect((await revoke(id)).json()).toMatchObject({ code: 'invitations.not_open' });
  });

  it.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}\u0000`, '(missing)'])(
    'guessed: %j',
    async (token) => {
      expect((await open(encodeURIComponent(token))).statusCode).toBe(410);
      expect((await accept(token)).statusCode).toBe(410);
    },
  );

  it('fired inviter: the invitations of an admin who lost the role are void', async () => {
    const [mail, direct, boss] = [newAddress(), newAddress(), newAddress()];
    const { userId } = await userOf(boss, ['admin']);
    const by = { actor: { kind: 'user', id: userId } } as const;
    const body = { role: 'admin', expires_in_days: 7 } as const;
    await app.services.invitations.create({ ...body, email: mail }, by);
    const token = await tokenFor(mail);
    expect((await open(token)).statusCode).toBe(200);
    await app.services.users.setRoles(userId, []);
    expect((await accept(token)).statusCode).toBe(410);
    const { data } = await app.services.invitations.list({ filters: { email: mail }, limit: 1 });
    expect(data[0]?.status).toBe('revoked');
    // Even if the change is not announced, as after a crash.
    await app.services.users.setRoles(userId, ['admin']);
    await app.services.invitations.create({ ...body, email: direct }, by);
    const other = await tokenFor(direct);
    await app.stores.db.updateTable('users').set({ roles: [] }).where('id', '=', userId).execute();
    expect((await accept(other)).statusCode).toBe(410);
    expect(await app.services.entry.mayEnter([{ kind: 'email', key: direct }])).toBe(false);
    expect({ mailRoles: await rolesOf(mail), directRoles: await rolesOf(direct) }).toEqual({
      mailRoles: undefined,
      directRoles: undefined,
    });
  });

  it('revoked API key: its invitations are void', async () => {
    const email = newAddress();
    const key = await app.services.apiKeys.create({ name: 'Import', scopes: ['admin'] });
    const body = { email, role: 'admin', expires_in_days: 7 } as const;
    const by = { actor: { kind: 'api_key', id: key.id } } as const;
    await app.services.invitations.create(body, by);
    const token = await tokenFor(email);
    await app.services.apiKeys.revoke(key.id);
    expect((await accept(token)).statusCode).toBe(410);
    expect(await rolesOf(email)).toBeUndefined();
  });
});

describe('managing invitations', () => {
  it('lists by status and address, in pages', async () => {
    const email = newAddress();
    const { id } = await invited(email);
    await revoke(id);
    const { body: again } = await send({ email });
    const list = async (query: string) => {
      const { data } = await get(`?${query}`);
      return (data as { id: string }[]).map((each) => each.id);
    };
    expect(await list(`email=${email.toUpperCase()}`)).toEqual([again.id, id]);
    expect(await list(`email=${email}&status=pending`)).toEqual([again.id]);
    expect(await list(`email=${email}&status=revoked`)).toEqual([id]);
    const { next_cursor: cursor } = await get(`?email=${email}&limit=1`);
    expect(await list(`email=${email}&limit=1&cursor=${String(cursor)}`)).toEqual([id]);
  });

  it('refuses unknown members, roles and addresses', async () => {
    const query = await app.http.inject({
      url: '/api/v1/invitations?state=pending',
      headers: asAdmin,
    });
    expect(query.statusCode).toBe(422);
    for (const body of [
      { email: newAddress(), roles: ['admin'] },
      { email: newAddress(), role: 'owner' },
      { email: newAddress(), expires_in_days: 31 },
      { email: newAddress(), note: 'x'.repeat(501) },
      { email: 'not an address' },
      {},
    ])
      expect((await send(body)).status).toBe(422);
  });

  it('is for admins only', async () => {
    const viewer = await userOf(newAddress(), ['viewer']);
    const url = '/api/v1/invitations';
    expect((await app.http.inject({ url })).statusCode).toBe(401);
    expect((await app.http.inject({ url, headers: viewer.headers })).statusCode).toBe(403);
  });

  it('one address has one pending invitation, also of concurrent requests', async () => {
    const email = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send({ email: email.toUpperCase() })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('mail bomb: one invitation is sent at most five times, a minute apart', async () => {
    const email = newAddress();
    const { id } = await invited(email);
    expect((await act(id, 'resend')).body.code).toBe('invitations.resent_too_often');
    for (let sends = 2; sends <= 5; sends += 1) {
      offset += 2 * minute;
      expect((await act(id, 'resend')).status).toBe(200);
    }
    offset += 2 * minute;
    const refused = await act(id, 'resend');
    expect({ status: refused.status, 'retry-after': refused.headers['retry-after'] }).toEqual({
      status: 429,
      'retry-after': '60',
    });
    await tokenFor(email, 4);
    expect(app.services.outbox.list(email).length).toBe(5);
  });

  it('mail bomb: at most 100 invitations are sent in an hour', async () => {
    offset = 10 * day;
    await app.services.invitations.create(
      { email: newAddress(), role: 'none', expires_in_days: 1 },
      keyActor,
    );
    const { db } = app.stores;
    const row = await db
      .selectFrom('invitations')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 99 }, () => ({
      ...row,
      id: randomUUID(),
      email: newAddress(),
      token_hash: randomUUID(),
    }));
    await db.insertInto('invitations').values(copies).execute();
    const refused = await send({ email: newAddress() });
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 429,
      code: 'invitations.rate_limited',
    });
    expect(refused.headers['retry-after']).toBe('3600');
    offset += 61 * minute;
    expect((await send({ email: newAddress() })).status).toBe(200);
  }, 30_000);

  it('the link is nowhere but in the message', async () => {
    const email = newAddress();
    offset = 20 * day;
    const { token } = await invited(email);
    for (const [table, rows] of await sqlContent(app)) expect(rows, table).not.toContain(token);
    expect(await redisContent(app.stores.redis)).not.toContain(token);
    expect(app.log()).not.toContain(token);
    expect(app.log()).not.toContain(email);
    expect(JSON.stringify(await get(`?email=${email}`))).not.toContain(token);
  });
});
