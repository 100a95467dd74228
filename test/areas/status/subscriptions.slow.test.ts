import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OutboxMessage } from '../../../src/areas/comms/outbox.ts';
import { subscriberStore } from '../../../src/areas/status/subscriptions/subscribers.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { titleOf, unescaped } from '../../surfaces/pages/support.ts';
import { incident, update } from './page-states.ts';

const minute = 60_000;
const hour = 60 * minute;
const asBrowser = { accept: 'text/html,application/xhtml+xml' };
let app: FreshApp;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  app = await freshApp({ clock, env: { BASE_URL: 'https://svc.example', APP_NAME: 'Acme' } });
  await app.services.queues.start();
});
afterAll(() => app.close());
beforeEach(() => {
  offset = 0;
});

let people = 0;
const somebody = (): string => `subscriber-${(people += 1)}@example.com`;
const rows = () =>
  app.stores.db.selectFrom('status_subscribers').selectAll().orderBy('id').execute();
const rowOf = async (email: string) => (await rows()).find((row) => row.email === email);
const mails = (to: string) => app.services.outbox.list(to);

const post = async (
  path: string,
  body: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  app.http.inject({
    method: 'POST',
    url: `/status/${path}`,
    payload: new URLSearchParams(body).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const ask = (email: string, website = '') => post('subscribe', { email, website }, asBrowser);

/** Waits until all added jobs are done. */
async function settled(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { handlers } = await app.services.queues.observe();
      expect(
        handlers
          .filter(({ name }) => /^(status-(subscriptions|notices)|comms-delivery)$/.test(name))
          .map(({ active, waiting }) => [active, waiting]),
      ).toEqual([
        [0, 0],
        [0, 0],
        [0, 0],
      ]);
    },
    { timeout: 10_000 },
  );
}

const linkIn = (text: string, path: string): string =>
  new RegExp(`https://svc\\.example/status/${path}\\?token=(\\S+)`).exec(text)?.[1] ?? '(missing)';

/** Waits for the next message to an address. */
async function mailTo(email: string, after = 0): Promise<OutboxMessage> {
  await vi.waitFor(() => expect(mails(email).length).toBeGreaterThan(after), { timeout: 10_000 });
  const [newest] = mails(email);
  if (newest === undefined) throw new Error('no message');
  return newest;
}

async function subscribed(): Promise<string> {
  const email = somebody();
  await ask(email);
  expect(
    (await post('confirm', { token: linkIn((await mailTo(email)).text, 'confirm') })).statusCode,
  ).toBe(200);
  return email;
}

async function notified(email: string, body = 'We look into it.'): Promise<OutboxMessage> {
  const before = mails(email).length;
  await app.services.subscriptions.notifySubscribers({
    incident: incident('Requests fail'),
    update: update('identified', body, clock.now()),
  });
  return mailTo(email, before);
}

describe('a request to subscribe', () => {
  it('gets the same response for every address, and one message in ten minutes', async () => {
    const email = somebody();
    const first = await ask(` ${email.toUpperCase()} `);
    expect({
      status: first.statusCode,
      title: titleOf(first.body).replace(' – Acme', ''),
      'cache-control': first.headers['cache-control'],
    }).toEqual({ status: 202, title: 'Check your inbox', 'cache-control': 'no-store' });
    const mail = await mailTo(email);
    expect({ subject: mail.subject, unsubscribe: mail.unsubscribe }).toEqual({
      subject: 'Acme status: confirm your subscription',
      unsubscribe: undefined,
    });
    const row = await rowOf(email);
    expect(row).toMatchObject({ confirmed_at: null });
    expect(JSON.stringify(row)).not.toContain(linkIn(mail.text, 'confirm').split('.')[1]);

    const known = await subscribed();
    for (const again of [email, known]) expect((await ask(again)).body).toBe(first.body);
    await settled();
    expect({ emailLength: mails(email).length, knownLength: mails(known).length }).toEqual({
      emailLength: 1,
      knownLength: 1,
    });
    offset = 11 * minute;
    for (const again of [email, known]) expect((await ask(again)).body).toBe(first.body);
    await mailTo(email, 1);
    await settled();
    expect({ emailLength: mails(email).length, knownLength: mails(known).length }).toEqual({
      emailLength: 2,
      knownLength: 1,
    });
  });

  it('gets the same JSON for every address, as a program', async () => {
    const known = await subscribed();
    const answers = await Promise.all(
      [somebody(), known].map((email) =>
        app.http.inject({ method: 'POST', url: '/status/subscribe/', payload: { email } }),
      ),
    );
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      Array.from({ length: 2 }, () => [
        202,
        '{"detail":"If this address is not subscribed yet, a message is on its way to ' +
          'it. Follow the link in it within 24 hours."}',
      ]),
    );
  });

  it('has no effect when the hidden field is filled in', async () => {
    const email = somebody();
    await settled();
    const before = (await rows()).length;
    expect((await ask(email, 'https://spam.example')).statusCode).toBe(202);
    await settled();
    expect({ mails: mails(email), length: (await rows()).length }).toEqual({
      mails: [],
      length: before,
    });
  });

  it('shows the error of an invalid address beside the field, with the input escaped', async () => {
    const { statusCode, body } = await ask('"><script>');
    expect({ statusCode, title: titleOf(body).replace(' – Acme', '') }).toEqual({
      statusCode: 422,
      title: 'Error: Get updates',
    });
    expect(unescaped(body)).toContain('such as name@example.com.');
    expect(body).toMatch(
      /value="&quot;&gt;&lt;script&gt;"[^>]*aria-describedby="email-error" aria-invalid="true"/,
    );
    for (const email of [
      '',
      'x',
      'a@b',
      'a@example.com, b@example.com',
      'a@example.com\r\nbcc: x@example.com',
    ]) {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/status/subscribe',
        payload: { email },
      });
      expect({
        email,
        status: answer.statusCode,
        type: answer.json<{ detail: { type: string }[] }>().detail[0]?.type,
      }).toEqual({ email, status: 422, type: 'status.address_invalid' });
    }
    expect(
      (await app.http.inject({ method: 'POST', url: '/status/subscribe', payload: { email: 5 } }))
        .statusCode,
    ).toBe(422);
  });
});

