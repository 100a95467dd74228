import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { TestClient, type TestResponse } from '../../support/client.ts';
import { parallel, tally } from '../../support/abuse.ts';
import {
  addUser,
  digestOf,
  eventBody,
  handlings,
  sendAndSettle,
  olderSecret,
  openProvider,
  path,
  rowCount,
  findEvent,
  secret,
  send,
  sendSigned,
  signatureOf,
  storePending,
  waitForStatus,
  subscription,
} from './provider.ts';

/** Expects the one refusal of every request without a valid signature. */
function expectRefusal(response: TestResponse): void {
  expect(response).toBeProblem(400, 'payments.signature_invalid');
  expect(response.body.detail).toBe(
    'The signature is missing, wrong or too old. Sign the exact bytes of the body with ' +
      'the current secret.',
  );
}

const wrongSecret = `${secret}x`;
const signed = (signature: string) => ({ 'stripe-signature': signature });

const provider = await openProvider({
  PAYMENTS_WEBHOOK_SECRET: `${secret}, ${olderSecret}`,
  RATE_LIMIT: 'on',
});
await provider.app.services.queues.start();
const userId = await addUser(provider.app, 'payer@example.com');

const bodyFor = (id: string) =>
  eventBody({ id, object: subscription({ metadata: { user_id: userId } }) });
const audits = (id: string) =>
  provider.app.stores.db
    .selectFrom('audit_events')
    .selectAll()
    .where('target_id', '=', id)
    .execute();

describe('case 54 › a request that is not from the provider', () => {
  const body = eventBody({ id: 'evt_refused' });
  const at = () => provider.seconds();

  it.each<[string, () => Record<string, string>]>([
    ['without a signature', () => ({})],
    ['with an empty one', () => signed('')],
    ['signed with another secret', () => signed(signatureOf(body, at(), wrongSecret))],
    ['of another body', () => signed(signatureOf(`${body} `, at()))],
    ['signed 301 s ago', () => signed(signatureOf(body, at() - 301))],
    ['signed 301 s ahead', () => signed(signatureOf(body, at() + 301))],
    ['with a fresh time on an old one', () => signed(`t=${at()},v1=${digestOf(body, at() - 301)}`)],
    ['with two times', () => signed(`t=${at() - 301},t=${at()},v1=${digestOf(body, at() - 301)}`)],
    ['without a time', () => signed(`v1=${digestOf(body, '')}`)],
    ['with an invalid time', () => signed(signatureOf(body, 'now'))],
    ['with a time of milliseconds', () => signed(signatureOf(body, provider.now()))],
    ['with the right digest as v0 only', () => signed(`t=${at()},v0=${digestOf(body, at())}`)],
    ['with a shortened digest', () => signed(signatureOf(body, at()).slice(0, -2))],
    ['with the digest under another header', () => ({ 'x-signature': signatureOf(body, at()) })],
  ])('%s gets the same 400, and stores nothing', async (_what, headers) => {
    const before = await rowCount(provider.app);
    const response = await send(provider.app, body, headers());
    expectRefusal(response);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(await rowCount(provider.app)).toBe(before);
  });

  it('is refused if its body was parsed and serialised again', async () => {
    const again = JSON.stringify(JSON.parse(body));
    expectRefusal(await send(provider.app, again, signed(signatureOf(body, at()))));
    expect(await findEvent(provider.app, 'evt_refused')).toBeUndefined();
  });

  it.each([
    '',
    '{',
    'null',
    '[1',
    '['.repeat(10_000),
    '{"__proto__":1}',
    Buffer.from([0xff, 0xfe]),
  ])('is refused before its body is parsed', async (given) => {
    expectRefusal(await send(provider.app, given));
    const signature = signatureOf(given, at(), wrongSecret);
    expectRefusal(await send(provider.app, given, signed(signature)));
  });

  it('is audited without any of its content', async () => {
    await send(provider.app, body, signed('t=1,v1=forged-digest'));
    const row = await provider.app.stores.db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'webhook.refused')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(row).toMatchObject({
      outcome: 'denied',
      reason: 'payments.signature_invalid',
      actor_kind: 'anonymous',
      target_id: null,
      details: {},
    });
  });

  it('with a body of 1 MB is 413, signed or not', async () => {
    const large = eventBody({ id: 'evt_large', object: { filler: 'x'.repeat(1024 ** 2) } });
    expect(await send(provider.app, large)).toBeProblem(413, 'request.too_large');
    expect(await sendSigned(provider, large)).toMatchObject({ status: 413 });
    expect(await findEvent(provider.app, 'evt_large')).toBeUndefined();
  });

  it('with a body of 256 KiB is accepted', async () => {
    const filled = (filler: string) =>
      eventBody({ id: 'evt_full', type: 'x.y', object: { filler } });
    const full = filled('x'.repeat(256 * 1024 - filled('').length));
    expect(await sendSigned(provider, `${full} `)).toMatchObject({ status: 413 });
    expect(await sendSigned(provider, full)).toMatchObject({ status: 200 });
  });
});

