import { describe, expect, test } from 'vitest';
import { clientKey, truncateAddress } from '../../../src/lib/net/ip.ts';

describe('clientKey', () => {
  test.each([
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.5', '64:ff9b:0:0::/64'],
    ['::203.0.113.5', '0:0:0:0::/64'],
    ['0x7f.1', 'unknown'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('of %s is %s', (ip, key) => {
    expect(clientKey(ip)).toBe(key);
  });
});

describe('truncateAddress', () => {
  test.each([
    ['203.0.113.5', '203.0.113.0/24'],
    ['203.0.113.0', '203.0.113.0/24'],
    ['::ffff:203.0.113.5', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['203.0.113.0/24', undefined],
    ['nonsense', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %s is %s', (ip, network) => {
    expect(truncateAddress(ip)).toBe(network);
  });
});
