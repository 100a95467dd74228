import { brandNamed } from '../../support/brand.ts';
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createDelivery } from '../../../src/areas/comms/delivery.ts';
import { type Rendered, SendError } from '../../../src/areas/comms/provider.ts';
import { createMessages, type Message, type Messages } from '../../../src/areas/comms/service.ts';
import { createDeliveryStore } from '../../../src/areas/comms/store.ts';
import { createTwilio } from '../../../src/areas/comms/twilio.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { openKeys } from '../../../src/platform/crypto/keys.ts';
import { createQueues, type Queues } from '../../../src/platform/queues/queues.ts';
import { freshApp } from '../../support/app.ts';
import { createTestHttp } from '../../support/http.ts';
import { parseMail, startHttpReceiver, startSmtpReceiver } from './receivers.ts';
import { redisContent } from './redis-content.ts';

const named = { brand: brandNamed('Acme') };

const phone = '+15550100123';
const address = 'ada@example.org';
const code = '739146';
const secret = `whsec_${Buffer.from('a key for the tests of webhooks!').toString('base64')}`;
const wait = { timeout: 15_000, interval: 20 };

let sent = 0;

const [sms, mail] = await Promise.all([startHttpReceiver(), startSmtpReceiver()]);
const app = await freshApp({
  env: {
    APP_NAME: 'Acme',
    SMS_URL: `${sms.url}/sms`,
    SMS_WEBHOOK_SECRET: secret,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Acme <post@acme.example>',
  },
});
await app.services.queues.start();

afterEach(() => {
  for (const receiver of [sms, mail]) receiver.received.length = 0;
  sms.answers.length = 0;
  mail.refusals.length = 0;
});

afterAll(async () => {
  await app.close();
  await Promise.all([sms.close(), mail.close()]);
});

const inTenMinutes = () => Date.now() + 600_000;

const message = (changes: Partial<Message> = {}): Message => ({
  channel: 'sms',
  to: phone,
  template: 'sign_in_code',
  params: { code, minutes: '10', host: 'acme.example' },
  key: `key ${(sent += 1)}`,
  expiresAt: inTenMinutes(),
  ...changes,
});
const email = (changes: Partial<Message> = {}) =>
  message({ channel: 'email', to: address, ...changes });

const row = (id: string) =>
  app.stores.db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const reaches = (id: string, status: string) =>
  expect.poll(async () => (await row(id)).status, wait).toBe(status);

/** Sends a message and waits for its status. Returns its id. */
async function deliver(one: Message = message(), status = 'sent'): Promise<string> {
  const { id } = await app.services.messages.send(one);
  await reaches(id, status);
  return id;
}

/** Resolves once all queued messages are settled. */
async function idle(queues: Queues = app.services.queues): Promise<void> {
  const delivery = async () =>
    (await queues.observe()).handlers.find(({ name }) => name === 'comms-delivery');
  await expect.poll(delivery, wait).toMatchObject({ active: 0, waiting: 0, delayed: 0 });
}

describe('an SMS by webhook', () => {
  it('is one signed POST, with the code bound to the host in its last line', async () => {
    const id = await deliver();
    expect(sms.received).toHaveLength(1);
    const { path, headers, body } = sms.received[0]!;
    expect(path).toBe('/sms');
    expect(JSON.parse(body)).toEqual({
      id,
      to: phone,
      text: `Acme code: ${code}. Do not share it.\n@acme.example #${code}`,
    });
    const timestamp = String(headers['webhook-timestamp']);
    expect(headers['webhook-id']).toBe(id);
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60);
    const key = Buffer.from(secret.slice(6), 'base64');
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
    );
  });

  it('is logged without recipient and text', async () => {
    const id = await deliver();
    const noted = await row(id);
    expect(noted).toMatchObject({
      channel: 'sms',
      template: 'sign_in_code',
      status: 'sent',
      attempts: 1,
      provider: 'webhook',
      error_code: null,
    });
    expect(noted.to_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(noted)).not.toMatch(new RegExp(`${code}|5550100123`));
  });

  it('is sent again after a 500, with the same text and id', async () => {
    sms.answers.push({ status: 500, body: 'broken' }, { status: 429 });
    const id = await deliver();
    expect(new Set(sms.received.map(({ body }) => body)).size).toBe(1);
    expect(sms.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
    expect(await row(id)).toMatchObject({ attempts: 3, error_code: null });
  });

  it('fails after four attempts', async () => {
    sms.answers.push(...Array.from({ length: 5 }, () => ({ status: 503 })));
    const id = await deliver(message(), 'failed');
    expect(sms.received).toHaveLength(4);
    expect(await row(id)).toMatchObject({ attempts: 4, error_code: 'http_503' });
  });

  it.each([{ status: 400 }, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }])(
    'is not sent again after $status',
    async (response) => {
      sms.answers.push(response);
      const id = await deliver(message(), 'failed');
      await idle();
      expect(sms.received).toHaveLength(1);
      expect(await row(id)).toMatchObject({ attempts: 1, error_code: `http_${response.status}` });
    },
  );
});

