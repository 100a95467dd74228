import { describe, expect, test } from 'vitest';
import type { Chip } from '../../../src/areas/nfc/chips.ts';
import { encodingSheet } from '../../../src/areas/nfc/sheet.ts';
import type { MessageSettings } from '../../../src/areas/nfc/sdm/settings.ts';
import { defaultParameters, newSettings } from '../../../src/areas/nfc/tags/message-settings.ts';
import { encrypted, settings } from './message-settings.ts';

function sun(url: string, given: MessageSettings, chip: Chip = 'ntag424') {
  const sheet = encodingSheet({ chip, mode: 'sun', settings: given, url });
  if (sheet?.file_settings === undefined) throw new Error('the URL does not fit');
  return { ...sheet, file: sheet.file_settings };
}

const upper = (buffer: Buffer) => buffer.toString('hex').toUpperCase();

describe('the sheet of an NTAG 424', () => {
  test('is that of the example in NXP AN12196, table 18', () => {
    const { url, file, memory } = sun(
      'https://choose.url.com/ntag424',
      settings({ parameters: { ...defaultParameters, picc_data: 'e', mac: 'c' } }),
    );
    const example = `e=${'0'.repeat(32)}&c=${'0'.repeat(16)}`;
    expect(url).toBe(`https://choose.url.com/ntag424?${example}`);
    expect(file.change_file_settings).toBe('4000E0C1F121200000430000430000');
    expect(upper(memory.subarray(0, 7))).toBe('0051D1014D5504');
  });

  // The settings that AndroidCrypto's app reads from such a tag; its keys are numbered otherwise.
  test('has the offsets of a tag with encrypted file data', () => {
    const { file } = sun('https://sdm.nfcdeveloper.com/tag', encrypted());
    expect(file.sdm_options).toBe('D1');
    expect(file.change_file_settings.slice(12)).toBe(
      '2A0000' + '4F0000' + '4F0000' + '200000' + '750000',
    );
  });

  test('places the state of the tamper loop before the MAC', () => {
    const { file } = sun(
      'https://sdm.nfcdeveloper.com/tag',
      newSettings('ntag424_tt', {}),
      'ntag424_tt',
    );
    expect(file.sdm_options).toBe('D9');
    expect(file.change_file_settings.slice(12)).toBe(
      '2A0000' + '4F0000' + '4F0000' + '4F0000' + '200000' + '750000',
    );
  });

  test('leaves the offset of PICC data out of a plain mirror', () => {
    const { file, url } = sun('https://a.example/n/x', settings({ picc_data: 'plain' }));
    expect(file.sdm_access_rights).toBe('F1E1');
    expect(file.offsets.picc_data_offset).toBeUndefined();
    const uidAt = 7 + url.indexOf('uid=') + 4 - 'https://'.length;
    expect(file.offsets).toMatchObject({
      uid_offset: uidAt,
      read_counter_offset: uidAt + 14 + '&ctr='.length,
      mac_offset: uidAt + 14 + 5 + 6 + '&cmac='.length,
    });
  });

  test.each(['none', 'plain', 'encrypted'] as const)(
    'points at its zeros, with %s file data, also in a long record and joined',
    (data) => {
      for (const joined of [null, 'e'])
        for (const path of ['x', 'x'.repeat(150)]) {
          const given = settings({
            file_data: data,
            file_data_length: data === 'none' ? 0 : 16,
            mac_input: 'message',
            parameters: { ...defaultParameters, joined },
          });
          const url = `https://a.example/${path}`;
          const sheet = encodingSheet({ chip: 'ntag424', mode: 'sun', settings: given, url });
          if (sheet?.file_settings === undefined) continue;
          const { offsets } = sheet.file_settings;
          const textAt = (at: number | undefined, length: number) =>
            sheet.memory.toString('latin1', at, (at ?? 0) + length);
          expect(textAt(offsets.picc_data_offset, 32)).toBe('0'.repeat(32));
          expect(textAt(offsets.mac_offset, 17)).toBe('0'.repeat(16));
          expect(textAt((offsets.picc_data_offset ?? 0) - 1, 1)).toBe('=');
          expect(offsets.mac_input_offset).toBe(offsets.picc_data_offset);
        }
    },
  );

  test('is missing for a URL that does not fit', () => {
    const tag = { chip: 'ntag424', mode: 'sun', settings: settings() } as const;
    const of = (length: number) => encodingSheet({ ...tag, url: `https://${'a'.repeat(length)}` });
    // 256 bytes: length, record header of 5, and 65 characters of parameters.
    expect(of(184)?.memory.length).toBe(256);
    expect(of(185)).toBeUndefined();
  });
});

describe('the sheet of an NTAG 21x', () => {
  test.each([
    ['ntag213', 0x29],
    ['ntag215', 0x83],
    ['ntag216', 0xe3],
  ] as const)('of %s names the page and byte of the mirror', (chip, page) => {
    for (let length = 1; length < 9; length += 1) {
      const url = `https://a.example/n/${'x'.repeat(length)}`;
      const sheet = encodingSheet({ chip, mode: 'mirror', settings: undefined, url });
      const mirror = sheet?.mirror_settings;
      expect(mirror?.configuration_page).toBe(page);
      expect(mirror?.access).toBe('10');
      const setting = Number.parseInt(mirror?.mirror ?? '', 16);
      expect(setting & 0b1100_1111).toBe(0b1100_0100);
      const at = (Number.parseInt(mirror?.mirror_page ?? '', 16) - 4) * 4 + ((setting >> 4) & 0b11);
      expect(sheet?.memory.toString('latin1', at, at + 21)).toBe('00000000000000x000000');
      expect(sheet?.memory.toString('latin1', at - 3, at)).toBe('?m=');
    }
  });

  test('knows the longer header of long messages', () => {
    const url = `https://a.example/${'x'.repeat(260)}`;
    const sheet = encodingSheet({ chip: 'ntag216', mode: 'mirror', settings: undefined, url });
    const setting = Number.parseInt(sheet?.mirror_settings?.mirror ?? '', 16);
    const page = Number.parseInt(sheet?.mirror_settings?.mirror_page ?? '', 16);
    const at = (page - 4) * 4 + ((setting >> 4) & 0b11);
    expect(sheet?.memory.toString('latin1', at - 3, at + 21)).toBe('?m=00000000000000x000000');
  });

  test('of a plain tag is its URL alone', () => {
    const url = 'https://a.example/n/x';
    const sheet = encodingSheet({ chip: 'ntag213', mode: 'plain', settings: undefined, url });
    expect(sheet?.url).toBe(url);
    expect(sheet?.mirror_settings).toBeUndefined();
    expect(sheet?.file_settings).toBeUndefined();
  });
});
