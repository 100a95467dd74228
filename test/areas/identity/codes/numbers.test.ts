import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import type {
  JsonSchema,
  OpenApiDocument,
  Operation,
} from '../../../../src/platform/openapi/document.ts';
import { inventory } from '../../../support/abuse.ts';
import { asAdmin } from '../../../support/app.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { codeFor } from '../../../support/sign-in.ts';

const app = await sharedApp();
const client = new TestClient(app);
const document = (await client.get<OpenApiDocument>('/api/openapi.json')).body;

type Given = Record<string, string>;
type Taker = readonly [name: string, call: (given: Given) => Promise<TestResponse>];

/** Takes a number in the body, as `phone` or as `identifier`. */
const byBody = (url: string, more: Given = {}): Taker => [
  url,
  (given) => client.post(url, { ...more, ...given }),
];
const byIdentifier = (url: string, more: Given = {}, headers: Given = {}): Taker => [
  `${url} by identifier`,
  ({ phone = '', ...given }) =>
    client.post(url, { ...more, identifier: phone, ...given }, { headers }),
];
const byQuery = (url: string): Taker => [
  url,
  ({ phone = '', ...given }) => client.post(url, {}, { query: { ...given, identifier: phone } }),
];

/** Every operation that accepts a number, whatever its field is called. */
const takers: Taker[] = [
  ...['/api/auth', '/auth'].flatMap((prefix) => [
    ...['/mobile/initiate', '/mobile/resend', '/cmyk/phone', '/cmyk/phone-only'].map((path) =>
      byBody(prefix + path),
    ),
    ...['/mobile/verify', '/otp/verify', '/cmyk/verify', '/cmyk/phone-only'].map((path) =>
      byBody(prefix + path, { code: '000000' }),
    ),
    ...['/otp/send', '/otp/resend'].map((path) => byQuery(prefix + path)),
  ]),
  byBody('/api/cmyk/auth/otp/send'),
  byBody('/api/cmyk/auth/otp/verify', { code: '000000' }),
  byBody('/signup', { email: 'nobody@example.com' }),
  byIdentifier('/api/auth/otp/verify', { code: '000000' }),
  byIdentifier('/api/v1/one-time-codes/reopen', {}, asAdmin),
];

const mistakesOf = ({ body }: TestResponse) =>
  body.detail as { loc: string[]; type: string; msg: string }[];

describe('a phone number without a plus sign', () => {
  it.each(takers)('is rejected by %s, which says what to do', async (_, call) => {
    const before = await inventory(app);
    for (const phone of [
      '4799123456',
      '47 99 12 34 56',
      '004799123456',
      '99123456',
      '14155550132',
    ]) {
      const response = await call({ phone });
      expect(response.status, phone).toBe(422);
      const [mistake, ...others] = mistakesOf(response);
      expect(others).toEqual([]);
      expect(mistake?.type).toBe('value_error');
      expect(mistake?.msg).toMatch(/start with a plus sign/);
    }
    expect(await inventory(app)).toEqual(before);
  });

  it.each(takers)('is parsed by the rules of the country given to %s', async (_, call) => {
    for (const [phone, country] of [
      ['99 12 34 57', 'NO'],
      ['004799123457', 'NO'],
      ['4799123457', 'NO'],
      ['+4799123457', 'US'],
    ] as const)
      expect((await call({ phone, country })).status, `${phone} ${country}`).not.toBe(422);
    for (const country of ['no', 'NOR', '', 'XX'])
      expect(await call({ phone: '99123457', country }), country).toMatchObject({ status: 422 });
  });

  it('is rejected by the sign-in page, which asks for the plus sign', async () => {
    const phone = '4799123456';
    const page = await client.form('/login', { identifier: phone });
    expect(page.status).toBe(422);
    expect(page.text).toContain('or a phone number with its country code like +1 415 555 0132');
    const values = { email: 'nobody@example.com', phone, consent: 'true' };
    expect(await client.form('/signup', values)).toMatchObject({ status: 422 });
  });

  it('and the same number with its plus sign share their codes', async () => {
    const { body } = await client.post('/api/auth/mobile/initiate', {
      phone: '40 61 22 33',
      country: 'NO',
    });
    const code = await codeFor(app, '+4740612233');
    const response = await client.post('/api/auth/mobile/verify', {
      phone: '+47 406 12 233',
      code,
      verification_id: body.verification_id,
    });
    expect(response).toMatchObject({
      status: 200,
      body: { user: { phone_number: '+4740612233' } },
    });
  });
});

