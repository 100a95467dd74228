import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import { type Cleared, type DeviceBrowser, mount } from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices } from '../support.ts';

const lab = await useDevices();
const { expectUnchanged } = lab;
let admin: Cleared;
let asking: DeviceBrowser;
beforeEach(async () => {
  admin = await lab.cleared();
  asking = await lab.signedIn();
});

const askUrl = `${mount}/request-clearance`;
const posts = [
  `${mount}/status`,
  askUrl,
  `${mount}/requests/00000000-0000-4000-8000-000000000000/approve`,
  `${mount}/passkey`,
];
const postRaw = (
  browser: DeviceBrowser,
  url: string,
  raw: string,
  headers: Record<string, string> = {},
) => browser.send(url, { method: 'POST', raw, headers });

describe('case 55 › a request body', () => {
  it.each(posts.slice(0, 2))('of nine KiB at %s gets 413', async (url) => {
    const body = JSON.stringify({ fingerprint: 'f', padding: 'x'.repeat(9 * 1024) });
    const began = performance.now();
    const { status } = await expectUnchanged(() => postRaw(asking, url, body));
    expect(status).toBe(413);
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('of nine KiB removes no device', async () => {
    const body = { device_id: admin.deviceId, padding: 'x'.repeat(9 * 1024) };
    const { status } = await expectUnchanged(() => admin.browser.revoke(body));
    expect(status).toBe(413);
  });

  it.each(posts)('that is not a JSON object at %s gets 422 and changes nothing', async (url) => {
    await expectUnchanged(async () => {
      for (const raw of [
        '{',
        '[]',
        '"text"',
        '1',
        'null',
        '{"fingerprint":{}}',
        `${'['.repeat(4000)}${']'.repeat(4000)}`,
        `{"fingerprint":${'{"a":'.repeat(1300)}1${'}'.repeat(1300)}}`,
      ])
        expect((await postRaw(admin.browser, url, raw)).status, raw.slice(0, 20)).toBe(422);
    });
  });

  it.each([
    '{"fingerprint":"a","fingerprint":"b"}',
    '{"fingerprint":"a","device_name":"x","device_n\\u0061me":"y"}',
    '{"fingerprint":"a","screen":{"w":1,"w":2,"h":1}}',
  ])('with a repeated member gets 422: %s', async (raw) => {
    expect(await expectUnchanged(() => postRaw(asking, askUrl, raw))).toMatchObject({
      status: 422,
    });
  });

  it('with a repeated number approves nothing', async () => {
    const { requestId, number } = await lab.pending();
    const url = `${mount}/requests/${requestId}/approve`;
    const raw = `{"number":"xx","number":"${String(number)}"}`;
    const { status } = await expectUnchanged(() => postRaw(admin.browser, url, raw));
    expect(status).toBe(422);
  });

  it('does not set device columns, neither by name nor by __proto__ or constructor', async () => {
    const raw =
      '{"fingerprint":"a","__proto__":{"state":"cleared","device_name":"polluted"},' +
      '"constructor":{"prototype":{"state":"cleared"}},' +
      '"state":"cleared","user_id":"x","jkt":"x","trust_score":100}';
    const { body } = await postRaw(asking, askUrl, raw);
    expect(body).toMatchObject({ state: 'pending', binding: 'cookie' });
    expect(await lab.stored(body.device_id)).toMatchObject({
      state: 'pending',
      jkt: null,
      name: 'Chrome on macOS',
    });
    expect({}).not.toHaveProperty('state');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ])('of the type %s with a cookie is refused and changes nothing', async (type) => {
    const headers = { 'content-type': type };
    const { status } = await expectUnchanged(() =>
      postRaw(asking, askUrl, '{"fingerprint":"a"}', headers),
    );
    expect([415, 422]).toContain(status);
  });
});

describe('a value', () => {
  it.each(
    Object.entries({
      device_name: 65,
      platform: 65,
      reason: 281,
      fingerprint: 513,
      device_id: 65,
      canvas_hash: 129,
    }),
  )('of %s is refused at %i characters', async (name, length) => {
    const refused = await expectUnchanged(() => asking.ask({ [name]: 'x'.repeat(length) }));
    expect(refused).toMatchObject({ status: 422 });
  });

  it.each([
    ['NUL', '\u0000'],
    ['an escape', '\u001b[2J'],
    ['a line break', 'a\nb'],
    ['DEL', '\u007f'],
    ['a C1 control', '\u0085'],
  ])('with %s is refused in names and reasons', async (_what, special) => {
    const text = `x${special}x`;
    const { browser, deviceId } = admin;
    await expectUnchanged(async () => {
      for (const refused of [
        await asking.ask({ device_name: text }),
        await asking.ask({ reason: text }),
        await browser.rename(deviceId, text),
        await browser.revoke({ device_id: deviceId, reason: text }),
      ])
        expect(refused).toMatchObject({ status: 422 });
    });
  });

  it.each([
    ['a right-to-left override', '\u202e'],
    ['an isolate', '\u2066'],
    ['a line separator', '\u2028'],
    ['a lone surrogate', '\ud800'],
  ])('with %s never reaches an approver as a name or a reason', async (_what, text) => {
    const asked = await asking.ask({ device_name: `Lap${text}top`, reason: `new${text}one` });
    const list = JSON.stringify((await admin.browser.call(`${mount}/requests`)).body);
    expect(list).not.toContain(JSON.stringify(text).slice(1, -1));
    expect([200, 422]).toContain(asked.status);
  });

  it.each(['approve', 'deny'])('with NUL in a note decides nothing by %s', async (verb) => {
    const { requestId, number } = await lab.pending();
    const url = `${mount}/requests/${requestId}/${verb}`;
    const refused = await expectUnchanged(() =>
      admin.browser.post(url, { number, note: 'a\u0000b' }),
    );
    expect(refused).toMatchObject({ status: 422 });
  });

  it.each([
    'not-a-uuid',
    '..',
    '\u0000',
    '00000000-0000-4000-8000-00000000000g',
    "'; drop table devices --",
    '\ud800',
  ])('%j as a device id causes no 5xx, when requesting and when removing', async (id) => {
    expect((await asking.ask({ device_id: id })).status).toBeLessThan(500);
    await expectUnchanged(async () => {
      expect([403, 404, 422]).toContain((await asking.revoke({ device_id: id })).status);
      expect([404, 422]).toContain((await admin.browser.revoke({ device_id: id })).status);
    });
  });

  it.each(['1', 'null', '%00', encodeURIComponent("' or 1=1")])(
    '%s as the id in a path is refused and causes no 5xx',
    async (id) => {
      for (const decide of [admin.browser.approve(id, '12'), admin.browser.deny(id)])
        expect([400, 404, 422]).toContain((await decide).status);
    },
  );
});

describe('a malformed header', () => {
  it('of cookies leaves the device unknown', async () => {
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
      const cookie = `svc_session=${session}; svc_device=${encodeURI(device)}`;
      expect(await browser.send(`${mount}/dashboard`, { headers: { cookie } })).toMatchObject({
        status: 403,
        body: { device_state: 'unknown' },
      });
    }
  });

  it.each([
    '',
    '.',
    '..',
    'x'.repeat(9000),
    'e30.e30.e30',
    '%00',
    `${'A'.repeat(3000)}.${'A'.repeat(3000)}.A`,
  ])('of a proof causes no 5xx', async (dpop) => {
    const { status } = await admin.browser.send(`${mount}/devices`, { headers: { dpop } });
    expect(status).toBeLessThan(500);
  });

  it.each(['', 'x'.repeat(10_000), '('.repeat(3000)])(
    'of the user agent is ignored',
    async (agent) => {
      const headers = { 'user-agent': agent };
      const raw = '{"fingerprint":"print"}';
      expect(await postRaw(admin.browser, `${mount}/status`, raw, headers)).toMatchObject({
        status: 200,
      });
    },
  );
});

describe('case 56 › a method', () => {
  it.each(['status', 'request-clearance'])(
    'other than POST at %s gets 405 with Allow, and has no effect',
    async (path) => {
      await expectUnchanged(async () => {
        for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'] as const) {
          const body = method === 'GET' ? undefined : { fingerprint: 'print' };
          expect(await asking.send(`${mount}/${path}`, { method, body })).toMatchObject({
            status: 405,
            headers: { allow: expect.stringContaining('POST') as string },
          });
        }
      });
    },
  );

  it('GET, or an override in a header or the query, changes nothing', async () => {
    await expectUnchanged(async () => {
      await asking.send(`${askUrl}?fingerprint=print&_method=POST`, {
        headers: { 'x-http-method-override': 'POST' },
      });
      await admin.browser.send(`${mount}/devices?device_id=${admin.deviceId}&_method=DELETE`, {
        headers: { 'x-http-method-override': 'DELETE' },
      });
    });
  });
});
