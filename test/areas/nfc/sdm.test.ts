import { describe, expect, test } from 'vitest';
import { readTap } from '../../../src/areas/nfc/sdm/read-tap.ts';
import { openSession } from '../../../src/areas/nfc/sdm/session.ts';
import { type MessageSettings, settingsProblem } from '../../../src/areas/nfc/sdm/settings.ts';
import { defaultParameters, newSettings } from '../../../src/areas/nfc/tags/message-settings.ts';
import { aesCmac } from '../../../src/areas/nfc/sdm/aes-cmac.ts';
import { encrypted, settings } from './message-settings.ts';
import { tapQuery, type VirtualTag } from './virtual-tag.ts';

const zeros = '00'.repeat(16);
function read(given: MessageSettings, query: string, meta = zeros, file = meta) {
  const keys = { meta: Buffer.from(meta, 'hex'), fileKeyOf: () => Buffer.from(file, 'hex') };
  return readTap(given, keys, query);
}

interface Vector {
  source: string;
  given: MessageSettings;
  query: string;
  meta?: string;
  file?: string;
  uid?: string;
  counter?: number;
  data?: string;
}

const an12196 = 'NXP AN12196';
const backend = 'nfc-developer/sdm-backend, tests/test_libsdm.py';
const feature = 'AndroidCrypto/Ntag424SdmFeature';
const plain = { picc_data: 'plain' } as const;

const vectors: readonly Vector[] = [
  {
    source: `${an12196}, table 2: no file data`,
    given: settings(),
    query: 'picc_data=EF963FF7828658A599F3041510671E88&cmac=94EED9EE65337086',
    uid: '04DE5F1EACC040',
    counter: 61,
  },
  {
    source: `${an12196}: encrypted file data, and the name of the next parameter in the MAC`,
    given: encrypted(),
    query:
      'picc_data=FD91EC264309878BE6345CBE53BADF40&enc=CEE9A53E3E463EF1F459635736738962' +
      '&cmac=ECC1E7F6C6C73BF6',
    uid: '04958CAA5C5E80',
    counter: 8,
    data: 'xxxxxxxxxxxxxxxx',
  },
  {
    source: `${an12196}: the same tag before`,
    given: encrypted(),
    query:
      'picc_data=FDE4AFA99B5C820A2C1BB0F1C792D0EB&enc=94592FDE69FA06E8E3B6CA686A22842B' +
      '&cmac=C48B89C17A233B2C',
    uid: '04958CAA5C5E80',
    counter: 1,
    data: 'xxxxxxxxxxxxxxxx',
  },
  {
    source: `${backend}: plain UID and counter`,
    given: settings(plain),
    query: 'uid=041E3C8A2D6B80&ctr=000006&cmac=4B00064004B0B3D3',
    uid: '041E3C8A2D6B80',
    counter: 6,
  },
  {
    source: `${backend}: the MAC directly behind the file data`,
    given: encrypted({ parameters: { ...defaultParameters, joined: 'e' } }),
    query: 'e=8ACADDEF0A9B62CDAE39A16B83FC14DEB8436E11F627BB7F543FCC0C1E0D1A89238B2543A8DEBAD8',
    meta: '42aff114f2cb3b6141be6dc95dfc5416',
    file: 'b62a9baf092439bd43c62aee96b970c5',
    uid: '041D3C8A2D6B80',
    counter: 291,
    data: 'NTXXqno_oBFpwy-V',
  },
  {
    source: `${backend}: LRP with encrypted file data`,
    given: encrypted({ encryption: 'lrp' }),
    query:
      'picc_data=07D9CA2545881D4BFDD920BE1603268C0714420DD893A497' +
      '&enc=D6E921C47DB4C17C56F979F81559BB83&cmac=F9481AC7D855BDB6',
    uid: '049B112A2F7080',
    counter: 4,
    data: 'NTXXb7dz3PsYYBlU',
  },
  {
    source: `${backend}: LRP without file data`,
    given: settings({ encryption: 'lrp' }),
    query: 'picc_data=1FCBE61B3E4CAD980CBFDD333E7A4AC4A579569BAFD22C5F&cmac=4231608BA7B02BA9',
    uid: '04940E2A2F7080',
    counter: 3,
  },
  {
    source: 'johnnyb/ntag424-java, SdmTest: LRP with a plain mirror',
    given: settings({ ...plain, encryption: 'lrp' }),
    query: 'uid=04827F12647380&ctr=000007&cmac=A9DAF6E5B2E583ED',
    uid: '04827F12647380',
    counter: 7,
  },
  {
    source: `${feature}: the UID alone`,
    given: settings({ mirrored: 'uid' }),
    query: 'picc_data=BFA4ECDA959BB0B6A05A594250E9C22A&cmac=B1EE1FD5DC0D9654',
    uid: '049F50824F1390',
  },
  {
    source: `${feature}: the counter alone`,
    given: settings({ mirrored: 'counter' }),
    query: 'picc_data=6AE2FC322BDA1DEE03C0141CBC6F5180&cmac=8415EA4B86F5D7D5',
    counter: 5,
  },
  {
    source: `${feature}: both`,
    given: settings(),
    query: 'picc_data=DF33C65555C7BD93FBD5BF32811FE51C&cmac=E1EB1235588A4E74',
    uid: '049F50824F1390',
    counter: 4,
  },
  {
    source: `${feature}: another counter`,
    given: settings(),
    query: 'picc_data=84DC15E87593037C7DDA281C2D55B8F2&cmac=4BBC218E7B2B36AF',
    uid: '049F50824F1390',
    counter: 33,
  },
  {
    source: `${feature}: plain`,
    given: settings(plain),
    query: 'uid=049F50824F1390&ctr=000001&cmac=2446E527C37E073A',
    uid: '049F50824F1390',
    counter: 1,
  },
  ...(
    [
      ['E61CB056F52D34F9368F079D1814D2CF', 'FCC9A22201EA2298', 0],
      ['D798D011FA0BF5BD5ECE6F42265B02D5', 'B49D12860DA69E54', 1],
    ] as const
  ).map(([picc, mac, counter]) => ({
    source: `Amperstrand/ntag424-vectors: counter ${counter}`,
    given: settings(),
    query: `picc_data=${picc}&cmac=${mac}`,
    meta: '55da174c9608993dc27bb3f30a4a7314',
    file: '2ab74abc1273fb43cae97553a36d4d08',
    uid: '0425607A8F6980',
    counter,
  })),
  ...(
    [
      ['4E2E289D945A66BB13377A728884E867', 'E19CCB1FED8892CE', 3],
      ['00F48C4F8E386DED06BCDC78FA92E2FE', '66B4826EA4C155B4', 5],
    ] as const
  ).map(([picc, mac, counter]) => ({
    source: `boltcard documentation: counter ${counter}`,
    given: settings(),
    query: `picc_data=${picc}&cmac=${mac}`,
    meta: '0c3b25d92b38ae443229dd59ad34b85d',
    file: 'b45775776cb224c75bcde7ca3704e933',
    uid: '04996C6A926980',
    counter,
  })),
];