describe('unsupported input', () => {
  const calls: [path: string, body: Given][] = [
    ['/api/auth/mobile/initiate', { phone: '+4740612234' }],
    ['/auth/cmyk/phone', { phone: '+4740612234' }],
    ['/api/auth/cmyk/phone-only', { phone: '+4740612234' }],
    ['/auth/email/initiate', { email: 'locale@example.com' }],
  ];

  it.each(calls)(
    'is rejected by %s: a language without messages, listing those that exist',
    async (path, body) => {
      for (const locale of ['de', 'en_US', 'english', '', 'e', '-en']) {
        const response = await client.post(path, { ...body, locale });
        expect(response.status, locale).toBe(422);
        expect(mistakesOf(response)).toMatchObject([
          {
            loc: ['body', 'locale'],
            msg: 'Value error, messages are written in these languages only: en',
          },
        ]);
      }
    },
  );

  it('does not include regional variants of a supported language', async () => {
    for (const [at, locale] of ['en', 'en-US', 'EN-gb', 'en-Latn-GB'].entries()) {
      expect(
        await client.post('/api/auth/email/initiate', {
          email: `locale.${at}@example.com`,
          locale,
        }),
      ).toMatchObject({ status: 200 });
    }
  });

  it('includes the hash of the SMS Retriever', async () => {
    const response = await client.post('/api/auth/mobile/initiate', {
      phone: '+4740612235',
      app_hash: 'FA+9qCX9VSu',
    });
    expect(mistakesOf(response)).toMatchObject([{ loc: ['body', 'app_hash'] }]);
  });

  it('is not declared: the bodies have only known members', () => {
    const known = new Set([
      'phone',
      'country',
      'email',
      'identifier',
      'code',
      'verification_id',
      'mfa_token',
      'channel',
      'locale',
      'app_hash',
    ]);
    const bodies = [
      'CMYKPhoneRequest',
      'CMYKVerifyOTPRequest',
      'CMYKPhoneOnlyRequest',
      'MobileAuthRequest',
      'VerifyOTPRequest',
      'EmailAuthRequest',
    ];
    for (const name of bodies) {
      expect(
        Object.keys(document.components.schemas[name]?.properties ?? {}).filter(
          (member) => !known.has(member),
        ),
        name,
      ).toEqual([]);
    }
  });
});

describe('the examples of the reference', () => {
  const schemaOf = (schema: JsonSchema = {}): JsonSchema =>
    document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;

  /** The channel that the example of a request uses. */
  function channelOf({ requestBody, parameters = [] }: Operation): 'email' | 'sms' | undefined {
    const media = requestBody?.content['application/json'];
    const body = (media?.example ?? schemaOf(media?.schema).examples?.[0]) as Given | undefined;
    const given =
      body?.phone ??
      body?.email ??
      body?.identifier ??
      parameters.find(({ name }) => name === 'identifier')?.example;
    if (typeof given !== 'string') return undefined;
    return given.includes('@') ? 'email' : 'sms';
  }

  interface Answered {
    channel?: string;
    to?: string;
    user?: { email: string | null; phone_number: string | null } | null;
  }
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    );

  it('use the channel of the request: email or SMS', () => {
    const looked = operations().flatMap(({ path, operation }) => {
      const media = operation.responses[200]?.content?.['application/json'];
      const response = media?.example as Answered | undefined;
      const channel = path.includes('/email/') ? 'email' : channelOf(operation);
      if (
        channel === undefined ||
        response === undefined ||
        !('channel' in response || 'user' in response)
      )
        return [];
      const shown =
        response.channel ??
        (response.user == null ? channel : response.user.phone_number === null ? 'email' : 'sms');
      const to = response.to === undefined ? shown : response.to.includes('@') ? 'email' : 'sms';
      return [{ path, channel, shown, to }];
    });
    expect(looked.filter(({ channel, shown, to }) => shown !== channel || to !== channel)).toEqual(
      [],
    );
    expect(looked.length).toBeGreaterThan(20);
  });
});
