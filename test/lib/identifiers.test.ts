import { describe, expect, it } from 'vitest';
import {
  emailIdentifier,
  emailIdentity,
  emailKey,
  phoneIdentifier,
} from '../../src/lib/identifiers.ts';

describe('an email address', () => {
  it('may have every character that browsers take before the @', () => {
    for (const local of [..."!#$%&'*+/=?^_`{|}~-", 'r&d', 'q?r', "o'neil", 'a.b', 'x'.repeat(64)])
      expect(emailIdentity(`${local}@example.com`), local).toMatchObject({
        key: `${local}@example.com`,
      });
  });

  it('is refused above the lengths of RFC 5321', () => {
    const label = 'b'.repeat(63);
    const long = `@${label}.${label}.${label}`;
    expect(emailIdentity(`${'x'.repeat(65)}@example.com`)).toBeUndefined();
    expect(emailIdentity(`a@${label}b.com`)).toBeUndefined();
    expect(emailIdentity(`a@${label}.com`)).toBeDefined();
    expect(emailIdentity(`${'x'.repeat(62)}${long}`)).toBeDefined();
    expect(emailIdentity(`${'x'.repeat(63)}${long}`)).toBeUndefined();
  });

  it('is refused when it could begin an encoded word of a mail header', () => {
    for (const address of ['=?utf-8?q?b?=@example.com', 'a=?@example.com'])
      expect(emailIdentity(address), address).toBeUndefined();
  });

  it('has its domain in punycode, whichever way it was written', () => {
    for (const [address, plain] of [
      ['Ada@bücher.example', 'Ada@xn--bcher-kva.example'],
      ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
      ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
      ['ada@例え。jp', 'ada@xn--r8jz45g.jp'],
      ['ada@президент.рф', 'ada@xn--d1abbgf6aiiy.xn--p1ai'],
      ['ada@スーパーab.jp', 'ada@xn--ab-fi4a1dqjb.jp'],
    ] as const)
      expect(emailIdentifier(address)?.value, address).toBe(plain);
    expect(emailKey(' Ada@Bücher.example ')).toBe('ada@xn--bcher-kva.example');
  });

  it.each(['a@exаmple.com', 'a@b\u00fc%2e.example', 'a@ü..example', 'ä@b.example'])(
    'is refused when its domain only looks like another, or is invalid: %s',
    (address) => {
      expect(emailIdentity(address)).toBeUndefined();
    },
  );

  it('loses the marks of direction it was pasted with', () => {
    expect(emailIdentity('\u202aada@example.com\u202c\n')?.value).toBe('ada@example.com');
    expect(emailIdentity('ada\u202e@example.com')).toBeUndefined();
  });
});

describe('a pasted phone number', () => {
  it.each([
    '\u202a+1 (415) 555-0132\u202c',
    '\u2066+14155550132\u2069',
    '+1 415\u2011555\u20110132',
    '+1 415\u2013555\u20130132',
    '\uff0b１ ４１５ ５５５ ０１３２',
    '＋１（４１５）５５５－０１３２',
    '+1\u2009415\u2009555\u20090132',
    '+١٤١٥٥٥٥٠١٣٢',
    '\ufeff+1\u00a0415\u200b555\u00ad0132\u200e',
    '+1415ー555ー0132',
  ])('is the number it looks like: %j', async (text) => {
    expect(await phoneIdentifier(text)).toMatchObject({ key: '+14155550132', isRefused: false });
  });

  it('still needs its plus sign, and nothing else in it', async () => {
    for (const text of [
      '٠٠١٤١٥٥٥٥٠١٣٢',
      '１４１５５５５０１３２',
      '+1415555013２x',
      '+1 ½ 415 555 0132',
    ])
      expect(await phoneIdentifier(text), text).toBeUndefined();
  });
});
