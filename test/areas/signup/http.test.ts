import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OutboxMessage } from '../../../src/areas/comms/outbox.ts';
import { createSignupStore } from '../../../src/areas/signup/store.ts';
import { inventory, sqlContent } from '../../support/abuse.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { titleOf, unescaped } from '../../surfaces/pages/support.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const asBrowser = { accept: 'text/html,application/xhtml+xml' };
const acceptedDetail =
  'If this address has not signed up yet, a message is on its way to it. Follow the link ' +
  'in it within 24 hours.';
const plans = JSON.stringify({
  currency: 'EUR',
  plans: ['free', 'pro'].map((id) => ({ id, name: `The ${id}`, price: 0, interval: 'month' })),
});
let app: FreshApp;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  const env = { BASE_URL: 'https://svc.example', APP_NAME: 'Acme', PLANS: plans };
  app = await freshApp({ clock, env, isEmbedded: true });
  await app.services.queues.start();
}, 60_000);
afterAll(() => app.close());
beforeEach(() => {
  offset = 0;
});

let people = 0;
const newAddress = (): string => `newcomer-${(people += 1)}@example.com`;
const rows = () => app.stores.db.selectFrom('signups').selectAll().orderBy('id').execute();
const findSignup = async (email: string) => (await rows()).find((row) => row.email === email);
const messagesTo = (to: string) => app.services.outbox.list(to);

const send = (payload: object, headers: Record<string, string> = {}, url = '/signup') =>
  app.http.inject({ method: 'POST', url, payload, headers });
const submit = (
  body: Record<string, string>,
  headers: Record<string, string> = asBrowser,
  url = '/signup',
) =>
  app.http.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(body).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const confirm = (token: string) =>
  app.http.inject({ method: 'POST', url: '/signup/confirm', payload: { token } });

/** Waits until all queued jobs are done. */
async function settled(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { handlers } = await app.services.queues.observe();
      expect(
        handlers
          .filter(({ name }) => /^(signups|comms-delivery)$/.test(name))
          .map(({ active, waiting }) => [active, waiting]),
      ).toEqual([
        [0, 0],
        [0, 0],
      ]);
    },
    { timeout: 10_000, interval: 10 },
  );
}

const tokenIn = ({ text }: OutboxMessage): string =>
  /https:\/\/svc\.example\/signup\/confirm\?token=(\S+)/.exec(text)?.[1] ?? '(missing)';

/** Waits for the next message to an address. */
async function nextMessage(email: string, after = 0): Promise<OutboxMessage> {
  await vi.waitFor(() => expect(messagesTo(email).length).toBeGreaterThan(after), {
    timeout: 10_000,
    interval: 10,
  });
  const [newest] = messagesTo(email);
  if (newest === undefined) throw new Error('no message');
  return newest;
}

async function signedUp(details: object = {}): Promise<string> {
  const email = newAddress();
  expect((await send({ email, ...details })).statusCode).toBe(200);
  expect((await confirm(tokenIn(await nextMessage(email)))).statusCode).toBe(200);
  return email;
}

/** The error text that the page shows next to a field. */
const errorOf = (page: string, name: string): string | undefined => {
  const id = new RegExp(`id="${name}"[^>]*aria-describedby="(${name}-error)[ "]`).exec(page)?.[1];
  return id === undefined
    ? undefined
    : unescaped(
        new RegExp(`id="${id}"><svg[^>]*>.*?</svg>([^<]*)<`).exec(page)?.[1] ?? '(missing)',
      );
};

