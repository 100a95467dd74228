import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminKey, asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { signInByEmail } from '../../support/sign-in.ts';
import { ask, codesOf } from '../../surfaces/graphql/graphql-client.ts';
import { newClient } from '../../surfaces/mcp/client.ts';
import type { AddressInfo } from 'node:net';

let app: FreshApp;
let origin = '';
beforeAll(async () => {
  app = await freshApp({ env: { DEVICE_BINDING: 'none' }, isEmbedded: true });
  await app.services.queues.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

interface User {
  id: string;
  email: string | null;
  email_verified: boolean;
  roles: string[];
}

const path = '/api/v1/users';

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
) {
  const answer = await app.http.inject({
    method,
    url,
    headers: { ...asAdmin, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<unknown>() };
}

async function create(body: object): Promise<User> {
  const answer = await call('POST', path, { body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as User;
}

const find = async (query: string): Promise<(string | null)[]> =>
  ((await call('GET', `${path}?${query}`)).body as { data: User[] }).data.map(({ email }) => email);

describe('users over REST', () => {
  it('creates a person whose address is unproved until they sign in with it', async () => {
    const made = await create({ email: 'Ada@Example.com', name: 'Ada', roles: ['viewer'] });
    expect(made).toMatchObject({ email: 'Ada@Example.com', email_verified: false });
    const { userId } = await signInByEmail(app, 'ada@example.com');
    expect(userId).toBe(made.id);
    expect((await call('GET', `${path}/${made.id}`)).body).toMatchObject({
      email_verified: true,
      roles: ['viewer'],
      name: 'Ada',
    });
  });

  it('drops what is unproved when the person first proves an address', async () => {
    const { id } = await create({ email: 'bea@example.com', phone: '+14155550132' });
    await signInByEmail(app, 'bea@example.com');
    expect((await call('GET', `${path}/${id}`)).body).toMatchObject({ phone: null });
  });

  it('refuses an address that somebody has, proved or not, also when all ask at once', async () => {
    await signInByEmail(app, 'cara@example.com');
    const body = { email: 'CARA@example.com' };
    expect((await call('POST', path, { body })).body).toMatchObject({ code: 'users.taken' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', path, { body: { email: 'dora@example.com' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('refuses a person without an address or number, and unknown members', async () => {
    for (const body of [{}, { name: 'x' }, { email: 'no' }, { email: 'a@b.example', admin: true }])
      expect((await call('POST', path, { body })).status).toBe(422);
  });

  it('searches anywhere in names, addresses and numbers', async () => {
    await create({ email: 'long.tail@corner.example.com', name: 'Émile Zola' });
    await create({ phone: '+442071838750', name: '100%' });
    expect(await find('q=tail@corn')).toEqual(['long.tail@corner.example.com']);
    expect(await find('q=%C3%A9mile')).toEqual(['long.tail@corner.example.com']);
    expect(await find('q=%C3%89MILE')).toEqual(['long.tail@corner.example.com']);
    expect(await find('q=2071%208387')).toEqual([null]);
    expect(await find('q=0%25')).toEqual([null]);
    expect(await find('q=_')).toEqual([]);
  });

  it('changes roles, locks a person out, and ends their sessions', async () => {
    const { userId, bearer } = await signInByEmail(app, 'fay@example.com');
    const url = `${path}/${userId}`;
    const body = { roles: ['viewer'], name: 'Fay', external_id: 'hr-7' };
    expect((await call('PATCH', url, { body })).body).toMatchObject(body);
    expect(await find('external_id=hr-7')).toEqual(['fay@example.com']);
    expect((await call('PATCH', url, { body: { disabled: true } })).body).toMatchObject({
      disabled: true,
    });
    const me = await app.http.inject({ url: '/api/auth/me', headers: bearer });
    expect(me.statusCode).toBe(401);
    expect(await find('disabled=true')).toEqual(['fay@example.com']);
  });

  it('leaves one admin who can sign in, whoever asks and however many at once', async () => {
    const [one, two] = await Promise.all(
      ['gil@example.com', 'hal@example.com'].map((email) => signInByEmail(app, email)),
    );
    // Nobody can sign in as this admin: the address is not proved.
    await create({ email: 'ivy@example.com', roles: ['admin'] });
    for (const each of [one, two]) await app.services.users.setRoles(each?.userId ?? '', ['admin']);
    const demote = (id = '') => call('PATCH', `${path}/${id}`, { body: { roles: [] } });
    const lock = (id = '') => call('PATCH', `${path}/${id}`, { body: { disabled: true } });
    const answers = await Promise.all([demote(one?.userId), lock(two?.userId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'users.last_admin',
    });
  });

  it('deletes a person with their data, and ends their sessions', async () => {
    const { userId, bearer } = await signInByEmail(app, 'gone@example.com');
    const url = `${path}/${userId}`;
    expect((await call('DELETE', url)).body).toEqual({ deleted: true, id: userId });
    expect((await call('GET', url)).body).toMatchObject({ code: 'users.not_found' });
    expect((await call('DELETE', url)).body).toMatchObject({ code: 'users.not_found' });
    const me = await app.http.inject({ url: '/api/auth/me', headers: bearer });
    expect(me.statusCode).toBe(401);
    const again = await signInByEmail(app, 'gone@example.com');
    expect(again.userId).not.toBe(userId);
  });

  it('lets only admins in, and changes nothing for others', async () => {
    const { bearer } = await signInByEmail(app, 'jan@example.com');
    for (const headers of [bearer, { authorization: 'Bearer svc_wrong' }])
      for (const [method, url] of [
        ['GET', path],
        ['POST', path],
        ['GET', `${path}/export`],
      ] as const) {
        const answer = await app.http.inject({
          method,
          url,
          headers,
          ...(method === 'POST' ? { payload: { email: 'kim@example.com' } } : {}),
        });
        expect([401, 403]).toContain(answer.statusCode);
      }
    expect(await find('q=kim@example')).toEqual([]);
  });
});

describe('an import', () => {
  it.each([
    ['an invalid address', 'sam@example.com,,\nnot an address,,', [3, 'email']],
    ['an invalid number', 'sam@example.com,,\n,12,', [3, 'phone']],
    ['neither address nor number', 'sam@example.com,,\n,,Nobody', [3, 'email']],
  ])('of a file with %s changes nothing, and names the line', async (_case, rows, place) => {
    const answer = await app.http.inject({
      method: 'POST',
      url: `${path}/import`,
      headers: { ...asAdmin, 'content-type': 'text/csv' },
      payload: `email,phone,name\n${rows}`,
    });
    expect({ status: answer.statusCode, body: answer.json<unknown>() }).toEqual({
      status: 422,
      body: { detail: [expect.objectContaining({ loc: ['body', ...place] })] },
    });
    expect(await find('q=sam@example')).toEqual([]);
  });
});

describe('an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  it('gives a repeated request the first response, and makes the change once', async () => {
    const body = { email: 'lou@example.com' };
    const first = await call('POST', path, { body, headers: key('"a-1"') });
    const again = await call('POST', path, { body, headers: key('a-1') });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect([first.headers, again.headers].map((each) => each['idempotency-replayed'])).toEqual([
      undefined,
      'true',
    ]);
    expect(await find('q=lou@example')).toEqual(['lou@example.com']);
  });

  it('is refused for another request, and changes nothing', async () => {
    await call('POST', path, { body: { email: 'max@example.com' }, headers: key('a-2') });
    const other = await call('POST', path, {
      body: { email: 'ned@example.com' },
      headers: key('a-2'),
    });
    expect(other.status).toBe(422);
    expect(await find('q=ned@example')).toEqual([]);
  });

  it('lets one of several equal requests through; the others are told to wait', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        call('POST', path, { body: { email: 'oda@example.com' }, headers: key('a-3') }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 409 && status !== 200)).toEqual([]);
    expect(statuses).toContain(200);
    expect(await find('q=oda@example')).toEqual(['oda@example.com']);
  });

  it('belongs to its caller', async () => {
    const { key: otherKey } = await app.services.apiKeys.create({
      name: 'other',
      scopes: ['admin'],
    });
    const body = { email: 'pia@example.com' };
    await call('POST', path, { body, headers: key('a-4') });
    const other = await call('POST', path, {
      body,
      headers: { ...key('a-4'), authorization: `Bearer ${otherKey}` },
    });
    expect(other.body).toMatchObject({ code: 'users.taken' });
  });

  it.each(['', 'x'.repeat(256), '"a', 'ä', 'a b'])('%j is refused', async (name) => {
    const answer = await call('POST', path, {
      body: { email: 'qi@example.com' },
      headers: key(name),
    });
    expect(answer.body).toMatchObject({ code: 'request.idempotency_key_invalid' });
    expect(await find('q=qi@example')).toEqual([]);
  });

  it('repeats no refusal that a fresh sign-in would lift', async () => {
    const { userId } = await signInByEmail(app, 'una@example.com');
    await app.services.users.setRoles(userId, ['admin']);
    const { bearer } = await signInByEmail(app, 'una@example.com');
    const session = (await app.services.sessions.list(userId))[0];
    expect(session).toBeDefined();
    const ask = (body: object) =>
      call('DELETE', `${path}/${userId}`, { body, headers: { ...bearer, ...key('a-6') } });
    for (const answer of [await ask({}), await ask({})]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'users.own_account' } });
      expect(answer.headers['idempotency-replayed']).toBeUndefined();
    }
  });

  it('is stored encrypted, with nothing of the response readable', async () => {
    await call('POST', path, {
      body: { email: 'rosalind.franklin@example.com' },
      headers: key('a-secret-key'),
    });
    const names = await app.stores.redis.keys('idempotency:*');
    const values = await Promise.all(names.map((name) => app.stores.redis.get(name)));
    expect(values.length).toBeGreaterThan(0);
    expect(JSON.stringify([names, values])).not.toMatch(/rosalind|example|a-secret-key/);
  });
});

