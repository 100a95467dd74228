import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { asAdmin } from '../../../support/app.ts';
import {
  ask,
  askCode,
  enter,
  expectUnchanged,
  inventory,
  notThe,
  ownersOf,
  parallel,
  storedCode,
} from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';
import { codeFor, openBearer } from '../../../support/sign-in.ts';
import { invalidBody } from '../../../support/invalid.ts';

const app = await sharedApp();
const client = new TestClient(app);

/** The same digits of another script, whose zero is at `zero`. */
const withDigitsFrom = (zero: number, code: string) =>
  [...code].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
let pasted = 0;
const formType = 'application/x-www-form-urlencoded';
const verifyPaths = [
  '/api/auth/otp/verify',
  '/auth/mobile/verify',
  '/api/auth/cmyk/verify',
  '/api/cmyk/auth/otp/verify',
];

const postRaw = (url: string, payload: string, contentType = 'application/json') =>
  client.post(url, payload, { headers: { 'content-type': contentType } });

/** Expects that neither the owner nor a stranger has used up an attempt at a code. */
const expectNoAttempt = async (id: string) =>
  expect((await storedCode(app, id))?.fields).toMatchObject({ owner: '5', stranger: '5' });

const givenTwice = (...loc: (string | number)[]) => ({
  type: 'value_error',
  loc: ['body', ...loc],
  msg: 'Value error, given more than once',
  input: null,
  ctx: { error: {} },
});

