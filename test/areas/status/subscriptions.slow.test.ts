import { beforeEach, describe, expect } from 'vitest';
import { subscriberStore } from '../../../src/areas/status/subscriptions/store.ts';
import { hourMs, minuteMs } from '../../../src/lib/durations.ts';
import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { openWithoutMail } from '../../support/without-mail.ts';
import { titleOf as fullTitleOf, unescaped } from '../../surfaces/pages/support.ts';
import { incident, update } from './page-states.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await sharedApp('named', { clock });
const client = new TestClient(app).at('/status/');
beforeEach(() => {
  offset = 0;
});

let people = 0;
const somebody = (): string => `subscriber-${(people += 1)}@example.com`;
const rows = () =>
  app.stores.db.selectFrom('status_subscribers').selectAll().orderBy('id').execute();
const rowOf = async (email: string) => (await rows()).find((row) => row.email === email);
const countEmails = (...emails: string[]) => emails.map((email) => client.outbox(email).length);
const titleOf = (page: string) => fullTitleOf(page).replace(' – Acme', '');

const ask = (email: string, website = '') => client.form('subscribe', { email, website });
const linkIn = (text: string, path: string): string =>
  new RegExp(`https://svc\\.example/status/${path}\\?token=(\\S+)`).exec(text)?.[1] ?? '(missing)';

/** Asks for a subscription. Returns the token of the link in the next message. */
async function tokenFor(email: string): Promise<string> {
  const [after = 0] = countEmails(email);
  await ask(email);
  return linkIn((await client.mailTo(email, { after })).text, 'confirm');
}

async function subscribed(): Promise<string> {
  const email = somebody();
  expect(await client.form('confirm', { token: await tokenFor(email) })).toMatchObject({
    status: 200,
  });
  return email;
}

const noticeOf = (body = 'We look into it.') => ({
  incident: incident('Requests fail'),
  update: update('identified', body, clock.now()),
});

/** Notifies all subscribers. Returns the message that one of them gets. */
async function notified(email: string, notice = noticeOf()) {
  const [after = 0] = countEmails(email);
  await app.services.subscriptions.notifySubscribers(notice);
  return client.mailTo(email, { after });
}

describe('a request to subscribe', () => {
  it('gets the same response for every address, and one message in ten minutes', async () => {
    const email = somebody();
    const first = await ask(` ${email.toUpperCase()} `);
    expect(first).toMatchObject({ status: 202, headers: { 'cache-control': 'no-store' } });
    expect(titleOf(first.text)).toBe('Check your inbox');
    const mail = await client.mailTo(email);
    expect(mail.subject).toBe('Acme status: confirm your subscription');
    expect(mail.unsubscribe).toBeUndefined();
    const row = await rowOf(email);
    expect(row).toMatchObject({ confirmed_at: null });
    expect(JSON.stringify(row)).not.toContain(linkIn(mail.text, 'confirm').split('.')[1]);

    const known = await subscribed();
    const askAgain = async () => {
      for (const each of [email, known]) expect((await ask(each)).text).toBe(first.text);
    };
    await askAgain();
    await client.settled();
    expect(countEmails(email, known)).toEqual([1, 1]);
    offset = 11 * minuteMs;
    await askAgain();
    await client.mailTo(email, { after: 1 });
    await client.settled();
    expect(countEmails(email, known)).toEqual([2, 1]);
  });

  it('gets the same JSON for every address, as a program', async () => {
    const detail =
      'If this address is not subscribed yet, a message is on its way to it. Follow the link in ' +
      'it within 24 hours.';
    for (const email of [somebody(), await subscribed()])
      expect(await client.post('subscribe/', { email })).toMatchObject({
        status: 202,
        text: JSON.stringify({ detail }),
      });
  });

  it('has no effect when the hidden field is filled in', async () => {
    const email = somebody();
    await client.settled();
    const before = await rows();
    expect(await ask(email, 'https://spam.example')).toMatchObject({ status: 202 });
    await client.settled();
    expect(countEmails(email)).toEqual([0]);
    expect(await rows()).toHaveLength(before.length);
  });

  it('shows the error of an invalid address beside the field, with the input escaped', async () => {
    const { status, text } = await ask('"><script>');
    expect({ status, title: titleOf(text) }).toEqual({ status: 422, title: 'Error: Get updates' });
    expect(unescaped(text)).toContain('such as name@example.com.');
    expect(text).toMatch(
      /value="&quot;&gt;&lt;script&gt;"[^>]*aria-describedby="email-error" aria-invalid="true"/,
    );
  });

  it.each(['', 'x', 'a@b', 'a@example.com, b@example.com', 'a@example.com\r\nbcc: x@example.com'])(
    'for the address %j is refused',
    async (email) => {
      expect(await client.post('subscribe', { email })).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'status.address_invalid' }] },
      });
    },
  );

  it('for a number is refused', async () => {
    expect(await client.post('subscribe', { email: 5 })).toMatchObject({ status: 422 });
  });
});