describe('an idempotency key', () => {
  it('that is sent twice makes one delivery, even with another code', async () => {
    const first = message();
    const other = { ...first, params: { ...first.params, code: '000000' } };
    const { id } = await app.services.messages.send(first);
    expect(
      await Promise.all([first, other, first].map((each) => app.services.messages.send(each))),
    ).toEqual([{ id }, { id }, { id }]);
    await reaches(id, 'sent');
    expect(await app.services.messages.send(other)).toEqual({ id });
    await idle();
    expect(sms.received).toHaveLength(1);
    expect(sms.received[0]?.body).toContain(code);
  });

  it('stays used when its job is long gone from Redis', async () => {
    const one = message();
    const id = await deliver(one);
    await idle();
    for (const key of await app.stores.redis.keys('jobs:comms-delivery:*'))
      await app.stores.redis.del(key);
    expect(await app.services.messages.send(one)).toEqual({ id });
    await idle();
    expect(sms.received).toHaveLength(1);
  });

  it('whose job was never added is delivered when it is sent again', async () => {
    const { messages } = await otherProcess({ connection: { url: 'redis://127.0.0.1:1' } });
    const one = message();
    await expect(messages.send(one)).rejects.toMatchObject({
      status: 503,
      code: 'request.unavailable',
    });
    await deliver(one);
    expect(sms.received).toHaveLength(1);
  });
});

/**
 * A second instance of the message service with the app's database, and with the receiver as
 * Twilio.
 */
async function otherProcess({
  connection = app.stores.redisAddress,
  from = '+15550199999',
  now = () => Date.now(),
} = {}): Promise<{ queues: Queues; messages: Messages; log: () => string }> {
  const { logger, text: log } = createTestHttp();
  const clock = { now };
  const queues = createQueues({ connection, prefix: `other${(sent += 1)}`, logger, clock });
  onTestFinished(() => queues.close());
  const twilio = createTwilio({
    accountSid: `AC${'0'.repeat(32)}`,
    authToken: 'the-auth-token',
    from,
    baseUrl: sms.url,
  });
  const keys = await openKeys({ secret: undefined, dataDir: app.dataDir });
  const store = createDeliveryStore(app.stores.db);
  const messages = createMessages({
    queues,
    store,
    providers: { sms: twilio, email: undefined },
    keys,
    clock,
    logger,
    ...named,
  });
  return { queues, messages, log };
}

