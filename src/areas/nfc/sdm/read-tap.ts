import { timingSafeEqual } from 'node:crypto';
import { type Field, type FieldName, layoutOf, macInputStart } from './layout.ts';
import { decryptPiccData, type Mirrored, openSession } from './session.ts';
import { type MessageSettings, mirrorsCounter, mirrorsUid } from './settings.ts';
import { type TamperStatus, tamperStatusOf } from './tamper.ts';

/** The keys of a tag, of 16 bytes each. */
export interface TapKeys {
  /** Decrypts PICC data. */
  meta: Buffer;
  /** Proves messages. `uid` is in upper-case hex, and undefined if the tag does not mirror it. */
  fileKeyOf: (uid: string | undefined) => Buffer;
}

/** What a genuine message says. */
export interface Tap {
  /** 14 characters of upper-case hex. */
  uid?: string;
  counter?: number;
  fileData?: Buffer;
  tamper?: TamperStatus;
}

export type TapResult =
  { tap: Tap; refusal?: never } | { tap?: never; refusal: 'malformed' | 'forged' };

type Values = Readonly<Partial<Record<FieldName, string>>>;

const hex = /^[\dA-F]*$/;
const text = /^[\w.~-]*$/;

function isWellFormed({ file_data: kind }: MessageSettings, name: FieldName, value: string) {
  return (name === 'file_data' && kind === 'plain' ? text : hex).test(value);
}

/** The values of a parameter in a query, which is read without decoding. */
const valuesOf = (query: string, name: string): readonly string[] =>
  query
    .split('&')
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

function joinedValues(query: string, name: string, layout: readonly Field[]): Values | undefined {
  const [value, repeated] = valuesOf(query, name);
  const length = layout.reduce((sum, field) => sum + field.length, 0);
  if (value?.length !== length || repeated !== undefined) return undefined;
  let from = 0;
  return Object.fromEntries(
    layout.map((field) => [field.name, value.slice(from, (from += field.length))]),
  );
}

function separateValues(
  query: string,
  names: Readonly<Record<FieldName, string>>,
  layout: readonly Field[],
): Values | undefined {
  const values: Partial<Record<FieldName, string>> = {};
  for (const { name, length } of layout) {
    const [value, repeated] = valuesOf(query, names[name]);
    if (value?.length !== length || repeated !== undefined) return undefined;
    values[name] = value;
  }
  return values;
}

function readValues(
  settings: MessageSettings,
  layout: readonly Field[],
  query: string,
): Values | undefined {
  const { joined, ...names } = settings.parameters;
  const values =
    joined === null ? separateValues(query, names, layout) : joinedValues(query, joined, layout);
  const isValid = layout.every(({ name }) => isWellFormed(settings, name, values?.[name] ?? ''));
  return isValid ? values : undefined;
}

const bytes = (value: string | undefined): Buffer => Buffer.from(value ?? '', 'hex');

/** The tag byte of decrypted PICC data: which members follow, and the length of the UID. */
const piccDataTag = (settings: MessageSettings): number =>
  (mirrorsUid(settings) ? 0x87 : 0) | (mirrorsCounter(settings) ? 0x40 : 0);

function openPiccData(settings: MessageSettings, metaKey: Buffer, data: Buffer): Mirrored {
  const plain = decryptPiccData(settings.encryption, metaKey, data);
  const hasUid = mirrorsUid(settings);
  const counterAt = hasUid ? 8 : 1;
  // Without a way out for a wrong tag byte: the MAC takes the same time for all forgeries.
  const isKnown = plain[0] === piccDataTag(settings);
  const uid = isKnown ? plain.subarray(1, 8) : Buffer.alloc(7);
  const counter = isKnown ? plain.subarray(counterAt, counterAt + 3) : Buffer.alloc(3);
  return {
    ...(hasUid && { uid }),
    ...(mirrorsCounter(settings) && { counter }),
    ...(!isKnown && { isForged: true }),
  };
}

function plainMirrored(values: Values): Mirrored {
  const { uid, counter } = values;
  return {
    ...(uid !== undefined && { uid: bytes(uid) }),
    // Mirrored with the most significant byte first, but counted from the least one.
    ...(counter !== undefined && { counter: bytes(counter).reverse() }),
  };
}

/** The exact text that the MAC covers, as it stands in the URL. */
function macInputOf(settings: MessageSettings, layout: readonly Field[], values: Values): Buffer {
  const start = macInputStart(settings, layout);
  if (start === undefined) return Buffer.alloc(0);
  const covered = layout.slice(layout.indexOf(start));
  return Buffer.from(
    covered
      .map(({ name, before }) => before + (name === 'mac' ? '' : (values[name] ?? '')))
      .join('')
      .slice(start.before.length),
    'latin1',
  );
}

function fileDataOf(
  { file_data: kind }: MessageSettings,
  values: Values,
  decrypt: (data: Buffer) => Buffer,
): Buffer | undefined {
  if (kind === 'none') return undefined;
  const value = values.file_data ?? '';
  return kind === 'plain' ? Buffer.from(value, 'latin1') : decrypt(bytes(value));
}

/**
 * Reads the secure dynamic message of an NTAG 424 (NXP AN12196; with LRP, AN12304) from the query
 * of its URL, without `?`. Accepts it only exactly as the tag writes it: upper-case hex, every
 * parameter once and at its length. Other parameters are ignored. The MAC is compared in constant
 * time. Does not check that the counter has grown.
 */
export function readTap(settings: MessageSettings, keys: TapKeys, query: string): TapResult {
  const layout = layoutOf(settings);
  const values = readValues(settings, layout, query);
  if (values === undefined) return { refusal: 'malformed' };
  const mirrored: Mirrored & { isForged?: boolean } =
    values.picc_data === undefined
      ? plainMirrored(values)
      : openPiccData(settings, keys.meta, bytes(values.picc_data));
  const uid = mirrored.uid?.toString('hex').toUpperCase();
  const session = openSession(settings.encryption, keys.fileKeyOf(uid), mirrored);
  const mac = session.mac(macInputOf(settings, layout, values));
  if (!timingSafeEqual(mac, bytes(values.mac)) || mirrored.isForged === true)
    return { refusal: 'forged' };
  const fileData = fileDataOf(settings, values, session.decrypt);
  return {
    tap: {
      ...(uid !== undefined && { uid }),
      ...(mirrored.counter !== undefined && { counter: mirrored.counter.readUIntLE(0, 3) }),
      ...(fileData !== undefined && { fileData }),
      ...(fileData !== undefined && settings.tamper_status && { tamper: tamperStatusOf(fileData) }),
    },
  };
}
