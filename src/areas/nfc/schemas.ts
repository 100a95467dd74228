import { z } from 'zod';
import { maxUrlLength, storedUrl } from '../../lib/net/public-url.ts';
import { SiteKey } from '../../platform/validation/site-key.ts';
import { lineText, webUrl } from '../../platform/validation/text-schemas.ts';
import { chips } from './chips.ts';
import { MessageSettings } from './sdm/settings.ts';
import { actions, keySources } from './tables.ts';
import { GivenSettings } from './sdm/settings.ts';

const time = z.iso.datetime();
const chip = z.enum(Object.keys(chips).filter((name): name is keyof typeof chips => name in chips));
const mode = z
  .enum(['plain', 'mirror', 'sun'])
  .describe(
    'How a tap is verified. `plain`: not at all, there is only the URL. `mirror`: an NTAG 21x ' +
      'adds its UID and its counter, which anyone can copy. `sun`: an NTAG 424 signs each tap.',
  );
const message = MessageSettings.shape;
const action = z
  .enum(actions)
  .describe(
    'The response to a tap: a redirect to `target`; a page with `page_text`; JSON; or a ' +
      'redirect to `target` with a signed token, for tags with the mode `sun`.',
  );

const uid = z
  .string()
  .toUpperCase()
  .regex(/^[\dA-F]{14}$/, 'must be 14 hexadecimal digits')
  .meta({ examples: ['04DE5F1EACC040'] });
const key = z
  .string()
  .toUpperCase()
  .regex(/^[\dA-F]{32}$/, 'must be 32 hexadecimal digits');
const code = z
  .string()
  .regex(/^[\w-]{4,32}$/, 'must be 4 to 32 letters, digits, - or _')
  .meta({ examples: ['k7m4w2xq'] });
const target = z
  .string()
  .max(maxUrlLength)
  .overwrite(storedUrl)
  .check(webUrl)
  .describe(
    'A public http or https URL, stored as browsers send it. With the action `token`, https.',
  )
  .meta({ examples: ['https://example.com/welcome'] });
const siteId = SiteKey.describe('The site whose figures count the taps.').meta({
  examples: ['example.com'],
});
const title = lineText(100).describe(
  'The heading of the page. The name of the tag is never shown to people who tap it.',
);
const pageText = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .describe('Plain text; blank lines separate paragraphs.');

const forwardQuery = z
  .boolean()
  .describe(
    'Adds the query of the URL to `target`, without the message of the tag, up to 2,048 ' +
      'characters. The parameters of the target itself are kept.',
  );

const exampleTag = {
  id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  name: 'Front door',
  code: 'k7tm4q2x',
  url: 'https://platform.example/n/k7tm4q2x',
  chip: 'ntag213',
  mode: 'plain',
  uid: '04DE5F1EACC040',
  encryption: null,
  picc_data: null,
  mirrored: null,
  file_data: null,
  file_data_length: null,
  tamper_status: null,
  mac_input: null,
  parameters: null,
  key_source: null,
  key_version: null,
  target: 'https://example.com/welcome',
  action: 'redirect',
  title: null,
  page_text: null,
  forward_query: true,
  site_id: 'example.com',
  taps: 61,
  last_counter: null,
  last_tapped_at: '2026-05-04T09:12:44.000Z',
  active: true,
  created_at: '2026-04-20T08:15:00.000Z',
  updated_at: '2026-05-04T09:30:00.000Z',
};

export const NfcTagView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    code: z.string().describe('The end of the URL: `/n/{code}`.'),
    url: z.string().describe('The URL in the tag, without the message that the chip adds.'),
    chip,
    mode,
    uid: z.string().nullable().describe('Null until the first genuine tap reveals it.'),
    encryption: message.encryption.nullable(),
    picc_data: message.picc_data.nullable(),
    mirrored: message.mirrored.nullable(),
    file_data: message.file_data.nullable(),
    file_data_length: z.int().nullable().describe('Length of the file data, in bytes.'),
    tamper_status: message.tamper_status.nullable(),
    mac_input: message.mac_input.nullable(),
    parameters: z
      .record(z.string(), z.string().nullable())
      .nullable()
      .describe('Names of the query parameters.'),
    key_source: z.enum(keySources).nullable(),
    key_version: z.int().nullable().describe('The version of the master key in the chip.'),
    target: z.string().nullable(),
    action,
    title: z.string().nullable(),
    page_text: z.string().nullable(),
    forward_query: z.boolean(),
    site_id: z.string(),
    taps: z.int().describe('Number of taps that counted.'),
    last_counter: z.int().nullable().describe('The counter of the last tap.'),
    last_tapped_at: time.nullable(),
    active: z.boolean(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'NfcTag', description: 'An NFC tag.', examples: [exampleTag] });
export type NfcTagView = z.output<typeof NfcTagView>;

const givenKeys = {
  meta_key: key
    .optional()
    .describe('With `given` keys: decrypts UID and counter. Stored encrypted, never shown.'),
  file_key: key
    .optional()
    .describe('With `given` keys: signs messages. Stored encrypted, never shown.'),
};

export const NfcTagBody = z
  .strictObject({
    name: lineText(100),
    chip,
    mode,
    code: code.optional().describe('Chosen by the service if omitted. Never changes.'),
    uid: uid.optional().describe('Learned from the first genuine tap if omitted.'),
    target: target.optional(),
    action: action.optional().describe('Default: `redirect` with a target, else `page`.'),
    title: title.optional(),
    page_text: pageText.optional(),
    site_id: siteId.optional().describe('Default: the service itself.'),
    active: z.boolean().default(true).describe('False: taps are refused.'),
    forward_query: forwardQuery.default(true),
    ...GivenSettings.shape,
    key_source: z
      .enum(keySources)
      .optional()
      .describe('`derived` (default): from the master key of the service and the UID.'),
    ...givenKeys,
  })
  .meta({
    id: 'CreateNfcTag',
    examples: [
      {
        name: 'Front door',
        chip: 'ntag424',
        mode: 'sun',
        target: 'https://example.com/welcome',
      },
    ],
  });
