import { describe, expect } from 'vitest';
import { dayMs, minuteMs } from '../../../src/lib/durations.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { redirectTo } from '../../support/responses.ts';
import {
  deviceState,
  faultsOf,
  home,
  origin,
  type Person,
  personOf,
  requestApproval,
} from './pages.ts';

// Advances with each reading, so that later rows have later times.
let at = Date.now();

const app = await sharedApp('console', { clock: { now: () => (at += 1) } });
const admin = await personOf(app, 'ada@example.com', ['admin']);
const grace = await personOf(app, 'grace@example.com');

const textOf = async (path: string) => (await admin.page(path)).text;
/** The location that a search form redirects to. */
const searchLocation = async (path: string, values: Record<string, string>): Promise<string> =>
  String((await admin.form(path, values)).headers.location);
const emailOf = (key: string) => ({ kind: 'email', key }) as const;
const userOf = ({ userId }: Pick<Person, 'userId'>) => app.services.users.get(userId);
const lastEntry = async (target: string) =>
  (await app.services.audit.list({ target_id: target, limit: 1 })).data[0];

const take = (by: Person, userId: string) =>
  by.form(`users/${userId}/roles/take`, { role: 'admin' });
const disable = (by: Person, userId: string) => by.form(`users/${userId}/disable`);
const approve = (by: Person, request: string, values: Record<string, string>) =>
  by.form(`devices/requests/${request}/approve`, values);

/** The headers of a request by a script of a page. */
const asScript = { accept: 'application/json', 'sec-fetch-mode': 'cors' };

const stateOf = (device: string) => deviceState(app, device);

