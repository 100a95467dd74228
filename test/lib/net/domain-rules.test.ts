import { describe, expect, it } from 'vitest';
import { isAddressOf, parseDomainRule } from '../../../src/lib/net/domain-rules.ts';

const rulesOf = (...texts: string[]) => texts.flatMap((text) => parseDomainRule(text) ?? []);

describe('domains of addresses', () => {
  const rules = rulesOf('Example.com', 'bücher.example', '*.corp.example');

  it.each([
    'ada@example.com',
    'ADA@EXAMPLE.COM',
    'ada+news@example.com',
    'ada@example.com.',
    'ada@xn--bcher-kva.example',
    'ada@bücher.example',
    'ada@berlin.corp.example',
    'ada@a.b.corp.example',
  ])('%s is one of them', (address) => {
    expect(isAddressOf(address, rules)).toBe(true);
  });

  it.each([
    'ada@example.com.evil.test',
    'ada@notexample.com',
    'ada@sub.example.com',
    'ada@corp.example',
    'ada@evilcorp.example',
    'ada@example.co',
    // With a Cyrillic letter, as typed and as mail servers write it.
    'ada@exаmple.com',
    'ada@xn--exmple-4nf.com',
    'example.com@evil.test',
    'ada@example.com@evil.test',
    'ada@example.com..',
    'ada@',
    'example.com',
    '+14155550132',
    '',
  ])('look-alike: %s is not', (address) => {
    expect(isAddressOf(address, rules)).toBe(false);
  });

  it.each(['com', '*', '*.', '*.com', 'exa mple.com', 'user@example.com', '127.0.0.1', 'a..b', ''])(
    '%s is no domain',
    (text) => {
      expect(parseDomainRule(text)).toBeUndefined();
    },
  );
});
