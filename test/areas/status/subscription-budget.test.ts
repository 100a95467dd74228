import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createPasswordAttempts } from '../../../src/platform/redis/password-attempts.ts';
import { createSubscriptionBudget } from '../../../src/areas/status/subscriptions/budget.ts';
import { createRedis, redisReady } from '../../../src/platform/redis/redis.ts';
import { testRedisUrl } from '../../support/redis.ts';

const key = Buffer.alloc(32, 7);
const redis = createRedis({
  url: await testRedisUrl(),
  name: 'test',
  purpose: 'requests',
  logger: pino({ level: 'silent' }),
});
await redisReady(redis, 3000);
afterAll(() => redis.disconnect());

describe('the limit of subscription mail', () => {
  it('allows one client twenty messages a day, and one mailbox five', async () => {
    const budget = createSubscriptionBudget(redis, key);
    const waits: number[] = [];
    for (let sent = 0; sent < 21; sent += 1) waits.push(await budget.ofClient(`2001:db8::${sent}`));
    expect(waits.slice(0, 20).every((ms) => ms === 0)).toBe(true);
    expect(waits[20]).toBeGreaterThan(86_000_000);
    expect(await budget.ofClient('203.0.113.9')).toBe(0);
    const emails: boolean[] = [];
    for (let sent = 0; sent < 6; sent += 1) emails.push(await budget.ofMailbox('ada@example.org'));
    expect(emails).toEqual([true, true, true, true, true, false]);
    expect(await budget.ofMailbox('ben@example.org')).toBe(true);
    expect((await redis.keys('*')).join(' ')).not.toMatch(/ada|203\.0/);
  });
});

describe('the password of a share link', () => {
  it('allows 300 wrong guesses a day, by all clients together', async () => {
    const tries = createPasswordAttempts(redis, key, 'share');
    const client = (at: number) => `203.0.${Math.floor(at / 250)}.${at % 250}`;
    for (let at = 0; at < 20; at += 1) {
      expect(await tries.begin('share', client(at))).toBe(0);
      await tries.clear('share', client(at));
    }
    const waits = await Promise.all(
      Array.from({ length: 310 }, (_, at) => tries.begin('share', client(at))),
    );
    expect(waits.filter((ms) => ms === 0)).toHaveLength(300);
    expect(Math.min(...waits.filter((ms) => ms > 0))).toBeGreaterThan(86_000_000);
    expect(await tries.begin('another', client(1))).toBe(0);
  });
});
