import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { faultsOf, home, look, origin, personOf, submit } from './pages.ts';

type Person = Awaited<ReturnType<typeof personOf>>;

let app: TestApp;
// Advances with each reading, so that later rows have later times.
let at = Date.now();
let admin: Person;
let grace: Person;

beforeAll(async () => {
  app = await sharedApp('console', { clock: { now: () => (at += 1) } });
  admin = await personOf(app, 'ada@example.com', ['admin']);
  grace = await personOf(app, 'grace@example.com');
});

const get = async (path: string, headers = admin.headers) => look(app, path, headers);
const send = (
  path: string,
  values: Record<string, string | readonly string[]> = {},
  person = admin,
) => submit(app, path, values, person.headers);
/** The location that a search form redirects to. */
const searchLocation = async (path: string, values: Record<string, string>): Promise<string> =>
  String((await send(path, values)).headers.location);
const userOf = ({ userId }: Person) => app.services.users.get(userId);
const lastEntry = async (target: string) =>
  (await app.services.audit.list({ target_id: target, limit: 1 })).data[0];

/** Signs in a user whose device requests clearance. */
async function requestClearance(email: string, name: string) {
  const person = await personOf(app, email);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/auth/blackops/request-clearance',
    payload: { fingerprint: email, device_name: name },
    headers: {
      cookie: person.headers.cookie ?? '',
      origin,
      host: '127.0.0.1:3000',
      'sec-fetch-site': 'same-origin',
    },
  });
  const {
    request_id: request,
    device_id: device,
    number,
  } = answer.json<{ request_id: string; device_id: string; number: string }>();
  return { person, request, device, number };
}

const stateOf = async (device: string) =>
  (await app.services.devices.management.get(device, 'all')).state;

