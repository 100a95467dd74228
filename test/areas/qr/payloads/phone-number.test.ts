import { describe, expect, it } from 'vitest';
import { QrContent } from '../../../../src/areas/qr/payloads/contents.ts';
import { payloadOf } from '../../../../src/areas/qr/payloads/payload.ts';
import { withDialableNumbers } from '../../../../src/areas/qr/payloads/phone-number.ts';

const contentOf = async (number: string) =>
  withDialableNumbers(QrContent.parse({ type: 'sms', number }));

describe('a phone number in a code', () => {
  it.each([
    ['+49 (0) 151 23456789', '+4915123456789'],
    ['+49(0)151 23456789', '+4915123456789'],
    ['+49 0151 23456789', '+4915123456789'],
    ['+44 (0)20 7946 0000', '+442079460000'],
    ['+33 (0)1 23 45 67 89', '+33123456789'],
    ['+39 06 6982 1234', '+390669821234'],
    ['+39 (0)6 6982 1234', '+390669821234'],
    ['+1 (415) 555-0133', '+14155550133'],
    ['\u202a+49 (0) 151\u2011234\u200956789\u202c', '+4915123456789'],
    ['\uff0b49 (0) 151 23456789', '+4915123456789'],
    ['0151 23456789', '015123456789'],
    ['+999 (0) 12345678', '+99912345678'],
    ['12345', '12345'],
  ])('can be dialed from abroad: %j', async (number, dialed) => {
    const content = await contentOf(number);
    expect(payloadOf(content)).toBe(`SMSTO:${dialed}:`);
    const card = await withDialableNumbers(
      QrContent.parse({ type: 'vcard', first_name: 'A', phones: [{ kind: 'cell', number }] }),
    );
    expect(payloadOf(card)).toContain(`TEL;TYPE=CELL:${dialed}\r\n`);
  });

  it('stays as it was entered where nothing has to go', async () => {
    expect(await contentOf('+44 20 7946 0000')).toMatchObject({ number: '+44 20 7946 0000' });
  });

  it('from before loses the zero in brackets, too', () => {
    expect(payloadOf({ type: 'sms', number: '+49 (0) 151 23456789' })).toBe(
      'SMSTO:+4915123456789:',
    );
    expect(payloadOf({ type: 'sms', number: '+39 (0)6 6982' })).toBe('SMSTO:+39066982:');
  });
});