describe('an SMS by Twilio', () => {
  it.each([
    ['+15550199999', 'From'],
    [`MG${'1'.repeat(32)}`, 'MessagingServiceSid'],
  ])('from %s is one form with basic authentication', async (from, field) => {
    const { queues, messages } = await otherProcess({ from });
    await queues.start();
    const { id } = await messages.send(message());
    await reaches(id, 'sent');
    const { path, headers, body } = sms.received[0]!;
    expect(path).toBe(`/2010-04-01/Accounts/AC${'0'.repeat(32)}/Messages.json`);
    expect(headers.authorization).toBe(
      `Basic ${Buffer.from(`AC${'0'.repeat(32)}:the-auth-token`).toString('base64')}`,
    );
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      To: phone,
      [field]: from,
      Body: `Acme code: ${code}. Do not share it.\n@acme.example #${code}`,
    });
    expect(await row(id)).toMatchObject({ provider: 'twilio', provider_reference: 'SM0123' });
  });

  it('is retried after 500, but not after 400, and neither response is logged', async () => {
    const { queues, messages, log } = await otherProcess();
    await queues.start();
    sms.answers.push({ status: 500, body: `{"message":"busy with ${phone}"}` });
    const retried = await messages.send(message());
    await reaches(retried.id, 'sent');
    expect(sms.received).toHaveLength(2);
    sms.answers.push({ status: 400, body: `{"code":21211,"message":"${phone} is no number"}` });
    const refused = await messages.send(message());
    await reaches(refused.id, 'failed');
    await idle(queues);
    expect(sms.received).toHaveLength(3);
    expect(log()).toContain('http_400');
    expect(log()).not.toMatch(new RegExp(`5550100123|${code}|the-auth-token|is no number`));
  });

  it('is not sent if it expires before its job runs', async () => {
    let now = Date.now();
    const { queues, messages } = await otherProcess({ now: () => now });
    const { id } = await messages.send(message({ expiresAt: now + 1000 }));
    now += 1000;
    await queues.start();
    await reaches(id, 'expired');
    await idle(queues);
    expect(sms.received).toEqual([]);
    expect(await row(id)).toMatchObject({ attempts: 0 });
  });

  it('is refused if the channel has no provider', async () => {
    const { messages } = await otherProcess();
    await expect(messages.send(email())).rejects.toMatchObject({
      status: 503,
      code: 'comms.not_configured',
    });
  });
});

describe('an email', () => {
  it('goes to one recipient, with the code in its bodies and not in its headers', async () => {
    const id = await deliver(email());
    expect(mail.received).toHaveLength(1);
    const { from, recipients, source } = mail.received[0]!;
    const { headers, text, html } = parseMail(source);
    expect({ from, recipients }).toEqual({ from: 'post@acme.example', recipients: [address] });
    for (const [name, ...values] of [
      ['from', 'Acme <post@acme.example>'],
      ['to', address],
      ['cc'],
      ['bcc'],
      ['subject', 'Your Acme sign-in code'],
      ['message-id', `<${id}@acme.example>`],
    ] as const)
      expect(headers(name), name).toEqual(values);
    expect(source.slice(0, source.indexOf('\r\n\r\n'))).not.toContain(code);
    expect(text).toContain(`\n${code}\r\n`);
    expect(html).toContain(`>${code}</p>`);
    expect(text).toContain('expires in 10 minutes. Enter it only on acme.example');
  });

  it('with hostile parameters has no extra headers and no injected markup', async () => {
    const params = {
      headline: 'New device\r\nBcc: eve@example.net\r\n\r\n<script>',
      body: '<img src=x onerror="alert(1)"> & more',
    };
    await deliver(email({ template: 'account_notice', params }));
    const { recipients, source } = mail.received[0]!;
    const { headers, html } = parseMail(source);
    expect(recipients).toEqual([address]);
    expect(headers('bcc')).toEqual([]);
    expect(headers('subject')).toEqual(['Acme: New device Bcc: eve@example.net <script>']);
    expect(html).not.toMatch(/<script|<img src=x/);
    // The mark of the service, which comes with the mail.
    expect(html.match(/<img [^>]*src="(?!cid:)/g)).toBeNull();
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; more');
  });

  it('is sent again after a temporary refusal, but not after a permanent one', async () => {
    mail.refusals.push({ status: 451, text: `${address} later` });
    const id = await deliver(email());
    expect(await row(id)).toMatchObject({ attempts: 2, error_code: null });
    mail.refusals.push({ status: 550, text: `${address} is unknown` });
    const refused = await deliver(email(), 'failed');
    await idle();
    expect(mail.received).toHaveLength(1);
    expect(await row(refused)).toMatchObject({ attempts: 1, error_code: 'smtp_550' });
  });
});

describe('an attempt', () => {
  const first = { attempt: 1, isRestarted: false };
  const clock = { now: () => Date.now() };

  /** A queued message, and a provider that records it and then calls `outcome`. */
  async function queued(outcome: () => Promise<{ reference?: string }> = async () => ({})) {
    const store = createDeliveryStore(app.stores.db);
    const rendered: Rendered[] = [];
    const send = (one: Rendered) => {
      rendered.push(one);
      return outcome();
    };
    const id = uuidv7(Date.now());
    const about = { id, channel: 'sms', template: 'account_notice' } as const;
    const now = new Date();
    await store.enter([
      { ...about, keyHash: id, toHash: 'x', provider: 'counting', expiresAt: now, now },
    ]);
    const content = { to: phone, params: { headline: 'x', body: 'x' } };
    const one = { ...about, ...content, enteredAt: Date.now(), expiresAt: inTenMinutes() };
    const providers = { sms: { name: 'counting', send }, email: undefined };
    const { logger } = createTestHttp();
    return { store, rendered, one, options: { store, providers, clock, logger, ...named } };
  }

  it('sends nothing if the message was sent before the process died', async () => {
    const { rendered, one, options } = await queued();
    const deliver = createDelivery(options);
    await deliver([one], first);
    await deliver([one], { attempt: 2, isRestarted: false });
    expect(rendered).toHaveLength(1);
  });

  it('succeeds without the delivery log, so that the message is not sent again', async () => {
    const { store, rendered, one, options } = await queued();
    const withoutLog = { ...store, note: () => Promise.reject(new Error('away')) };
    await createDelivery({ ...options, store: withoutLog })([one], first);
    expect(rendered).toHaveLength(1);
  });

  it('with many messages sends ten at a time', async () => {
    let [inside, most] = [0, 0];
    const { rendered, one, options } = await queued(async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      return {};
    });
    const many = Array.from({ length: 20 }, () => ({ ...one, id: uuidv7(Date.now()) }));
    await createDelivery(options)(many, first);
    expect(rendered).toHaveLength(20);
    expect(most).toBe(10);
  });

  it('with an unexpected error reveals only its name', async () => {
    const { one, options } = await queued(() =>
      Promise.reject(new TypeError(`cannot send ${code} to ${phone}`)),
    );
    const failure = await createDelivery(options)([one], first).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SendError);
    expect(failure).toMatchObject({ code: 'TypeError' });
    expect(failure).not.toHaveProperty('cause');
    expect(String(failure)).not.toMatch(new RegExp(`${code}|5550100123`));
    const noted = { status: 'queued', attempts: 1, error_code: 'TypeError' };
    expect(await row(one.id)).toMatchObject(noted);
  });

  it('in a process without a provider for the channel fails for good', async () => {
    const { one, options } = await queued();
    const providers = { sms: undefined, email: undefined };
    const deliver = createDelivery({ ...options, providers });
    await expect(deliver([one], first)).rejects.toMatchObject({ code: 'not_configured' });
    expect(await row(one.id)).toMatchObject({ status: 'failed', error_code: 'not_configured' });
  });
});