describe('signing up', () => {
  it('by JSON sends a message, then confirms the signup', async () => {
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
    const response = await send(body, {}, '/signup/');
    expect({
      status: response.statusCode,
      body: response.json<unknown>(),
      'cache-control': response.headers['cache-control'],
    }).toEqual({ status: 200, body: { detail: acceptedDetail }, 'cache-control': 'no-store' });
    const mail = await nextMessage(email);
    expect({ subject: mail.subject, unsubscribe: mail.unsubscribe }).toEqual({
      subject: 'Confirm your email address for Acme',
      unsubscribe: undefined,
    });
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
    expect({ status: done.statusCode, body: done.json<unknown>() }).toEqual({
      status: 200,
      body: { detail: 'Signed up. Sign in with a code sent to this address.' },
    });
    expect(await findSignup(email)).toMatchObject({
      confirmed_at: expect.any(Date) as Date,
      confirm_hash: null,
    });
  });

  it('by the form works with pages only, and ends with a link to the sign-in', async () => {
    const email = newAddress();
    const form = await app.http.inject({ url: '/signup?plan=pro', headers: asBrowser });
    expect({ status: form.statusCode, title: titleOf(form.body) }).toEqual({
      status: 200,
      title: 'Sign up – Acme',
    });
    expect(form.body).toContain('<input type="hidden" name="plan" value="pro">');
    expect(form.body).not.toMatch(/<script/);
    const asked = await submit({
      email,
      name: '',
      company: '',
      phone: '',
      plan: 'pro',
      referral_code: '',
      consent: 'true',
      website: '',
    });
    expect({ status: asked.statusCode, title: titleOf(asked.body) }).toEqual({
      status: 200,
      title: 'Check your inbox – Acme',
    });
    const token = tokenIn(await nextMessage(email));
    expect(await findSignup(email)).toMatchObject({
      name: null,
      phone: null,
      plan: 'pro',
      referral_code: null,
    });
    const page = await app.http.inject({
      url: `/signup/confirm?token=${token}`,
      headers: asBrowser,
    });
    expect(page.body).toContain(
      '<form class="form" method="post" action="/signup/confirm">' +
        `<input type="hidden" name="token" value="${token}">`,
    );
    expect(page.body).toMatch(/<button [^>]*type="submit">Confirm and sign up<\/button>/);
    const done = await submit({ token }, asBrowser, '/signup/confirm');
    expect({
      status: done.statusCode,
      title: titleOf(done.body),
      matches: /<a class="btn [^>]*href="\/login">/.test(done.body),
    }).toEqual({ status: 200, title: 'You’re signed up – Acme', matches: true });
  });

  it('creates no user and no session', async () => {
    const before = await inventory(app);
    await signedUp();
    expect({ ...(await inventory(app)), messages: 0 }).toEqual({ ...before, messages: 0 });
  });

  it.each<[string, Record<string, string>, string]>([
    ['email', { email: 'nobody' }, 'like name@example.com.'],
    ['email', { email: '' }, 'like name@example.com.'],
    ['phone', { phone: '12' }, 'like +1 415 555 0132.'],
    ['phone', { phone: '+1 900 555 0132' }, 'like +1 415 555 0132.'],
    ['name', { name: 'x'.repeat(201) }, 'at most 200 characters'],
    ['referral_code', { referral_code: '<b>' }, 'letters, digits'],
    ['consent', { consent: '' }, 'Agree to the terms'],
  ])(
    '422 › by the form shows what is wrong with %s and queues nothing',
    async (field, change, text) => {
      const before = (await rows()).length;
      const { statusCode, body } = await submit({
        email: newAddress(),
        name: '"><script>',
        consent: 'true',
        ...change,
      });
      expect({ statusCode, title: titleOf(body) }).toEqual({
        statusCode: 422,
        title: 'Error: Sign up – Acme',
      });
      expect(errorOf(body, field)).toContain(text);
      if (field !== 'name') expect(body).toContain('value="&quot;&gt;&lt;script&gt;"');
      await settled();
      expect((await rows()).length).toBe(before);
    },
  );

  it('422 › by JSON names every invalid field', async () => {
    const fields = async (body: object) => {
      const response = await send(body);
      return [
        response.statusCode,
        response.json<{ detail: { loc: string[] }[] }>().detail.map(({ loc }) => loc.join('.')),
      ];
    };
    expect(await fields({})).toEqual([422, ['body.email']]);
    expect(await fields({ email: 'x', phone: 'y' })).toEqual([422, ['body.email', 'body.phone']]);
    expect(await fields({ email: 5, consent: 'perhaps', name: 7 })).toEqual([
      422,
      ['body.email', 'body.name', 'body.consent'],
    ]);
    for (const payload of ['', '[]', 'null', '{', '5'])
      expect(
        (
          await app.http.inject({
            method: 'POST',
            url: '/signup',
            payload,
            headers: { 'content-type': 'application/json' },
          })
        ).statusCode,
      ).toBe(422);
    expect(
      (
        await app.http.inject({
          method: 'POST',
          url: '/signup',
          payload: '',
          headers: { ...asBrowser, 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).statusCode,
    ).toBe(422);
  });
});

describe('abuse', () => {
  it('the response does not reveal whether an address is known', async () => {
    const known = await signedUp();
    const waiting = newAddress();
    await send({ email: waiting });
    const ofJson = await Promise.all(
      [known, waiting, newAddress()].map((email) => send({ email })),
    );
    expect(new Set(ofJson.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
      new Set([`200 ${JSON.stringify({ detail: acceptedDetail })}`]),
    );
    expect(new Set(ofJson.map(({ headers }) => Object.keys(headers).sort().join())).size).toBe(1);
    const ofForm = await Promise.all(
      [known, waiting, newAddress()].map((email) => submit({ email, consent: 'true' })),
    );
    expect(new Set(ofForm.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  });

  it('an address gets one message in ten minutes, and after three one a day', async () => {
    const email = newAddress();
    for (let at = 0; at < 5; at += 1) await send({ email, name: `Try ${at}` });
    await nextMessage(email);
    await settled();
    expect({ length: messagesTo(email).length, asked: (await findSignup(email))?.asked }).toEqual({
      length: 1,
      asked: 1,
    });
    const counts: number[] = [];
    for (const ahead of [11 * minute, 22 * minute, 33 * minute, 12 * hour, 25 * hour, 26 * hour]) {
      offset = ahead;
      await send({ email });
      await settled();
      counts.push(messagesTo(email).length);
    }
    expect(counts).toEqual([2, 3, 3, 3, 4, 4]);
  });

  it("a confirmed address gets no message, and its signup can't be changed", async () => {
    const email = await signedUp({ name: 'Right', plan: 'pro' });
    const before = await findSignup(email);
    offset = 2 * day;
    await send({ email, name: 'Wrong', plan: 'free', phone: '+14155550132' });
    await settled();
    expect({ findSignup: await findSignup(email), length: messagesTo(email).length }).toEqual({
      findSignup: before,
      length: 1,
    });
  });

  it.each(['Ana\r\nBcc: victim@example.com', 'Ana\nBcc: x', 'Ana\0', 'Ana\u2028x', '\u202Eana'])(
    'a name injects no header: %j is rejected',
    async (name) => {
      for (const field of ['name', 'company', 'plan', 'referral_code']) {
        const response = await send({ email: newAddress(), [field]: name });
        expect({
          field,
          status: response.statusCode,
          loc: response.json<{ detail: { loc: string[] }[] }>().detail[0]?.loc,
        }).toEqual({ field, status: 422, loc: ['body', field] });
      }
      for (const email of [
        `a@example.com\r\nBcc: b@example.com`,
        'a@example.com, b@example.com',
        '"a\r\n"@example.com',
        'a@example.com\0',
      ])
        expect({ email, status: (await send({ email })).statusCode }).toEqual({
          email,
          status: 422,
        });
    },
  );

  it('the message repeats no entered text', async () => {
    const email = newAddress();
    await send({
      email,
      name: 'Buy at https://spam.example',
      company: 'spam.example',
      referral_code: 'spam',
      plan: 'pro',
    });
    const mail = await nextMessage(email);
    expect(JSON.stringify(mail)).not.toContain('spam');
  });

  it('a program that fills in the hidden field gets the same response', async () => {
    const email = newAddress();
    await settled();
    const before = await rows();
    const form = await submit({ email, consent: 'true', website: 'https://spam.example' });
    expect({ status: form.statusCode, title: titleOf(form.body) }).toEqual({
      status: 200,
      title: 'Check your inbox – Acme',
    });
    expect((await send({ email, website: 'x' })).json()).toEqual({ detail: acceptedDetail });
    await settled();
    expect({ rows: await rows(), messagesTo: messagesTo(email) }).toEqual({
      rows: before,
      messagesTo: [],
    });
  });

  it('a GET of the link confirms nothing', async () => {
    const email = newAddress();
    await send({ email });
    const token = tokenIn(await nextMessage(email));
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const)
      await app.http.inject({ method, url: `/signup/confirm?token=${token}`, headers: asBrowser });
    // Nor does a POST without a body: the token is read from the body only.
    expect(
      (await app.http.inject({ method: 'POST', url: `/signup/confirm?token=${token}` })).statusCode,
    ).toBe(422);
    expect(await findSignup(email)).toMatchObject({ confirmed_at: null });
  });

  it('a token works once, even in concurrent requests', async () => {
    const email = newAddress();
    await send({ email });
    const token = tokenIn(await nextMessage(email));
    const responses = await Promise.all(Array.from({ length: 8 }, () => confirm(token)));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([
      200,
      ...Array<number>(7).fill(410),
    ]);
    const again = await confirm(token);
    expect({ status: again.statusCode, code: again.json<{ code: string }>().code }).toEqual({
      status: 410,
      code: 'signup.link_invalid',
    });
    const page = await submit({ token }, asBrowser, '/signup/confirm');
    expect({
      status: page.statusCode,
      'content-type': page.headers['content-type'],
      'cache-control': page.headers['cache-control'],
    }).toEqual({
      status: 410,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it('neither a replaced link nor an expired one confirms', async () => {
    const email = newAddress();
    await send({ email });
    const old = tokenIn(await nextMessage(email));
    offset = 20 * minute;
    await send({ email });
    const token = tokenIn(await nextMessage(email, 1));
    expect((await confirm(old)).statusCode).toBe(410);
    offset = 20 * minute + day + minute;
    expect((await confirm(token)).statusCode).toBe(410);
    expect(await findSignup(email)).toMatchObject({ confirmed_at: null });
  });

  it.each([
    '',
    'x',
    `018f0000-0000-7000-8000-000000000001.${'a'.repeat(43)}`,
    '<script>alert(1)</script>',
    'x'.repeat(300),
  ])('“%s” confirms nothing', async (token) => {
    const before = await rows();
    expect([410, 422]).toContain((await confirm(token)).statusCode);
    expect(
      (
        await app.http.inject({
          url: `/signup/confirm?token=${encodeURIComponent(token)}`,
          headers: asBrowser,
        })
      ).body,
    ).not.toContain('<script>');
    expect(await rows()).toEqual(before);
  });

  it('only the table of signups holds addresses, names, numbers and tokens', async () => {
    const email = await signedUp({ name: 'Secretname', phone: '+14155550132' });
    await settled();
    expect(app.log()).toContain('signup.request');
    expect(app.log()).not.toMatch(/newcomer-\d+|Secretname|14155550132|[\da-f]{12}\.[\w-]{43}/);
    const keys = await app.stores.redis.keys('*signups*');
    const stored = await Promise.all(
      keys.map(async (key) =>
        (await app.stores.redis.type(key)) === 'hash'
          ? JSON.stringify(await app.stores.redis.hgetall(key))
          : '',
      ),
    );
    expect(stored.join()).not.toMatch(/newcomer|Secretname/);
    const tables = await sqlContent(app);
    expect(tables.get('audit_events') ?? '').not.toMatch(/newcomer|Secretname/);
    expect(tables.get('signups') ?? '').toContain(email);
    expect(
      [...tables]
        .filter(([name, content]) => name !== 'signups' && content.includes(email))
        .map(([name]) => name),
    ).toEqual([]);
  });
});

it('unconfirmed signups are deleted after a week', async () => {
  const [waiting, confirmed] = [newAddress(), await signedUp()];
  await send({ email: waiting });
  await nextMessage(waiting);
  const store = createSignupStore(app.stores.db);
  await store.deleteUnconfirmed(new Date(clock.now() - 7 * day));
  expect(await findSignup(waiting)).toBeDefined();
  await store.deleteUnconfirmed(new Date(clock.now() + minute));
  expect({
    findSignup: await findSignup(waiting),
    email: (await findSignup(confirmed))?.email,
  }).toEqual({ findSignup: undefined, email: confirmed });
});

describe('admins', () => {
  const list = async (query = '') =>
    (await app.http.inject({ url: `/api/v1/signups${query}`, headers: asAdmin })).json<{
      data: { id: string; email: string; confirmed_at: string | null }[];
      next_cursor: string | null;
    }>();
  const remove = (id: string, headers = {}) =>
    app.http.inject({ method: 'DELETE', url: `/api/v1/signups/${id}`, headers });

  it('list signups, newest first, by page, and find an address in any case', async () => {
    const first = await signedUp({ name: 'Ana' });
    const waiting = newAddress();
    await send({ email: waiting });
    await nextMessage(waiting);
    const { data, next_cursor: next } = await list('?limit=1');
    expect(data.map(({ email, confirmed_at: at }) => [email, at])).toEqual([[waiting, null]]);
    expect((await list(`?limit=1&cursor=${next ?? ''}`)).data.map(({ email }) => email)).toEqual([
      first,
    ]);
    expect((await list(`?email=${first.toUpperCase()}`)).data).toEqual([
      expect.objectContaining({ email: first, name: 'Ana', phone: null, consent_at: null }),
    ]);
    expect((await list('?confirmed=false')).data.every(({ confirmed_at: at }) => at === null)).toBe(
      true,
    );
    expect((await list('?confirmed=true')).data.some(({ confirmed_at: at }) => at === null)).toBe(
      false,
    );
  });

  it('delete a signup, with an audit entry that does not hold the address', async () => {
    const email = await signedUp();
    const { id } = (await list(`?email=${email}`)).data[0] ?? { id: '' };
    expect({
      idStatus: (await remove(id)).statusCode,
      appStatus: (await app.http.inject('/api/v1/signups')).statusCode,
    }).toEqual({ idStatus: 401, appStatus: 401 });
    expect(await findSignup(email)).toBeDefined();
    expect((await remove(id, asAdmin)).json()).toEqual({ deleted: true, id });
    expect(await findSignup(email)).toBeUndefined();
    expect((await remove(id, asAdmin)).json<{ code: string }>().code).toBe('signup.not_found');
    const entries = await app.http.inject({
      url: '/api/v1/audit?action=signup.removed',
      headers: asAdmin,
    });
    expect({
      data: entries
        .json<{ data: { target: { id: string } }[] }>()
        .data.map(({ target }) => target.id),
      includes: entries.body.includes(email),
    }).toEqual({ data: [id], includes: false });
  });
});
