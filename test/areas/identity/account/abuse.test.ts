import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  expectLikeUnknown,
  expectMemberRefused,
  importTwentyTimes,
  unknownId,
} from '../../../support/abuse-steps.ts';
import {
  acceptedLines,
  acceptedTexts,
  atOnce,
  comparable,
  formulaCells,
  formulas,
  oneOf,
} from '../../../support/abuse-tables.ts';
import { tableContent } from '../../../support/abuse.ts';
import { asAdmin } from '../../../support/app.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { openBearer, openCookie } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const tables = ['users', 'identities', 'invitations', 'scim_users'];

const newEmail = () => `${randomUUID()}@example.com`;

const app = await sharedApp('people');
const visitor = new TestClient(app);
const admin = visitor.as(asAdmin);
const users = admin.at('/api/v1/users');
const me = visitor.as((await openBearer(app, newEmail())).bearer).at('/api/v1/users/me');

/** Every person and invitation, except for when somebody was last seen. */
const content = async () =>
  (await Promise.all(tables.map((name) => tableContent(app, name)))).map((lines) =>
    lines
      .replaceAll(/"last_seen_at":(?:null|"[^"]*")/g, '')
      .split('\n')
      .sort(),
  );

async function createUser(body: object = {}): Promise<string> {
  const made = await users.post('', { email: newEmail(), ...body });
  expect(made).toMatchObject({ status: 200 });
  return String(made.body.id);
}

async function createScimUser(): Promise<string> {
  const made = await admin.post('/scim/v2/Users', { schemas: [core], userName: newEmail() });
  if (made.status !== 201) throw new Error(made.text);
  return String(made.body.id);
}

/** Lets an invitation be sent again. */
const sentAMinuteAgo = (id: string) =>
  app.stores.db
    .updateTable('invitations')
    .set({ sent_at: new Date(Date.now() - 61_000) })
    .where('id', '=', id)
    .execute();

async function invite(body: object = {}) {
  const email = newEmail();
  const { body: made } = await admin.post('/api/v1/invitations', { email, ...body });
  const { text } = await visitor.mailTo(email);
  const token = /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? '(missing)';
  return { id: String(made.id), email, token };
}

describe('hostile text', () => {
  type Field = readonly [name: string, send: (text: string, id: string) => Promise<TestResponse>];
  const lines: readonly Field[] = [
    ['a name', (name) => users.post('', { email: newEmail(), name })],
    ['an address', (text) => users.post('', { email: `${text}@example.com` })],
    ['a number', (text) => users.post('', { phone: `+1415${text}5550132` })],
    ['an external id', (text) => users.post('', { email: newEmail(), external_id: text })],
    ['a changed name', (name, id) => users.patch(`/${id}`, { name })],
    ['a changed external id', (text, id) => users.patch(`/${id}`, { external_id: text })],
    ['your own name', (name) => me.patch('', { name })],
    ['your own language', (locale) => me.patch('', { locale })],
    ['your own time zone', (zoneinfo) => me.patch('', { zoneinfo })],
    [
      'an invited address',
      (text) => admin.post('/api/v1/invitations', { email: `${text}@x.test` }),
    ],
  ];

  it.each(lines)('in %s is refused, and nothing is stored', async (_name, send) => {
    const id = await createUser();
    const before = await content();
    expect(await acceptedLines((text) => send(text, id))).toEqual([]);
    expect(await content()).toEqual(before);
  });

  it('in the note of an invitation is refused, and nothing is sent', async () => {
    const email = newEmail();
    const send = (note: string) => admin.post('/api/v1/invitations', { email, note });
    expect(await acceptedTexts(send)).toEqual([]);
    await app.settled();
    expect(visitor.outbox(email)).toEqual([]);
  });

  it.each(['userName', 'externalId', 'displayName'])(
    'in %s of SCIM is refused, and nothing is stored',
    async (name) => {
      const id = await createScimUser();
      const before = await content();
      const person = (text: string) => ({ schemas: [core], userName: newEmail(), [name]: text });
      const create = (text: string) => admin.post('/scim/v2/Users', person(text));
      const replace = (text: string) => admin.put(`/scim/v2/Users/${id}`, person(text));
      for (const send of [create, replace])
        expect(await acceptedLines(send, { refusal: 400 })).toEqual([]);
      expect(await content()).toEqual(before);
    },
  );

  it('that is a formula or markup is kept, and harmless in the CSV file', async () => {
    const names = [...formulas, '<img src=x onerror=alert(1)>'];
    const ids: string[] = [];
    for (const name of names)
      ids.push(await createUser({ name, external_id: `${name}${ids.length}` }));
    const stored = await Promise.all(ids.map(async (id) => (await users.get(`/${id}`)).body.name));
    expect(stored).toEqual(names);
    const { text } = await users.get('/export');
    expect(text).toContain(`'=1+1`);
    expect(formulaCells(text)).toEqual([]);
  });

  it('in a name is text on the pages of the console and the account', async () => {
    const email = newEmail();
    const { userId } = await openCookie(app, email);
    await app.services.users.setRoles(userId, ['admin']);
    const { headers } = await openCookie(app, email);
    const person = visitor.as(headers);
    await users.patch(`/${userId}`, { name: '<script>alert(1)</script>' });
    for (const url of ['/account', '/account/profile', `/api/svc/console/users/${userId}`]) {
      const page = await person.page(url);
      expect(page.status, url).toBe(200);
      expect(page.text).toContain('&lt;script&gt;alert(1)');
      expect(page.text).not.toContain('<script>alert');
    }
  });
});

describe('members that are not for the sender', () => {
  const own = {
    id: unknownId,
    sub: unknownId,
    email_verified: true,
    phone_verified: true,
    created_at: '2020-01-01T00:00:00.000Z',
    last_seen_at: '2020-01-01T00:00:00.000Z',
    identities: [],
    deletion_due_at: '2020-01-01T00:00:00.000Z',
    picture: 'https://evil.example/x.png',
  };

  it.each(Object.entries(own))('such as %s are refused from admins', async (...member) => {
    const id = await createUser();
    const before = await content();
    await expectMemberRefused(users, { id, body: { email: newEmail() }, member });
    expect(await content()).toEqual(before);
  });

  it.each(['email', 'phone'])('such as the %s of somebody can’t be changed', async (name) => {
    const id = await createUser();
    const before = await content();
    expect(await users.patch(`/${id}`, { [name]: newEmail() })).toBeInvalid(`body.${name}`);
    expect(await content()).toEqual(before);
  });

  it('change nothing in your own account', async () => {
    const before = await content();
    const { body } = await me.get('');
    const others = { roles: ['admin'], disabled: false, external_id: 'x', phone_number: '+1' };
    const sent = { ...own, ...others };
    expect(await me.patch('', { ...sent, email: newEmail() })).toMatchObject({ status: 200, body });
    expect(await content()).toEqual(before);
  });

  it.each([
    'status',
    'token',
    'token_hash',
    'invited_by',
    'times_sent',
    'accepted_by',
    'expires_at',
  ])('such as %s are refused for an invitation', async (name) => {
    const before = await content();
    const sent = await admin.post('/api/v1/invitations', { email: newEmail(), [name]: 'x' });
    expect(sent).toBeInvalid(`body.${name}`);
    expect(await content()).toEqual(before);
  });
});

describe('the link of an invitation', () => {
  const open = (token: string) => visitor.page('/invitation', { query: { token } });
  const accept = (token: string) => visitor.form('/invitation', { token });

  it('that was used, revoked or replaced is answered like one that never was', async () => {
    const [used, revoked, replaced] = [await invite(), await invite(), await invite()];
    expect((await accept(used.token)).status).toBe(303);
    await admin.delete(`/api/v1/invitations/${revoked.id}`);
    await sentAMinuteAgo(replaced.id);
    expect((await admin.post(`/api/v1/invitations/${replaced.id}/resend`)).status).toBe(200);
    const unknown = 'A'.repeat(43);
    const [opened, accepted] = [comparable(await open(unknown)), comparable(await accept(unknown))];
    expect(opened).toMatchObject({ status: 410 });
    expect(accepted).toMatchObject({ status: 410 });
    for (const { token } of [used, revoked, replaced]) {
      const plain = (response: object) => JSON.stringify(response).replaceAll(token, unknown);
      expect(plain(comparable(await open(token)))).toBe(JSON.stringify(opened));
      expect(plain(comparable(await accept(token)))).toBe(JSON.stringify(accepted));
    }
  });
});

describe('the same thing twenty times at once', () => {
  it('makes one person of an external id', async () => {
    const external_id = randomUUID();
    const statuses = await atOnce(20, () => users.post('', { email: newEmail(), external_id }));
    expect(statuses).toEqual(oneOf(20, 200, 409));
  });

  it('imports a file once', async () => {
    const emails = Array.from({ length: 5 }, newEmail);
    const file = `email,name\n${emails.map((each) => `${each},Ada\n`).join('')}`;
    expect(await importTwentyTimes(users, file)).toBe(5);
  });

  it('deletes a person once', async () => {
    const id = await createUser();
    const statuses = await atOnce(20, () => users.delete(`/${id}`));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(statuses.every((status) => [200, 404].includes(status))).toBe(true);
    expect(await tableContent(app, 'users')).not.toContain(id);
  });

  it('sends an invitation again once, and the newest link is the one that works', async () => {
    const { id, email } = await invite();
    await sentAMinuteAgo(id);
    const statuses = await atOnce(20, () => admin.post(`/api/v1/invitations/${id}/resend`));
    expect(statuses).toEqual(oneOf(20, 200, 429));
    const { text } = await visitor.mailTo(email, { after: 1 });
    const token = /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? '(missing)';
    expect(await visitor.page('/invitation', { query: { token } })).toMatchObject({ status: 200 });
  });
});

describe('the id of somebody who was deleted', () => {
  it.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Ada' }],
    ['PATCH', '', { disabled: true }],
    ['PATCH', '', { roles: ['admin'] }],
    ['DELETE', '', undefined],
    ['GET', '/sessions', undefined],
    ['DELETE', '/sessions', undefined],
    ['GET', '/devices', undefined],
    ['DELETE', '/devices', undefined],
    ['GET', '/factor-reset', undefined],
  ] as const)('is answered like an unknown one by %s …%s %j', async (method, path, body) => {
    const id = await createUser();
    await users.delete(`/${id}`);
    await expectLikeUnknown(users, id, method, path, body);
  });

  it('is answered like an unknown one over SCIM', async () => {
    const id = await createScimUser();
    await admin.delete(`/scim/v2/Users/${id}`);
    await expectLikeUnknown(admin.at('/scim/v2/Users'), id, 'GET', '');
  });
});
