import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { type TestApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import {
  type Cleared,
  clearedOn,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  mount,
  storedDevice,
} from '../../../support/devices.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices');
});

let people = 0;
async function signedIn(): Promise<DeviceBrowser> {
  const browser = createDeviceBrowser(app);
  await browser.signIn({ email: `input-${people++}@example.com`, roles: ['admin'] });
  return browser;
}
let admin: Cleared;
let asking: DeviceBrowser;
beforeEach(async () => {
  admin = await clearedOn(app, { email: `input-${people++}@example.com` });
  asking = await signedIn();
});

const posts = [
  'status',
  'request-clearance',
  'requests/00000000-0000-4000-8000-000000000000/approve',
  'passkey',
].map((path) => `${mount}/${path}`);
const json = (
  browser: DeviceBrowser,
  url: string,
  raw: string,
  headers: Record<string, string> = {},
) => browser.send(url, { method: 'POST', raw, headers });

/** Returns an assertion that nothing has changed since. */
async function unchanged() {
  const before = await deviceInventory(app);
  return async () => expect(await deviceInventory(app)).toEqual(before);
}

describe('case 55 › request bodies', () => {
  it.each(posts.slice(0, 2))('of nine KiB at %s get 413', async (url) => {
    const same = await unchanged();
    const began = performance.now();
    expect(
      await json(asking, url, JSON.stringify({ fingerprint: 'f', padding: 'x'.repeat(9 * 1024) })),
    ).toMatchObject({ status: 413 });
    expect(performance.now() - began).toBeLessThan(500);
    await same();
  });

  it('of nine KiB remove no device', async () => {
    const same = await unchanged();
    expect(
      await admin.browser.revoke({ device_id: admin.deviceId, padding: 'x'.repeat(9 * 1024) }),
    ).toMatchObject({ status: 413 });
    await same();
  });

  it.each(posts)('that are not JSON objects at %s get 422 and change nothing', async (url) => {
    const same = await unchanged();
    for (const raw of [
      '{',
      '[]',
      '"text"',
      '1',
      'null',
      '{"fingerprint":{}}',
      `${'['.repeat(4000)}${']'.repeat(4000)}`,
      `{"fingerprint":${'{"a":'.repeat(1300)}1${'}'.repeat(1300)}}`,
    ]) {
      expect({
        raw: raw.slice(0, 20),
        status: (await json(admin.browser, url, raw)).status,
      }).toMatchObject({ status: 422 });
    }
    await same();
  });

  it.each([
    '{"fingerprint":"a","fingerprint":"b"}',
    '{"fingerprint":"a","device_name":"x","device_n\\u0061me":"y"}',
    '{"fingerprint":"a","screen":{"w":1,"w":2,"h":1}}',
  ])('with a repeated member get 422: %s', async (raw) => {
    const same = await unchanged();
    expect(await json(asking, `${mount}/request-clearance`, raw)).toMatchObject({ status: 422 });
    await same();
  });

  it('with a repeated number approve nothing', async () => {
    const { body } = await asking.ask();
    const same = await unchanged();
    expect(
      await json(
        admin.browser,
        `${mount}/requests/${String(body.request_id)}/approve`,
        `{"number":"xx","number":"${String(body.number)}"}`,
      ),
    ).toMatchObject({ status: 422 });
    await same();
  });

  it('with __proto__, constructor and device columns do not set them', async () => {
    const raw =
      '{"fingerprint":"a","__proto__":{"state":"cleared","device_name":"polluted"},' +
      '"constructor":{"prototype":{"state":"cleared"}},' +
      '"state":"cleared","user_id":"x","jkt":"x","trust_score":100}';
    const { body } = await json(asking, `${mount}/request-clearance`, raw);
    expect(body).toMatchObject({ state: 'pending', binding: 'cookie' });
    expect(await storedDevice(app, body.device_id)).toMatchObject({
      state: 'pending',
      jkt: null,
      name: 'Chrome on macOS',
    });
    expect({}).not.toHaveProperty('state');
  });

  it('of other content types with a cookie are refused and change nothing', async () => {
    const same = await unchanged();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
    ]) {
      const { status } = await json(asking, `${mount}/request-clearance`, '{"fingerprint":"a"}', {
        'content-type': type,
      });
      expect([415, 422]).toContain(status);
    }
    await same();
  });
});

