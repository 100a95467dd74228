import { beforeEach, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { createContactLimits } from '../../../src/areas/contact/limits.ts';
import { contactClient, letter } from './support.ts';

const app = await sharedApp();
const contact = contactClient(app);
beforeEach(() => contact.reset());

const limits = () => createContactLimits(app.services.redis, () => Buffer.alloc(32, 7));
const counted = (count: number, take: (at: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, at) => take(at))).then(
    (waits) => waits.filter((wait) => wait === 0).length,
  );

describe('limits of contact messages', () => {
  it('keep one address at full rate from filling the inbox', async () => {
    const address = '203.0.113.7';
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => contact.send(letter, { from: address })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await contact.rows()).toHaveLength(2);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: 'contact.too_many',
      retry_after: Number(refused?.headers['retry-after']),
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3500);
  });

  it('count a flood from one network together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, host) =>
        contact.send(letter, { from: `203.0.113.${host + 1}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect((await contact.send(letter, { from: '192.0.2.1' })).status).toBe(200);
  });

  it('count the addresses of one IPv6 network together', async () => {
    const { ofSender } = limits();
    const hosts = (at: number) => `2001:db8:1:${at.toString(16)}::1`;
    expect(await counted(50, (at) => ofSender('none', hosts(at)))).toBe(4);
    expect(await counted(10, (at) => ofSender('none', `2001:db8:2::${at}`))).toBe(2);
  });

  it('allow more with a proof, apart from those without one', async () => {
    const { ofSender } = limits();
    expect(await counted(9, () => ofSender('none', '203.0.113.7'))).toBe(2);
    expect(await counted(9, () => ofSender('solved', '203.0.113.7'))).toBe(5);
    expect(await counted(99, (at) => ofSender('solved', `203.0.113.${at + 8}`))).toBe(15);
  });

  it('count nothing for a proof that was used before, from however many addresses', async () => {
    const altcha = await contact.solution();
    expect(await contact.send({ ...letter, altcha })).toMatchObject({ status: 200 });
    const before = await contact.keys('count');
    const replays = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        contact.send({ ...letter, altcha }, { from: `198.51.${at}.9` }),
      ),
    );
    for (const replay of replays) expect(replay).toBeProblem(409, 'contact.proof_used');
    expect((await contact.keys('count')).sort()).toEqual(before.sort());
    expect(await contact.rows()).toHaveLength(1);
    const { ofSender } = createContactLimits(app.services.redis, app.services.keys);
    const far = (at: number) => `198.${at >> 8}.${at & 255}.1`;
    expect(await counted(300, (at) => ofSender('solved', far(at)))).toBe(199);
  });

  it('leave a proof usable when its sender is over a limit', async () => {
    const { ofSender, giveBack } = limits();
    const proof = { nonce: 'a'.repeat(32), seconds: 60 };
    const sender = ['solved', '203.0.113.7'] as const;
    await counted(9, () => ofSender(...sender));
    expect(await ofSender(...sender, proof)).toBeGreaterThan(0);
    expect(await ofSender('solved', '203.0.113.8', proof)).toBe(0);
    await expect(ofSender('solved', '203.0.113.9', proof)).rejects.toMatchObject({
      code: 'contact.proof_used',
    });
    await giveBack('solved', '203.0.113.8', undefined, proof);
    expect(await ofSender('solved', '203.0.113.9', proof)).toBe(0);
  });

  it('bound all messages of an hour, so that the disk can’t be filled', async () => {
    const { ofSender } = limits();
    const far = (at: number) => `198.${at >> 8}.${at & 255}.1`;
    expect(await counted(400, (at) => ofSender('none', far(at)))).toBe(20);
    expect(await counted(400, (at) => ofSender('solved', far(at)))).toBe(200);
    expect(await counted(700, (at) => ofSender('key', far(at)))).toBe(600);
  });

  it('count nothing for a refused message', async () => {
    const { ofSender } = limits();
    await counted(50, () => ofSender('none', '203.0.113.7'));
    expect(await counted(9, () => ofSender('none', '203.0.113.8'))).toBe(2);
  });

  it('give back what a message took that could not be stored, and no more', async () => {
    const { ofSender, giveBack } = limits();
    const address = '203.0.113.7';
    await giveBack('none', address, letter.email);
    expect(await counted(9, () => ofSender('none', address))).toBe(2);
    await giveBack('none', address, letter.email);
    expect(await counted(9, () => ofSender('none', address))).toBe(1);
    for (const key of await contact.keys('count'))
      expect(await app.services.redis.pttl(key)).toBeGreaterThan(0);
  });

  it('file a flood from one email address as spam, with the same answer', async () => {
    const answers = [];
    for (let sent = 0; sent < 7; sent += 1)
      answers.push(
        await contact.send({ ...letter, email: sent % 2 ? 'a@b.example' : 'A@B.example' }),
      );
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200));
    expect(answers.every((each) => each.body.status === 'received')).toBe(true);
    const rows = await contact.rows();
    expect(rows.filter(({ status }) => status === 'new')).toHaveLength(5);
    expect(rows.filter(({ spam_reason: why }) => why === 'too_many_from_address')).toHaveLength(2);
  });

  it('drop spam above 50 in an hour, with the same answer', async () => {
    const { ofSpam } = createContactLimits(app.services.redis, app.services.keys);
    await Promise.all(Array.from({ length: 50 }, () => ofSpam()));
    const answer = await contact.send({ ...letter, website: 'x' });
    expect(answer.body).toMatchObject({ status: 'received' });
    expect(await contact.rows()).toEqual([]);
  });

  it('are counters that end, under names that hide the addresses', async () => {
    await contact.send(letter, { from: '203.0.113.7' });
    const keys = await contact.keys('count');
    expect(keys.length).toBe(5);
    for (const key of keys) {
      expect(await app.services.redis.pttl(key)).toBeGreaterThan(0);
      expect(key).not.toMatch(/203|ada/);
    }
  });
});
