import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { riskRules } from '../../../src/areas/blackops/recognition/risk.ts';
import { formatDateTime } from '../../../src/platform/i18n/dates.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import {
  clearByKey,
  clearedOn,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  firefoxOnWindows,
  places,
  type SignInAs,
  storedDevice,
} from '../../support/devices.ts';
import { carriedBy, titleOf, unescaped } from '../../surfaces/pages/support.ts';

const minute = 60_000;
const page = '/account/devices';
const requests = '/account/devices/requests';
let app: FreshApp;
let offset = 0;
const clock = { now: () => Date.now() + offset };
const now = () => clock.now();
beforeAll(async () => {
  app = await freshApp({ clock, env: { DEVICE_FIRST: 'nobody' } });
});
afterAll(() => app.close());
beforeEach(() => {
  offset = 0;
});

let people = 0;
const somebody = (): string => `person-${(people += 1)}@example.com`;
const verifyTotp = (on: FreshApp, userId: string) =>
  sql`update totp_factors set verified_at = now() where user_id = ${userId}::uuid`.execute(
    on.stores.db,
  );

interface Shown {
  status: number;
  place: string | undefined;
  text: string;
  title: string;
  cookies: string[];
  headers: Record<string, unknown>;
}

function shownIn({ status, headers, body }: Awaited<ReturnType<DeviceBrowser['call']>>): Shown {
  const text = String(body.text ?? '');
  return {
    status,
    text,
    title: titleOf(text),
    place: headers.location === undefined ? undefined : String(headers.location),
    cookies: [headers['set-cookie'] ?? []].flat().map(String),
    headers,
  };
}

const open = async (
  browser: DeviceBrowser,
  url = page,
  headers: Record<string, string> = {},
): Promise<Shown> => shownIn(await browser.call(url, { prove: false, headers }));
/** Submits a form, by default like a browser without JavaScript. */
const submit = async (
  browser: DeviceBrowser,
  url: string,
  values: Record<string, string>,
  { prove = false, headers = {} }: { prove?: boolean; headers?: Record<string, string> } = {},
): Promise<Shown> =>
  shownIn(
    await browser.call(url, {
      method: 'POST',
      raw: new URLSearchParams(values).toString(),
      prove,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    }),
  );

/** Returns the text of a part of the page, without markup. */
const wordsOf = (text: string): string =>
  unescaped(text.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
const stateOn = ({ text }: Shown): string =>
  unescaped(/<p id="device-state"[^>]*>([^<]*)</.exec(text)?.[1] ?? '');
const numberOn = ({ text }: Shown): string | undefined =>
  /<p class="number">(\d\d)<\/p>/.exec(text)?.[1];
const factsOn = ({ text }: Shown) =>
  Object.fromEntries(
    [
      ...(/<div id="device"([^>]*)>/.exec(text)?.[1] ?? '').matchAll(/data-([\w-]+)="([^"]*)"/g),
    ].map(([, name = '', value = '']) => [name, value]),
  );
const hasForm = ({ text }: Shown, action: string): boolean =>
  new RegExp(`<form [^>]*method="post" action="${action}"`).test(text);

async function person(
  who: Partial<SignInAs> = {},
  options: Parameters<typeof createDeviceBrowser>[1] = {},
): Promise<DeviceBrowser> {
  const browser = createDeviceBrowser(app, { now, ...options });
  await browser.signIn({ email: somebody(), ...who });
  return browser;
}
const admin = async (who: Partial<SignInAs> = {}, options: Parameters<typeof clearedOn>[2] = {}) =>
  clearedOn(app, { email: somebody(), ...who }, { now, ...options });
const asked = async (browser: DeviceBrowser, values: Record<string, string> = {}): Promise<Shown> =>
  submit(browser, `${page}/ask`, { name: '', reason: '', ...values });
const openRequest = async (browser: DeviceBrowser) =>
  app.stores.db
    .selectFrom('clearance_requests')
    .selectAll()
    .where('user_id', '=', browser.self.userId)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
const wrong = (number: string): string => (number === '00' ? '01' : '00');