describe('a published message is read as its source says', () => {
  test.each(vectors)('$source', ({ given, query, meta, file, uid, counter, data }) => {
    const { tap } = read(given, query, meta, file);
    expect(tap?.uid).toBe(uid);
    expect(tap?.counter).toBe(counter);
    expect(tap?.fileData?.toString('latin1')).toBe(data);
  });

  test(`the state of the tamper loop (${backend})`, () => {
    const query =
      'picc_data=FDD387BF32A33A7C40CF259675B3A1E2&enc=EA050C282D8E9043E28F7A171464D697' +
      '&cmac=758110182134ECE9';
    expect(read(newSettings('ntag424_tt', {}), query).tap).toMatchObject({
      uid: '0469879A226880',
      counter: 2,
      tamper: 'closed',
    });
  });
});

describe(`session keys (${an12196}, table 1)`, () => {
  const fileKey = Buffer.from('5ACE7E50AB65D5D51FD5BF5A16B8205B', 'hex');
  const uid = Buffer.from('04C767F2066180', 'hex');
  const counter = Buffer.from('010000', 'hex');

  test('of the MAC', () => {
    const key = Buffer.from('3A3E8110E05311F7A3FCF0D969BF2B48', 'hex');
    const mac = aesCmac(key, Buffer.from('x')).filter((_, at) => at % 2 === 1);
    const session = openSession('aes', fileKey, { uid, counter });
    expect(session.mac(Buffer.from('x')).equals(mac)).toBe(true);
  });

  test('of LRP, with everything from the start of the URL in the MAC (sdm-backend)', () => {
    const text =
      'any.domain/?m=65628ED36888CF9C84797E43ECACF114C6ED9A5E101EB592' +
      'x4ADE304B5AB9474CB40AFFCAB0607A85x';
    const mirrored = {
      uid: Buffer.from('042e1d222a6380', 'hex'),
      counter: Buffer.from('7b0000', 'hex'),
    };
    const session = openSession('lrp', Buffer.alloc(16), mirrored);
    expect(session.mac(Buffer.from(text)).toString('hex')).toBe('87e287e8135bfc06');
    const data = Buffer.from('4ADE304B5AB9474CB40AFFCAB0607A85', 'hex');
    expect(session.decrypt(data).toString('latin1')).toBe('0102030400000000');
  });
});