async function expectHandledOnce(id: string): Promise<void> {
  expect(await audits(id)).toHaveLength(1);
  expect(await findEvent(provider.app, id)).toMatchObject({ attempts: 1 });
  expect(handlings(provider.app, id)).toBe(1);
}

describe('case 54 › a signed event', () => {
  it('is acknowledged, stored whole, audited and handled once', async () => {
    const body = bodyFor('evt_one');
    const response = await sendSigned(provider, body);
    expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(response.body).toEqual({ received: true });
    await waitForStatus(provider.app, 'evt_one', 'done');
    const row = await findEvent(provider.app, 'evt_one');
    expect(row).toMatchObject({
      type: 'customer.subscription.created',
      attempts: 1,
      error_code: null,
      created: new Date(provider.now()),
      received_at: new Date(provider.now()),
    });
    expect(row?.payload).toEqual(JSON.parse(body));
    const [recorded, ...others] = await audits('evt_one');
    expect(recorded).toMatchObject({
      action: 'webhook.received',
      outcome: 'success',
      actor_kind: 'system',
      target_kind: 'payment_event',
    });
    const type = 'customer.subscription.created';
    expect(recorded?.details).toEqual({ event_id: 'evt_one', type });
    expect(others).toEqual([]);
  });

  it('that is repeated is not handled again, even if its job is gone', async () => {
    const body = bodyFor('evt_again');
    const first = await sendSigned(provider, body);
    await waitForStatus(provider.app, 'evt_again', 'done');
    for (const key of await provider.app.stores.redis.keys('jobs:payments-event:evt_again*'))
      await provider.app.stores.redis.del(key);
    const { status, text } = first;
    expect(await sendSigned(provider, body)).toMatchObject({ status, text });
    const object = subscription({ metadata: { user_id: userId } });
    await sendAndSettle(provider, { id: 'evt_after_again', object });
    await expectHandledOnce('evt_again');
  });

  it('that arrives 20 times at once makes one row, one audit entry and one handling', async () => {
    const before = await rowCount(provider.app);
    const responses = await parallel(20, () => sendSigned(provider, bodyFor('evt_twenty')));
    expect(tally(responses)).toEqual({ 200: 20 });
    await waitForStatus(provider.app, 'evt_twenty', 'done');
    expect(await rowCount(provider.app)).toBe(before + 1);
    await expectHandledOnce('evt_twenty');
  });

  it('that is handled 10 times concurrently changes the plan once', async () => {
    await storePending(provider.app, {
      id: 'evt_places',
      payload: bodyFor('evt_places'),
      receivedAt: provider.now() - 3_600_000,
    });
    await parallel(10, () => provider.app.services.payments.sweep());
    expect((await findEvent(provider.app, 'evt_places'))?.status).toBe('done');
    expect(handlings(provider.app, 'evt_places')).toBe(1);
  });

  it('of an unknown type is stored as ignored', async () => {
    const body = eventBody({ id: 'evt_unknown', type: 'treasury.moved', object: { a: 1 } });
    expect((await sendSigned(provider, body)).body).toEqual({ received: true });
    expect(await findEvent(provider.app, 'evt_unknown')).toMatchObject({
      status: 'ignored',
      attempts: 0,
      processed_at: new Date(provider.now()),
      payload: { data: { object: { a: 1 } } },
    });
  });

  it.each([-300, 300])('signed at %i s from our clock is accepted', async (shift) => {
    const body = eventBody({ id: `evt_shift${shift}`, type: 'x.y' });
    const signature = signatureOf(body, provider.seconds() + shift);
    expect((await send(provider.app, body, signed(signature))).status).toBe(200);
  });

  it('with further schemes and digests is accepted if one matches', async () => {
    const body = eventBody({ id: 'evt_several', type: 'x.y' });
    const t = provider.seconds();
    const digest = digestOf(body, t);
    const signature = `t=${t},v0=${digest},v1=${'0'.repeat(64)},v1=${digest},v2=x`;
    expect((await send(provider.app, body, signed(signature))).status).toBe(200);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'image/png',
  ])('of content type %s is accepted by its signature alone', async (type) => {
    const body = eventBody({ id: `evt_${type.replace(/\W/g, '')}`, type: 'x.y' });
    expect((await sendSigned(provider, body, { 'content-type': type })).status).toBe(200);
    expectRefusal(await send(provider.app, body, { 'content-type': type }));
  });

  it('without a content type is accepted', async () => {
    const body = eventBody({ id: 'evt_untyped', type: 'x.y' });
    const headers = signed(signatureOf(body, provider.seconds()));
    expect((await new TestClient(provider.app).post(path, body, { headers })).status).toBe(200);
  });

  it.each([
    '/api/auth/webhooks/payments',
    '/api/auth/webhooks/payments/',
    '/auth/webhooks/payments',
    '/auth/webhooks/payments/',
  ])('is accepted at %s, and other methods are 405', async (url) => {
    const id = `evt_at${url.replace(/\W/g, '')}${url.endsWith('/') ? 'slash' : ''}`;
    const response = await sendSigned(provider, eventBody({ id, type: 'x.y' }), {}, url);
    expect(response.status).toBe(200);
    expect((await findEvent(provider.app, id))?.status).toBe('ignored');
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect(await new TestClient(provider.app).send(method, url)).toMatchObject({
        status: 405,
        headers: { allow: 'POST, OPTIONS' },
      });
  });

  it('with text that PostgreSQL rejects is stored with replacements', async () => {
    const body =
      '{"id":"evt_nul","type":"x.y","created":1,"data":{"object":' +
      '{"a\\u0000":"\\u0000\\ud800","__proto__":{"b":1}}}}';
    expect((await sendSigned(provider, body)).status).toBe(200);
    expect((await findEvent(provider.app, 'evt_nul'))?.payload).toMatchObject({
      data: { object: { 'a\uFFFD': '\uFFFD\uFFFD' } },
    });
  });
});