describe('users', () => {
  it('are found by the beginning of a name, address or number, and by role', async () => {
    const { users } = app.services;
    const { user: ursula } = await users.signInAs(
      { kind: 'phone', key: '+491701234567', value: '+49 170 1234567' },
      { name: 'Ursula_100%' },
    );
    const found = async (filters: Record<string, string>) =>
      (await get(await searchLocation('users/find', filters))).body;
    const person = new RegExp(ursula.id);
    for (const text of ['URSULA_', 'ursula_100%', '+49 170 12', '0049170', ursula.id])
      expect({ text, found: await found({ text }) }).toEqual({
        text,
        found: expect.stringMatching(person) as string,
      });
    for (const text of ['rsula', 'ursula1', '170', 'URSULA_100%x', '\u0000', '%', '_'])
      expect({ text, found: await found({ text }) }).toEqual({
        text,
        found: expect.not.stringMatching(person) as string,
      });
    const admins = await found({ role: 'admin', text: '', disabled: '' });
    expect(admins).toContain('ada@example.com');
    expect(admins).not.toContain('grace@example.com');
    const first = await users.list({ limit: 2 });
    const second = await users.list({ limit: 2, cursor: first.next_cursor ?? '' });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([
      ursula.id,
      grace.userId,
      admin.userId,
    ]);
    expect({ firstNextCursor: first.next_cursor, secondNextCursor: second.next_cursor }).toEqual({
      firstNextCursor: grace.userId,
      secondNextCursor: null,
    });
  });

  it('are exported with the same filters, and no cell is a formula', async () => {
    await app.services.users.signInAs(
      { kind: 'email', key: 'evil@example.com', value: 'evil@example.com' },
      { name: '=HYPERLINK("http://evil.example")' },
    );
    const csv = await get(`${await searchLocation('users/find', { text: 'evil' })}&format=csv`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="users.csv"',
      'cache-control': 'no-store',
    });
    expect(csv.body.trimEnd().split('\r\n')).toEqual([
      expect.stringMatching(/^id,name,email/),
      expect.stringContaining(`"'=HYPERLINK(""http://evil.example"")"`),
    ]);
    const json = (await get('users?format=json')).json<{ data: { email: string | null }[] }>();
    expect(json.data.map(({ email }) => email)).toEqual([
      'evil@example.com',
      null,
      'grace@example.com',
      'ada@example.com',
    ]);
  });

  it('are shown for any `done` in the URL, such as `constructor`', async () => {
    const pages = [`users/${grace.userId}`, 'devices', 'keys', 'status', 'status/subscribers'];
    for (const done of ['constructor', '__proto__', 'toString'])
      for (const page of pages)
        expect({ page, done, status: (await get(`${page}?done=${done}`)).statusCode }).toEqual({
          page,
          done,
          status: 200,
        });
  });

  it('lose a session at once, and the audit log says who ended it', async () => {
    const other = await personOf(app, 'lin@example.com');
    const sessions = await app.services.sessions.list(other.userId);
    const id = sessions[0]?.id ?? '';
    expect(
      (await send(`users/${other.userId}/sessions/end`, { session: id })).headers.location,
    ).toBe(`${home}users/${other.userId}?done=session_ended`);
    expect(
      (await app.services.sessions.list(other.userId)).map((session) => session.id),
    ).not.toContain(id);
    expect(await lastEntry(id)).toMatchObject({
      action: 'session.revoked',
      actor: { kind: 'user', id: admin.userId },
      details: { user_id: other.userId },
    });
    await send(`users/${other.userId}/sessions/end-all`);
    expect(await app.services.sessions.list(other.userId)).toEqual([]);
    expect(await lastEntry(other.userId)).toMatchObject({
      action: 'session.revoked_all',
      actor: { id: admin.userId },
    });
  });

  it('get and lose roles, but admins keep their own role and account', async () => {
    await send(`users/${grace.userId}/roles/give`, { role: 'admin' });
    expect((await userOf(grace)).roles).toEqual(['admin']);
    expect(await lastEntry(grace.userId)).toMatchObject({
      action: 'user.roles_changed',
      actor: { id: admin.userId },
      details: { from: [], to: ['admin'] },
    });
    for (const confirm of ['', 'grace', 'GRACE@example.com', 'ada@example.com'])
      expect(
        (await send(`users/${grace.userId}/roles/take`, { role: 'admin', confirm })).statusCode,
      ).toBe(422);
    expect((await userOf(grace)).roles).toEqual(['admin']);
    expect(
      (
        await send(`users/${grace.userId}/roles/take`, {
          role: 'admin',
          confirm: 'grace@example.com',
        })
      ).statusCode,
    ).toBe(303);
    expect((await userOf(grace)).roles).toEqual([]);
    expect(
      (
        await send(`users/${admin.userId}/roles/take`, {
          role: 'admin',
          confirm: 'ada@example.com',
        })
      ).statusCode,
    ).toBe(403);
    expect(
      (await send(`users/${admin.userId}/disable`, { confirm: 'ada@example.com' })).statusCode,
    ).toBe(403);
    expect(await userOf(admin)).toMatchObject({ roles: ['admin'], disabledAt: null });
    const own = (await get(`users/${admin.userId}`)).body;
    expect(own).not.toContain('Remove admin');
    expect(own).not.toContain('Disable account');
  });

  it('always keep one admin, even when two remove each other at once', async () => {
    const own = admin.userId.toUpperCase();
    expect(
      (await send(`users/${own}/roles/take`, { role: 'admin', confirm: 'ada@example.com' }))
        .statusCode,
    ).toBe(403);
    expect((await send(`users/${own}/disable`, { confirm: 'ada@example.com' })).statusCode).toBe(
      403,
    );
    const [one, two] = [
      await personOf(app, 'one@example.com', ['admin']),
      await personOf(app, 'two@example.com', ['admin']),
    ];
    const taken = await Promise.all([
      send(`users/${two.userId}/roles/take`, { role: 'admin', confirm: 'two@example.com' }, one),
      send(`users/${one.userId}/roles/take`, { role: 'admin', confirm: 'one@example.com' }, two),
    ]);
    expect(taken.map(({ statusCode }) => statusCode).sort()).toEqual([303, 403]);
    expect((await Promise.all([one, two].map(userOf))).flatMap(({ roles }) => roles)).toEqual([
      'admin',
    ]);
    const [three, four] = [
      await personOf(app, 'three@example.com', ['admin']),
      await personOf(app, 'four@example.com', ['admin']),
    ];
    await Promise.all([
      send(`users/${four.userId}/disable`, { confirm: 'four@example.com' }, three),
      send(`users/${three.userId}/disable`, { confirm: 'three@example.com' }, four),
    ]);
    expect(
      (await Promise.all([three, four].map(userOf))).filter(
        ({ disabledAt }) => disabledAt === null,
      ),
    ).toHaveLength(1);
  });

  it('keep both of two concurrent changes', async () => {
    const other = await personOf(app, 'mary@example.com', ['admin']);
    await Promise.all([
      send(`users/${other.userId}/roles/give`, { role: 'viewer' }),
      send(`users/${other.userId}/roles/take`, { role: 'admin', confirm: 'mary@example.com' }),
    ]);
    expect((await userOf(other)).roles).toEqual(['viewer']);
  });

  it('are disabled only after their address was typed, and enabled by undo', async () => {
    const place = `users/${grace.userId}`;
    expect((await send(`${place}/disable`, { confirm: 'x' })).statusCode).toBe(422);
    expect((await send(`${place}/disable`)).statusCode).toBe(422);
    expect((await userOf(grace)).disabledAt).toBeNull();
    const done = await send(`${place}/disable`, { confirm: 'grace@example.com' });
    expect(await app.services.sessions.list(grace.userId)).toEqual([]);
    expect((await get(String(done.headers.location))).body).toMatch(
      /id="notice"[^]*Account disabled[^]*\/enable"[^]*<h2/,
    );
    await send(`${place}/enable`);
    expect((await userOf(grace)).disabledAt).toBeNull();
    expect(
      (
        await app.services.audit.list({ action: 'user.*', target_id: grace.userId, limit: 2 })
      ).data.map(({ action }) => action),
    ).toEqual(['user.enabled', 'user.disabled']);
  });
});