describe('a confirmation', () => {
  it('needs a button: opening the link changes nothing', async () => {
    const email = somebody();
    await ask(email);
    const token = linkIn((await mailTo(email)).text, 'confirm');
    const page = await app.http.inject({
      url: `/status/confirm?token=${token}`,
      headers: asBrowser,
    });
    expect(page.body).toMatch(
      new RegExp(
        '<form [^>]*method="post" action="/status/confirm">' +
          `<input type="hidden" name="token" value="${token}">.*Confirm subscription.*</form>`,
      ),
    );
    expect(await rowOf(email)).toMatchObject({ confirmed_at: null });
    const done = await post('confirm', { token }, asBrowser);
    expect({ status: done.statusCode, title: titleOf(done.body).replace(' – Acme', '') }).toEqual({
      status: 200,
      title: 'You’re subscribed',
    });
    const confirmed = (await rowOf(email))?.confirmed_at;
    expect(confirmed).toBeInstanceOf(Date);
    offset = hour;
    expect((await post('confirm', { token }, asBrowser)).statusCode).toBe(200);
    expect((await rowOf(email))?.confirmed_at).toEqual(confirmed);
  });

  it('works for 24 hours, and only with the newest link', async () => {
    const email = somebody();
    await ask(email);
    const old = linkIn((await mailTo(email)).text, 'confirm');
    offset = 23 * hour;
    await ask(email);
    const token = linkIn((await mailTo(email, 1)).text, 'confirm');
    expect(token).not.toBe(old);
    expect((await post('confirm', { token: old }, asBrowser)).statusCode).toBe(410);
    offset = 47 * hour + minute;
    const late = await post('confirm', { token }, asBrowser);
    expect({ status: late.statusCode, 'content-type': late.headers['content-type'] }).toEqual({
      status: 410,
      'content-type': 'text/html; charset=utf-8',
    });
    expect(await rowOf(email)).toMatchObject({ confirmed_at: null });
  });

  it.each(['', 'x', `018f0000-0000-7000-8000-000000000001.${'a'.repeat(43)}`, '<script>'])(
    'with the token “%s” is refused, and so is an unsubscription',
    async (token) => {
      const before = await rows();
      for (const path of ['confirm', 'unsubscribe']) {
        expect((await post(path, { token }, asBrowser)).statusCode).toBe(410);
        expect(
          (
            await app.http.inject({ method: 'POST', url: `/status/${path}`, payload: { token } })
          ).json(),
        ).toMatchObject({ code: 'status.link_invalid' });
        expect(
          (await app.http.inject({ url: `/status/${path}?token=${encodeURIComponent(token)}` }))
            .body,
        ).not.toContain('<script>');
      }
      expect(await rows()).toEqual(before);
    },
  );
});

