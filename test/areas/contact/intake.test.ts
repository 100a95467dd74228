import { beforeEach, describe, expect } from 'vitest';
import { minuteMs } from '../../../src/lib/durations.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin } from '../../support/app.ts';
import { contactClient, letter, type Solved } from './support.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await sharedApp('named', { clock });
const contact = contactClient(app);
beforeEach(async () => {
  offset = 0;
  await contact.reset();
});

describe('the contact API', () => {
  it('answers 200 with the id of the stored message', async () => {
    const answer = await contact.send({ ...letter, subject: 'Invoice', topic: 'billing' });
    expect(answer.status).toBe(200);
    const [row, ...others] = await contact.rows();
    expect(answer.body).toEqual({ id: row?.id, status: 'received' });
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

  it('accepts JSON and form data', async () => {
    expect((await contact.send(letter)).status).toBe(200);
    const text = new URLSearchParams({ ...letter, subject: '' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await contact.client.post('/api/v1/contact', text, { headers });
    expect(form.status).toBe(200);
    expect(await contact.rows()).toHaveLength(2);
  });

  it('refuses unknown members', async () => {
    const answer = await contact.send({ ...letter, status: 'closed', assignee_id: 'me' });
    expect(answer).toBeInvalid('body.status', 'body.assignee_id');
    expect(await contact.rows()).toEqual([]);
  });

  it.each([
    ['an address list', { email: 'a@example.com, b@example.com' }],
    ['a name of spaces', { name: '   ' }],
    ['no message', { message: '' }],
    ['a huge message', { message: 'a'.repeat(5001) }],
  ])('refuses %s', async (_what, change) => {
    expect((await contact.send({ ...letter, ...change })).status).toBe(422);
    expect(await contact.rows()).toEqual([]);
  });

  it('refuses a body of a megabyte before parsing it', async () => {
    const answer = await contact.send({ ...letter, message: 'a'.repeat(1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(await contact.rows()).toEqual([]);
  });

  it('gives a honeypot hit the same answer, and files it as spam', async () => {
    const honest = await contact.send(letter);
    const trapped = await contact.send({ ...letter, website: 'http://spam.example' });
    expect(trapped.status).toBe(200);
    expect(Object.keys(trapped.body)).toEqual(Object.keys(honest.body));
    expect(trapped.headers['content-length']).toBe(honest.headers['content-length']);
    expect(await contact.rows()).toMatchObject([
      { status: 'new', spam_reason: null },
      { status: 'spam', spam_reason: 'hidden_field' },
    ]);
  });

  it('sends nothing to the entered address', async () => {
    await contact.send({ ...letter, email: 'victim@example.com' });
    expect(app.services.outbox.list('victim@example.com')).toEqual([]);
  });
});

describe('the proof of work', () => {
  it('lets a sender send more messages', async () => {
    const altcha = await contact.solution();
    const answer = await contact.send({ ...letter, altcha });
    expect(answer.body).toMatchObject({ status: 'received' });
    expect((await contact.rows())[0]?.proof).toBe('solved');
  });

  it('is good for one message: of ten parallel requests exactly one wins', async () => {
    const altcha = await contact.solution();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => contact.send({ ...letter, altcha })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(9);
    for (const answer of refused) expect(answer).toBeProblem(409, 'contact.proof_used');
    expect(await contact.rows()).toHaveLength(1);
  });

  it('stays used until its challenge has expired', async () => {
    const altcha = await contact.solution();
    await contact.send({ ...letter, altcha });
    const [key = ''] = await contact.keys('nonce');
    const seconds = await app.services.redis.ttl(key);
    expect(seconds).toBeGreaterThan(600);
    expect(seconds).toBeLessThanOrEqual(660);
    offset = 9 * minuteMs;
    expect(await contact.send({ ...letter, altcha })).toBeProblem(409, 'contact.proof_used');
  });

  it('stores no nonce of a forged challenge', async () => {
    const forged = await contact.solution(({ challenge }) => {
      challenge.parameters.nonce = '0'.repeat(32);
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => contact.send({ ...letter, altcha: forged })),
    );
    for (const refused of answers) expect(refused).toBeProblem(400, 'contact.proof_invalid');
    expect(await contact.keys('nonce')).toEqual([]);
    expect(await contact.keys('count')).toEqual([]);
    expect(await contact.rows()).toEqual([]);
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
    const altcha = await contact.solution(change);
    const answer = await contact.send({ ...letter, altcha });
    expect(answer).toBeProblem(400, 'contact.proof_invalid');
    expect(await contact.rows()).toEqual([]);
  });

  it.each(['x', '%%%', 'e30=', Buffer.from('null').toString('base64')])(
    'is refused as %s',
    async (altcha) => {
      expect(await contact.send({ ...letter, altcha })).toBeProblem(400, 'contact.proof_invalid');
    },
  );

  it('expires after ten minutes', async () => {
    const altcha = await contact.solution();
    offset = 10 * minuteMs + 2000;
    const answer = await contact.send({ ...letter, altcha });
    expect(answer).toBeProblem(400, 'contact.proof_expired');
    expect(await contact.keys('nonce')).toEqual([]);
  });

  it('is not used up by a refused message', async () => {
    const address = '203.0.113.50';
    for (let sent = 0; sent < 5; sent += 1)
      await contact.send({ ...letter, altcha: await contact.solution() }, { from: address });
    const altcha = await contact.solution();
    expect((await contact.send({ ...letter, altcha }, { from: address })).status).toBe(429);
    expect((await contact.send({ ...letter, altcha })).status).toBe(200);
  });
});

describe('an API key', () => {
  it('needs no proof', async () => {
    const options = { headers: asAdmin, from: '203.0.113.1' };
    for (let at = 0; at < 5; at += 1) {
      const answer = await contact.send({ ...letter, email: `c${at}@example.com` }, options);
      expect(answer.status).toBe(200);
    }
    expect((await contact.rows()).map(({ proof }) => proof)).toEqual(Array(5).fill('key'));
  });

  it('that is unknown is refused', async () => {
    const answer = await contact.send(letter, { headers: { authorization: 'Bearer nobody' } });
    expect(answer.status).toBe(401);
    expect(await contact.rows()).toEqual([]);
  });
});
