import { describe, expect, it } from 'vitest';
import type { UserView } from '../../../../src/areas/identity/directory/schemas.ts';
import { me } from '../../../support/abuse.ts';
import { atOnce, oneOf } from '../../../support/abuse-tables.ts';
import { adminKey, asAdmin, freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { openBearer } from '../../../support/sign-in.ts';
import { listen } from '../../../support/sockets.ts';
import { ask, codesOf } from '../../../surfaces/graphql/graphql-client.ts';
import { newClient } from '../../../surfaces/mcp/client.ts';

const app = await freshApp({ env: { DEVICE_BINDING: 'none' }, isEmbedded: true });
await app.services.queues.start();
const origin = `http://127.0.0.1:${await listen(app)}`;
const users = new TestClient(app).as(asAdmin).at('/api/v1/users');

async function create(body: object): Promise<UserView> {
  const created = await users.post<UserView>('', body);
  if (created.status !== 200) throw new Error(created.text);
  return created.body;
}

const find = async (query: string): Promise<(string | null)[]> =>
  (await users.get<{ data: UserView[] }>(`?${query}`)).body.data.map(({ email }) => email);

describe('the API for users', () => {
  it('creates a person whose address is unverified until they sign in with it', async () => {
    const made = await create({ email: 'Ada@Example.com', name: 'Ada', roles: ['viewer'] });
    expect(made).toMatchObject({ email: 'Ada@Example.com', email_verified: false });
    const { userId } = await openBearer(app, 'ada@example.com');
    expect(userId).toBe(made.id);
    expect((await users.get(`/${made.id}`)).body).toMatchObject({
      email_verified: true,
      roles: ['viewer'],
      name: 'Ada',
    });
  });

  it('drops what is unverified when the person first verifies an address', async () => {
    const { id } = await create({ email: 'bea@example.com', phone: '+14155550132' });
    await openBearer(app, 'bea@example.com');
    expect((await users.get(`/${id}`)).body).toMatchObject({ phone: null });
  });

  it('refuses an address that is taken, verified or not, even in parallel requests', async () => {
    await openBearer(app, 'cara@example.com');
    const body = { email: 'CARA@example.com' };
    expect(await users.post('', body)).toBeProblem(409, 'users.taken');
    const create = () => users.post('', { email: 'dora@example.com' });
    expect(await atOnce(5, create)).toEqual(oneOf(5, 200, 409));
  });

  it('refuses a person without an address or number, and unknown members', async () => {
    for (const body of [{}, { name: 'x' }, { email: 'no' }, { email: 'a@b.example', admin: true }])
      expect((await users.post('', body)).status).toBe(422);
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
    const { userId, bearer } = await openBearer(app, 'fay@example.com');
    const url = `/${userId}`;
    const body = { roles: ['viewer'], name: 'Fay', external_id: 'hr-7' };
    expect((await users.patch(url, body)).body).toMatchObject(body);
    expect(await find('external_id=hr-7')).toEqual(['fay@example.com']);
    expect((await users.patch(url, { disabled: true })).body).toMatchObject({
      disabled: true,
    });
    expect((await me(app, bearer)).status).toBe(401);
    expect(await find('disabled=true')).toEqual(['fay@example.com']);
  });

  it('leaves one admin who can sign in, whoever asks and however many at once', async () => {
    const [one, two] = await Promise.all(
      ['gil@example.com', 'hal@example.com'].map((email) => openBearer(app, email)),
    );
    // Nobody can sign in as this admin: the address is not verified.
    await create({ email: 'ivy@example.com', roles: ['admin'] });
    for (const each of [one, two]) await app.services.users.setRoles(each?.userId ?? '', ['admin']);
    const demote = (id = '') => users.patch(`/${id}`, { roles: [] });
    const lock = (id = '') => users.patch(`/${id}`, { disabled: true });
    const answers = await Promise.all([demote(one?.userId), lock(two?.userId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused).toBeProblem(409, 'users.last_admin');
  });

  it('deletes a person with their data, and ends their sessions', async () => {
    const { userId, bearer } = await openBearer(app, 'gone@example.com');
    const url = `/${userId}`;
    expect((await users.delete(url)).body).toEqual({ deleted: true, id: userId });
    for (const method of ['GET', 'DELETE'] as const)
      expect(await users.send(method, url)).toBeProblem(404, 'users.not_found');
    expect((await me(app, bearer)).status).toBe(401);
    const again = await openBearer(app, 'gone@example.com');
    expect(again.userId).not.toBe(userId);
  });
});

describe('an import', () => {
  it.each([
    ['an invalid address', 'sam@example.com,,\nnot an address,,', '3.email'],
    ['an invalid number', 'sam@example.com,,\n,12,', '3.phone'],
    ['neither address nor number', 'sam@example.com,,\n,,Nobody', '3.email'],
  ])('of a file with %s changes nothing, and names the line', async (_case, rows, place) => {
    const csv = { headers: { 'content-type': 'text/csv' } };
    const refused = await users.post('/import', `email,phone,name\n${rows}`, csv);
    expect(refused).toBeInvalid(`body.${place}`);
    expect(await find('q=sam@example')).toEqual([]);
  });
});

describe('an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  it('gives a repeated request the first response, and makes the change once', async () => {
    const body = { email: 'lou@example.com' };
    const first = await users.post('', body, { headers: key('"a-1"') });
    const again = await users.post('', body, { headers: key('a-1') });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' });
    expect(await find('q=lou@example')).toEqual(['lou@example.com']);
  });

  it('is refused for another request, and changes nothing', async () => {
    await users.post('', { email: 'max@example.com' }, { headers: key('a-2') });
    const other = await users.post('', { email: 'ned@example.com' }, { headers: key('a-2') });
    expect(other.status).toBe(422);
    expect(await find('q=ned@example')).toEqual([]);
  });

  it('lets one of several equal requests through; the others are told to wait', async () => {
    const create = () => users.post('', { email: 'oda@example.com' }, { headers: key('a-3') });
    const statuses = await atOnce(6, create);
    expect(statuses.filter((status) => status !== 409 && status !== 200)).toEqual([]);
    expect(statuses).toContain(200);
    expect(await find('q=oda@example')).toEqual(['oda@example.com']);
  });

  it('belongs to its caller', async () => {
    const other = await app.services.apiKeys.create({ name: 'other', scopes: ['admin'] });
    const body = { email: 'pia@example.com' };
    await users.post('', body, { headers: key('a-4') });
    const byOther = users.as({ authorization: `Bearer ${other.key}` });
    const refused = await byOther.post('', body, { headers: key('a-4') });
    expect(refused).toBeProblem(409, 'users.taken');
  });

  it.each(['', 'x'.repeat(256), '"a', 'ä', 'a b'])('%j is refused', async (name) => {
    const answer = await users.post('', { email: 'qi@example.com' }, { headers: key(name) });
    expect(answer.body).toMatchObject({ code: 'request.idempotency_key_invalid' });
    expect(await find('q=qi@example')).toEqual([]);
  });

  it('repeats no refusal that a fresh sign-in would lift', async () => {
    const { userId } = await openBearer(app, 'una@example.com');
    await app.services.users.setRoles(userId, ['admin']);
    const { bearer } = await openBearer(app, 'una@example.com');
    const session = (await app.services.sessions.list(userId))[0];
    expect(session).toBeDefined();
    const ask = (body: object) =>
      users.delete(`/${userId}`, body, { headers: { ...bearer, ...key('a-6') } });
    for (const answer of [await ask({}), await ask({})]) {
      expect(answer).toBeProblem(403, 'users.own_account');
      expect(answer.headers['idempotency-replayed']).toBeUndefined();
    }
  });

  it('is stored encrypted, with nothing of the response readable', async () => {
    const body = { email: 'rosalind.franklin@example.com' };
    await users.post('', body, { headers: key('a-secret-key') });
    const names = await app.stores.redis.keys('idempotency:*');
    const values = await Promise.all(names.map((name) => app.stores.redis.get(name)));
    expect(values.length).toBeGreaterThan(0);
    expect(JSON.stringify([names, values])).not.toMatch(/rosalind|example|a-secret-key/);
  });
});

describe('users', () => {
  it('are the same in GraphQL: connection, node, mutations, and refusals', async () => {
    const { data, errors } = await ask(
      app,
      `mutation { createUser(input: {email: "sal@example.com", roles: [viewer]}) {
        user { id userId email roles emailVerified } } }`,
      { headers: asAdmin },
    );
    expect(errors).toEqual([]);
    const { user } = data?.createUser as { user: UserView };
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
    expect(codesOf(anonymous)).toEqual(['request.unauthenticated']);
    expect(anonymous.data?.users ?? null).toBeNull();
  });

  it("are tools of MCP, for the SDK's client with an admin key", async () => {
    const client = await newClient(origin, adminKey);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_users', 'get_user', 'create_user', 'update_user']),
    );
    const tom = { email: 'tom@example.com' };
    const made = await client.callTool({ name: 'create_user', arguments: tom });
    expect(made.structuredContent).toMatchObject({ email: 'tom@example.com' });
    const refused = await client.callTool({ name: 'list_users', arguments: { colour: 'red' } });
    expect(refused.isError).toBe(true);
    await client.close();
  });
});