describe('a recipient', () => {
  it.each<[Message['channel'], string]>([
    ['sms', '15550100123'],
    ['sms', '+1 555 0100'],
    ['sms', `${phone}\n`],
    ['sms', address],
    ['sms', ''],
    ['email', 'a@example.org, b@example.org'],
    ['email', 'a@example.org\r\nBcc: b@example.org'],
    ['email', 'Ada <a@example.org>'],
    ['email', 'a@b@c'],
    ['email', phone],
  ])('by %s that is invalid (%j) is rejected', async (channel, to) => {
    const one = message({ channel, to });
    const refusal = { status: 400, code: 'comms.recipient_invalid' };
    await expect(app.services.messages.send(one)).rejects.toMatchObject(refusal);
  });
});

describe('queued and sent messages', () => {
  it('leave neither recipient nor code in Redis or in the log', async () => {
    const traces = new RegExp(`${code}|5550100123|${address}|acme\\.example|Do not share`);
    const { queues, messages } = await otherProcess();
    await messages.send(message());
    expect(await redisContent(app.stores.redis)).toMatch(/"sealed\\+":\\+"v1\./);
    expect(await redisContent(app.stores.redis)).not.toMatch(traces);
    await queues.start();
    await idle(queues);
    await queues.close();
    await idle();
    const content = await redisContent(app.stores.redis);
    expect(content).toContain('comms-delivery');
    expect(content).toContain('smtp_550');
    expect(content).not.toMatch(traces);
    expect(app.log()).toContain('message delivery');
    expect(app.log()).not.toMatch(new RegExp(`${traces.source}|${secret}|${secret.slice(6)}`));
  });
});