describe('users elsewhere', () => {
  it('are the same in GraphQL: connection, node, mutations, and refusals', async () => {
    const { data, errors } = await ask(
      app,
      `mutation { createUser(input: {email: "sal@example.com", roles: [viewer]}) {
        user { id userId email roles emailVerified } } }`,
      { headers: asAdmin },
    );
    expect(errors).toEqual([]);
    const { user } = data?.createUser as { user: User };
    expect(user).toMatchObject({ email: 'sal@example.com', roles: ['viewer'] });
    const listed = await ask(
      app,
      `query ($id: ID!) {
        users(first: 1, q: "sal@", role: viewer) {
          nodes { email } edges { cursor } pageInfo { hasNextPage endCursor } }
        node(id: $id) { ... on User { email } }
        unknown: node(id: "Tm90aGluZzp4") { id }
        user(id: $id) { createdAt } }`,
      { headers: asAdmin, variables: { id: user.id } },
    );
    expect(listed.data).toMatchObject({
      users: { nodes: [{ email: 'sal@example.com' }], pageInfo: { hasNextPage: false } },
      node: { email: 'sal@example.com' },
      unknown: null,
      user: { createdAt: expect.any(String) as string },
    });
    const anonymous = await ask(app, '{ users { nodes { email } } }');
    expect({ codes: codesOf(anonymous), users: anonymous.data?.users ?? null }).toEqual({
      codes: ['request.unauthenticated'],
      users: null,
    });
  });

  it("are tools of MCP, for the SDK's client with an admin key", async () => {
    const client = await newClient(origin, adminKey);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_users', 'get_user', 'create_user', 'update_user']),
    );
    const made = await client.callTool({
      name: 'create_user',
      arguments: { email: 'tom@example.com' },
    });
    expect(made.structuredContent).toMatchObject({ email: 'tom@example.com' });
    const refused = await client.callTool({
      name: 'list_users',
      arguments: { colour: 'red' },
    });
    expect(refused.isError).toBe(true);
    await client.close();
  });
});