describe('a signed body that is not an event', () => {
  const event = { id: 'evt_bad', type: 'x.y', created: 1, data: { object: {} } };
  it.each<string | Buffer>([
    '',
    'null',
    '[]',
    '"text"',
    '{',
    ...Object.keys(event).map((name) => JSON.stringify({ ...event, [name]: undefined })),
    ...[
      { id: 5 },
      { id: '' },
      { id: '12' },
      { id: 'a:b' },
      { id: `e${'x'.repeat(255)}` },
      { type: '' },
      { created: 'now' },
      { created: 1.5 },
      { created: -1 },
      { created: 1e15 },
      { data: {} },
      { data: { object: [] } },
      { data: { object: null } },
    ].map((fields) => JSON.stringify({ ...event, ...fields })),
    '{"id":"evt_bad","type":"x.y","created":1,"data":{"object":{"a":' +
      `${'['.repeat(10_000)}${']'.repeat(10_000)}}}}`,
    Buffer.concat([
      Buffer.from('{"id":"evt_bad","type":"x.y","created":1,"data":{"object":{"a":"'),
      Buffer.from([0xff]),
      Buffer.from('"}}}'),
    ]),
  ])('%.40s is 400 `payments.event_invalid`', async (body) => {
    const before = await rowCount(provider.app);
    expect(await sendSigned(provider, body)).toBeProblem(400, 'payments.event_invalid');
    expect(await rowCount(provider.app)).toBe(before);
  });
});

