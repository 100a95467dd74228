import { beforeEach, describe, expect, it } from 'vitest';
import type { OutboxMessage } from '../../../src/areas/comms/outbox.ts';
import { createSignupStore } from '../../../src/areas/signup/store.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/lib/durations.ts';
import { atOnce, oneOf } from '../../support/abuse-tables.ts';
import { inventory, sqlContent } from '../../support/abuse.ts';
import { asAdmin, freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { titleOf, unescaped } from '../../surfaces/pages/support.ts';

const acceptedDetail =
  'If this address has not signed up yet, a message is on its way to it. Follow the link ' +
  'in it within 24 hours.';
const accepted = { status: 200, body: { detail: acceptedDetail } };
const plans = JSON.stringify({
  currency: 'EUR',
  plans: ['free', 'pro'].map((id) => ({ id, name: `The ${id}`, price: 0, interval: 'month' })),
});
let offset = 0;
const clock = { now: () => Date.now() + offset };
const env = { BASE_URL: 'https://svc.example', APP_NAME: 'Acme', PLANS: plans };
const app = await freshApp({ clock, env, isEmbedded: true });
const client = new TestClient(app);
await app.services.queues.start();
beforeEach(() => {
  offset = 0;
});

let people = 0;
const newAddress = (): string => `newcomer-${(people += 1)}@example.com`;
const rows = () => app.stores.db.selectFrom('signups').selectAll().orderBy('id').execute();
const findSignup = async (email: string) => (await rows()).find((row) => row.email === email);

const send = (body: object) => client.post('/signup', body);
const submit = (values: Record<string, string>, url = '/signup') => client.form(url, values);
const confirm = (token: string) => client.post('/signup/confirm', { token });

const tokenIn = ({ text }: OutboxMessage): string =>
  /https:\/\/svc\.example\/signup\/confirm\?token=(\S+)/.exec(text)?.[1] ?? '(missing)';

/** Requests a signup by JSON. Returns the token in the message. */
async function requested(email: string, details: object = {}): Promise<string> {
  const after = client.outbox(email).length;
  expect(await send({ email, ...details })).toMatchObject({ status: 200 });
  return tokenIn(await client.mailTo(email, { after }));
}

async function signedUp(details: object = {}): Promise<string> {
  const email = newAddress();
  expect(await confirm(await requested(email, details))).toMatchObject({ status: 200 });
  return email;
}

/** The error text that the page shows next to a field. */
function errorOf(page: string, name: string): string | undefined {
  const id = new RegExp(`id="${name}"[^>]*aria-describedby="(${name}-error)[ "]`).exec(page)?.[1];
  if (id === undefined) return undefined;
  const [, text = '(missing)'] =
    new RegExp(`id="${id}"><svg[^>]*>.*?</svg>([^<]*)<`).exec(page) ?? [];
  return unescaped(text);
}

describe('a signup', () => {
  it.each(['name', 'company'])(
    'whose %s no store can keep is refused at the door',
    async (name) => {
      const email = newAddress();
      for (const text of ['a\ud800', '\udc00b', 'a\0b']) {
        const refused = await client.post('/signup', { email, consent: true, [name]: text });
        expect(refused).toBeInvalid(`body.${name}`);
      }
      await client.settled();
      expect(client.outbox(email)).toEqual([]);
    },
  );

  it('by JSON sends a message, and is confirmed by its link', async () => {
    const email = newAddress();
    const body = {
      email: ` ${email.toUpperCase()} `,
      name: 'Ana',
      company: 'Acme & Sons',
      phone: '+1 (415) 555-0132',
      plan: 'pro',
      referral_code: 'FRIEND-1',
      consent: true,
    };
    expect(await client.post('/signup/', body)).toMatchObject({
      ...accepted,
      headers: { 'cache-control': 'no-store' },
    });
    const mail = await client.mailTo(email);
    expect(mail.subject).toBe('Confirm your email address for Acme');
    expect(mail.unsubscribe).toBeUndefined();
    const row = await findSignup(email);
    expect(row).toMatchObject({
      name: 'Ana',
      company: 'Acme & Sons',
      phone: '+14155550132',
      plan: 'pro',
      referral_code: 'FRIEND-1',
      confirmed_at: null,
    });
    expect(row?.consent_at).toBeInstanceOf(Date);
    const done = await confirm(tokenIn(mail));
    expect(done.status).toBe(200);
    expect(done.body).toEqual({ detail: 'Signed up. Sign in with a code sent to this address.' });
    const confirmed = { confirmed_at: expect.any(Date) as Date, confirm_hash: null };
    expect(await findSignup(email)).toMatchObject(confirmed);
  });

  it('with the form works with pages only, and ends with a link to the sign-in', async () => {
    const email = newAddress();
    const form = await client.page('/signup?plan=pro');
    expect(form.status).toBe(200);
    expect(titleOf(form.text)).toBe('Sign up – Acme');
    expect(form.text).toContain('<input type="hidden" name="plan" value="pro">');
    expect(form.text).not.toMatch(/<script/);
    const empty = { name: '', company: '', phone: '', referral_code: '', website: '' };
    const asked = await submit({ ...empty, email, plan: 'pro', consent: 'true' });
    expect(asked.status).toBe(200);
    expect(titleOf(asked.text)).toBe('Check your inbox – Acme');
    const token = tokenIn(await client.mailTo(email));
    const stored = { name: null, phone: null, plan: 'pro', referral_code: null };
    expect(await findSignup(email)).toMatchObject(stored);
    const page = await client.page(`/signup/confirm?token=${token}`);
    expect(page.text).toContain(
      '<form class="form" method="post" action="/signup/confirm">' +
        `<input type="hidden" name="token" value="${token}">`,
    );
    expect(page.text).toMatch(/<button [^>]*type="submit">Confirm and sign up<\/button>/);
    const done = await submit({ token }, '/signup/confirm');
    expect(done.status).toBe(200);
    expect(titleOf(done.text)).toBe('You’re signed up – Acme');
    expect(done.text).toMatch(/<a class="btn [^>]*href="\/login">/);
  });

  it('creates no user and no session', async () => {
    const before = await inventory(app);
    await signedUp();
    expect({ ...(await inventory(app)), messages: 0 }).toEqual({ ...before, messages: 0 });
  });

  it.each<[string, string, string]>([
    ['email', 'nobody', 'like name@example.com.'],
    ['email', '', 'like name@example.com.'],
    ['phone', '12', 'like +1 415 555 0132.'],
    ['phone', '+1 900 555 0132', 'like +1 415 555 0132.'],
    ['name', 'x'.repeat(201), 'at most 200 characters'],
    ['referral_code', '<b>', 'letters, digits'],
    ['consent', '', 'Agree to the terms'],
  ])(
    'with the form and an invalid %s says so and queues nothing: %j',
    async (field, value, text) => {
      const before = (await rows()).length;
      const valid = { email: newAddress(), name: '"><script>', consent: 'true' };
      const refused = await submit({ ...valid, [field]: value });
      expect(refused.status).toBe(422);
      expect(titleOf(refused.text)).toBe('Error: Sign up – Acme');
      expect(errorOf(refused.text, field)).toContain(text);
      if (field !== 'name') expect(refused.text).toContain('value="&quot;&gt;&lt;script&gt;"');
      await client.settled();
      expect((await rows()).length).toBe(before);
    },
  );

  it.each([
    [{}, ['body.email']],
    [{ email: 'x', phone: 'y' }, ['body.email', 'body.phone']],
    [{ email: 5, consent: 'perhaps', name: 7 }, ['body.email', 'body.name', 'body.consent']],
  ])('by JSON names every invalid field: %j', async (body, places) => {
    expect(await send(body)).toBeInvalid(...places);
  });

  it.each(['', '[]', 'null', '{', '5'])('of the body %j is 422', async (payload) => {
    const headers = { 'content-type': 'application/json' };
    expect(await client.post('/signup', payload, { headers })).toMatchObject({ status: 422 });
  });

  it('by an empty form is 422', async () => {
    expect(await submit({})).toMatchObject({ status: 422 });
  });
});

describe('abuse', () => {
  it('the response does not reveal whether an address is known', async () => {
    const known = await signedUp();
    const waiting = newAddress();
    await requested(waiting);
    const responses = await Promise.all(
      [known, waiting, newAddress()].map((email) => send({ email })),
    );
    const pages = await Promise.all(
      [known, waiting, newAddress()].map((email) => submit({ email, consent: 'true' })),
    );
    const names = (headers: object) => Object.keys(headers).sort();
    for (const response of responses) {
      expect(response).toMatchObject({ status: 200, text: JSON.stringify(accepted.body) });
      expect(names(response.headers)).toEqual(names(responses[0]?.headers ?? {}));
    }
    for (const page of pages)
      expect(page).toMatchObject({ status: pages[0]?.status, text: pages[0]?.text });
  });

  it('an address gets one message in ten minutes, and after three one a day', async () => {
    const email = newAddress();
    for (let at = 0; at < 5; at += 1) await send({ email, name: `Try ${at}` });
    await client.settled();
    expect(client.outbox(email)).toHaveLength(1);
    expect(await findSignup(email)).toMatchObject({ asked: 1 });
    for (const [after, count] of [
      [11 * minuteMs, 2],
      [22 * minuteMs, 3],
      [33 * minuteMs, 3],
      [12 * hourMs, 3],
      [25 * hourMs, 4],
      [26 * hourMs, 4],
    ] as const) {
      offset = after;
      await send({ email });
      await client.settled();
      expect(client.outbox(email)).toHaveLength(count);
    }
  });

  it("a confirmed address gets no message, and its signup can't be changed", async () => {
    const email = await signedUp({ name: 'Right', plan: 'pro' });
    const before = await findSignup(email);
    offset = 2 * dayMs;
    await send({ email, name: 'Wrong', plan: 'free', phone: '+14155550132' });
    await client.settled();
    expect(await findSignup(email)).toEqual(before);
    expect(client.outbox(email)).toHaveLength(1);
  });

  it.each(['Ana\r\nBcc: victim@example.com', 'Ana\nBcc: x', 'Ana\0', 'Ana\u2028x', '\u202Eana'])(
    'a name injects no header: %j is rejected',
    async (name) => {
      for (const field of ['name', 'company', 'plan', 'referral_code'])
        expect(await send({ email: newAddress(), [field]: name })).toBeInvalid(`body.${field}`);
    },
  );

  it.each([
    `a@example.com\r\nBcc: b@example.com`,
    'a@example.com, b@example.com',
    '"a\r\n"@example.com',
    'a@example.com\0',
  ])('an address injects no header: %j is rejected', async (email) => {
    expect(await send({ email })).toMatchObject({ status: 422 });
  });

  it('the message repeats no entered text', async () => {
    const email = newAddress();
    const spam = { name: 'Buy at https://spam.example', company: 'spam.example' };
    await requested(email, { ...spam, referral_code: 'spam', plan: 'pro' });
    expect(JSON.stringify(client.outbox(email))).not.toContain('spam');
  });

  it('a program that fills in the hidden field gets the same response', async () => {
    const email = newAddress();
    await client.settled();
    const before = await rows();
    const form = await submit({ email, consent: 'true', website: 'https://spam.example' });
    expect(form.status).toBe(200);
    expect(titleOf(form.text)).toBe('Check your inbox – Acme');
    expect(await send({ email, website: 'x' })).toMatchObject(accepted);
    await client.settled();
    expect(await rows()).toEqual(before);
    expect(client.outbox(email)).toEqual([]);
  });
});

describe('the link of the message', () => {
  it('confirms nothing by a GET, nor by a POST without a body', async () => {
    const email = newAddress();
    const url = `/signup/confirm?token=${await requested(email)}`;
    await client.page(url);
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) await client.send(method, url);
    expect(await client.post(url)).toMatchObject({ status: 422 });
    expect(await findSignup(email)).toMatchObject({ confirmed_at: null });
  });

  it('works once, even in concurrent requests', async () => {
    const token = await requested(newAddress());
    expect(await atOnce(8, () => confirm(token))).toEqual(oneOf(8, 200, 410));
    expect(await confirm(token)).toBeProblem(410, 'signup.link_invalid');
    expect(await submit({ token }, '/signup/confirm')).toMatchObject({
      status: 410,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
  });

  it('confirms nothing once it was replaced or has expired', async () => {
    const email = newAddress();
    const old = await requested(email);
    offset = 20 * minuteMs;
    const token = await requested(email);
    expect(await confirm(old)).toMatchObject({ status: 410 });
    offset = 20 * minuteMs + dayMs + minuteMs;
    expect(await confirm(token)).toMatchObject({ status: 410 });
    expect(await findSignup(email)).toMatchObject({ confirmed_at: null });
  });

  it.each([
    '',
    'x',
    `018f0000-0000-7000-8000-000000000001.${'a'.repeat(43)}`,
    '<script>alert(1)</script>',
    'x'.repeat(300),
  ])('confirms nothing with the token “%s”', async (token) => {
    const before = await rows();
    expect([410, 422]).toContain((await confirm(token)).status);
    const page = await client.page('/signup/confirm', { query: { token } });
    expect(page.text).not.toContain('<script>');
    expect(await rows()).toEqual(before);
  });
});

describe('personal data', () => {
  it('is only in the table of signups: addresses, names, numbers and tokens', async () => {
    const email = await signedUp({ name: 'Secretname', phone: '+14155550132' });
    await client.settled();
    expect(app.log()).toContain('signup.request');
    expect(app.log()).not.toMatch(/newcomer-\d+|Secretname|14155550132|[\da-f]{12}\.[\w-]{43}/);
    const { redis } = app.stores;
    for (const key of await redis.keys('*signups*'))
      if ((await redis.type(key)) === 'hash')
        expect(JSON.stringify(await redis.hgetall(key))).not.toMatch(/newcomer|Secretname/);
    const tables = await sqlContent(app);
    expect(tables.get('audit_events') ?? '').not.toMatch(/newcomer|Secretname/);
    const holders = [...tables].filter(([, content]) => content.includes(email));
    expect(holders.map(([name]) => name)).toEqual(['signups']);
  });

  it('of unconfirmed signups is deleted after a week', async () => {
    const waiting = newAddress();
    const confirmed = await signedUp();
    await requested(waiting);
    const store = createSignupStore(app.stores.db);
    await store.deleteUnconfirmed(new Date(clock.now() - 7 * dayMs));
    expect(await findSignup(waiting)).toBeDefined();
    await store.deleteUnconfirmed(new Date(clock.now() + minuteMs));
    expect(await findSignup(waiting)).toBeUndefined();
    expect(await findSignup(confirmed)).toBeDefined();
  });
});

describe('admins', () => {
  interface SignupList {
    data: { id: string; email: string; confirmed_at: string | null }[];
    next_cursor: string | null;
  }
  const list = async (query = '') =>
    (await client.as(asAdmin).get<SignupList>(`/api/v1/signups${query}`)).body;

  it('list signups, newest first, by page, and find an address in any case', async () => {
    const first = await signedUp({ name: 'Ana' });
    const waiting = newAddress();
    await requested(waiting);
    const { data, next_cursor: next } = await list('?limit=1');
    expect(data).toMatchObject([{ email: waiting, confirmed_at: null }]);
    expect((await list(`?limit=1&cursor=${next ?? ''}`)).data).toMatchObject([{ email: first }]);
    expect((await list(`?email=${first.toUpperCase()}`)).data).toEqual([
      expect.objectContaining({ email: first, name: 'Ana', phone: null, consent_at: null }),
    ]);
    for (const isConfirmed of [true, false])
      for (const { confirmed_at: at } of (await list(`?confirmed=${isConfirmed}`)).data)
        expect(at !== null).toBe(isConfirmed);
  });

  it('delete a signup, with an audit entry that does not hold the address', async () => {
    const email = await signedUp();
    const id = (await list(`?email=${email}`)).data[0]?.id ?? '';
    const admin = client.as(asAdmin);
    const url = `/api/v1/signups/${id}`;
    expect(await client.delete(url)).toMatchObject({ status: 401 });
    expect(await client.get('/api/v1/signups')).toMatchObject({ status: 401 });
    expect(await findSignup(email)).toBeDefined();
    expect((await admin.delete(url)).body).toEqual({ deleted: true, id });
    expect(await findSignup(email)).toBeUndefined();
    expect(await admin.delete(url)).toBeProblem(404, 'signup.not_found');
    const entries = await admin.get('/api/v1/audit?action=signup.removed');
    expect(entries.body.data).toMatchObject([{ target: { id } }]);
    expect(entries.text).not.toContain(email);
  });
});