describe('users', () => {
  it('are found by any part of a name, an address or a number, and by role', async () => {
    const { users } = app.services;
    const { user: ursula } = await users.signInAs(
      { kind: 'phone', key: '+491701234567', value: '+49 170 1234567' },
      { profile: { name: 'Ursula_100%' } },
    );
    const found = async (filters: Record<string, string>) =>
      textOf(await searchLocation('users/find', filters));
    for (const text of ['URSULA_', 'sula_100%', '+49 170 12', '0049170', '1701', ursula.id, '0%'])
      expect(await found({ text }), text).toContain(ursula.id);
    for (const text of ['sula1', 'ursula%100', 'URSULA_100%x', '\u0000', '%%', '__', '99999'])
      expect(await found({ text }), text).not.toContain(ursula.id);
    const admins = await found({ role: 'admin', text: '', disabled: '' });
    expect(admins).toContain('ada@example.com');
    expect(admins).not.toContain('grace@example.com');
    const first = await users.list({ limit: 2 });
    const second = await users.list({ limit: 2, cursor: first.next_cursor ?? '' });
    expect(first).toMatchObject({
      data: [{ id: ursula.id }, { id: grace.userId }],
      next_cursor: grace.userId,
    });
    expect(second).toMatchObject({ data: [{ id: admin.userId }], next_cursor: null });
  });

  it('are exported with the same filters, and no cell is a formula', async () => {
    await app.services.users.signInAs(
      { kind: 'email', key: 'evil@example.com', value: 'evil@example.com' },
      { profile: { name: '=HYPERLINK("http://evil.example")' } },
    );
    const found = await searchLocation('users/find', { text: 'evil' });
    const csv = await admin.page(`${found}&format=csv`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="users.csv"',
      'cache-control': 'no-store',
    });
    expect(csv.text.trimEnd().split('\r\n')).toEqual([
      expect.stringMatching(/^id,name,email/),
      expect.stringContaining(`"'=HYPERLINK(""http://evil.example"")"`),
    ]);
    const { body } = await admin.page('users?format=json');
    expect(body.data).toMatchObject([
      { email: 'evil@example.com' },
      { email: null },
      { email: 'grace@example.com' },
      { email: 'ada@example.com' },
    ]);
  });

  it('are shown for any `done` in the URL, such as `constructor`', async () => {
    const pages = [`users/${grace.userId}`, 'devices', 'keys', 'status', 'status/subscribers'];
    for (const done of ['constructor', '__proto__', 'toString'])
      for (const page of pages)
        expect((await admin.page(`${page}?done=${done}`)).status, `${page} ${done}`).toBe(200);
  });

  it('lose a session at once, and the audit log says who ended it', async () => {
    const { userId } = await personOf(app, 'lin@example.com');
    const id = (await app.services.sessions.list(userId))[0]?.id ?? '';
    expect(await admin.form(`users/${userId}/sessions/end`, { session: id })).toMatchObject(
      redirectTo(`${home}users/${userId}/devices?done=session_ended`),
    );
    const others = await app.services.sessions.list(userId);
    expect(others.map((session) => session.id)).not.toContain(id);
    expect(await lastEntry(id)).toMatchObject({
      action: 'session.revoked',
      actor: { kind: 'user', id: admin.userId },
      details: { user_id: userId },
    });
    await admin.form(`users/${userId}/sessions/end-all`);
    expect(await app.services.sessions.list(userId)).toEqual([]);
    expect(await lastEntry(userId)).toMatchObject({
      action: 'session.revoked_all',
      actor: { id: admin.userId },
    });
  });

  it('get and lose roles, but admins keep their own role and account', async () => {
    const summary = await textOf(`users/${grace.userId}/roles/admin`);
    for (const text of [
      'Make grace@example.com an admin?',
      'Invite people and choose who is an admin',
    ])
      expect(summary).toContain(text);
    expect((await userOf(grace)).roles).toEqual([]);
    const given = await admin.form(`users/${grace.userId}/roles/give`, { role: 'admin' });
    expect((await userOf(grace)).roles).toEqual(['admin']);
    expect(await textOf(String(given.headers.location))).toMatch(
      /id="notice"[^]*is now an admin[^]*roles\/take"[^]*<h2/,
    );
    expect(await lastEntry(grace.userId)).toMatchObject({
      action: 'user.roles_changed',
      actor: { id: admin.userId },
      details: { from: [], to: ['admin'] },
    });
    expect(await textOf(`users/${grace.userId}/roles/admin`)).toContain('Remove admin role');
    expect((await take(admin, grace.userId)).status).toBe(303);
    expect((await userOf(grace)).roles).toEqual([]);
    for (const id of [admin.userId, admin.userId.toUpperCase()]) {
      expect((await take(admin, id)).status, id).toBe(403);
      expect((await disable(admin, id)).status, id).toBe(403);
    }
    expect(await userOf(admin)).toMatchObject({ roles: ['admin'], disabledAt: null });
    const own = await textOf(`users/${admin.userId}`);
    expect(own).not.toContain('Remove admin');
    expect(own).not.toContain('Suspend');
  });

  it('always keep one admin, even when two remove each other at once', async () => {
    const adminNamed = (name: string) => personOf(app, `${name}@example.com`, ['admin']);
    const [one, two] = [await adminNamed('one'), await adminNamed('two')];
    const taken = await Promise.all([take(one, two.userId), take(two, one.userId)]);
    expect(taken.map(({ status }) => status).sort()).toEqual([303, 403]);
    const left = await Promise.all([one, two].map(userOf));
    expect(left.flatMap(({ roles }) => roles)).toEqual(['admin']);
    const [three, four] = [await adminNamed('three'), await adminNamed('four')];
    await Promise.all([disable(three, four.userId), disable(four, three.userId)]);
    const accounts = await Promise.all([three, four].map(userOf));
    expect(accounts.filter(({ disabledAt }) => disabledAt === null)).toHaveLength(1);
  });

  it('keep both of two concurrent changes', async () => {
    const other = await personOf(app, 'mary@example.com', ['admin']);
    await Promise.all([
      admin.form(`users/${other.userId}/roles/give`, { role: 'viewer' }),
      take(admin, other.userId),
    ]);
    expect((await userOf(other)).roles).toEqual(['viewer']);
  });

  it('are suspended after a summary, and resumed by undo', async () => {
    const summary = await textOf(`users/${grace.userId}/suspend`);
    expect(summary).toContain('can’t sign in until you resume the account');
    expect(summary).toContain('No data will be deleted.');
    expect((await userOf(grace)).disabledAt).toBeNull();
    const done = await disable(admin, grace.userId);
    expect(await app.services.sessions.list(grace.userId)).toEqual([]);
    expect(await textOf(String(done.headers.location))).toMatch(
      /id="notice"[^]*Account suspended[^]*\/enable"[^]*<h2/,
    );
    await admin.form(`users/${grace.userId}/enable`);
    expect((await userOf(grace)).disabledAt).toBeNull();
    expect(
      await app.services.audit.list({ action: 'user.*', target_id: grace.userId, limit: 2 }),
    ).toMatchObject({ data: [{ action: 'user.enabled' }, { action: 'user.disabled' }] });
  });

  it('are suspended together after a summary, without the admin who does it', async () => {
    const others = [
      await personOf(app, 'bulk1@example.com'),
      await personOf(app, 'bulk2@example.com'),
    ];
    const ids = [...others.map(({ userId }) => userId), admin.userId];
    const act = (values: Record<string, string>) =>
      admin.form('users/bulk', { ...values, 'user[]': ids });
    const asked = await act({ action: 'suspend' });
    expect(asked.text).toContain('Suspend 2 people?');
    expect(asked.text).toContain('Your own account is left out.');
    expect((await Promise.all(others.map(userOf))).map((each) => each.disabledAt)).toEqual([
      null,
      null,
    ]);
    const done = await act({ action: 'suspend', confirmed: 'true' });
    expect(done.headers.location).toBe(`${home}users?done=suspended`);
    for (const other of others) expect((await userOf(other)).disabledAt).not.toBeNull();
    expect((await userOf(admin)).disabledAt).toBeNull();
    await act({ action: 'resume' });
    for (const other of others) expect((await userOf(other)).disabledAt).toBeNull();
  });

  it('get another name, and are deleted after their address was typed', async () => {
    const { userId } = await personOf(app, 'gone@example.com');
    await admin.form(`users/${userId}/edit`, { name: 'Gone Soon', external_id: '' });
    expect(await userOf({ userId })).toMatchObject({ name: 'Gone Soon' });
    expect((await admin.form(`users/${userId}/delete`, { confirm: 'delete' })).status).toBe(422);
    expect((await userOf({ userId })).name).toBe('Gone Soon');
    const done = await admin.form(`users/${userId}/delete`, { confirm: 'gone@example.com' });
    expect(done.headers.location).toBe(`${home}users?done=deleted`);
    expect((await admin.page(`users/${userId}`)).status).toBe(404);
  });

  it('show what was sent to them and why a code was not, but no code', async () => {
    const { userId } = await personOf(app, 'asks@example.com');
    const client = new TestClient(app);
    await client.post('/api/auth/email/initiate', { email: 'asks@example.com' });
    const { text: mail } = await client.mailTo('asks@example.com');
    const code = /\b\d{6}\b/.exec(mail)?.[0] ?? expect.fail(mail);
    app.services.audit.note({
      action: 'otp.refused',
      outcome: 'failure',
      reason: 'limited',
      actor: { kind: 'anonymous' },
      target: { kind: 'identifier', id: app.services.otp.hashOf(emailOf('asks@example.com')) },
      details: { channel: 'email' },
    });
    await app.services.audit.settled();
    const page = await textOf(`users/${userId}/messages`);
    expect(page).toContain('Sign-in code');
    expect(page).toContain('Email to asks@example.com');
    expect(page).toContain('Too many codes were requested for this address or number');
    expect(page).not.toContain(code);
    expect(page).not.toContain('otp.refused');
    expect(await textOf(`users/${grace.userId}/messages`)).not.toContain('asks@example.com');
  });

  it('show what each notice was about', async () => {
    const { userId } = await personOf(app, 'noticed@example.com');
    const { device } = await requestApproval(app, 'noticed@example.com', 'Noticed laptop');
    await admin.form(`devices/${device}/revoke`);
    const page = await textOf(`users/${userId}/messages`);
    expect(page).toContain('New device');
    expect(page).toContain('Device removed');
    expect(page).not.toContain('Notice about the account');
  });

  it('are named in the audit log where their code was refused; strangers are not', async () => {
    const { userId } = await personOf(app, 'known@example.com');
    for (const email of ['known@example.com', 'stranger@example.com'])
      app.services.audit.note({
        action: 'otp.refused',
        outcome: 'failure',
        reason: 'limited',
        actor: { kind: 'anonymous' },
        target: { kind: 'identifier', id: app.services.otp.hashOf(emailOf(email)) },
        details: { channel: 'email' },
      });
    await app.services.audit.settled();
    const log = await textOf('audit?action=otp.refused');
    expect(log).toContain(`A code for <a href="/api/svc/console/users/${userId}">`);
    expect(log).toContain('A code for someone was requested but not sent');
    expect(log).not.toContain('stranger@example.com');
    expect(log).not.toContain(app.services.otp.hashOf(emailOf('known@example.com')));
  });
});