describe('values', () => {
  const longest = {
    device_name: 65,
    platform: 65,
    reason: 281,
    fingerprint: 513,
    device_id: 65,
    canvas_hash: 129,
  };
  it.each(Object.entries(longest))('%s of %i characters is 422', async (name, length) => {
    const same = await unchanged();
    expect(await asking.ask({ [name]: 'x'.repeat(length) })).toMatchObject({ status: 422 });
    await same();
  });

  it.each([
    ['NUL', '\u0000'],
    ['an escape', '\u001b[2J'],
    ['a line break', 'a\nb'],
    ['DEL', '\u007f'],
    ['a C1 control', '\u0085'],
  ])('%s in the name or the reason is 422', async (_what, text) => {
    const same = await unchanged();
    expect(await asking.ask({ device_name: `x${text}x` })).toMatchObject({ status: 422 });
    expect(await asking.ask({ reason: `x${text}x` })).toMatchObject({ status: 422 });
    expect(
      await admin.browser.call(`${mount}/devices/${admin.deviceId}`, {
        method: 'PATCH',
        body: { device_name: `x${text}x` },
      }),
    ).toMatchObject({ status: 422 });
    expect(
      await admin.browser.revoke({ device_id: admin.deviceId, reason: `x${text}x` }),
    ).toMatchObject({ status: 422 });
    await same();
  });

  it.each([
    ['a right-to-left override', '\u202e'],
    ['an isolate', '\u2066'],
    ['a line separator', '\u2028'],
    ['a lone surrogate', '\ud800'],
  ])('%s in the name never reaches an approver', async (_what, text) => {
    const asked = await asking.ask({ device_name: `Lap${text}top`, reason: `new${text}one` });
    const list = JSON.stringify((await admin.browser.call(`${mount}/requests`)).body);
    expect(list).not.toContain(JSON.stringify(text).slice(1, -1));
    expect([200, 422]).toContain(asked.status);
  });

  it('NUL in a note decides nothing', async () => {
    const { body } = await asking.ask();
    const same = await unchanged();
    for (const verb of ['approve', 'deny'])
      expect(
        await admin.browser.call(`${mount}/requests/${String(body.request_id)}/${verb}`, {
          method: 'POST',
          body: { number: body.number, note: 'a\u0000b' },
        }),
      ).toMatchObject({ status: 422 });
    await same();
  });

  it.each([
    'not-a-uuid',
    '..',
    '\u0000',
    '00000000-0000-4000-8000-00000000000g',
    "'; drop table devices --",
    '\ud800',
  ])('a malformed device id (%j) causes no 5xx, when requesting and when removing', async (id) => {
    expect((await asking.ask({ device_id: id })).status).toBeLessThan(500);
    const same = await unchanged();
    expect([403, 404, 422]).toContain((await asking.revoke({ device_id: id })).status);
    expect([404, 422]).toContain((await admin.browser.revoke({ device_id: id })).status);
    await same();
  });

  it.each(['approve', 'deny'])(
    'malformed ids in paths are 422 at %s and cause no 5xx',
    async (verb) => {
      for (const id of ['1', 'null', '%00', encodeURIComponent("' or 1=1")]) {
        const { status } = await admin.browser.call(`${mount}/requests/${id}/${verb}`, {
          method: 'POST',
          body: { number: '12' },
        });
        expect({ id, isRefused: status === 422 || status === 404 || status === 400 }).toEqual({
          id,
          isRefused: true,
        });
      }
    },
  );

  it('malformed headers are refused or ignored, and never cause a 5xx', async () => {
    const { browser, deviceId } = admin;
    const session = browser.jar.get('svc_session') ?? '';
    for (const device of [
      '',
      '.',
      'x'.repeat(6000),
      `${deviceId}.`,
      `${deviceId}.${'é'.repeat(64)}`,
      '%00',
      '"quoted"',
      `${randomUUID()}.${'A'.repeat(64)}`,
    ]) {
      expect(
        await browser.send(`${mount}/dashboard`, {
          headers: { cookie: `svc_session=${session}; svc_device=${encodeURI(device)}` },
        }),
      ).toMatchObject({ status: 403, body: { device_state: 'unknown' } });
    }
    for (const dpop of [
      '',
      '.',
      '..',
      'x'.repeat(9000),
      'e30.e30.e30',
      '%00',
      `${'A'.repeat(3000)}.${'A'.repeat(3000)}.A`,
    ])
      expect((await browser.send(`${mount}/devices`, { headers: { dpop } })).status).toBeLessThan(
        500,
      );
    for (const agent of ['', 'x'.repeat(10_000), '('.repeat(3000)])
      expect(
        (
          await browser.send(`${mount}/status`, {
            method: 'POST',
            body: { fingerprint: 'print' },
            headers: { 'user-agent': agent },
          })
        ).status,
      ).toBe(200);
  });
});

describe('case 56 › methods', () => {
  it.each(['status', 'request-clearance'])(
    'other than POST at %s get 405 with Allow, and have no effect',
    async (path) => {
      const same = await unchanged();
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'] as const) {
        const answer = await asking.send(`${mount}/${path}`, {
          method,
          ...(method === 'GET' ? {} : { body: { fingerprint: 'print' } }),
        });
        expect({ method, status: answer.status, allow: String(answer.headers.allow) }).toEqual({
          method,
          status: 405,
          allow: expect.stringContaining('POST') as string,
        });
      }
      await same();
    },
  );

  it('a GET, or a method override in a header or the query, changes nothing', async () => {
    const same = await unchanged();
    await asking.send(`${mount}/request-clearance?fingerprint=print&_method=POST`, {
      headers: { 'x-http-method-override': 'POST' },
    });
    await admin.browser.send(`${mount}/devices?device_id=${admin.deviceId}&_method=DELETE`, {
      headers: { 'x-http-method-override': 'DELETE' },
    });
    await same();
  });
});
