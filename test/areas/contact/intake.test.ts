import { once } from 'node:events';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { contactClient, letter, type Solved } from './support.ts';

const minute = 60_000;
let app: TestApp;
let client: ReturnType<typeof contactClient>;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  app = await sharedApp('named', { clock });
  client = contactClient(app);
}, 60_000);
beforeEach(async () => {
  offset = 0;
  await client.reset();
});

const codeOf = (answer: { json: () => { code?: string } }) => answer.json().code;

describe('POST /api/v1/contact', () => {
  it('answers 200 with the id of the stored message', async () => {
    const answer = await client.send({ ...letter, subject: 'Invoice', topic: 'billing' });
    expect(answer.statusCode).toBe(200);
    const [row, ...others] = await client.rows();
    expect(answer.json()).toEqual({ id: row?.id, status: 'received' });
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...letter,
      subject: 'Invoice',
      topic: 'billing',
      status: 'new',
      proof: 'none',
      network: expect.stringMatching(/^198\.\d+\.\d+\.0\/24$/) as string,
    });
  });

  it('accepts form data', async () => {
    const answer = await client.send(letter, {});
    const form = await app.http.inject({
      method: 'POST',
      url: '/api/v1/contact',
      payload: new URLSearchParams({ ...letter, subject: '' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      remoteAddress: '203.0.113.9',
    });
    expect({ answerStatus: answer.statusCode, formStatus: form.statusCode }).toEqual({
      answerStatus: 200,
      formStatus: 200,
    });
    expect(await client.rows()).toHaveLength(2);
  });

  it('refuses unknown members', async () => {
    const answer = await client.send({ ...letter, status: 'closed', assignee_id: 'me' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail.map(({ loc }) => loc[1])).toEqual(['status', 'assignee_id']);
    expect(await client.rows()).toEqual([]);
  });

  it.each([
    ['an address list', { email: 'a@example.com, b@example.com' }],
    ['a name of spaces', { name: '   ' }],
    ['no message', { message: '' }],
    ['a huge message', { message: 'a'.repeat(5001) }],
    ['a header in the subject', { subject: 'Hi\r\nBcc: everybody@example.com' }],
    ['a header in the name', { name: 'Ada\nBcc: everybody@example.com' }],
    ['a header in the address', { email: 'a@example.com\nBcc: b@example.com' }],
    ['a control character', { message: 'Hello\u0007' }],
    ['a text that is turned around', { subject: 'exe.\u202Efdp' }],
  ])('refuses %s', async (_what, change) => {
    expect((await client.send({ ...letter, ...change })).statusCode).toBe(422);
    expect(await client.rows()).toEqual([]);
  });

  it('refuses a body of a megabyte before parsing it', async () => {
    const answer = await client.send({ ...letter, message: 'a'.repeat(1024 * 1024) });
    expect(answer.statusCode).toBe(413);
    expect(await client.rows()).toEqual([]);
  });

  it('keeps a script as the text that it is', async () => {
    const message = '<script>alert(1)</script> http://evil.example';
    expect((await client.send({ ...letter, message })).statusCode).toBe(200);
    expect((await client.rows())[0]?.message).toBe(message);
  });

  it('gives a honeypot hit the same answer, and files it as spam', async () => {
    const honest = await client.send(letter);
    const trapped = await client.send({ ...letter, website: 'http://spam.example' });
    expect(trapped.statusCode).toBe(200);
    expect(Object.keys(trapped.json())).toEqual(Object.keys(honest.json()));
    expect(trapped.headers['content-length']).toBe(honest.headers['content-length']);
    expect(
      (await client.rows()).map(({ status, spam_reason: reason }) => [status, reason]),
    ).toEqual([
      ['new', null],
      ['spam', 'hidden_field'],
    ]);
  });

  it('sends nothing to the entered address', async () => {
    await client.send({ ...letter, email: 'victim@example.com' });
    expect(app.services.outbox.list('victim@example.com')).toEqual([]);
  });
});

describe('the proof of work', () => {
  it('lets a sender send more messages', async () => {
    const altcha = await client.solution();
    const answer = await client.send({ ...letter, altcha });
    expect(answer.json()).toMatchObject({ status: 'received' });
    expect((await client.rows())[0]?.proof).toBe('solved');
  });

  it('is good for one message: of ten parallel requests exactly one wins', async () => {
    const altcha = await client.solution();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.send({ ...letter, altcha })),
    );
    const codes = answers.map(({ statusCode }) => statusCode).sort();
    expect(codes).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(answers.filter((each) => codeOf(each) === 'contact.proof_used')).toHaveLength(9);
    expect(await client.rows()).toHaveLength(1);
  });

  it('stays used until its challenge has expired', async () => {
    const altcha = await client.solution();
    await client.send({ ...letter, altcha });
    const [key = ''] = await client.keys('nonce');
    const seconds = await app.services.redis.ttl(key);
    expect(seconds).toBeGreaterThan(600);
    expect(seconds).toBeLessThanOrEqual(660);
    offset = 9 * minute;
    expect(codeOf(await client.send({ ...letter, altcha }))).toBe('contact.proof_used');
  });

  it('stores no nonce of a forged challenge', async () => {
    const forged = await client.solution(({ challenge }) => {
      challenge.parameters.nonce = '0'.repeat(32);
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.send({ ...letter, altcha: forged })),
    );
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['contact.proof_invalid']));
    expect(await client.keys('nonce')).toEqual([]);
    expect(await client.keys('count')).toEqual([]);
    expect(await client.rows()).toEqual([]);
  });

  it.each([
    ['an altered counter', ({ solution }: Solved) => void (solution.counter += 1)],
    ['an altered key', ({ solution }: Solved) => void (solution.derivedKey = '00'.repeat(32))],
    ['a lower cost', ({ challenge }: Solved) => void (challenge.parameters.cost = 1)],
    ['an easier prefix', ({ challenge }: Solved) => void (challenge.parameters.keyPrefix = '0')],
    ['a later expiry', ({ challenge }: Solved) => void (challenge.parameters.expiresAt = 9e9)],
    ['no expiry', ({ challenge }: Solved) => void delete challenge.parameters.expiresAt],
    ['no signature', ({ challenge }: Solved) => void delete challenge.signature],
  ])('is refused with %s', async (_what, change) => {
    const altcha = await client.solution(change);
    const answer = await client.send({ ...letter, altcha });
    expect({ status: answer.statusCode, code: codeOf(answer) }).toEqual({
      status: 400,
      code: 'contact.proof_invalid',
    });
    expect(await client.rows()).toEqual([]);
  });

  it.each(['x', '%%%', 'e30=', Buffer.from('null').toString('base64')])(
    'is refused as %s',
    async (altcha) => {
      expect(codeOf(await client.send({ ...letter, altcha }))).toBe('contact.proof_invalid');
    },
  );

  it('expires after ten minutes', async () => {
    const altcha = await client.solution();
    offset = 10 * minute + 2000;
    const answer = await client.send({ ...letter, altcha });
    expect({ status: answer.statusCode, code: codeOf(answer) }).toEqual({
      status: 400,
      code: 'contact.proof_expired',
    });
    expect(await client.keys('nonce')).toEqual([]);
  });

  it('is not used up by a refused message', async () => {
    const address = '203.0.113.50';
    for (let sent = 0; sent < 5; sent += 1)
      await client.send({ ...letter, altcha: await client.solution() }, { address });
    const altcha = await client.solution();
    expect((await client.send({ ...letter, altcha }, { address })).statusCode).toBe(429);
    expect((await client.send({ ...letter, altcha })).statusCode).toBe(200);
  });
});

describe('an API key', () => {
  it('needs no proof', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        client.send(
          { ...letter, email: `c${at}@example.com` },
          { ...asAdmin, address: '203.0.113.1' },
        ),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect((await client.rows()).map(({ proof }) => proof)).toEqual(Array(5).fill('key'));
  });

  it('that is unknown is refused', async () => {
    const answer = await client.send(letter, { authorization: 'Bearer nobody' });
    expect(answer.statusCode).toBe(401);
    expect(await client.rows()).toEqual([]);
  });
});

describe('without Redis', () => {
  it('no message is accepted, because the limits can’t be checked', async () => {
    const { redis } = app.services;
    const ended = once(redis, 'end');
    redis.disconnect();
    await ended;
    try {
      expect((await client.send(letter)).statusCode).toBe(503);
    } finally {
      await redis.connect();
    }
    expect(await client.rows()).toEqual([]);
  });
});