describe('devices', () => {
  it('are cleared with the number that they show, and with no other', async () => {
    const { request, device, number } = await requestClearance('dev1@example.com', 'Laptop');
    const wrong = String((Number(number) + 1) % 100).padStart(2, '0');
    expect((await get('devices')).body).not.toContain(`>${number}<`);
    for (const given of ['', 'x', '123'])
      expect(
        (await send(`devices/requests/${request}/approve`, { number: given })).statusCode,
      ).toBe(400);
    const refused = await send(`devices/requests/${request}/approve`, { number: wrong });
    expect({ status: refused.statusCode, body: refused.body }).toEqual({
      status: 400,
      body: expect.stringContaining('The number doesn’t match the device.') as string,
    });
    expect(await stateOf(device)).toBe('pending');
    expect(
      (await send(`devices/requests/${request}/approve`, { number: ` ${number} `, note: 'Seen' }))
        .statusCode,
    ).toBe(303);
    expect(await stateOf(device)).toBe('cleared');
    expect(await lastEntry(device)).toMatchObject({
      action: 'device.cleared',
      actor: { kind: 'user', id: admin.userId },
    });
    expect((await send(`devices/requests/${request}/deny`)).statusCode).toBe(409);
  });

  it('are denied, suspended, restored, and removed after their name was typed', async () => {
    const { request, device } = await requestClearance('dev2@example.com', 'Old phone');
    await send(`devices/requests/${request}/deny`, { note: 'Not known' });
    expect(await stateOf(device)).toBe('denied');
    const other = await requestClearance('dev3@example.com', 'Tablet');
    await send(`devices/requests/${other.request}/approve`, { number: other.number });
    expect((await send(`devices/${other.device}/suspend`, { from: 'user' })).headers.location).toBe(
      `${home}users/${other.person.userId}?done=suspended&about=${other.device}`,
    );
    expect(await stateOf(other.device)).toBe('suspended');
    await send(`devices/${other.device}/restore`);
    expect(await stateOf(other.device)).toBe('cleared');
    expect((await send(`devices/${other.device}/revoke`, { confirm: 'tablet' })).statusCode).toBe(
      422,
    );
    expect(await stateOf(other.device)).toBe('cleared');
    await send(`devices/${other.device}/revoke`, { confirm: 'Tablet' });
    expect(await stateOf(other.device)).toBe('revoked');
  });

  it('of admins are not approved or changed by their owners', async () => {
    const own = await requestClearance('own@example.com', 'Mine');
    await app.services.users.setRoles(own.person.userId, ['admin']);
    expect(
      (await send(`devices/requests/${own.request}/approve`, { number: own.number }, own.person))
        .statusCode,
    ).toBe(403);
    for (const act of ['suspend', 'restore', 'revoke'])
      expect(
        (await send(`devices/${own.device}/${act}`, { confirm: 'Mine' }, own.person)).statusCode,
      ).toBe(403);
    expect(await stateOf(own.device)).toBe('pending');
  });
});