export type NfcTagBody = z.output<typeof NfcTagBody>;

export const NfcTagChangeBody = z
  .strictObject({
    name: lineText(100),
    target: target.nullable(),
    action,
    title: title.nullable(),
    page_text: pageText.nullable(),
    site_id: siteId,
    active: z.boolean(),
    forward_query: forwardQuery,
    uid: uid.nullable().describe('Can be changed only before the first tap.'),
  })
  .partial()
  .meta({ id: 'UpdateNfcTag', examples: [{ target: 'https://example.com/new' }] });
export type NfcTagChangeBody = z.output<typeof NfcTagChangeBody>;

export const nfcTagFilters = {
  chip,
  mode,
  action,
  active: z.boolean(),
  site_id: z
    .string()
    .max(64)
    .meta({ examples: ['example.com'] }),
  key_source: z.enum(keySources),
  key_version: z.coerce.number().int().describe('Tags that were encoded with this version.'),
};

export const ReencodeBody = z
  .strictObject({
    uid: uid.optional().describe('The UID of another chip, if it was replaced.'),
    ...GivenSettings.shape,
    ...givenKeys,
  })
  .meta({ id: 'ReencodeNfcTags', examples: [{ uid: '04DE5F1EACC040' }] });
export type ReencodeBody = z.output<typeof ReencodeBody>;

export const TagParams = z.object({ id: z.uuid().toLowerCase() });

const upperHex = z.string().meta({ examples: ['4000E0C1F121200000430000430000'] });

export const NdefQuery = z.strictObject({
  format: z
    .enum(['json', 'bytes'])
    .optional()
    .describe('Overrides the Accept header. `bytes`: application/octet-stream.'),
});

/** `https://example.com` as an NDEF message: a URI record (NFC Forum RTD URI). */
const exampleMessage = 'D1010C55046578616D706C652E636F6D';

export const NdefView = z
  .object({
    records: z.array(z.object({ type: z.literal('uri'), uri: z.string().meta({ format: 'uri' }) })),
    message: z
      .string()
      .describe('The NDEF message in hex.')
      .meta({ examples: [exampleMessage] }),
    memory: z
      .string()
      .describe('What to write from the start of the NDEF memory or file, in hex.')
      .meta({ examples: [`0310${exampleMessage}FE`] }),
    capacity: z.int().describe('Space on the chip for it, in bytes.'),
  })
  .meta({ id: 'NfcNdef', description: 'The NDEF message of a tag.' });

const exampleKey = z
  .string()
  .nullable()
  .meta({ examples: ['000102030405060708090A0B0C0D0E0F'] });

const offset = z.int().optional();

export const EncodingQuery = z.strictObject({
  keys: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true` adds the keys. Requires a sign-in within the last five minutes.'),
  uid: uid.optional().describe('The UID of the chip, while the tag has none.'),
});

export const EncodingView = z
  .object({
    url: z
      .string()
      .describe('With zeros where the chip puts its message.')
      .meta({ examples: ['https://platform.example/n/k7tm4q2x?c=000000'] }),
    chip,
    mode,
    message: upperHex.describe('The NDEF message in hex.'),
    memory: upperHex.describe('What to write from page 4 or the start of file 2, in hex.'),
    file_settings: z
      .object({
        file_option: upperHex,
        access_rights: upperHex,
        sdm_options: upperHex,
        sdm_access_rights: upperHex,
        offsets: z.object({
          uid_offset: offset,
          read_counter_offset: offset,
          picc_data_offset: offset,
          tamper_status_offset: offset,
          mac_input_offset: z.int(),
          enc_offset: offset,
          enc_length: offset,
          mac_offset: z.int(),
        }),
        change_file_settings: upperHex.describe(
          'The data of ChangeFileSettings for file 2, before it is encrypted.',
        ),
      })
      .nullable()
      .describe('For NTAG 424 chips (NXP AN12196).'),
    mirror_settings: z
      .object({
        configuration_page: z.int(),
        mirror: upperHex,
        mirror_page: upperHex,
        access: upperHex,
      })
      .nullable()
      .describe('For NTAG 21x chips: bytes 0 and 2 of the page, and byte 0 of the one after it.'),
    key_numbers: z
      .object({ application: z.int(), file: z.int(), meta: z.int() })
      .nullable()
      .describe('Where the keys go in the chip.'),
    keys: z
      .object({
        version: z.int().nullable(),
        application: exampleKey,
        file: exampleKey.describe('Null while the UID is not known.'),
        meta: exampleKey,
      })
      .nullable(),
  })
  .meta({ id: 'NfcEncoding', description: 'How to encode a tag.' });
export type EncodingView = z.output<typeof EncodingView>;

export const MasterKeyView = z
  .object({
    version: z.int(),
    tags: z.int().describe('Tags that were encoded with this version.'),
    created_at: time,
  })
  .meta({ id: 'NfcMasterKey', description: 'A version of the master key. The key is not shown.' });
export type MasterKeyView = z.output<typeof MasterKeyView>;

export const MasterKeyList = z
  .object({ data: z.array(MasterKeyView) })
  .meta({ id: 'NfcMasterKeyList', description: 'All versions of the master key, newest first.' });
