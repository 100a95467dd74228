import { describe, expect } from 'vitest';
import { asAdmin } from '../support/app.ts';
import { TestClient, type TestResponse } from '../support/client.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { ask as askGraph } from '../surfaces/graphql/graphql-client.ts';
import { callTool, sendText } from '../surfaces/mcp/client.ts';

const app = await sharedApp('console');
const admin = new TestClient(app).as(asAdmin);

const unstorable = ['a\0b', 'half \ud83d', '\udc00 half'];
const json = { 'content-type': 'application/json' };
const scim = { 'content-type': 'application/scim+json' };
const tag = { name: 'tag', mode: 'plain' };

/** Doors that keep what they are sent, with the place of a text. */
const doors: [url: string, body: (text: string) => object, place: string][] = [
  ['/api/v1/users', (name) => ({ email: 'kept@example.com', name }), 'body.name'],
  ['/api/v1/contact/saved-replies', (text) => ({ name: 'x', text }), 'body.text'],
  ['/api/v1/contact/saved-replies', (name) => ({ name, text: 'x' }), 'body.name'],
  ['/api/v1/qr-codes', (text) => ({ name: 'x', url: `https://e.example/${text}` }), 'body.url'],
  [
    '/api/v1/qr-codes',
    (text) => ({ name: 'x', content: { type: 'text', text } }),
    'body.content.text',
  ],
  ['/api/v1/nfc/tags', (name) => ({ ...tag, name }), 'body.name'],
  ['/api/v1/nfc/tags', (text) => ({ ...tag, page_text: text }), 'body.page_text'],
  ['/api/v1/nfc/tags', (text) => ({ ...tag, target: `https://e.example/${text}` }), 'body.target'],
  ['/api/v1/status/incidents', (name) => ({ name, body: 'x' }), 'body.name'],
  ['/api/v1/status/incidents', (body) => ({ name: 'x', body }), 'body.body'],
  ['/api/v1/api-keys', (name) => ({ name, scopes: ['admin'] }), 'body.name'],
  [
    '/api/v1/contact',
    (message) => ({ name: 'x', email: 'a@example.com', message }),
    'body.message',
  ],
];

describe('text that no store can keep', () => {
  it.each(doors)('is refused by POST %s', async (url, body, place) => {
    for (const text of unstorable) {
      const answer = await admin.post(url, JSON.stringify(body(text)), { headers: json });
      expect(answer).toBeInvalid(place);
    }
  });

  it('is refused by SCIM as an invalid value', async () => {
    for (const text of unstorable)
      for (const person of [
        { userName: text },
        { userName: 'kept', externalId: text },
        { userName: 'kept', name: { formatted: text } },
      ])
        expect(
          await admin.post('/scim/v2/Users', JSON.stringify(person), { headers: scim }),
        ).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  it('is refused by GraphQL as an argument, in variables and in the document', async () => {
    const create = (name: string) =>
      `createIncident(input: { name: ${name}, body: "x" }) { incident { id } }`;
    const document = `mutation ($name: String!) { ${create('$name')} }`;
    for (const name of unstorable) {
      const { errors } = await askGraph(app, document, { headers: asAdmin, variables: { name } });
      expect(errors[0]).toMatchObject({ extensions: { code: 'request.validation', status: 422 } });
    }
    const literal = `mutation { ${create(String.raw`"a\u0000b"`)} }`;
    const { errors } = await askGraph(app, literal, { headers: asAdmin });
    expect(errors[0]?.extensions).toMatchObject({ code: 'request.validation' });
  });

  it('is refused by MCP as an argument', async () => {
    for (const name of unstorable) {
      const result = await callTool(
        app,
        'create_qr_code',
        { name, url: 'https://e.example' },
        asAdmin,
      );
      expect(result).toMatchObject({ isError: true });
      expect(result.content[0]?.text).toContain('name: must be well-formed Unicode');
    }
  });

  it('is refused by an import, which names its line', async () => {
    const csv = { 'content-type': 'text/csv' };
    const file = 'email,name\r\na@example.com,A\r\nb@example.com,B\0\r\n';
    expect(await admin.post('/api/v1/users/import', file, { headers: csv })).toBeInvalid(
      'body.3.name',
    );
  });

  it('is refused in queries, and finds nothing on pages', async () => {
    for (const url of ['/api/v1/users?q=', '/api/v1/audit?actor_id=', '/api/v1/qr-codes?q=']) {
      const { status } = await admin.get(`${url}%00`);
      expect({ url, status }).toEqual({ url, status: 422 });
    }
    const visitor = new TestClient(app);
    for (const url of ['/status/incidents/%00', '/q/%00', '/docs/%00'])
      expect((await visitor.get(url)).status).toBe(404);
  });

  it('leaves nothing behind', async () => {
    for (const url of ['/api/v1/qr-codes', '/api/v1/nfc/tags', '/api/v1/contact/saved-replies'])
      expect((await admin.get(url)).body.data).toEqual([]);
    const { body } = await admin.get<{ data: unknown[] }>('/api/v1/users?q=kept');
    expect(body.data).toEqual([]);
  });
});

describe('a body', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const post = (url: string, body: Buffer, headers: Record<string, string>) =>
    admin.send('POST', url, body, { headers });

  it.each<[string, (client: typeof post) => Promise<TestResponse>, number]>([
    ['REST', (send) => send('/api/v1/users', latin1('{"name":"Jörg"}'), json), 422],
    ['SCIM', (send) => send('/scim/v2/Users', latin1('{"userName":"Jörg"}'), scim), 400],
    ['GraphQL', (send) => send('/api/graphql/', latin1('{"query":"{hello} #ö"}'), json), 400],
    ['MCP', (send) => send('/api/v2/mcp', latin1('{"method":"ö"}'), json), 400],
  ])('that is not UTF-8 is refused by %s', async (_, send, status) => {
    const answer = await send(post);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('\uFFFD');
  });

  it('may have a byte order mark at every door', async () => {
    const query = await post('/api/graphql/', Buffer.from('\uFEFF{"query":"{hello}"}'), json);
    expect(query).toMatchObject({ status: 200 });
    const ping = '\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect((await sendText(app, ping, { headers: asAdmin })).status).toBe(200);
    const person = '\uFEFF{"userName":"mark@example.com"}';
    expect((await post('/scim/v2/Users', Buffer.from(person), scim)).status).toBe(201);
    const csv = { 'content-type': 'text/csv' };
    const file = '\uFEFFemail\r\nmarked@example.com\r\n';
    expect(await post('/api/v1/users/import', Buffer.from(file), csv)).toMatchObject({
      status: 200,
      body: { succeeded: 1 },
    });
  });
});