describe('API keys', () => {
  it('are shown once, work, and are revoked after their name was typed', async () => {
    const made = await send('keys', {
      name: 'Nightly <b>import',
      'scope.analytics:read': 'yes',
      'scope.analytics:write': 'yes',
      days: '30',
    });
    const key = /value="(svc_[\w-]{43})"/.exec(made.body)?.[1] ?? '';
    expect(await app.services.apiKeys.authenticate(key)).toMatchObject({
      scopes: ['analytics:read', 'analytics:write'],
    });
    const { data } = await app.services.apiKeys.list({ limit: 1 });
    const { id = '', expires_at: ends } = data[0] ?? {};
    expect(Math.round((Date.parse(String(ends)) - at) / 86_400_000)).toBe(30);
    expect((await get('keys')).body).not.toContain(key);
    expect(await lastEntry(id)).toMatchObject({
      action: 'api_key.created',
      actor: { id: admin.userId },
      details: { name: 'Nightly <b>import' },
    });
    expect((await send(`keys/${id}/revoke`, { confirm: 'Nightly' })).statusCode).toBe(422);
    expect(await app.services.apiKeys.authenticate(key)).toBeDefined();
    expect(
      (await send(`keys/${id}/revoke`, { confirm: 'Nightly <b>import' })).headers.location,
    ).toBe(`${home}keys?done=revoked`);
    expect(await app.services.apiKeys.authenticate(key)).toBeUndefined();
    expect(await lastEntry(id)).toMatchObject({ action: 'api_key.revoked' });
  });

  it('are not made without a name, without a scope or with an unknown scope', async () => {
    const { total } = await app.services.apiKeys.list({ limit: 1 });
    for (const values of [
      { name: 'x' },
      { name: '', 'scope.admin': 'yes' },
      { name: 'x', 'scope.root': 'yes' },
      { name: 'a\u202eb', 'scope.admin': 'yes' },
    ])
      expect((await send('keys', values)).statusCode).toBe(422);
    expect((await app.services.apiKeys.list({ limit: 1 })).total).toBe(total);
  });
});

describe('the payment webhook', () => {
  it('shows which events failed and why, retries them, and reveals no content', async () => {
    const { db } = app.stores;
    const event = {
      type: 'customer.subscription.updated',
      created: new Date(at),
      received_at: new Date(at),
      payload: JSON.stringify({
        id: 'evt_1',
        type: 'customer.subscription.updated',
        created: 1,
        data: { object: { customer_email: 'payer@example.com' } },
      }),
      attempts: 1,
      processed_at: new Date(at),
    };
    await db
      .insertInto('payment_events')
      .values([
        { ...event, id: 'evt_failed', status: 'failed', error_code: 'user_unknown' },
        { ...event, id: 'evt_done', status: 'done', error_code: null },
      ])
      .execute();
    const page = (await get('keys/webhook')).body;
    expect(page).toContain('No user matches the email address or customer ID');
    expect(page).not.toContain('payer@example.com');
    expect(page).toContain('PAYMENTS_WEBHOOK_SECRET');
    expect((await send('keys/webhook/retry', { id: 'evt_done' })).statusCode).toBe(409);
    expect((await send('keys/webhook/retry', { id: 'evt_failed' })).statusCode).toBe(303);
    expect(await lastEntry('evt_failed')).toMatchObject({
      action: 'webhook.retried',
      actor: { id: admin.userId },
    });
    expect(await lastEntry('evt_done')).toBeUndefined();
  });
});

describe('the audit log', () => {
  it('is filtered by its URL, and exported with the same filters', async () => {
    const shown = (await get(`audit?action=user.*&actor_id=${admin.userId}&outcome=&since=&until=`))
      .body;
    expect(shown).toContain('user.roles_changed');
    expect(shown).not.toContain('<code title="A user signed in.">');
    const csv = (await get(`audit?format=csv&action=user.*`)).body.trimEnd().split('\r\n');
    expect(csv.slice(1).every((line) => line.includes(',user.'))).toBe(true);
    const minute = new Date(at + 60_000).toISOString().slice(0, 16);
    expect((await get(`audit?since=${minute}`)).body).toContain('No entries match');
    for (const bad of ['action=nothing.such', 'since=yesterday', 'cursor=1', 'outcome=maybe'])
      expect({ bad, status: (await get(`audit?${bad}`)).statusCode }).toEqual({ bad, status: 422 });
  });
});