describe('an update', () => {
  it('goes to every subscriber once, and to nobody else', async () => {
    const [one, two] = [await subscribed(), await subscribed()];
    const waiting = somebody();
    await ask(waiting);
    await mailTo(waiting);
    const notice = {
      incident: incident('Requests fail'),
      update: update('monitoring', 'Better.\n\n<b>Watch</b>', clock.now()),
    };
    await app.services.subscriptions.notifySubscribers(notice);
    for (const email of [one, two]) await mailTo(email, 1);
    await settled();
    await app.services.subscriptions.notifySubscribers(notice);
    await settled();
    // The queue forgets the job, so that it runs again as after a crash; meanwhile there is a new
    // subscriber.
    expect(await app.stores.redis.del(`jobs:status-notices:${notice.update.id}`)).toBe(1);
    const three = await subscribed();
    await app.services.subscriptions.notifySubscribers(notice);
    await mailTo(three, 1);
    await settled();
    expect([one, two, waiting].map((email) => mails(email).length)).toEqual([2, 2, 1]);
  });

  it('contains the incident, components, text, a link, and how to unsubscribe', async () => {
    const email = await subscribed();
    const [part] = app.services.status.state().components;
    if (part === undefined) throw new Error('no components');
    const mine = incident('Requests\r\nfail', { components: [part.id, 'gone'] });
    await app.services.subscriptions.notifySubscribers({
      incident: mine,
      update: update('identified', 'First.\n\nSecond <b>line</b>.', clock.now()),
    });
    const { subject, text, html, unsubscribe } = await mailTo(email, 1);
    expect(subject).toBe('Acme status: Requests fail (Identified)');
    expect(text).toBe(
      `Requests fail\n\nStatus: Identified\nAffected: ${part.name}\n\n` +
        'First.\n\nSecond <b>line</b>.\n\n' +
        `View all updates:\nhttps://svc.example/status/incidents/${mine.id}\n\n` +
        'You’re receiving this email because you subscribed to Acme status updates.\n\n' +
        `Unsubscribe:\n${String(unsubscribe)}\n`,
    );
    expect(unsubscribe).toMatch(
      /^https:\/\/svc\.example\/status\/unsubscribe\?token=[\da-f-]{36}\.[\w-]{43}$/,
    );
    expect({
      first: html?.includes('<b>'),
      second: html?.includes(`<a href="${String(unsubscribe)}"`),
    }).toEqual({ first: false, second: true });
  });

  it('is sent when admins post it', async () => {
    const email = await subscribed();
    await app.services.status.incidents.create(
      { name: 'Slow', status: 'investigating', body: 'We look.', components: [] },
      systemActor,
    );
    expect((await mailTo(email, 1)).subject).toBe('Acme status: Slow (Investigating)');
  });
});