describe('access to the device pages', () => {
  it.each([
    [page, '/login?next=/account/devices'],
    [`${page}/`, '/login?next=/account/devices/'],
    [requests, '/login?next=/account/devices/requests'],
    [
      `${page}?next=/account/devices/requests`,
      '/login?next=%2Faccount%2Fdevices%3Fnext%3D%2Faccount%2Fdevices%2Frequests',
    ],
  ])('%s redirects signed-out clients to the sign-in page, and back', async (url, place) => {
    const stranger = createDeviceBrowser(app);
    expect(await open(stranger, url)).toMatchObject({ status: 303, place });
    expect(await open(stranger, url, { cookie: 'svc_session=x' })).toMatchObject({
      status: 303,
      place,
      cookies: [expect.stringContaining('svc_session=; ')],
    });
  });

  it('forms of signed-out clients change nothing and redirect to the sign-in page', async () => {
    const before = await deviceInventory(app);
    const stranger = createDeviceBrowser(app);
    const id = '018f0000-0000-4000-8000-000000000009';
    for (const form of ['ask', 'restore', 'suspend', 'rename', 'remove', 'remove-others']) {
      expect(
        await submit(stranger, `${page}/${form}`, { id, name: 'x', reason: 'y' }),
      ).toMatchObject({ status: 303, place: '/login?next=/account/devices' });
    }
    for (const form of ['approve', 'deny'])
      expect(
        await submit(stranger, `${requests}/${id}/${form}`, { number: '00', note: '' }),
      ).toMatchObject({ status: 303, place: '/login?next=/account/devices/requests' });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('forms sent from another site change nothing', async () => {
    const { browser, deviceId } = await admin();
    const waiting = await person();
    await asked(waiting);
    const { id, number } = await openRequest(waiting);
    const before = await deviceInventory(app);
    for (const from of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:81' },
    ]) {
      for (const form of ['ask', 'restore', 'suspend', 'rename', 'remove', 'remove-others']) {
        expect(
          await submit(
            browser,
            `${page}/${form}`,
            { id: deviceId, name: 'x', reason: '' },
            { headers: from },
          ),
        ).toMatchObject({ status: 403, title: 'Error: Not allowed', cookies: [] });
      }
      for (const form of ['approve', 'deny'])
        expect(
          await submit(
            browser,
            `${requests}/${id}/${form}`,
            { number, note: '' },
            { headers: from },
          ),
        ).toMatchObject({ status: 403, cookies: [] });
    }
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('pages are not cached, and allow only the script of the service', async () => {
    const { browser } = await admin();
    const scriptPath = app.services.assets.path('devices.js');
    for (const url of [page, requests]) {
      const { headers, text } = await open(browser, url);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        vary: 'cookie',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self';/,
        ) as string,
      });
      expect(text.match(/<script[^>]*>/g)).toEqual([`<script type="module" src="${scriptPath}">`]);
      expect(text).not.toMatch(/\son\w+=|\sstyle=|<style/);
    }
    const script = await app.http.inject(scriptPath);
    expect({
      status: script.statusCode,
      'cache-control': script.headers['cache-control'],
      'content-type': script.headers['content-type'],
    }).toEqual({
      status: 200,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(Buffer.byteLength(script.body)).toBeLessThanOrEqual(8 * 1024);
    expect((await open(browser, '/account')).text).toContain(`<a href="${requests}">`);
  });

  it('requests are visible only to admins on cleared devices', async () => {
    const plain = await person();
    expect(await open(plain, requests)).toMatchObject({
      status: 403,
      title: 'Error: You don’t have access',
    });
    expect((await open(plain, page)).text).not.toContain(requests);
    const unclear = await person({ roles: ['admin'] });
    const place = '/account/devices?next=%2Faccount%2Fdevices%2Frequests';
    expect(await open(unclear, requests)).toMatchObject({ status: 303, place });
    expect(
      await submit(unclear, `${requests}/018f0000-0000-4000-8000-000000000009/deny`, { note: '' }),
    ).toMatchObject({ status: 303, place });
    expect((await open(unclear, place)).text).toContain(
      'The page you wanted to open requires an approved device.',
    );
  });
});

describe('the device page', () => {
  it('unknown: offers a request and explains it', async () => {
    const browser = await person();
    const shown = await open(browser);
    expect({
      status: shown.status,
      title: shown.title,
      stateOn: stateOn(shown),
      numberOn: numberOn(shown),
    }).toEqual({
      status: 200,
      title: 'Your devices',
      stateOn: 'This device is not approved.',
      numberOn: undefined,
    });
    expect(factsOn(shown)).toMatchObject({ state: 'unknown', id: '', next: '' });
    expect(wordsOf(shown.text)).toContain('Optional. Default: Chrome on macOS.');
    expect(wordsOf(shown.text)).toContain('You have no other devices.');
    expect(shown.cookies).toEqual([]);
  });

  it('pending: shows the number and its expiry, and allows one request', async () => {
    const browser = await person();
    const answer = await asked(browser, {
      name: '  My   laptop ',
      reason: 'new\r\none',
      next: requests,
    });
    expect(answer).toMatchObject({
      status: 303,
      place: '/account/devices?done=asked&next=%2Faccount%2Fdevices%2Frequests',
      cookies: [
        expect.stringMatching(
          /^svc_device=[^;]{90,}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
        ),
      ],
    });
    const { number, reason, device_id: id, expires_at: end } = await openRequest(browser);
    expect({ reason, name: (await storedDevice(app, id)).name }).toEqual({
      reason: 'new one',
      name: 'My laptop',
    });
    const shown = await open(browser);
    expect({ stateOn: stateOn(shown), numberOn: numberOn(shown), factsOn: factsOn(shown) }).toEqual(
      {
        stateOn: 'This device is awaiting approval.',
        numberOn: number,
        factsOn: expect.objectContaining({ state: 'pending', id }) as object,
      },
    );
    expect(shown.text).toContain(`<time datetime="${end.toISOString()}">`);
    expect(hasForm(shown, `${page}/ask`)).toBe(false);
    await asked(browser);
    expect((await openRequest(browser)).number).toBe(number);
  });

  it('cleared: shows its beginning, end and binding', async () => {
    const { browser, deviceId } = await admin();
    const shown = await open(browser);
    const device = await storedDevice(app, deviceId);
    expect({
      stateOn: stateOn(shown),
      numberOn: numberOn(shown),
      hasForm: hasForm(shown, `${page}/ask`),
    }).toEqual({ stateOn: 'This device is approved.', numberOn: undefined, hasForm: false });
    expect(wordsOf(shown.text)).toContain(`Approved ${formatDateTime(device.cleared_at ?? NaN)}`);
    expect(wordsOf(shown.text)).toMatch(
      /Expires .* UTC if unused, .* UTC at the latest Identified by Cookie/,
    );
    const keyed = await admin({}, { hasKey: true });
    expect(wordsOf((await open(keyed.browser)).text)).toContain('Identified by Browser key');
  });

  it('expired: offers a new request with a reason', async () => {
    const email = somebody();
    const { browser: back, deviceId } = await admin({ email });
    offset = 31 * 24 * 60 * minute;
    await back.signIn({ email });
    const shown = await open(back);
    expect({ stateOn: stateOn(shown), state: factsOn(shown).state }).toEqual({
      stateOn: 'The approval expired, or no admin decided in time.',
      state: 'expired',
    });
    expect(shown.text).not.toContain('name="name" type="text" value=""');
    expect(await asked(back, { reason: 'I was away' })).toMatchObject({ status: 303 });
    expect((await storedDevice(app, deviceId)).state).toBe('pending');
    expect(await openRequest(back)).toMatchObject({ device_id: deviceId, reason: 'I was away' });
  });

  it('suspended: explains every reason in plain words, and what to do', async () => {
    const { browser, deviceId } = await admin();
    const reasons = Object.keys(riskRules);
    await sql`
      update devices set state = 'suspended', reasons = ${reasons}, expires_at = null
      where id = ${deviceId}::uuid`.execute(app.stores.db);
    const shown = await open(browser);
    expect({ stateOn: stateOn(shown), state: factsOn(shown).state }).toEqual({
      stateOn: 'This device is suspended.',
      state: 'suspended',
    });
    for (const sentence of Object.values(riskRules))
      expect(wordsOf(shown.text)).toContain(sentence);
    expect(wordsOf(shown.text)).toContain(
      'You have no second factor, so you can’t restore this device yourself. ' +
        'Ask an admin to restore it.',
    );
    expect(hasForm(shown, `${page}/restore`)).toBe(false);
    await app.services.secondFactor.enrolTotp(browser.self.userId, 'x');
    await verifyTotp(app, browser.self.userId);
    expect(hasForm(await open(browser), `${page}/restore`)).toBe(true);
    await sql`update devices set reasons = '{admin}' where id = ${deviceId}::uuid`.execute(
      app.stores.db,
    );
    const byAdmin = await open(browser);
    expect({
      hasForm: hasForm(byAdmin, `${page}/restore`),
      includesAskAnAdmin: wordsOf(byAdmin.text).includes('Ask an admin to restore it'),
    }).toEqual({ hasForm: false, includesAskAnAdmin: true });
    expect(await submit(browser, `${page}/restore`, { id: deviceId })).toMatchObject({
      status: 303,
      place: '/login?next=/account/devices&reason=second_factor',
    });
    expect((await storedDevice(app, deviceId)).state).toBe('suspended');
  });

  it('denied and removed: say so, and how to start again', async () => {
    const browser = await person();
    await asked(browser);
    const { id } = await openRequest(browser);
    await app.services.devices.decisions.decide(
      id,
      { isApproved: false, number: undefined, note: 'secret note' },
      { actor: { kind: 'api_key', id: 'env' }, userId: undefined, deviceId: undefined },
    );
    const denied = await open(browser);
    expect({
      state: stateOn(denied),
      canAsk: hasForm(denied, `${page}/ask`),
      canRemove: hasForm(denied, `${page}/remove`),
      hasNote: denied.text.includes('secret note'),
    }).toEqual({
      state: 'Approval of this device was denied.',
      canAsk: false,
      canRemove: true,
      hasNote: false,
    });
    expect(await asked(browser)).toMatchObject({
      status: 403,
      title: 'Error: Not allowed',
    });

    const cookie = browser.jar.get('svc_device') ?? '';
    const form = carriedBy(denied.text, `${page}/remove`);
    expect(await submit(browser, `${page}/remove`, form)).toMatchObject({
      status: 303,
      place: '/login?next=/account/devices&done=signed_out',
      cookies: [
        expect.stringMatching(/^svc_device=; Max-Age=0; /),
        expect.stringMatching(/^svc_session=; Max-Age=0; /),
      ],
    });
    expect(browser.jar.size).toBe(0);
    expect((await storedDevice(app, form.id)).state).toBe('revoked');

    const again = await person();
    await app.stores.db
      .updateTable('devices')
      .set({ user_id: again.self.userId })
      .where('id', '=', String(form.id))
      .execute();
    again.jar.set('svc_device', cookie);
    const removed = await open(again);
    expect({
      stateOn: stateOn(removed),
      state: factsOn(removed).state,
      hasForm: hasForm(removed, `${page}/ask`),
    }).toEqual({ stateOn: 'This device was removed.', state: 'revoked', hasForm: true });
    expect(await asked(again)).toMatchObject({ status: 303 });
    const { device_id: fresh } = await openRequest(again);
    expect(fresh).not.toBe(form.id);
    expect((await storedDevice(app, form.id)).state).toBe('revoked');
  });

  it('restores a device only for its user, with a fresh second factor', async () => {
    const email = somebody();
    const { browser, deviceId } = await admin({ email });
    await app.services.secondFactor.enrolTotp(browser.self.userId, 'x');
    await verifyTotp(app, browser.self.userId);
    expect(await submit(browser, `${page}/suspend`, { id: deviceId })).toMatchObject({
      status: 303,
      place: '/account/devices?done=suspended',
    });
    expect(await submit(browser, `${page}/restore`, { id: deviceId })).toMatchObject({
      status: 303,
      place: '/login?next=/account/devices&reason=second_factor',
    });
    await browser.signIn({ email, acr: 'aal2', amr: ['otp', 'mfa'] });
    offset = 6 * minute;
    expect(await submit(browser, `${page}/restore`, { id: deviceId })).toMatchObject({
      status: 303,
      place: '/login?next=/account/devices&reason=second_factor',
    });
    expect((await storedDevice(app, deviceId)).state).toBe('suspended');
    offset = 0;
    const other = await person({ acr: 'aal2' });
    expect(await submit(other, `${page}/restore`, { id: deviceId })).toMatchObject({ status: 404 });
    const before = browser.jar.get('svc_device');
    await browser.signIn({ email, acr: 'aal2', amr: ['otp', 'mfa'] });
    expect(
      await submit(browser, `${page}/restore`, { id: deviceId, next: requests }),
    ).toMatchObject({
      status: 303,
      place: '/account/devices?done=restored&next=%2Faccount%2Fdevices%2Frequests',
    });
    expect(browser.jar.get('svc_device')).not.toBe(before);
    const shown = await open(browser, `${page}?done=restored`);
    expect({
      stateOn: stateOn(shown),
      includesNoLongerWork: wordsOf(shown.text).includes('no longer work'),
    }).toEqual({ stateOn: 'This device is approved.', includesNoLongerWork: true });
  });

  it('escapes user input: names, reasons and notes', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const browser = await person();
    await asked(browser, { name: evil, reason: evil });
    const other = createDeviceBrowser(app, { now });
    other.jar.set('svc_session', browser.jar.get('svc_session') ?? '');
    const { browser: approver } = await admin();
    const { id, number } = await openRequest(browser);
    const pages = [await open(browser), await open(other), await open(approver, requests)];
    expect(pages[2]?.text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    await submit(approver, `${requests}/${id}/approve`, { number, note: evil });
    pages.push(
      await open(approver, requests),
      await open(
        browser,
        `${page}?done=${encodeURIComponent(evil)}&next=${encodeURIComponent(`/${evil}`)}`,
      ),
    );
    for (const { status, text } of pages)
      expect({
        status,
        includes: text.includes('<img src=x'),
        matches: /<[^>]*\sonerror=/.test(text.replace(/"[^"]*"/g, '""')),
      }).toEqual({ status: 200, includes: false, matches: false });
    expect(pages[3]?.text).toContain('Note: &lt;img');
    expect(pages[1]?.text).toContain('&lt;img');
  });
});

describe('next', () => {
  it('is offered only once nothing is missing any more', async () => {
    const browser = await person({ roles: ['admin'] });
    const url = `${page}?next=${encodeURIComponent(`${requests}?a=b`)}`;
    const before = await open(browser, url);
    expect({
      includesContinue: before.text.includes('Continue'),
      next: factsOn(before).next,
    }).toEqual({ includesContinue: false, next: `${requests}?a=b` });
    await clearByKey(app, await browser.ask(), asAdmin.authorization);
    expect((await open(browser, url)).text).toContain(`<a href="${requests}?a=b">Continue</a>`);
    expect(await open(browser, requests)).toMatchObject({
      status: 200,
      title: 'Device requests',
    });
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/%09/evil.example',
    '/a//evil.example',
    '/x@evil.example',
    '/',
    '',
    page,
    `${page}/?next=/x`,
    `/${'a'.repeat(2100)}`,
  ])('“%s” is ignored', async (next) => {
    const { browser } = await admin();
    const shown = await open(browser, `${page}?next=${encodeURIComponent(next)}`);
    expect({
      status: shown.status,
      next: factsOn(shown).next,
      includesContinue: shown.text.includes('Continue'),
      includesEvil: shown.text.includes('evil'),
    }).toEqual({ status: 200, next: '', includesContinue: false, includesEvil: false });
    const waiting = await person();
    expect((await asked(waiting, { next })).place).toBe('/account/devices?done=asked');
  });
});

describe('other devices', () => {
  /** A user with three cleared devices: the current one and two others. */
  async function withThree() {
    const email = somebody();
    const first = await admin({ email }, { address: places.de });
    const second = await admin({ email }, { userAgent: firefoxOnWindows });
    const here = await admin({ email });
    return { email, first, second, here };
  }

  it('are listed with their properties, without those of other users', async () => {
    const { first, second, here } = await withThree();
    const stranger = await admin({ email: somebody() });
    await submit(stranger.browser, `${page}/rename`, { id: stranger.deviceId, name: 'Not yours' });
    const { text } = await open(here.browser);
    const words = wordsOf(text);
    expect(words).toMatch(
      new RegExp(
        /State Approved Browser Chrome on macOS Location Germany, /.source +
          /46\.4\.0\.0\/24 Last seen [A-Z][a-z]{2} \d{1,2}, \d{4}/.source,
      ),
    );
    expect(words).toContain('Firefox on Windows');
    for (const { deviceId } of [first, second, here]) expect(text).toContain(deviceId);
    expect({
      includesNotYours: text.includes('Not yours'),
      includes: text.includes(stranger.deviceId),
    }).toEqual({ includesNotYours: false, includes: false });
    expect((await open(first.browser)).text).not.toContain(stranger.deviceId);
  });

  it('can be renamed, suspended and removed, which ends their sessions', async () => {
    const { first, second, here } = await withThree();
    expect(
      await submit(here.browser, `${page}/rename`, { id: first.deviceId, name: ' At\thome ' }),
    ).toMatchObject({ status: 303, place: '/account/devices?done=renamed' });
    expect((await storedDevice(app, first.deviceId)).name).toBe('At home');
    const empty = await submit(here.browser, `${page}/rename`, { id: first.deviceId, name: '   ' });
    expect({
      status: empty.status,
      title: empty.title,
      includes: wordsOf(empty.text).includes('Enter a name.'),
      matches: /<details [^>]*open>/.test(empty.text),
    }).toEqual({ status: 400, title: 'Error: Your devices', includes: true, matches: true });
    expect((await storedDevice(app, first.deviceId)).name).toBe('At home');
    expect(
      await submit(here.browser, `${page}/rename`, { id: first.deviceId, name: 'a'.repeat(65) }),
    ).toMatchObject({ status: 422 });

    expect(await submit(here.browser, `${page}/suspend`, { id: first.deviceId })).toMatchObject({
      place: '/account/devices?done=suspended',
    });
    expect(stateOn(await open(first.browser))).toBe('This device is suspended.');
    expect(await submit(here.browser, `${page}/suspend`, { id: first.deviceId })).toMatchObject({
      status: 409,
      title: 'Error: Already done',
    });
    expect(await submit(here.browser, `${page}/remove`, { id: first.deviceId })).toMatchObject({
      status: 303,
      place: '/account/devices?done=removed',
    });
    expect(await open(first.browser)).toMatchObject({
      status: 303,
      place: '/login?next=/account/devices',
    });
    expect(here.browser.jar.has('svc_session')).toBe(true);
    expect(await submit(here.browser, `${page}/remove-others`, {})).toMatchObject({
      status: 303,
      place: '/account/devices?done=others_removed',
    });
    expect((await storedDevice(app, second.deviceId)).state).toBe('revoked');
    expect((await storedDevice(app, here.deviceId)).state).toBe('cleared');
    expect(wordsOf((await open(here.browser)).text)).toContain('You have no other devices.');
  });

  it('need a fresh sign-in, except to rename, or to remove the current device', async () => {
    const { first, here } = await withThree();
    offset = 6 * minute;
    const before = await deviceInventory(app);
    for (const [form, values] of [
      ['suspend', { id: first.deviceId }],
      ['remove', { id: first.deviceId }],
      ['remove-others', {}],
    ] as const) {
      expect(await submit(here.browser, `${page}/${form}`, values)).toMatchObject({
        status: 303,
        place: '/login?next=/account/devices&reason=fresh',
      });
    }
    expect((await deviceInventory(app)).devices).toEqual(before.devices);
    expect(await submit(here.browser, `${page}/remove`, { id: here.deviceId })).toMatchObject({
      place: '/login?next=/account/devices&done=signed_out',
    });
    expect((await storedDevice(app, here.deviceId)).state).toBe('revoked');
  });

  it('of other users get the same 404 as unknown ids', async () => {
    const { deviceId } = await admin();
    const { browser } = await admin();
    const before = await deviceInventory(app);
    for (const [form, values] of [
      ['suspend', {}],
      ['remove', {}],
      ['rename', { name: 'Mine now' }],
      ['rename', { name: '' }],
    ] as const) {
      const theirs = await submit(browser, `${page}/${form}`, { id: deviceId, ...values });
      const nobodys = await submit(browser, `${page}/${form}`, {
        id: '018f0000-0000-4000-8000-000000000009',
        ...values,
      });
      expect({ status: theirs.status, title: theirs.title, text: theirs.text }).toEqual({
        status: 404,
        title: 'Error: Not found',
        text: nobodys.text,
      });
    }
    expect(await deviceInventory(app)).toEqual(before);
  });
});

describe('the page of requests', () => {
  it('shows the user and the origin of a request, and never the number', async () => {
    const waiting = await person({}, { address: places.jp, userAgent: firefoxOnWindows });
    await asked(waiting, { name: 'Studio', reason: 'Night shift' });
    const { number } = await openRequest(waiting);
    const { browser } = await admin();
    const shown = await open(browser, requests);
    expect(wordsOf(shown.text)).toMatch(
      new RegExp(
        /Device Studio Browser Firefox on Windows Identified by Cookie /.source +
          /Network 202\.12\.27\.0\/24 Country Japan Reason Night shift Requested [A-Z][a-z]{2}/
            .source,
      ),
    );
    const around = new RegExp(`(?<![\\d:./-])${number}(?![\\d:.-])`);
    expect(wordsOf(shown.text.replace(/<time[^>]*>[^<]*<\/time>/g, ''))).not.toMatch(around);
    expect(shown.text).not.toContain(`"${number}"`);
    expect(
      await submit(browser, `${requests}/${(await openRequest(waiting)).id}/deny`, {
        note: 'who are you?',
      }),
    ).toMatchObject({ status: 303, place: `${requests}?done=denied` });
    const after = await open(browser, `${requests}?done=denied`);
    expect(wordsOf(after.text)).toMatch(
      new RegExp(
        /Request denied\. .*Studio, person-\d+@example\.com /.source +
          /Denied by you, .* UTC Note: who are you\?/.source,
      ),
    );
    expect(stateOn(await open(waiting))).toBe('Approval of this device was denied.');
  });

  it('approves with the right number, and denies at the third wrong one', async () => {
    const { browser } = await admin();
    const waiting = await person();
    await asked(waiting);
    const { id, number } = await openRequest(waiting);
    for (const given of ['', '7', 'ab', '123']) {
      const { status, title, text } = await submit(browser, `${requests}/${id}/approve`, {
        number: given,
        note: '',
      });
      expect({
        status,
        title,
        includes: wordsOf(text).includes('Enter the two digits shown on the device.'),
      }).toEqual({ status: 400, title: 'Error: Device requests', includes: true });
    }
    expect((await openRequest(waiting)).wrong_numbers).toBe(0);
    const refused = await submit(browser, `${requests}/${id}/approve`, {
      number: wrong(number),
      note: '',
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      `aria-describedby="number-${id}-error number-${id}-hint" aria-invalid="true"`,
    );
    expect(refused.text).toMatch(
      new RegExp(`id="number-${id}-error"><svg.*?</svg>The device shows a different number\\.`),
    );
    expect(refused.headers['content-security-policy']).toContain("script-src 'self'");
    expect(
      await submit(browser, `${requests}/${id}/approve`, {
        number: ` ${number.split('').join(' ')} `,
        note: 'known by voice',
      }),
    ).toMatchObject({ status: 303, place: `${requests}?done=approved` });
    expect(stateOn(await open(waiting))).toBe('This device is approved.');
    expect(await submit(browser, `${requests}/${id}/approve`, { number, note: '' })).toMatchObject({
      status: 409,
      title: 'Error: Already done',
    });

    const guessed = await person();
    await asked(guessed);
    const second = await openRequest(guessed);
    for (let at = 0; at < 2; at += 1)
      await submit(browser, `${requests}/${second.id}/approve`, {
        number: wrong(second.number),
        note: '',
      });
    const third = await submit(browser, `${requests}/${second.id}/approve`, {
      number: wrong(second.number),
      note: '',
    });
    expect({
      status: third.status,
      includes: wordsOf(third.text).includes(
        'That was the third wrong number. The request is denied.',
      ),
    }).toEqual({ status: 400, includes: true });
    expect(stateOn(await open(guessed))).toBe('Approval of this device was denied.');
  });

  it('shows the own request without forms, and refuses a decision on it', async () => {
    const email = somebody();
    const { browser } = await admin({ email });
    const laptop = createDeviceBrowser(app, { now });
    await laptop.signIn({ email, roles: ['admin'] });
    await asked(laptop);
    const { id, number } = await openRequest(laptop);
    const { text } = await open(browser, requests);
    expect({
      first: text.includes(`id="request-${id}"`),
      second: text.includes(`${requests}/${id}/`),
    }).toEqual({ first: true, second: false });
    expect(wordsOf(text)).toContain('This is your own request. Another admin has to decide.');
    const before = await deviceInventory(app);
    for (const form of ['approve', 'deny'])
      expect(
        await submit(browser, `${requests}/${id}/${form}`, { number, note: '' }),
      ).toMatchObject({ status: 403, title: 'Error: Not allowed' });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('requires a sign-in of the last five minutes for a decision', async () => {
    const { browser } = await admin();
    const waiting = await person();
    await asked(waiting);
    const { id, number } = await openRequest(waiting);
    offset = 6 * minute;
    for (const form of ['approve', 'deny'])
      expect(
        await submit(browser, `${requests}/${id}/${form}`, { number, note: '' }),
      ).toMatchObject({ status: 303, place: '/login?next=/account/devices/requests&reason=fresh' });
    expect((await openRequest(waiting)).wrong_numbers).toBe(0);
    expect(await open(browser, requests)).toMatchObject({ status: 200 });
  });

  it('says when there are no requests', async () => {
    await app.stores.db.updateTable('clearance_requests').set({ state: 'withdrawn' }).execute();
    const { browser } = await admin();
    await app.stores.db.deleteFrom('clearance_requests').execute();
    const words = wordsOf((await open(browser, requests)).text);
    expect(words).toContain('Pending No pending requests.');
    expect(words).toContain('Decided No decisions yet.');
  });
});

describe('a device with a key', () => {
  it('is admitted once the key is proved, and decides only with a proof', async () => {
    const email = somebody();
    const { browser } = await admin({ email }, { hasKey: true });
    const waiting = await person();
    await asked(waiting);
    const { id, number } = await openRequest(waiting);
    offset = 6 * minute;
    await browser.signIn({ email, roles: ['admin'] });
    const led = '/account/devices?next=%2Faccount%2Fdevices%2Frequests';
    expect(await open(browser, requests)).toMatchObject({ status: 303, place: led });
    const shown = await open(browser, led);
    expect({
      stateOn: stateOn(shown),
      keyed: factsOn(shown).keyed,
      includesContinue: shown.text.includes('Continue'),
      includesRequireJavaScript: wordsOf(shown.text).includes('require JavaScript'),
    }).toEqual({
      stateOn: 'This device is approved.',
      keyed: '1',
      includesContinue: false,
      includesRequireJavaScript: true,
    });
    expect(await browser.status()).toMatchObject({ body: { state: 'cleared', requirements: [] } });
    expect(await open(browser, requests)).toMatchObject({ status: 200 });
    expect((await open(browser, led)).text).toContain('Continue');

    expect(await submit(browser, `${requests}/${id}/approve`, { number, note: '' })).toMatchObject({
      status: 303,
      place: led,
    });
    expect((await openRequest(waiting)).state).toBe('open');
    // The script navigates itself, because fetch would follow the redirect with the same proof.
    expect(
      await submit(browser, `${requests}/${id}/approve`, { number, note: '' }, { prove: true }),
    ).toMatchObject({ status: 204, place: `${requests}?done=approved`, text: '' });
  });

  it('gets an error for an invalid proof instead of the sign-in page', async () => {
    const { browser } = await admin({}, { hasKey: true });
    const { status, title, text, place, headers } = await submit(
      browser,
      `${requests}/018f0000-0000-4000-8000-000000000009/deny`,
      { note: '' },
      { headers: { dpop: 'x.y.z' } },
    );
    expect({ status, title, place, 'dpop-nonce': headers['dpop-nonce'] }).toEqual({
      status: 401,
      title: 'Error: Request refused',
      place: undefined,
      'dpop-nonce': expect.any(String) as string,
    });
    expect(wordsOf(text)).toContain('Your browser couldn’t prove its identity.');
  });

  it('gets a new cookie for a proof after it has lost its own, once', async () => {
    const { browser, deviceId } = await admin({}, { hasKey: true });
    const before = browser.jar.get('svc_device');
    const thief = createDeviceBrowser(app, { now });
    thief.jar.set('svc_session', browser.jar.get('svc_session') ?? '');
    expect(stateOn(await open(thief))).toBe('This device is not approved.');
    await thief.makeKey();
    await thief.status();
    expect(thief.jar.has('svc_device')).toBe(false);
    browser.jar.delete('svc_device');
    expect(stateOn(await open(browser))).toBe('This device is not approved.');
    expect(await browser.status()).toMatchObject({
      body: { state: 'cleared', device_id: deviceId },
    });
    expect(browser.jar.get('svc_device')).not.toBe(before);
    const answer = await browser.status();
    expect({
      stateOn: stateOn(await open(browser)),
      'set-cookie': answer.headers['set-cookie'],
    }).toEqual({ stateOn: 'This device is approved.', 'set-cookie': undefined });
  });
});

describe('the policies', () => {
  it('self_step_up: a user clears the device with the second factor', async () => {
    const own = await freshApp({
      env: { DEVICE_FIRST: 'nobody', DEVICE_CLEARANCE: 'self_step_up' },
    });
    try {
      const browser = createDeviceBrowser(own);
      await browser.signIn({ email: 'self@example.com' });
      await submit(browser, `${page}/ask`, { name: '', reason: '' });
      expect((await open(browser)).text).toContain(
        'With a second factor you can approve this device yourself.',
      );
      await own.services.secondFactor.enrolTotp(browser.self.userId, 'x');
      await verifyTotp(own, browser.self.userId);
      expect((await open(browser)).text).toContain('Approve with second factor');
      expect(
        await submit(browser, `${page}/ask`, { reason: '', second_factor: '1' }),
      ).toMatchObject({ status: 303, place: '/login?next=/account/devices&reason=second_factor' });
      await browser.signIn({ email: 'self@example.com', acr: 'aal2', amr: ['otp', 'mfa'] });
      expect(
        await submit(browser, `${page}/ask`, { reason: '', second_factor: '1' }),
      ).toMatchObject({ status: 303, place: '/account/devices?done=asked' });
      expect(stateOn(await open(browser))).toBe('This device is approved.');
    } finally {
      await own.close();
    }
  });

  it('none: admins decide from any device', async () => {
    const any = await freshApp({ env: { DEVICE_FIRST: 'nobody', DEVICE_BINDING: 'none' } });
    try {
      const browser = createDeviceBrowser(any);
      await browser.signIn({ email: 'any@example.com', roles: ['admin'] });
      const shown = await open(browser, requests);
      expect({ status: shown.status, includes: shown.text.includes('<script') }).toEqual({
        status: 200,
        includes: false,
      });
      expect(stateOn(await open(browser))).toBe(
        'This device is unknown. This service doesn’t require approval at the moment.',
      );
    } finally {
      await any.close();
    }
  });

  it('over HTTPS the cookie has the prefix __Host-, also when it is deleted', async () => {
    const secure = await freshApp({
      env: { BASE_URL: 'https://app.example.com', DEVICE_FIRST: 'nobody' },
    });
    try {
      const browser = createDeviceBrowser(secure);
      await browser.signIn({ email: 'tls@example.com' });
      const at = { headers: { host: 'app.example.com', origin: 'https://app.example.com' } };
      const { cookies } = await submit(browser, `${page}/ask`, { name: '', reason: '' }, at);
      expect(cookies).toEqual([
        expect.stringMatching(
          /^__Host-svc_device=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ]);
      const { id = '' } = carriedBy((await open(browser)).text, `${page}/remove`);
      expect((await submit(browser, `${page}/remove`, { id }, at)).cookies).toEqual(
        [
          /^__Host-svc_device=; Max-Age=0; .*Secure; /,
          /^__Host-svc_session=; Max-Age=0; .*Secure; /,
          /^svc_session=; Max-Age=0; .*Secure; /,
        ].map((each): unknown => expect.stringMatching(each)),
      );
    } finally {
      await secure.close();
    }
  });
});