const tag: VirtualTag = {
  uid: '04AABBCCDDEE80',
  metaKey: Buffer.alloc(16, 1),
  fileKey: Buffer.alloc(16, 2),
};
const keys = { meta: Buffer.from(tag.metaKey), fileKeyOf: () => Buffer.from(tag.fileKey) };

const modes = (['aes', 'lrp'] as const).flatMap((encryption) =>
  (['encrypted', 'plain'] as const).flatMap((picc) =>
    (['uid_and_counter', 'uid', 'counter'] as const).flatMap((mirrored) =>
      (['none', 'plain', 'encrypted'] as const).flatMap((data) =>
        (['nothing', 'file_data', 'message'] as const).flatMap((macInput) =>
          [null, 'e'].map((joined) =>
            settings({
              encryption,
              picc_data: picc,
              mirrored,
              file_data: data,
              file_data_length: data === 'none' ? 0 : 16,
              mac_input: macInput,
              parameters: { ...defaultParameters, joined },
            }),
          ),
        ),
      ),
    ),
  ),
);

const tagWith = (given: MessageSettings): VirtualTag => ({
  ...tag,
  isLrp: given.encryption === 'lrp',
  isPlain: given.picc_data === 'plain',
  mirrors: given.mirrored,
  ...(given.file_data !== 'none' && { data: 'CC-abcdefghij_12' }),
  isDataPlain: given.file_data === 'plain',
  macInput: given.mac_input,
  ...(given.parameters.joined !== null && { joined: given.parameters.joined }),
});

test('every mode that the chip has is read', () => {
  const possible = modes.filter((given) => settingsProblem(given) === undefined);
  expect(possible.length).toBe(112);
  for (const given of possible) {
    const { tap } = readTap(given, keys, tapQuery(tagWith(given), 0x010203));
    expect(tap, JSON.stringify(given)).toEqual({
      ...(given.mirrored !== 'counter' && { uid: tag.uid }),
      ...(given.mirrored !== 'uid' && { counter: 0x010203 }),
      ...(given.file_data !== 'none' && { fileData: Buffer.from('CC-abcdefghij_12') }),
    });
  }
});

test('other parameters of the URL are ignored', () => {
  const query = `a=b&${tapQuery(tag, 1)}&fbclid=x`;
  expect(readTap(settings(), keys, query).tap?.counter).toBe(1);
});

describe('a message is refused', () => {
  const query = tapQuery(tag, 7);
  const [picc = '', mac = ''] = query.split('&');

  test.each([
    ['with lower-case hex', query.toLowerCase()],
    ['without its MAC', picc],
    ['without its PICC data', mac],
    ['empty', ''],
    ['with a repeated parameter', `${query}&${mac}`],
    ['with a parameter repeated in front', `cmac=0000000000000000&${query}`],
    ['with a shorter MAC', query.slice(0, -2)],
    ['with an empty MAC', `${picc}&cmac=`],
    ['with a longer MAC', `${query}00`],
    ['with an encoded character', query.replace('&cmac=', '&cmac=%30').slice(0, -3)],
    ['with a character that is not hex', `${query.slice(0, -1)}G`],
    ['with a line break', `${query}\n`],
    ['with the names in other cases', query.replace('cmac', 'CMAC')],
  ])('%s', (_, given) => {
    expect(readTap(settings(), keys, given)).toEqual({ refusal: 'malformed' });
  });

  test('of another tag with other keys', () => {
    const other = { ...tag, fileKey: Buffer.alloc(16, 3) };
    expect(readTap(settings(), keys, tapQuery(other, 7))).toEqual({ refusal: 'forged' });
  });

  test('of another mode with the same keys', () => {
    const uidOnly = tapQuery({ ...tag, mirrors: 'uid' }, 7);
    expect(readTap(settings(), keys, uidOnly)).toEqual({ refusal: 'forged' });
  });

  test('with the MAC of another counter', () => {
    const [, otherMac = ''] = tapQuery(tag, 8).split('&');
    expect(readTap(settings(), keys, `${picc}&${otherMac}`)).toEqual({ refusal: 'forged' });
  });

  test('with file data that was exchanged', () => {
    const given = encrypted();
    const dataTag = tagWith(given);
    const [first = '', , last = ''] = tapQuery(dataTag, 1).split('&');
    const [, other = ''] = tapQuery({ ...dataTag, data: 'OO-abcdefghij_12' }, 1).split('&');
    expect(readTap(given, keys, [first, other, last].join('&'))).toEqual({ refusal: 'forged' });
  });
});

test('one-bit changes of a message are refused, in its text and in its bytes', () => {
  for (const given of [settings(), encrypted(), settings(plain)]) {
    const text = Buffer.from(tapQuery(tagWith(given), 0x00ff00), 'latin1');
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      const changed = Buffer.from(text);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(readTap(given, keys, changed.toString('latin1')).tap).toBeUndefined();
    }
  }
});