describe('a confirmation', () => {
  it('needs a button: opening the link changes nothing', async () => {
    const email = somebody();
    const token = await tokenFor(email);
    expect((await client.page(`confirm?token=${token}`)).text).toMatch(
      new RegExp(
        '<form [^>]*method="post" action="/status/confirm">' +
          `<input type="hidden" name="token" value="${token}">.*Confirm subscription.*</form>`,
      ),
    );
    expect(await rowOf(email)).toMatchObject({ confirmed_at: null });
    const { status, text } = await client.form('confirm', { token });
    expect({ status, title: titleOf(text) }).toEqual({ status: 200, title: 'You’re subscribed' });
    const confirmed = (await rowOf(email))?.confirmed_at;
    expect(confirmed).toBeInstanceOf(Date);
    offset = hourMs;
    expect(await client.form('confirm', { token })).toMatchObject({ status: 200 });
    expect((await rowOf(email))?.confirmed_at).toEqual(confirmed);
  });

  it('works for 24 hours, and only with the newest link', async () => {
    const email = somebody();
    const old = await tokenFor(email);
    offset = 23 * hourMs;
    const token = await tokenFor(email);
    expect(token).not.toBe(old);
    expect(await client.form('confirm', { token: old })).toMatchObject({ status: 410 });
    offset = 47 * hourMs + minuteMs;
    expect(await client.form('confirm', { token })).toMatchObject({
      status: 410,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    expect(await rowOf(email)).toMatchObject({ confirmed_at: null });
  });

  it.each(['', 'x', `018f0000-0000-7000-8000-000000000001.${'a'.repeat(43)}`, '<script>'])(
    'with the token “%s” is refused, and so is an unsubscription',
    async (token) => {
      const before = await rows();
      for (const path of ['confirm', 'unsubscribe']) {
        expect(await client.form(path, { token })).toMatchObject({ status: 410 });
        expect(await client.post(path, { token })).toBeProblem(410, 'status.link_invalid');
        const page = await client.get(`${path}?token=${encodeURIComponent(token)}`);
        expect(page.text).not.toContain('<script>');
      }
      expect(await rows()).toEqual(before);
    },
  );
});

describe('an update', () => {
  it('goes to every subscriber once, and to nobody else', async () => {
    const [one, two, waiting] = [await subscribed(), await subscribed(), somebody()];
    await tokenFor(waiting);
    const notice = noticeOf('Better.\n\n<b>Watch</b>');
    await notified(one, notice);
    await client.settled();
    await app.services.subscriptions.notifySubscribers(notice);
    await client.settled();
    // The queue forgets the job, so that it runs again as after a crash; meanwhile there is a new
    // subscriber.
    expect(await app.stores.redis.del(`jobs:status-notices:${notice.update.id}`)).toBe(1);
    await notified(await subscribed(), notice);
    await client.settled();
    expect(countEmails(one, two, waiting)).toEqual([2, 2, 1]);
  });

  it('contains the incident, components, text, a link, and how to unsubscribe', async () => {
    const email = await subscribed();
    const [part] = app.services.status.state().components;
    const mine = incident('Requests\r\nfail', { components: [part?.id ?? '', 'gone'] });
    const notice = { ...noticeOf('First.\n\nSecond <b>line</b>.'), incident: mine };
    const { subject, text, html, unsubscribe = '(missing)' } = await notified(email, notice);
    expect(subject).toBe('Acme status: Requests fail (Identified)');
    expect(text).toBe(
      `Requests fail\n\nStatus: Identified\nAffected: ${part?.name}\n\n` +
        'First.\n\nSecond <b>line</b>.\n\n' +
        `View all updates:\nhttps://svc.example/status/incidents/${mine.id}\n\n` +
        'You’re receiving this email because you subscribed to Acme status updates.\n\n' +
        `Unsubscribe:\n${unsubscribe}\n`,
    );
    expect(unsubscribe).toMatch(
      /^https:\/\/svc\.example\/status\/unsubscribe\?token=[\da-f-]{36}\.[\w-]{43}$/,
    );
    expect(html?.()).not.toContain('<b>');
    expect(html?.()).toContain(`<a href="${unsubscribe}"`);
  });

  it('is sent when admins post it', async () => {
    const email = await subscribed();
    await app.services.status.incidents.create(
      { name: 'Slow', status: 'investigating', body: 'We look.', components: [] },
      systemActor,
    );
    expect((await client.mailTo(email, { after: 1 })).subject).toBe(
      'Acme status: Slow (Investigating)',
    );
  });
});

describe('unsubscribing', () => {
  it('needs a button, or one POST of an email client (RFC 8058)', async () => {
    const [byPage, byClick, byJson] = [await subscribed(), await subscribed(), await subscribed()];
    await notified(byPage);
    const tokenOf = async (email: string) =>
      linkIn(String((await client.mailTo(email, { after: 1 })).unsubscribe), 'unsubscribe');

    const token = await tokenOf(byPage);
    expect((await client.page(`unsubscribe?token=${token}`)).text).toMatch(
      /<form [^>]*method="post" action="\/status\/unsubscribe">/,
    );
    expect(await rowOf(byPage)).toBeDefined();
    expect(titleOf((await client.form('unsubscribe', { token })).text)).toContain(
      'You’re unsubscribed',
    );

    const click = await client.post(
      `unsubscribe?token=${await tokenOf(byClick)}`,
      'List-Unsubscribe=One-Click',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    );
    expect(click).toMatchObject({ status: 200 });
    expect(click.headers).not.toHaveProperty('set-cookie');
    expect(click.headers).not.toHaveProperty('location');
    const ofJson = { token: await tokenOf(byJson) };
    expect((await client.post('unsubscribe', ofJson)).body).toEqual({ detail: 'Unsubscribed.' });
    for (const email of [byPage, byClick, byJson]) expect(await rowOf(email)).toBeUndefined();
    // A second time is no error.
    expect(await client.post('unsubscribe', ofJson)).toMatchObject({ status: 200 });

    const before = countEmails(byPage, byClick, byJson);
    await notified(await subscribed());
    await client.settled();
    expect(countEmails(byPage, byClick, byJson)).toEqual(before);
  });

  it('allows to subscribe again', async () => {
    const email = await subscribed();
    const { unsubscribe } = await notified(email);
    await client.form('unsubscribe', { token: linkIn(String(unsubscribe), 'unsubscribe') });
    await tokenFor(email);
    expect(client.outbox(email)[0]?.subject).toBe('Acme status: confirm your subscription');
  });
});

it('unconfirmed addresses are deleted after a day', async () => {
  const email = somebody();
  await tokenFor(email);
  const confirmed = await subscribed();
  const { db } = app.stores;
  await subscriberStore.deleteUnconfirmed(db, new Date(clock.now() - 24 * hourMs));
  expect(await rowOf(email)).toBeDefined();
  await subscriberStore.deleteUnconfirmed(db, new Date(clock.now() + minuteMs));
  expect(await rowOf(email)).toBeUndefined();
  expect(await rowOf(confirmed)).toBeDefined();
});

describe('admins', () => {
  const url = '/api/v1/status/subscribers';
  const admin = () => client.at('').as(asAdmin);
  const list = async (query = '') => {
    const { body } = await admin().get<{
      data: { id: string; email: string; confirmed_at: string | null }[];
      next_cursor: string | null;
      total: number;
    }>(url + query);
    return { ...body, emails: body.data.map(({ email }) => email) };
  };

  it('list subscribers, newest first, by page, and find an address in any case', async () => {
    const [first, second, asked] = [await subscribed(), await subscribed(), somebody()];
    await tokenFor(asked);
    const { data, next_cursor: next, total } = await list('?limit=2');
    expect(data).toMatchObject([
      { email: asked, confirmed_at: null },
      { email: second, confirmed_at: expect.any(String) as string },
    ]);
    expect(total).toBe((await rows()).filter((row) => row.confirmed_at !== null).length);
    expect((await list(`?limit=1&cursor=${next ?? ''}`)).emails).toEqual([first]);
    expect((await list(`?email=${first.toUpperCase()}`)).emails).toEqual([first]);
    expect((await list('?email=nobody@example.com')).emails).toEqual([]);
  });

  it('delete an address, with an audit entry that does not contain it', async () => {
    const email = await subscribed();
    const id = (await list(`?email=${email}`)).data[0]?.id ?? '(missing)';
    expect(await client.at(url).delete(`/${id}`)).toMatchObject({ status: 401 });
    expect(await rowOf(email)).toBeDefined();
    expect((await admin().delete(`${url}/${id}`)).body).toEqual({ deleted: true, id });
    expect(await rowOf(email)).toBeUndefined();
    expect(await admin().delete(`${url}/${id}`)).toBeProblem(404, 'status.subscriber_not_found');
    const { body, text } = await admin().get('/api/v1/audit?action=status.subscriber_removed');
    expect(body.data).toMatchObject([{ target: { id } }]);
    expect(text).not.toContain(email);
  });

  it('are the only ones who see addresses', async () => {
    const email = await subscribed();
    const refused = await client.at(url).get('');
    expect(refused).toBeProblem(401, 'request.unauthenticated');
    expect(refused.text).not.toContain(email);
  });
});

it('the log has no address and no token', async () => {
  const log = app.log();
  expect(log).toContain('status.subscribe');
  expect(log).not.toMatch(/subscriber-\d+@|[\da-f]{12}\.[\w-]{43}/);
});

it('without a mail provider there is no form, and requests are refused', async () => {
  const without = await openWithoutMail();
  const anyone = new TestClient(without);
  expect((await anyone.get('/status')).text).not.toContain('action="/status/subscribe"');
  expect(await anyone.post('/status/subscribe', { email: 'a@example.com' })).toBeProblem(
    503,
    'status.email_not_configured',
  );
  await without.services.subscriptions.notifySubscribers(noticeOf());
  expect(await without.stores.db.selectFrom('status_subscribers').selectAll().execute()).toEqual(
    [],
  );
});