describe('the log', () => {
  it('has neither payload nor signature nor secret, whatever happens', async () => {
    const marked = (id: string, more: Record<string, unknown> = {}) =>
      eventBody({
        id,
        object: subscription({
          metadata: { user_id: userId },
          note: 'marked-payload',
          customer_email: 'marked@example.com',
          ...more,
        }),
      });
    const body = marked('evt_log');
    const header = signatureOf(body, provider.seconds());
    await send(provider.app, body, signed(header));
    await waitForStatus(provider.app, 'evt_log', 'done');
    await sendSigned(provider, marked('evt_log2', { status: null }));
    await waitForStatus(provider.app, 'evt_log2', 'failed');
    await send(provider.app, body, signed('t=1,v1=marked-digest'));
    await sendSigned(provider, '{"marked-payload": tru');
    expect(provider.app.log()).toContain('evt_log2');
    expect(provider.app.log()).not.toMatch(/marked|pro_monthly|cus_1/);
    for (const hidden of [secret, secret.slice(6), header, digestOf(body, provider.seconds())])
      expect(provider.app.log()).not.toContain(hidden);
    const recorded = JSON.stringify(
      await provider.app.stores.db.selectFrom('audit_events').selectAll().execute(),
    );
    expect(recorded).not.toMatch(/marked|pro_monthly|cus_1|whsec/);
  });
});

describe('the webhook', () => {
  it('without a secret responds 503, even to a signed event', async () => {
    const unset = await sharedApp();
    const body = eventBody({ id: 'evt_x' });
    const signature = signatureOf(body, Math.floor(Date.now() / 1000), '');
    const response = await send(unset, body, signed(signature));
    expect(response).toBeProblem(503, 'payments.not_configured');
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
    expect(await rowCount(unset)).toBe(0);
  });

  it('with two secrets accepts either, but no third', async () => {
    const t = provider.seconds();
    for (const [index, key] of [secret, olderSecret].entries()) {
      const body = eventBody({ id: `evt_roll${index}`, type: 'x.y' });
      const response = await send(provider.app, body, signed(signatureOf(body, t, key)));
      expect(response.status).toBe(200);
    }
    const body = eventBody({ id: 'evt_roll3', type: 'x.y' });
    for (const key of [`${secret}, ${olderSecret}`, wrongSecret, ''])
      expectRefusal(await send(provider.app, body, signed(signatureOf(body, t, key))));
  });

  it('limits a client address to 600 requests a minute', async () => {
    const response = await sendSigned(provider, eventBody({ id: 'evt_l', type: 'x.y' }));
    expect(response).toMatchObject({ status: 200, headers: { 'ratelimit-limit': '600' } });
    const { redis } = provider.app.stores;
    for (const counter of await redis.keys('rate:*')) await redis.set(counter, 600, 'KEEPTTL');
    const refused = await sendSigned(provider, eventBody({ id: 'evt_above', type: 'x.y' }));
    expect(refused).toBeProblem(429, 'request.rate_limited');
    expect(await findEvent(provider.app, 'evt_above')).toBeUndefined();
  });
});
