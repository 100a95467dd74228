import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { contactClient, letter } from '../areas/contact/support.ts';
import { asAdmin } from '../support/app.ts';
import { TestClient, type TestResponse } from '../support/client.ts';
import { sharedApp } from '../support/shared-app.ts';
import { openBearer } from '../support/sign-in.ts';
import { it } from '../support/test.ts';

const newEmail = () => `${randomUUID()}@example.com`;

const app = await sharedApp('people');
const visitor = new TestClient(app);
const admin = visitor.as(asAdmin);
const me = visitor.as((await openBearer(app, newEmail())).bearer).at('/api/v1/users/me');
contactClient(app);

type Door = readonly [name: string, send: (text: string) => Promise<TestResponse>];

const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
const because = { verified_because: 'A customer' };
const scim = (body: object) => admin.post('/scim/v2/Users', { schemas, ...body });
const create = (body: object) => admin.post('/api/v1/users', body);
const mobile = (value: string) => ({ phoneNumbers: [{ type: 'mobile', value }] });
const code = (content: object) => admin.post('/api/v1/qr-codes', { name: 'x', content });
const graph = (email: string) =>
  admin.post('/api/graphql/', {
    query: 'mutation ($input: CreateUserInput!) { createUser(input: $input) { __typename } }',
    variables: { input: { email } },
  });

describe('a pasted number', () => {
  const doors: readonly Door[] = [
    ['a code', (phone) => visitor.post('/api/auth/mobile/initiate', { phone })],
    [
      'a code by query',
      (identifier) => visitor.post('/auth/otp/send', {}, { query: { identifier } }),
    ],
    ['the mobile client', (phone) => visitor.post('/api/cmyk/auth/otp/send', { phone })],
    ['your own number', (phone) => me.post('/phone', { phone })],
    ['a sign-up', (phone) => visitor.post('/signup', { email: newEmail(), phone, consent: true })],
    ['a user', (phone) => create({ phone })],
    ['SCIM', (value) => scim({ userName: newEmail(), ...mobile(value) })],
    ['a code with a message', (number) => code({ type: 'sms', number })],
    [
      'a code with a contact',
      (number) => code({ type: 'vcard', first_name: 'A', phones: [{ kind: 'cell', number }] }),
    ],
  ];

  it.each(doors)('is taken in each form by %s', async (_name, send) => {
    for (const form of [
      (a: string, b: string) => `\u202a+1 (415) ${a}-${b}\u202c`,
      (a: string, b: string) => `\u2066+1415${a}${b}\u2069`,
      (a: string, b: string) => `+1 415\u2011${a}\u2013${b}`,
      (a: string, b: string) => `\uff0b1\u2009415\u00a0${a}\u3000${b}`,
    ]) {
      const text = form('555', String(randomInt(10_000)).padStart(4, '0'));
      const { status, text: body } = await send(text);
      expect(status, `${JSON.stringify(text)}: ${body}`).toBeLessThan(300);
    }
  });

  it('is stored and shown as a plain one', async () => {
    const { body } = await create({ phone: '\u202a+1 415\u2011555\u20130188\u202c' });
    expect(body).toMatchObject({ phone: '+14155550188' });
    const listed = await admin.get('/api/v1/users', { query: { q: '+1 415\u2011555\u20110188' } });
    expect(listed.body).toMatchObject({ data: [{ id: body.id }] });
    const made = await code({ type: 'sms', number: '\u2066+1 415\u2011555\u20110132\u2069' });
    expect(made.body).toMatchObject({ text: 'SMSTO:+14155550132:' });
  });
});