describe('search', () => {
  it('puts no search terms into URLs, except sealed ones', async () => {
    for (const [path, values] of [
      ['users/find', { text: 'grace@example.com', role: '', disabled: 'no' }],
      ['search', { q: 'grace@example.com' }],
    ] as const) {
      const place = await searchLocation(path, values);
      expect(decodeURIComponent(place)).not.toContain('grace');
      expect(
        Buffer.from(
          new URLSearchParams(place.split('?')[1]).get('find')?.slice(3) ?? '',
          'base64url',
        ).toString('latin1'),
      ).not.toContain('grace');
      const page = await get(place);
      expect({
        status: page.statusCode,
        includes: page.body.includes(`users/${grace.userId}`),
      }).toEqual({ status: 200, includes: true });
      // No link on the page contains the search terms.
      for (const [, href = ''] of page.body.matchAll(/(?:href|action)="([^"]*)"/g))
        expect(decodeURIComponent(href)).not.toContain('grace@');
    }
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
      const answer = await get(bad);
      expect({
        bad,
        status: answer.statusCode,
        includesSearchAgain: answer.body.includes('Search again'),
        includes: answer.body.includes('example.com'),
      }).toEqual({ bad, status: 422, includesSearchAgain: true, includes: false });
    }
  });

  it('finds people, devices and keys for admins, and none of them for viewers', async () => {
    const viewer = await personOf(app, 'vic@example.com', ['viewer']);
    const json = async (q: string, { headers }: Person) =>
      (
        await submit(
          app,
          'search',
          { q },
          { cookie: headers.cookie ?? '', accept: 'application/json' },
        )
      ).json<{ data: { name: string; href: string }[] }>().data;
    expect(await json('GRACE@', admin)).toEqual([
      {
        name: 'grace@example.com',
        hint: 'grace@example.com',
        href: `${home}users/${grace.userId}`,
      },
    ]);
    expect((await json('tab', admin)).map(({ name }) => name)).toContain('Tablet');
    expect((await json('nightly', admin)).map(({ name }) => name)).toEqual(['Nightly <b>import']);
    expect((await json('audit', admin)).map(({ name }) => name)).toContain('Audit log');
    for (const q of ['grace', 'Tablet', 'nightly', grace.userId, 'audit', 'users'])
      expect({ q, json: await json(q, viewer) }).toEqual({ q, json: [] });
    expect((await json('status', viewer)).map(({ name }) => name)).toContain('Status');
  });
});

describe('every page', () => {
  it('is valid HTML that escapes user input', async () => {
    const evil = '<script>alert(1)</script>"\'';
    const { person, device } = await requestClearance('evil.device@example.com', evil);
    const { user } = await app.services.users.signInAs(
      { kind: 'email', key: 'named@example.com', value: 'named@example.com' },
      { name: evil },
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
    const refused = (await send('keys', { name: evil })).body;
    const typed = (await send(`devices/${device}/revoke`, { confirm: evil.slice(1) })).body;
    const paths = [
      'users',
      await searchLocation('users/find', { text: evil }),
      `users/${user.id}`,
      `users/${person.userId}?done=suspended&about=${device}`,
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
    const pages = await Promise.all(
      paths.map(async (path) => [path, (await get(path)).body] as const),
    );
    for (const [path, page] of [
      ...pages,
      ['refused', refused] as const,
      ['typed', typed] as const,
    ]) {
      expect({ path, includes: page.includes('<script>alert') }).toEqual({ path, includes: false });
      expect({ path, faults: await faultsOf(page) }).toEqual({ path, faults: [] });
    }
    expect(pages.filter(([, page]) => page.includes('&lt;script&gt;')).length).toBeGreaterThan(6);
  });

  it('requires a fresh sign-in where the API does, and leads back', async () => {
    at += 6 * 60_000;
    const { request, number, device } = await requestClearance('late@example.com', 'Late');
    const page = `${home}devices`;
    const answer = await submit(
      app,
      `devices/requests/${request}/approve`,
      { number },
      { ...admin.headers, referer: origin + page },
    );
    expect({ status: answer.statusCode, location: answer.headers.location }).toEqual({
      status: 303,
      location: `/login?next=${encodeURIComponent(page)}&reason=fresh`,
    });
    expect(await stateOf(device)).toBe('pending');
    for (const path of [`users/${grace.userId}/disable`, `users/${grace.userId}/roles/give`])
      expect(
        (await send(path, { role: 'admin', confirm: 'grace@example.com' })).headers.location,
      ).toContain('reason=fresh');
    expect(await userOf(grace)).toMatchObject({ roles: [], disabledAt: null });
    const elsewhere = await submit(
      app,
      `devices/${device}/suspend`,
      {},
      { ...admin.headers, referer: 'https://evil.example/api/svc/console/devices' },
    );
    expect(elsewhere.headers.location).toBe(`/login?next=${encodeURIComponent(page)}&reason=fresh`);
  });
});
