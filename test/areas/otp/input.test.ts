import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import {
  ask,
  askCode,
  enter,
  inventory,
  notThe,
  ownersOf,
  parallel,
  storedCode,
} from '../../support/abuse.ts';
import { codeFor, post, signInByEmail } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
}, 30_000);

const fullWidth = (code: string) =>
  [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
const arabic = (code: string) =>
  [...code].map((digit) => String.fromCodePoint(0x0660 + Number(digit))).join('');
const verifyPaths = [
  '/api/auth/otp/verify',
  '/auth/mobile/verify',
  '/api/auth/cmyk/verify',
  '/api/cmyk/auth/otp/verify',
];

async function raw(url: string, payload: string | Buffer, contentType = 'application/json') {
  const response = await app.http.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': contentType },
  });
  return { status: response.statusCode, text: response.body };
}

describe('codes', () => {
  it('case 12 › a code of another type is rejected, and costs no attempt', async () => {
    const to = 'case12.types@example.com';
    const { code, id } = await askCode(app, to);
    const before = await inventory(app);
    const values: unknown[] = [
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
    ];
    for (const value of values) {
      const response = await enter(app, to, value, id);
      expect({ value, status: response.status }).toEqual({ value, status: 422 });
      expect(JSON.stringify(response.body)).not.toContain(code);
    }
    expect(
      await post(app, '/api/auth/otp/verify', { identifier: to, verification_id: id }),
    ).toMatchObject({ status: 422 });
    expect((await storedCode(app, id))?.fields).toMatchObject({ owner: '5', stranger: '5' });
    expect(await inventory(app)).toEqual(before);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
  });

  it('case 12 › the right digits in another notation are a wrong code', async () => {
    const { code } = await askCode(app, 'case12.spelling@example.com');
    const before = await inventory(app);
    const spellings = [
      `0${code}`,
      ` ${code} `,
      `${code}\n`,
      `\0${code}`,
      `${code}0`,
      code.slice(0, 5),
      fullWidth(code),
      arabic(code),
      `+${code}`,
      `${code.slice(0, 3)} ${code.slice(3)}`,
      `${code}.0`,
      `0x${code}`,
      '%00',
    ];
    for (const [at, spelling] of spellings.entries()) {
      const to = `case12.spelling${at}@example.com`;
      const own = await askCode(app, to);
      const response = await enter(
        app,
        to,
        spelling
          .replace(code, own.code)
          .replace(fullWidth(code), fullWidth(own.code))
          .replace(arabic(code), arabic(own.code)),
        own.id,
      );
      expect({ spelling: at, status: response.status, code: response.body.code }).toEqual({
        spelling: at,
        status: 400,
        code: 'otp.invalid',
      });
      expect((await storedCode(app, own.id))?.fields.owner).toBe('4');
    }
    const after = await inventory(app);
    expect(after).toEqual({ ...before, messages: before.messages + spellings.length });
  });

  it('case 12 › a code that begins with a zero works, and only with it', async () => {
    for (let at = 0; at < 300; at += 1) {
      const to = `case12.zero${at}@example.com`;
      const { code, id } = await askCode(app, to);
      if (!code.startsWith('0')) continue;
      expect(await enter(app, to, String(Number(code)), id)).toMatchObject({ status: 400 });
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
    const response = await post(app, '/api/auth/cmyk/phone-only', { phone, code: null });
    expect(response).toMatchObject({
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
    expect(await post(app, '/api/auth/cmyk/phone-only', { phone, code: '' })).toMatchObject({
      status: 422,
    });
  });

  it('case 13 › operators, forms and lists are not codes', async () => {
    const to = 'case13@example.com';
    const { code, id } = await askCode(app, to);
    const before = await inventory(app);
    const bodies = [
      '{"$ne":1}',
      '{"$gt":""}',
      '{"$regex":".*"}',
      '["000000","000001"]',
      '{"toString":"x"}',
      '{"length":6}',
    ];
    for (const path of verifyPaths) {
      for (const value of bodies) {
        const { status } = await raw(
          path,
          `{"identifier":"${to}","phone":"+447400123122",` +
            `"verification_id":"${id}","code":${value}}`,
        );
        expect({ path, value, status }).toEqual({ path, value, status: 422 });
      }
      for (const name of ['code', 'code[]']) {
        const { status } = await raw(
          path,
          `identifier=${to}&phone=%2B447400123122&${name}=${code}&${name}=000000`,
          'application/x-www-form-urlencoded',
        );
        expect({ path, name, status }).toEqual({ path, name, status: 415 });
      }
      expect((await raw(path, `[{"identifier":"${to}","code":"${code}"}]`)).status).toBe(422);
    }
    expect(await inventory(app)).toEqual(before);
    expect((await storedCode(app, id))?.fields).toMatchObject({ owner: '5', stranger: '5' });
  });

  it('case 13 › the response to a rejected form does not repeat its code', async () => {
    const { text } = await raw(
      '/api/auth/otp/verify',
      'identifier=a@example.com&code=314159',
      'application/x-www-form-urlencoded',
    );
    expect(text).not.toContain('314159');
  });

  it('case 13 › the response to a rejected form does not repeat its list of codes', async () => {
    const { text } = await raw(
      '/api/auth/otp/verify',
      'identifier=a@example.com&code[]=314159',
      'application/x-www-form-urlencoded',
    );
    expect(text).not.toContain('314159');
  });

  it('case 13 › a duplicate member is rejected, in any order and notation', async () => {
    const to = 'case13.twice@example.com';
    const { code, id } = await askCode(app, to);
    const before = await inventory(app);
    const contacts = `"identifier":"${to}","email":"${to}","phone":"+447400123122"`;
    const rest = `${contacts},"verification_id":"${id}"`;
    const bodies: [text: string, loc: unknown[]][] = [
      [`{${rest},"code":"${notThe(code)}","code":"${code}"}`, ['body', 'code']],
      [`{${rest},"code":"${code}","code":"${notThe(code)}"}`, ['body', 'code']],
      [`{"code":"${code}",${rest},"\\u0063ode":"${code}"}`, ['body', 'code']],
      [
        `{"identifier":"case13.victim@example.com",${rest},"code":"${code}"}`,
        ['body', 'identifier'],
      ],
      [`{${rest},"code":"${code}","verification_id":null}`, ['body', 'verification_id']],
      [`{${rest},"code":"${code}","unknown":[0,{"a":0,"a":0}]}`, ['body', 'unknown', 1, 'a']],
    ];
    for (const path of [
      ...verifyPaths,
      '/api/auth/mobile/verify/',
      '/auth/cmyk/verify',
      '/api/auth/cmyk/phone-only',
    ]) {
      for (const [text, loc] of bodies) {
        const response = await raw(path, text);
        expect({ path, ...response }).toEqual({
          path,
          status: 422,
          text: JSON.stringify({
            detail: [
              {
                type: 'value_error',
                loc,
                msg: 'Value error, given more than once',
                input: null,
                ctx: { error: {} },
              },
            ],
          }),
        });
      }
    }
    expect(await inventory(app)).toEqual(before);
    expect((await storedCode(app, id))?.fields).toMatchObject({ owner: '5', stranger: '5' });
    expect(await ownersOf(app, 'case13.victim@example.com')).toEqual([]);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
  });

  it('case 13 › duplicates are rejected by every sign-in route, with any session', async () => {
    const { bearer } = await signInByEmail(app, 'case13.every@example.com');
    const readers = app.http.registeredRoutes.filter(
      ({ url, schema }) =>
        /^\/(?:api\/auth|auth|api\/cmyk\/auth)\//.test(url) && schema?.body !== undefined,
    );
    expect(readers.length).toBeGreaterThan(25);
    for (const { method, url, config } of readers) {
      const who = config?.scope?.startsWith('admin') === true ? asAdmin : bearer;
      const response = await app.http.inject({
        method: [method].flat()[0] as 'POST',
        url,
        headers: { ...who, 'content-type': 'application/json' },
        payload: '{"code":"1","code":"1"}',
      });
      expect({
        url,
        status: response.statusCode,
        detail: response.json<{ detail: unknown }>().detail,
      }).toMatchObject({
        url,
        status: 422,
        detail: [{ loc: ['body', 'code'], msg: 'Value error, given more than once' }],
      });
    }
  });

  it('case 13 › duplicates send no code to either of two addresses', async () => {
    const before = await inventory(app);
    for (const prefix of ['/api/auth', '/auth']) {
      expect(
        (
          await raw(
            `${prefix}/email/initiate`,
            '{"email":"case13.a@example.com","email":"case13.b@example.com"}',
          )
        ).status,
      ).toBe(422);
      expect(
        (
          await raw(
            `${prefix}/mobile/initiate`,
            '{"phone":"+447400123131","phone":"+447400123132"}',
          )
        ).status,
      ).toBe(422);
      expect(
        (await raw(`${prefix}/token/refresh`, '{"refresh_token":"a","refresh_token":"b"}')).status,
      ).toBe(422);
    }
    expect(
      (await raw('/api/cmyk/auth/otp/send', '{"phone":"+447400123131","phone":"+447400123131"}'))
        .status,
    ).toBe(422);
    expect(await inventory(app)).toEqual(before);
  });

  it('case 13 › __proto__ and constructor are not a code or an identifier', async () => {
    const to = 'case13.proto@example.com';
    const { code, id } = await askCode(app, to);
    const missing = await raw(
      '/api/auth/otp/verify',
      `{"identifier":"${to}","verification_id":"${id}","__proto__":{"code":"${code}"},` +
        `"constructor":{"prototype":{"code":"${code}"}}}`,
    );
    expect(missing.status).toBe(422);
    expect(JSON.parse(missing.text)).toMatchObject({
      detail: [{ type: 'missing', loc: ['body', 'code'] }],
    });
    expect((await storedCode(app, id))?.fields).toMatchObject({ owner: '5', stranger: '5' });
    expect(
      (
        await raw(
          '/api/auth/otp/verify',
          '{"__proto__":{"code":"000000"},"constructor":0,' +
            `"identifier":"${to}","verification_id":"${id}","code":"${code}"}`,
        )
      ).status,
    ).toBe(200);
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
    const before = await inventory(app);
    for (const email of addresses) {
      const responses = [
        await post(app, '/api/auth/email/initiate', { email }),
        await post(app, '/auth/otp/verify', { email, code: '123456' }),
        await ask(app, email.includes('@') ? email : `${email}@`),
      ];
      expect({ email, statuses: responses.map(({ status }) => status) }).toEqual({
        email,
        statuses: [422, 422, 422],
      });
    }
    expect(await inventory(app)).toEqual(before);
    expect(app.services.outbox.list('b@example.com')).toEqual([]);
  });

  it('case 20 › a mail has one recipient, and nothing in it that the requester wrote', async () => {
    const earlier = new Set(app.services.outbox.list().map(({ id }) => id));
    for (const email of addresses) await post(app, '/api/auth/email/initiate', { email });
    expect(
      await post(app, '/api/auth/email/initiate', { email: ' case20+tag@example.com\r\n' }),
    ).toMatchObject({ status: 200 });
    await codeFor(app, 'case20+tag@example.com');
    const mails = app.services.outbox.list().filter(({ id }) => !earlier.has(id));
    expect(mails.map(({ to }) => to)).toEqual(['case20+tag@example.com']);
    expect(mails[0]?.subject).not.toMatch(/[\r\n]/);
    expect(JSON.stringify(mails)).not.toMatch(/bcc|b@example\.com|script/i);
  });

  it('case 20 › an invalid number is rejected by every path, and nothing is sent', async () => {
    const before = await inventory(app);
    const numbers = [
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
      '＋１４１５５５５０１３２',
      '+1 415 555 0132 +1 415 555 0133',
      `+1${'4'.repeat(40)}`,
      '+999123456789',
      '0151 12345678',
      '+14155550132<script>',
      '+1415555\u200b0132',
      '1'.repeat(64),
      '-'.repeat(30),
    ];
    for (const phone of numbers) {
      for (const path of [
        '/api/auth/mobile/initiate',
        '/api/auth/cmyk/phone',
        '/api/auth/cmyk/phone-only',
        '/api/cmyk/auth/otp/send',
      ]) {
        expect({ phone, path, status: (await post(app, path, { phone })).status }).toEqual({
          phone,
          path,
          status: 422,
        });
      }
    }
    expect(await inventory(app)).toEqual(before);
  });

  it('case 20 › identifiers of other types are rejected', async () => {
    const before = await inventory(app);
    for (const value of [14155550132, ['+14155550132'], { $ne: '' }, null, true]) {
      expect(await post(app, '/api/auth/mobile/initiate', { phone: value })).toMatchObject({
        status: 422,
      });
      expect(await post(app, '/api/auth/email/initiate', { email: value })).toMatchObject({
        status: 422,
      });
      expect(
        await post(app, '/api/auth/otp/verify', { identifier: value, code: '123456' }),
      ).toMatchObject({ status: 422 });
    }
    const list = await app.http.inject({
      method: 'POST',
      url: '/api/auth/otp/send?identifier[]=case20.a@example.com',
    });
    expect(list.statusCode).toBe(422);
    expect(await inventory(app)).toEqual(before);
    const twice = await app.http.inject({
      method: 'POST',
      url: '/api/auth/otp/send?identifier=case20.a@example.com&identifier=case20.b@example.com',
    });
    expect(twice.statusCode).toBe(422);
    expect(await inventory(app)).toEqual(before);
  });
});