describe('devices', () => {
  it('are cleared with the number that they show, and with no other', async () => {
    const { request, device, number } = await requestApproval(app, 'dev1@example.com', 'Laptop');
    const wrong = String((Number(number) + 1) % 100).padStart(2, '0');
    expect(await textOf('devices')).not.toContain(`>${number}<`);
    for (const given of ['', 'x', '123'])
      expect((await approve(admin, request, { number: given })).status, given).toBe(400);
    const refused = await approve(admin, request, { number: wrong });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('The number doesn’t match the device.');
    expect(await stateOf(device)).toBe('pending');
    const approved = await approve(admin, request, { number: ` ${number} `, note: 'Seen' });
    expect(approved.status).toBe(303);
    expect(await stateOf(device)).toBe('cleared');
    expect(await lastEntry(device)).toMatchObject({
      action: 'device.cleared',
      actor: { kind: 'user', id: admin.userId },
    });
    expect((await admin.form(`devices/requests/${request}/deny`)).status).toBe(409);
  });

  it('are denied, suspended, restored, and removed after a summary', async () => {
    const { person, request, device } = await requestApproval(app, 'dev2@example.com', 'Old phone');
    expect(await textOf(`devices/${device}`)).toContain(
      `href="${home}devices/requests/${request}"`,
    );
    await admin.form(`devices/requests/${request}/deny`, { note: 'Not known' });
    expect(await stateOf(device)).toBe('denied');
    for (const form of ['suspend', 'delete'])
      expect(await textOf(`users/${person.userId}/${form}`), form).toContain('1 device');
    const other = await requestApproval(app, 'dev3@example.com', 'Tablet');
    const path = `devices/${other.device}`;
    await approve(admin, other.request, { number: other.number });
    expect(await admin.form(`${path}/suspend`, { from: 'user' })).toMatchObject(
      redirectTo(
        `${home}users/${other.person.userId}/devices?done=suspended&about=${other.device}`,
      ),
    );
    expect(await stateOf(other.device)).toBe('suspended');
    await admin.form(`${path}/restore`);
    expect(await stateOf(other.device)).toBe('cleared');
    const summary = await textOf(`${path}/remove`);
    expect(summary).toContain('Remove “Tablet”?');
    expect(summary).toContain('dev3@example.com');
    expect(await stateOf(other.device)).toBe('cleared');
    await admin.form(`${path}/revoke`);
    expect(await stateOf(other.device)).toBe('suspended');
    expect(await textOf(path)).toContain('Undo removal');
    await admin.form(`${path}/restore`);
    expect(await stateOf(other.device)).toBe('cleared');
  });

  it('of admins are not approved or changed by their owners', async () => {
    const own = await requestApproval(app, 'own@example.com', 'Mine');
    await app.services.users.setRoles(own.person.userId, ['admin']);
    expect((await approve(own.person, own.request, { number: own.number })).status).toBe(403);
    for (const act of ['suspend', 'restore', 'revoke']) {
      const refused = await own.person.form(`devices/${own.device}/${act}`, { confirm: 'Mine' });
      expect(refused.status, act).toBe(403);
    }
    expect(await stateOf(own.device)).toBe('pending');
  });
});