describe('an email address', () => {
  const doors: readonly Door[] = [
    ['a code', (email) => visitor.post('/api/auth/email/initiate', { email })],
    [
      'a code by query',
      (identifier) => visitor.post('/auth/otp/send', {}, { query: { identifier } }),
    ],
    ['your own address', (email) => me.post('/email', { email })],
    ['a sign-up', (email) => visitor.post('/signup', { email, consent: true })],
    ['a user', (email) => create({ email })],
    ['an invitation', (email) => admin.post('/api/v1/invitations', { email })],
    ['SCIM', (userName) => scim({ userName })],
    ['SCIM as another address', (value) => scim({ userName: randomUUID(), emails: [{ value }] })],
    ['the waitlist', (email) => visitor.post('/api/v2/waitlist', { email, consent: true })],
    ['an entry', (email) => admin.post('/api/v2/waitlist/entries', { email, ...because })],
    ['the status page', (email) => visitor.post('/status/subscribe', { email })],
    ['a message', (email) => admin.post('/api/v1/contact', { ...letter, email })],
    ['a code with an email', (to) => code({ type: 'email', to, cc: to })],
    ['a code with a contact', (to) => code({ type: 'vcard', first_name: 'A', emails: [to] })],
    ['GraphQL', graph],
  ];
  const isTaken = ({ status, body }: TestResponse) => status < 300 && !('errors' in body);
  const domain = () => `${randomUUID().slice(0, 8)}.example`;

  it.each(doors)('of browsers’ rule is taken by %s, and no other', async (_name, send) => {
    for (const email of [
      `r&d@${domain()}`,
      `a/b=c!{d}|~e@${domain()}`,
      `q?r^s\`t#1%u*$v'w@${domain()}`,
      `${'x'.repeat(64)}@${domain()}`,
      `ada@bücher-${domain()}`,
      `\u202aada@${domain()}\u202c`,
    ])
      expect(isTaken(await send(email)), email).toBe(true);
    for (const email of [
      `${'x'.repeat(65)}@${domain()}`,
      `a@${'b'.repeat(64)}.example`,
      `a=?b?=@${domain()}`,
      `ä@${domain()}`,
      'a@localhost',
    ])
      expect(isTaken(await send(email)), email).toBe(false);
  });

  it('gets its mail, whatever is before its @', async () => {
    for (const email of ['r&d@mail.example', "q?r%20{s}|t'u@mail.example"]) {
      await visitor.post('/api/auth/email/initiate', { email });
      expect((await visitor.mailTo(email)).text).toMatch(/\d{6}/);
      expect(
        await visitor.as((await openBearer(app, email)).bearer).get('/api/auth/me'),
      ).toMatchObject({
        body: { email },
      });
    }
  });

  it('with an umlaut is one person in each of its forms', async () => {
    const { body } = await create({ email: 'Ada@bücher-laden.example' });
    const email = 'Ada@xn--bcher-laden-thb.example';
    expect(body).toMatchObject({ email });
    expect(await create({ email: 'ada@BÜCHER-laden.example' })).toBeProblem(409, 'users.taken');
    expect((await openBearer(app, 'ada@xn--bcher-laden-thb.example')).userId).toBe(body.id);
    for (const filter of ['userName', 'emails.value']) {
      const query = { filter: `${filter} eq "ada@bücher-laden.example"` };
      const { body: found } = await admin.get('/scim/v2/Users', { query });
      expect(found, filter).toMatchObject({ totalResults: 1, Resources: [{ id: body.id }] });
    }
    const listed = await admin.get('/api/v1/users', { query: { q: 'ada@bücher-laden.example' } });
    expect(listed.body).toMatchObject({ data: [{ id: body.id }] });
  });
});

describe('a pasted name', () => {
  const persian = 'می\u200cخواهم 👩\u200d👧';
  const pasted = `\u200f${persian}\u200e \u2068Ann\u2069\u061c`;
  const name = `${persian} Ann`;
  const nameOf = ({ body }: TestResponse) => body.displayName ?? body.name;

  it.each<Door>([
    ['a user', (text) => create({ email: newEmail(), name: text })],
    ['your own profile', (text) => me.patch('', { name: text })],
    ['SCIM', (displayName) => scim({ userName: newEmail(), displayName })],
    [
      'an entry',
      (text) =>
        admin.post('/api/v2/waitlist/entries', { email: newEmail(), name: text, ...because }),
    ],
    [
      'a QR code',
      (text) => admin.post('/api/v1/qr-codes', { name: text, url: 'https://a.example' }),
    ],
    ['an API key', (text) => admin.post('/api/v1/api-keys', { name: text, scopes: ['admin'] })],
  ])('loses its marks of direction, and nothing else, in %s', async (_name, send) => {
    const made = await send(pasted);
    expect(nameOf(made), made.text).toBe(name);
    expect((await send('exe.\u202efdp')).status).toBeGreaterThanOrEqual(400);
  });

  it('arrives with a message and a sign-up without them, too', async () => {
    const email = newEmail();
    await admin.post('/api/v1/contact', { ...letter, email, name: pasted });
    await visitor.post('/signup', { email, name: pasted, consent: true });
    await app.settled();
    for (const path of ['/api/v1/contact/messages', '/api/v1/signups'])
      expect((await admin.get(path, { query: { email } })).body, path).toMatchObject({
        data: [{ name }],
      });
  });
});