describe('codes', () => {
  it('case 12 › a code of another type is rejected, and costs no attempt', async () => {
    const to = 'case12.types@example.com';
    const { code, id } = await askCode(app, to);
    await expectUnchanged(app, async () => {
      for (const value of [
        Number(code),
        [code],
        { code },
        null,
        true,
        false,
        '',
        [],
        `${code}${'0'.repeat(10_000)}`,
        [[code]],
        1e400,
        -0,
        undefined,
      ]) {
        const refused = await enter(app, to, value, id);
        expect(refused.status, JSON.stringify(value)).toBe(422);
        expect(JSON.stringify(refused.body)).not.toContain(code);
      }
      await expectNoAttempt(id);
    });
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
  });

  it.each<[string, (code: string) => string]>([
    ['spaces around', (code) => ` ${code} `],
    ['a line break', (code) => `${code}\n`],
    ['full-width digits', (code) => withDigitsFrom(0xff10, code)],
    ['Arabic digits', (code) => withDigitsFrom(0x0660, code)],
    ['Persian digits', (code) => withDigitsFrom(0x06f0, code)],
    ['a space within', (code) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['a thin space within', (code) => `${code.slice(0, 3)}\u2009${code.slice(3)}`],
    ['a dash within', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
    ['an en dash within', (code) => `${code.slice(0, 3)}\u2013${code.slice(3)}`],
    ['marks of direction', (code) => `\u202a${code}\u202c\u200b`],
  ])('case 12 › a code pasted with %s works on every path', async (what, change) => {
    for (const path of verifyPaths) {
      const to = `+1415${300 + (pasted += 1)}0132`;
      const { code, id } = await askCode(app, to);
      const body = { phone: to, code: change(code), verification_id: id };
      expect(await client.post(path, body), `${what} ${path}`).toMatchObject({ status: 200 });
    }
  });

  it.each<[string, (code: string) => string]>([
    ['a zero before', (code) => `0${code}`],
    ['a zero behind', (code) => `${code}0`],
    ['a digit less', (code) => code.slice(0, 5)],
    ['a plus sign', (code) => `+${code}`],
    ['a decimal point', (code) => `${code}.0`],
    ['the prefix of hexadecimals', (code) => `0x${code}`],
    ['an encoded null byte instead', () => '%00'],
    ['only spaces', () => '   '],
    ['letters', () => 'wrong'],
  ])('case 12 › a code with %s is no code, and costs no attempt', async (what, change) => {
    const to = `case12.${what.replaceAll(' ', '-')}@example.com`;
    const { code, id } = await askCode(app, to);
    await expectUnchanged(app, async () => {
      const refused = await enter(app, to, change(code), id);
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'code'] }] } });
      expect(JSON.stringify(refused.body)).not.toContain(code);
      await expectNoAttempt(id);
    });
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
  });

  it('case 12 › six wrong digits are a wrong code, and cost an attempt', async () => {
    const to = 'case12.digits@example.com';
    const { code, id } = await askCode(app, to);
    const wrong = notThe(code);
    expect(await enter(app, to, `${wrong.slice(0, 3)} ${wrong.slice(3)}`, id)).toMatchObject({
      status: 400,
      body: { code: 'otp.invalid' },
    });
    expect((await storedCode(app, id))?.fields.owner).toBe('4');
  });

  it('case 12 › a code that begins with a zero works, and only with it', async () => {
    for (let at = 0; at < 300; at += 1) {
      const to = `case12.zero${at}@example.com`;
      const { code, id } = await askCode(app, to);
      if (!code.startsWith('0')) continue;
      expect(await enter(app, to, String(Number(code)), id)).toMatchObject({ status: 422 });
      expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
      return;
    }
    throw new Error('no code began with a zero');
  });

  it('case 12 › codes are six digits over the whole range', async () => {
    const sent = await parallel(120, (at) => ask(app, `case12.range${at}@example.com`));
    expect(sent.every(({ status }) => status === 200)).toBe(true);
    const codes: string[] = [];
    for (let at = 0; at < 120; at += 1)
      codes.push(await codeFor(app, `case12.range${at}@example.com`));
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBeGreaterThan(115);
    expect(new Set(codes.map(([first]) => first)).size).toBe(10);
  });

  it('case 12 › a null code in the one-path flow only requests a code', async () => {
    const phone = '+447400123121';
    const before = await inventory(app);
    const url = '/api/auth/cmyk/phone-only';
    expect(await client.post(url, { phone, code: null })).toMatchObject({
      status: 200,
      body: {
        status: 'otp_required',
        access_token: null,
        refresh_token: null,
        session_id: null,
        user: null,
      },
    });
    expect(await inventory(app)).toEqual({ ...before, messages: before.messages + 1 });
    expect(await client.post(url, { phone, code: '' })).toMatchObject({ status: 422 });
  });

  it('case 13 › operators, forms and lists are not codes', async () => {
    const to = 'case13@example.com';
    const { code, id } = await askCode(app, to);
    const contacts = `"identifier":"${to}","phone":"+447400123122"`;
    await expectUnchanged(app, async () => {
      for (const path of verifyPaths) {
        for (const value of [
          '{"$ne":1}',
          '{"$gt":""}',
          '{"$regex":".*"}',
          '["000000","000001"]',
          '{"toString":"x"}',
          '{"length":6}',
        ]) {
          const body = `{${contacts},"verification_id":"${id}","code":${value}}`;
          expect((await postRaw(path, body)).status, `${path} ${value}`).toBe(422);
        }
        for (const name of ['code', 'code[]']) {
          const form = `identifier=${to}&phone=%2B447400123122&${name}=${code}&${name}=000000`;
          expect((await postRaw(path, form, formType)).status, `${path} ${name}`).toBe(415);
        }
        const list = `[{"identifier":"${to}","code":"${code}"}]`;
        expect((await postRaw(path, list)).status, path).toBe(422);
      }
    });
    await expectNoAttempt(id);
  });

  it.each(['code', 'code[]'])(
    'case 13 › the response to a rejected form does not repeat its %s',
    async (name) => {
      const form = `identifier=a@example.com&${name}=314159`;
      expect((await postRaw('/api/auth/otp/verify', form, formType)).text).not.toContain('314159');
    },
  );

  it('case 13 › a duplicate member is rejected, in any order and notation', async () => {
    const to = 'case13.twice@example.com';
    const victim = 'case13.victim@example.com';
    const { code, id } = await askCode(app, to);
    const contacts = `"identifier":"${to}","email":"${to}","phone":"+447400123122"`;
    const rest = `${contacts},"verification_id":"${id}"`;
    const right = `"code":"${code}"`;
    const wrong = `"code":"${notThe(code)}"`;
    await expectUnchanged(app, async () => {
      for (const path of [
        ...verifyPaths,
        '/api/auth/mobile/verify/',
        '/auth/cmyk/verify',
        '/api/auth/cmyk/phone-only',
      ])
        for (const [text, ...loc] of [
          [`{${rest},${wrong},${right}}`, 'code'],
          [`{${rest},${right},${wrong}}`, 'code'],
          [`{${right},${rest},"\\u0063ode":"${code}"}`, 'code'],
          [`{"identifier":"${victim}",${rest},${right}}`, 'identifier'],
          [`{${rest},${right},"verification_id":null}`, 'verification_id'],
          [`{${rest},${right},"unknown":[0,{"a":0,"a":0}]}`, 'unknown', 1, 'a'],
        ] as const) {
          const refused = await postRaw(path, text);
          expect(refused.status).toBe(422);
          expect(refused.body).toEqual(invalidBody([givenTwice(...loc)]));
        }
    });
    await expectNoAttempt(id);
    expect(await ownersOf(app, victim)).toEqual([]);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
  });

  it('case 13 › duplicates are rejected by every sign-in route, with any session', async () => {
    const { bearer } = await openBearer(app, 'case13.every@example.com');
    const readers = app.http.registeredRoutes.filter(
      ({ url, schema }) =>
        /^\/(?:api\/auth|auth|api\/cmyk\/auth)\//.test(url) && schema?.body !== undefined,
    );
    expect(readers.length).toBeGreaterThan(25);
    for (const { method, url, config } of readers) {
      const who = config?.scope?.startsWith('admin') === true ? asAdmin : bearer;
      const refused = await client.send(
        [method].flat()[0] as 'POST',
        url,
        '{"code":"1","code":"1"}',
        {
          headers: { ...who, 'content-type': 'application/json' },
        },
      );
      expect(refused.status, url).toBe(422);
      expect(refused.body.detail, url).toMatchObject([
        { loc: ['body', 'code'], msg: 'Value error, given more than once' },
      ]);
    }
  });

  it.each([
    ['/email/initiate', '{"email":"case13.a@example.com","email":"case13.b@example.com"}'],
    ['/mobile/initiate', '{"phone":"+447400123131","phone":"+447400123132"}'],
    ['/token/refresh', '{"refresh_token":"a","refresh_token":"b"}'],
    ['/otp/send', '{"phone":"+447400123131","phone":"+447400123131"}'],
  ])('case 13 › duplicates send no code to either of two addresses: %s', async (path, body) => {
    const prefixes = path === '/otp/send' ? ['/api/cmyk/auth'] : ['/api/auth', '/auth'];
    await expectUnchanged(app, async () => {
      for (const prefix of prefixes)
        expect(await postRaw(prefix + path, body)).toMatchObject({ status: 422 });
    });
  });

  it('case 13 › __proto__ and constructor are not a code or an identifier', async () => {
    const to = 'case13.proto@example.com';
    const { code, id } = await askCode(app, to);
    const own = `"identifier":"${to}","verification_id":"${id}"`;
    const hidden = `"__proto__":{"code":"${code}"},"constructor":{"prototype":{"code":"${code}"}}`;
    const url = '/api/auth/otp/verify';
    const missing = await postRaw(url, `{${own},${hidden}}`);
    expect(missing.status).toBe(422);
    expect(missing.body).toMatchObject({ detail: [{ type: 'missing', loc: ['body', 'code'] }] });
    await expectNoAttempt(id);
    const other = '"__proto__":{"code":"000000"},"constructor":0';
    const right = await postRaw(url, `{${other},${own},"code":"${code}"}`);
    expect(right.status).toBe(200);
  });
});

