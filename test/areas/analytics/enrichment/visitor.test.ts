import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  identifiedVisitor,
  visitorHash,
} from '../../../../src/areas/analytics/enrichment/visitor.ts';
import { clientKey } from '../../../../src/lib/net/ip.ts';

const traits = {
  salt: Buffer.alloc(16, 7),
  siteId: 1,
  ip: '203.0.113.9',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  host: 'www.example.com',
};

describe('visitorHash', () => {
  it('is the same for the same visitor, with or without www. and on every subdomain', () => {
    const visitor = visitorHash(traits);
    expect(visitorHash({ ...traits })).toBe(visitor);
    expect(visitorHash({ ...traits, host: 'EXAMPLE.com' })).toBe(visitor);
    expect(visitorHash({ ...traits, host: 'shop.example.com' })).toBe(visitor);
  });

  it.each([
    ['salt', { salt: Buffer.alloc(16, 8) }],
    ['site', { siteId: 2 }],
    ['address', { ip: '203.0.113.10' }],
    ['user agent', { userAgent: 'curl/8' }],
    ['host', { host: 'example.org' }],
  ])('changes with the %s', (_, change) => {
    expect(visitorHash({ ...traits, ...change })).not.toBe(visitorHash(traits));
  });

  it('does not collide when text moves from one field to the next', () => {
    const split = (ip: string, host: string, userAgent: string) =>
      visitorHash({ ...traits, ip, host, userAgent });
    expect(split('1.1.1.1', 'a|1|b', 'c')).not.toBe(split('1.1.1.1', 'a', '1|b|c'));
    expect(split('x|3|y', 'z', 'c')).not.toBe(split('x', 'y', '3|z|c'));
  });

  it('stays the same when the lower half of an IPv6 address changes', () => {
    const home = visitorHash({ ...traits, ip: '2001:db8:1:2:aaaa::1' });
    expect(visitorHash({ ...traits, ip: '2001:DB8:1:2:bbbb:cccc:dddd:eeee' })).toBe(home);
    expect(visitorHash({ ...traits, ip: '2001:db8:1:3:aaaa::1' })).not.toBe(home);
  });

  it('fits an unsigned 64-bit column and spreads evenly', () => {
    let high = 0;
    for (let n = 0; n < 2000; n++) {
      const visitor = visitorHash({ ...traits, salt: randomBytes(16), ip: `203.0.113.${n % 256}` });
      expect(visitor >= 0n && visitor < 2n ** 64n).toBe(true);
      if (visitor >= 2n ** 63n) high++;
    }
    expect(high).toBeGreaterThan(850);
    expect(high).toBeLessThan(1150);
  });

  it('never throws, for any input', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    const arbitrary = fc.record({
      salt: fc.uint8Array({ maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
      siteId: fc.constant(1),
      ip: text,
      userAgent: text,
      host: text,
    });
    fc.assert(
      fc.property(arbitrary, (given) => {
        expect(visitorHash(given)).toBeTypeOf('bigint');
      }),
    );
  });
});

describe('identifiedVisitor', () => {
  it('is stable, and differs by user and by site', () => {
    expect(identifiedVisitor(1, 'user-1')).toBe(identifiedVisitor(1, 'user-1'));
    expect(identifiedVisitor(1, 'user-1')).not.toBe(identifiedVisitor(1, 'user-2'));
    expect(identifiedVisitor(1, 'user-1')).not.toBe(identifiedVisitor(2, 'user-1'));
    expect(identifiedVisitor(1, '1|x')).not.toBe(identifiedVisitor(11, 'x'));
  });

  it('keeps its value across releases', () => {
    expect(identifiedVisitor(1, 'user-1')).toBe(12212979264573900229n);
  });
});

describe('clientKey', () => {
  it.each([
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
    ['::', '0:0:0:0::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    [':'.repeat(200), 'unknown'],
  ])('%s maps to %s', (ip, network) => {
    expect(clientKey(ip)).toBe(network);
  });

  it('maps every notation of an IPv6 address to the same network', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const shortest = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
        expect(clientKey(ip)).toBe(clientKey(shortest));
        expect(clientKey(ip)).toMatch(/^(?:(?:[0-9a-f]{1,4}:){4}:\/64|\d+(?:\.\d+){3})$/);
      }),
      { numRuns: 1000 },
    );
  });
});