describe('unsubscribing', () => {
  it('needs a button, or one POST of a mail program (RFC 8058)', async () => {
    const [byPage, byClick, byJson] = [await subscribed(), await subscribed(), await subscribed()];
    await notified(byPage);
    const urlOf = async (email: string) =>
      String((await mailTo(email, 1)).unsubscribe).replace('https://svc.example', '');

    const url = await urlOf(byPage);
    const page = await app.http.inject({ url, headers: asBrowser });
    expect(page.body).toMatch(/<form [^>]*method="post" action="\/status\/unsubscribe">/);
    expect(await rowOf(byPage)).toBeDefined();
    expect(
      titleOf((await post('unsubscribe', { token: url.split('=')[1] ?? '' }, asBrowser)).body),
    ).toContain('You’re unsubscribed');

    const click = await app.http.inject({
      method: 'POST',
      url: await urlOf(byClick),
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect({
      status: click.statusCode,
      'set-cookie': click.headers['set-cookie'],
      location: click.headers.location,
    }).toEqual({ status: 200, 'set-cookie': undefined, location: undefined });
    const token = (await urlOf(byJson)).split('=')[1] ?? '';
    expect(
      (
        await app.http.inject({ method: 'POST', url: '/status/unsubscribe', payload: { token } })
      ).json(),
    ).toEqual({ detail: 'Unsubscribed.' });
    for (const email of [byPage, byClick, byJson]) expect(await rowOf(email)).toBeUndefined();
    // A second time is no error.
    expect(
      (await app.http.inject({ method: 'POST', url: '/status/unsubscribe', payload: { token } }))
        .statusCode,
    ).toBe(200);

    const after = [byPage, byClick, byJson].map((email) => mails(email).length);
    await notified(await subscribed());
    await settled();
    expect([byPage, byClick, byJson].map((email) => mails(email).length)).toEqual(after);
  });

  it('allows to subscribe again', async () => {
    const email = await subscribed();
    await post('unsubscribe', {
      token: String((await notified(email)).unsubscribe).split('=')[1] ?? '',
    });
    const before = mails(email).length;
    await ask(email);
    expect((await mailTo(email, before)).subject).toBe('Acme status: confirm your subscription');
  });
});

it('unconfirmed addresses are deleted after a day', async () => {
  const email = somebody();
  await ask(email);
  await mailTo(email);
  const confirmed = await subscribed();
  const { db } = app.stores;
  await subscriberStore.deleteUnconfirmed(db, new Date(clock.now() - 24 * hour));
  expect(await rowOf(email)).toBeDefined();
  await subscriberStore.deleteUnconfirmed(db, new Date(clock.now() + minute));
  expect({ emailRow: await rowOf(email), confirmedRow: await rowOf(confirmed) }).toEqual({
    emailRow: undefined,
    confirmedRow: expect.objectContaining({ email: confirmed }) as object,
  });
});

describe('admins', () => {
  const list = async (query = '') =>
    (await app.http.inject({ url: `/api/v1/status/subscribers${query}`, headers: asAdmin })).json<{
      data: { id: string; email: string; confirmed_at: string | null }[];
      next_cursor: string | null;
      total: number;
    }>();
  const remove = (id: string, headers = {}) =>
    app.http.inject({ method: 'DELETE', url: `/api/v1/status/subscribers/${id}`, headers });

  it('list subscribers, newest first, by page, and find an address in any case', async () => {
    const first = await subscribed();
    const second = await subscribed();
    const asked = somebody();
    await ask(asked);
    await mailTo(asked);
    const { data, next_cursor: next, total } = await list('?limit=2');
    expect({
      data: data.map(({ email, confirmed_at: at }) => [email, at === null]),
      total,
    }).toEqual({
      data: [
        [asked, true],
        [second, false],
      ],
      total: (await rows()).filter((row) => row.confirmed_at !== null).length,
    });
    expect((await list(`?limit=1&cursor=${next ?? ''}`)).data.map(({ email }) => email)).toEqual([
      first,
    ]);
    expect((await list(`?email=${first.toUpperCase()}`)).data.map(({ email }) => email)).toEqual([
      first,
    ]);
    expect((await list('?email=nobody@example.com')).data).toEqual([]);
  });

  it('delete an address, with an audit entry that does not contain it', async () => {
    const email = await subscribed();
    const { id } = (await list(`?email=${email}`)).data[0] ?? { id: '' };
    expect((await remove(id)).statusCode).toBe(401);
    expect(await rowOf(email)).toBeDefined();
    expect((await remove(id, asAdmin)).json()).toEqual({ deleted: true, id });
    expect(await rowOf(email)).toBeUndefined();
    expect((await remove(id, asAdmin)).json<{ code: string }>().code).toBe(
      'status.subscriber_not_found',
    );
    const entries = await app.http.inject({
      url: '/api/v1/audit?action=status.subscriber_removed',
      headers: asAdmin,
    });
    expect(
      entries.json<{ data: { target: { id: string } }[] }>().data.map(({ target }) => target.id),
    ).toEqual([id]);
    expect(entries.body).not.toContain(email);
  });

  it('are the only ones who see addresses', async () => {
    const email = await subscribed();
    const answer = await app.http.inject('/api/v1/status/subscribers');
    expect({ status: answer.statusCode, includes: answer.body.includes(email) }).toEqual({
      status: 401,
      includes: false,
    });
  });
});

it('the log has no address and no token', async () => {
  const log = app.log();
  expect(log).toContain('status.subscribe');
  expect(log).not.toMatch(/subscriber-\d+@|[\da-f]{12}\.[\w-]{43}/);
});

describe('without a mail provider', () => {
  it('there is no form, and requests are refused with an explanation', async () => {
    const without = await freshApp({
      env: {
        NODE_ENV: 'production',
        BASE_URL: 'https://svc.example',
        AUTH_SECRET: randomBytes(32).toString('hex'),
      },
    });
    try {
      expect((await without.http.inject('/status')).body).not.toContain(
        'action="/status/subscribe"',
      );
      const answer = await without.http.inject({
        method: 'POST',
        url: '/status/subscribe',
        payload: { email: 'a@example.com' },
      });
      expect({ status: answer.statusCode, code: answer.json<{ code: string }>().code }).toEqual({
        status: 503,
        code: 'status.email_not_configured',
      });
      await without.services.subscriptions.notifySubscribers({
        incident: incident('x'),
        update: update('identified', 'x', 0),
      });
      expect(
        await without.stores.db.selectFrom('status_subscribers').selectAll().execute(),
      ).toEqual([]);
    } finally {
      await without.close();
    }
  });
});