describe('addresses and numbers', () => {
  const addresses = [
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com%0d%0aBcc:b@example.com',
    'a\r\n@example.com',
    'a@example.com,b@example.com',
    'a@example.com;b@example.com',
    'a@example.com b@example.com',
    '<script>alert(1)</script>@example.com',
    '"<script>"@example.com',
    '"a b"@example.com',
    '"a"@example.com',
    'Ada <a@example.com>',
    '<a@example.com>',
    'a@example.com>',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@localhost',
    'a@@example.com',
    'a@example',
    '@example.com',
    'a@',
    '.a@example.com',
    'a..b@example.com',
    'a@example..com',
    'a@-example.com',
    'a@exa mple.com',
    'a\0@example.com',
    'a@example.com\0',
    'a@exаmple.com',
    'a@bücher',
    'a@bü cher.example',
    'a@b%C3%BCcher.ü.example',
    `a@${'b'.repeat(64)}.example`,
    `${'a'.repeat(65)}@example.com`,
    'a@example.com.',
    'ä@example.com',
    'a@example.com\u2028b',
    'a(comment)@example.com',
    'a@example.com(comment)',
    'a\\@example.com',
    `${'a'.repeat(308)}@example.com`,
    `${'a'.repeat(309)}@example.com`,
    `a@${'b.'.repeat(150)}com`,
    'a%b@example.com@example.org',
    'a=?utf-8?q?b?=@example.com',
    '​a@example.com',
  ];

  it('case 20 › every path rejects anything but one plain address; nothing is sent', async () => {
    await expectUnchanged(app, async () => {
      for (const email of addresses)
        for (const refused of [
          await client.post('/api/auth/email/initiate', { email }),
          await client.post('/auth/otp/verify', { email, code: '123456' }),
          await ask(app, email.includes('@') ? email : `${email}@`),
        ])
          expect(refused.status, email).toBe(422);
    });
    expect(client.outbox('b@example.com')).toEqual([]);
  });

  it('case 20 › an email has one recipient, and nothing that the requester wrote', async () => {
    const earlier = new Set(app.services.outbox.list().map(({ id }) => id));
    for (const email of addresses) await client.post('/api/auth/email/initiate', { email });
    expect(
      await client.post('/api/auth/email/initiate', { email: ' case20+tag@example.com\r\n' }),
    ).toMatchObject({ status: 200 });
    await codeFor(app, 'case20+tag@example.com');
    const emails = app.services.outbox.list().filter(({ id }) => !earlier.has(id));
    expect(emails.map(({ to }) => to)).toEqual(['case20+tag@example.com']);
    expect(emails[0]?.subject).not.toMatch(/[\r\n]/);
    expect(JSON.stringify(emails)).not.toMatch(/bcc|b@example\.com|script/i);
  });

  it.each([
    '',
    'abc',
    '+',
    '00',
    '+1',
    '4155550132x',
    '+1415555013a',
    '+1 415 555 0132 ext 5',
    '+14155550132;ext=5',
    'tel:+14155550132',
    '+14155550132,+14155550133',
    '+1415555013\0',
    '++14155550132',
    '٠٠١٤١٥٥٥٥٠١٣٢',
    '+1 415 555 0132 +1 415 555 0133',
    `+1${'4'.repeat(40)}`,
    '+999123456789',
    '0151 12345678',
    '+14155550132<script>',
    '1'.repeat(64),
    '-'.repeat(30),
  ])('case 20 › the invalid number %j is rejected by every path', async (phone) => {
    await expectUnchanged(app, async () => {
      for (const path of [
        '/api/auth/mobile/initiate',
        '/api/auth/cmyk/phone',
        '/api/auth/cmyk/phone-only',
        '/api/cmyk/auth/otp/send',
      ])
        expect((await client.post(path, { phone })).status, path).toBe(422);
    });
  });

  it.each([14155550132, ['+14155550132'], { $ne: '' }, null, true])(
    'case 20 › %j is no identifier',
    async (value) => {
      await expectUnchanged(app, async () => {
        for (const refused of [
          await client.post('/api/auth/mobile/initiate', { phone: value }),
          await client.post('/api/auth/email/initiate', { email: value }),
          await client.post('/api/auth/otp/verify', { identifier: value, code: '123456' }),
        ])
          expect(refused).toMatchObject({ status: 422 });
      });
    },
  );

  it.each([
    'identifier[]=case20.a@example.com',
    'identifier=case20.a@example.com&identifier=case20.b@example.com',
  ])('case 20 › a list is no identifier: %s', async (query) => {
    await expectUnchanged(app, async () => {
      expect(await client.post(`/api/auth/otp/send?${query}`)).toMatchObject({ status: 422 });
    });
  });
});