describe('invitations', () => {
  const sentTo = async (email: string) =>
    (await app.services.invitations.list({ limit: 10, filters: { email } })).data.length;

  it('are sent to several people at once, each their own', async () => {
    const typed = 'one@invited.example\ntwo@invited.example, One@invited.example;';
    expect(await admin.form('users/invitations', { email: typed, role: 'viewer' })).toMatchObject(
      redirectTo(`${home}users/invitations?done=sentAll`),
    );
    for (const email of ['one@invited.example', 'two@invited.example'])
      expect(await sentTo(email)).toBe(1);
  });

  it('name the addresses that are wrong, and then invite nobody', async () => {
    const typed = 'three@invited.example\nnot-an-address\n@';
    const refused = await admin.form('users/invitations', { email: typed, role: 'viewer' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('not-an-address');
    expect(await sentTo('three@invited.example')).toBe(0);
    const many = Array.from({ length: 21 }, (_, at) => `m${at}@invited.example`).join('\n');
    const tooMany = await admin.form('users/invitations', { email: many, role: 'viewer' });
    expect(tooMany.status).toBe(422);
    expect(tooMany.text).toContain('at most 20 addresses');
  });

  it('say who got none because one is pending', async () => {
    const typed = 'one@invited.example, four@invited.example';
    const { status, text } = await admin.form('users/invitations', { email: typed, role: 'none' });
    expect(status).toBe(200);
    expect(await faultsOf(text)).toEqual([]);
    expect(text).toContain('1 invitation sent');
    expect(text).toMatch(/one@invited\.example.*This address already has a pending invitation/s);
    expect(await sentTo('four@invited.example')).toBe(1);
  });
});

describe('API keys', () => {
  it('are shown once, work, and are revoked after a page that sums up what is lost', async () => {
    const { apiKeys } = app.services;
    const name = 'Nightly <b>import';
    const made = await admin.form('keys', {
      name,
      'scope.analytics:read': 'yes',
      'scope.analytics:write': 'yes',
      days: '30',
    });
    const key = /<code>(svc_[\w-]{43})<\/code>/.exec(made.text)?.[1] ?? '';
    const scopes = ['analytics:read', 'analytics:write'];
    expect(await apiKeys.authenticate(key)).toMatchObject({ scopes });
    const { data } = await apiKeys.list({ limit: 1 });
    const { id = '', expires_at: ends } = data[0] ?? {};
    expect(Math.round((Date.parse(String(ends)) - at) / dayMs)).toBe(30);
    expect(await textOf('keys')).not.toContain(key);
    expect(await lastEntry(id)).toMatchObject({
      action: 'api_key.created',
      actor: { id: admin.userId },
      details: { name },
    });
    const summary = await textOf(`keys/${id}/revoke`);
    expect(summary).toContain('Revoke “Nightly &lt;b&gt;import”?');
    expect(summary).toContain('Programs that use this key lose access immediately.');
    expect(await apiKeys.authenticate(key)).toBeDefined();
    expect(await admin.form(`keys/${id}/revoke`)).toMatchObject(
      redirectTo(`${home}keys?done=revoked`),
    );
    expect(await apiKeys.authenticate(key)).toBeUndefined();
    expect(await lastEntry(id)).toMatchObject({ action: 'api_key.revoked' });
  });

  it.each([
    ['a scope', { name: 'x' }],
    ['a name', { name: '', 'scope.admin': 'yes' }],
    ['a known scope', { name: 'x', 'scope.root': 'yes' }],
    ['a name of plain characters', { name: 'a\u202eb', 'scope.admin': 'yes' }],
  ])('are not made without %s', async (_what, values: Record<string, string>) => {
    const { total } = await app.services.apiKeys.list({ limit: 1 });
    expect((await admin.form('keys', values)).status).toBe(422);
    expect((await app.services.apiKeys.list({ limit: 1 })).total).toBe(total);
  });
});

describe('the payment webhook', () => {
  it('shows which events failed and why, retries them, and reveals no content', async () => {
    const type = 'customer.subscription.updated';
    const data = { object: { customer_email: 'payer@example.com' } };
    const event = {
      type,
      created: new Date(at),
      received_at: new Date(at),
      payload: JSON.stringify({ id: 'evt_1', type, created: 1, data }),
      attempts: 1,
      processed_at: new Date(at),
    };
    await app.stores.db
      .insertInto('payment_events')
      .values([
        { ...event, id: 'evt_failed', status: 'failed', error_code: 'user_unknown' },
        { ...event, id: 'evt_done', status: 'done', error_code: null },
      ])
      .execute();
    const page = await textOf('keys/webhook');
    expect(page).toContain('No user matches the email address or customer ID');
    expect(page).not.toContain('payer@example.com');
    expect(page).toContain('PAYMENTS_WEBHOOK_SECRET');
    expect((await admin.form('keys/webhook/retry', { id: 'evt_done' })).status).toBe(409);
    expect((await admin.form('keys/webhook/retry', { id: 'evt_failed' })).status).toBe(303);
    expect(await lastEntry('evt_failed')).toMatchObject({
      action: 'webhook.retried',
      actor: { id: admin.userId },
    });
    expect(await lastEntry('evt_done')).toBeUndefined();
  });
});

describe('the audit log', () => {
  it('is filtered by its URL, and exported with the same filters', async () => {
    const shown = await textOf(
      `audit?action=user.*&actor_id=${admin.userId}&outcome=&since=&until=`,
    );
    expect(shown).toContain('changed the role for');
    expect(shown).not.toContain('</a> signed in');
    expect(/<ol class="activity">.*<\/ol>/s.exec(shown)?.[0]).not.toContain('user.roles_changed');
    const csv = (await textOf(`audit?format=csv&action=user.*`)).trimEnd().split('\r\n');
    expect(csv.slice(1).every((line) => line.includes(',user.'))).toBe(true);
    const day = new Date(at).toISOString().slice(0, 10);
    expect(await textOf(`audit?action=user.roles_changed&since=${day}&until=${day}`)).toContain(
      'changed the role for',
    );
    const minute = new Date(at + minuteMs).toISOString().slice(0, 16);
    expect(await textOf(`audit?since=${minute}`)).toContain('No entries match');
    for (const bad of ['action=nothing.such', 'since=yesterday', 'cursor=1', 'outcome=maybe'])
      expect((await admin.page(`audit?${bad}`)).status, bad).toBe(422);
  });
});

describe('a person in the audit log', () => {
  const find = (values: Record<string, string>) => searchLocation('audit/find', values);

  it('is found by any part of a name, which is not in the URL', async () => {
    await app.services.users.signInAs(
      { kind: 'email', key: 'rosa@audit.example', value: 'rosa@audit.example' },
      { profile: { name: 'Rosa Kranz' } },
    );
    const [only] = (await app.services.users.list({ text: 'kranz', limit: 1 })).data;
    expect(await find({ who: 'ranz', action: 'user.*', outcome: '' })).toBe(
      `${home}audit?action=user.*&person=${only?.id}`,
    );
    const many = await find({ who: 'example.com', action: '' });
    expect(many).not.toContain('example');
    const asked = await textOf(many);
    expect(asked).toContain('Who is “example.com”?');
    expect(asked).toMatch(/audit\?person=[\da-f-]{36}/);
    expect(await textOf(await find({ who: 'zzz-nobody' }))).toContain('Nobody with this name');
  });

  it('stays chosen while its name stays, and goes with it', async () => {
    const chosen = { person: grace.userId, person_name: 'grace@example.com' };
    expect(await find({ ...chosen, who: 'grace@example.com', outcome: 'success' })).toBe(
      `${home}audit?outcome=success&person=${grace.userId}`,
    );
    expect(await find({ ...chosen, who: '' })).toBe(`${home}audit`);
  });

  it('has what they did, and what was done to them', async () => {
    const shown = await textOf(`audit?person=${grace.userId}`);
    expect(shown).toContain('Person: grace@example.com');
    expect(shown).toContain('>grace@example.com</a> signed in');
    expect(shown).not.toContain('>Ada');
  });
});

describe('search', () => {
  it.each([
    ['users/find', { text: 'grace@example.com', role: '', disabled: 'no' }],
    ['search', { q: 'grace@example.com' }],
  ])('at %s puts no search terms into URLs, except sealed ones', async (path, values) => {
    const place = await searchLocation(path, values);
    expect(decodeURIComponent(place)).not.toContain('grace');
    const sealed = new URLSearchParams(place.split('?')[1]).get('find')?.slice(3) ?? '';
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('grace');
    const { status, text } = await admin.page(place);
    expect(status).toBe(200);
    expect(text).toContain(`users/${grace.userId}`);
    for (const [, href = ''] of text.matchAll(/(?:href|action)="([^"]*)"/g))
      expect(decodeURIComponent(href)).not.toContain('grace@');
  });

  it('leads to a URL without terms if none were entered', async () => {
    expect(await searchLocation('users/find', { text: '', role: 'admin', disabled: '' })).toBe(
      `${home}users?role=admin`,
    );
    expect(await searchLocation('search', { q: ' ' })).toBe(`${home}search`);
  });

  it('refuses terms that it has not sealed, and shows no results for them', async () => {
    const place = await searchLocation('users/find', { text: 'grace' });
    for (const bad of [
      `users?find=grace`,
      `users?find=grace&format=csv`,
      `search?find=v1.AAAA`,
      `status/subscribers?find=x`,
      `${place.slice(0, -3)}AAA`,
    ]) {
      const { status, text } = await admin.page(bad);
      expect(status, bad).toBe(422);
      expect(text, bad).toContain('Search again');
      expect(text, bad).not.toContain('example.com');
    }
  });

  it('finds people, devices and keys for admins, and none of them for viewers', async () => {
    const viewer = await personOf(app, 'vic@example.com', ['viewer']);
    const found = async (q: string, by: Person) =>
      (await by.form('search', { q }, { headers: asScript })).body.data;
    const name = 'grace@example.com';
    expect(await found('RACE@ex', admin)).toMatchObject([
      { group: 'Users', name, hint: 'User', href: `${home}users/${grace.userId}` },
    ]);
    const named = (text: string) =>
      expect.arrayContaining([expect.objectContaining({ name: text })]) as unknown;
    expect(await found('able', admin)).toEqual(named('Tablet'));
    expect(await found('import', admin)).toEqual(named('Nightly <b>import'));
    expect(await found('audit', admin)).toEqual(named('Audit log'));
    for (const q of ['grace', 'Tablet', 'nightly', grace.userId])
      expect(await found(q, viewer), q).toEqual([]);
    for (const q of ['audit', 'users'])
      expect(JSON.stringify(await found(q, viewer)), q).not.toMatch(
        /"group":"(Pages|Users|API keys)"/,
      );
    expect(await found('status', viewer)).toEqual(named('Status'));
  });
});

describe('every page', () => {
  it('is valid HTML that escapes user input', async () => {
    const evil = '<script>alert(1)</script>"\'';
    const { person, device, request } = await requestApproval(app, 'evil.device@example.com', evil);
    const { user } = await app.services.users.signInAs(
      { kind: 'email', key: 'named@example.com', value: 'named@example.com' },
      { profile: { name: evil } },
    );
    await app.services.apiKeys.create({ name: evil, scopes: ['admin'], expires_at: null });
    await app.services.audit.record({
      action: 'otp.failed',
      outcome: 'failure',
      reason: evil,
      actor: { kind: 'anonymous' },
      target: { kind: evil, id: evil },
      details: { [evil]: evil },
    });
    const paths = [
      'users',
      await searchLocation('users/find', { text: evil }),
      `users/${user.id}`,
      `users/${person.userId}/devices?done=suspended&about=${device}`,
      `users/${grace.userId}?done=disabled`,
      'devices',
      'devices?state=denied',
      'keys?done=revoked',
      'keys/webhook',
      'keys/webhook?status=pending',
      'audit',
      `audit?target_id=${encodeURIComponent(evil)}`,
      await searchLocation('search', { q: evil }),
    ];
    const pages: [name: string, text: string][] = [];
    for (const path of paths) pages.push([path, await textOf(path)]);
    const escaped = pages.filter(([, text]) => text.includes('&lt;script&gt;'));
    expect(escaped.length).toBeGreaterThan(6);
    const refused = await admin.form('keys', { name: evil });
    const asked = await admin.page(`devices/${device}/remove`);
    pages.push(
      ['a refused key', refused.text],
      ['a removal', asked.text],
      ['a device', await textOf(`devices/${device}`)],
      ['a request', await textOf(`devices/requests/${request}`)],
    );
    for (const [name, text] of pages) expect(text, name).not.toContain('<script>alert');
    // A check takes a third of a second, so of each page only the last variant is checked.
    const last = new Map(
      pages.map(([path, text]) => [path.replace(/\?.*|[\da-f-]{36}.*/, ''), text]),
    );
    for (const [name, text] of last) expect(await faultsOf(text), name).toEqual([]);
  });

  it('requires a fresh sign-in where the API does, and leads back', async () => {
    at += 31 * minuteMs;
    const { request, number, device } = await requestApproval(app, 'late@example.com', 'Late');
    const toSignIn = redirectTo(`/login?next=${encodeURIComponent(`${home}devices`)}&reason=fresh`);
    const from = (site: string) => ({ headers: { referer: `${site}${home}devices` } });
    const path = `devices/requests/${request}/approve`;
    expect(await admin.form(path, { number }, from(origin))).toMatchObject(toSignIn);
    expect(await stateOf(device)).toBe('pending');
    const values = { role: 'admin', confirm: 'grace@example.com' };
    for (const action of ['disable', 'roles/give']) {
      const { headers } = await admin.form(`users/${grace.userId}/${action}`, values);
      expect(headers.location).toContain('reason=fresh');
    }
    expect(await userOf(grace)).toMatchObject({ roles: [], disabledAt: null });
    const elsewhere = from('https://evil.example');
    expect(await admin.form(`devices/${device}/suspend`, {}, elsewhere)).toMatchObject(toSignIn);
  });
});
