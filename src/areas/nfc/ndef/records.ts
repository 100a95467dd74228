import { uriPrefixCode, uriPrefixes } from './prefixes.ts';

/** A record of an NDEF message. */
export type NdefRecord =
  { type: 'uri'; uri: string } | { type: 'text'; language: string; text: string };

const flag = { begin: 0x80, end: 0x40, chunk: 0x20, short: 0x10, id: 0x08 };
const formatBits = 0x07;
const wellKnown = 0x01;
const longestShort = 255;

const ascii = /^[\x20-\x7e]*$/;

function textPayload({ language, text }: Extract<NdefRecord, { type: 'text' }>): Buffer {
  if (language.length < 1 || language.length > 63 || !ascii.test(language))
    throw new RangeError('The language of a text record has 1 to 63 ASCII characters');
  return Buffer.concat([
    Buffer.of(language.length),
    Buffer.from(language, 'latin1'),
    Buffer.from(text, 'utf8'),
  ]);
}

function uriPayload(uri: string): Buffer {
  const code = uriPrefixCode(uri);
  const rest = uri.slice((uriPrefixes[code] ?? '').length);
  return Buffer.concat([Buffer.of(code), Buffer.from(rest, 'utf8')]);
}

function lengthOf(payload: Buffer): Buffer {
  if (payload.length <= longestShort) return Buffer.of(payload.length);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return length;
}

function encodeRecord(record: NdefRecord, position: number): Buffer {
  const payload = record.type === 'uri' ? uriPayload(record.uri) : textPayload(record);
  const short = payload.length <= longestShort ? flag.short : 0;
  const type = record.type === 'uri' ? 'U' : 'T';
  return Buffer.concat([
    Buffer.of(position | short | wellKnown, 1),
    lengthOf(payload),
    Buffer.from(type, 'latin1'),
    payload,
  ]);
}

/**
 * Encodes records as an NDEF message (NFC Forum NDEF 1.0): URI and text records, short ones up to
 * 255 bytes of payload. Throws RangeError for no records and for an invalid language.
 */
export function encodeMessage(records: readonly NdefRecord[]): Buffer {
  if (records.length === 0) throw new RangeError('An NDEF message has at least one record');
  return Buffer.concat(
    records.map((record, at) =>
      encodeRecord(
        record,
        (at === 0 ? flag.begin : 0) | (at === records.length - 1 ? flag.end : 0),
      ),
    ),
  );
}

interface RawRecord {
  header: number;
  type: string;
  payload: Buffer;
  /** Where the next record begins. */
  end: number;
}

function readRaw(message: Buffer, from: number): RawRecord | undefined {
  const header = message[from];
  const typeLength = message[from + 1];
  if (header === undefined || typeLength === undefined) return undefined;
  const isShort = (header & flag.short) !== 0;
  const typeAt = from + (isShort ? 3 : 6);
  if (message.length < typeAt || (header & (flag.chunk | flag.id)) !== 0) return undefined;
  const length = isShort ? message.readUInt8(from + 2) : message.readUInt32BE(from + 2);
  const payloadAt = typeAt + typeLength;
  const end = payloadAt + length;
  if (end > message.length) return undefined;
  return {
    header,
    type: message.toString('latin1', typeAt, payloadAt),
    payload: message.subarray(payloadAt, end),
    end,
  };
}

function utf8(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

function readUri(payload: Buffer): NdefRecord | undefined {
  const prefix = uriPrefixes[payload[0] ?? -1];
  const rest = utf8(payload.subarray(1));
  return prefix === undefined || rest === undefined
    ? undefined
    : { type: 'uri', uri: prefix + rest };
}

function readText(payload: Buffer): NdefRecord | undefined {
  const status = payload[0];
  // Bit 7 stands for UTF-16, which nothing writes; bit 6 is reserved.
  if (status === undefined || status > 63 || payload.length < 1 + status) return undefined;
  const text = utf8(payload.subarray(1 + status));
  const language = payload.toString('latin1', 1, 1 + status);
  return text === undefined ? undefined : { type: 'text', language, text };
}

function readRecord({ header, type, payload }: RawRecord): NdefRecord | undefined {
  if ((header & formatBits) !== wellKnown) return undefined;
  if (type === 'U') return readUri(payload);
  return type === 'T' ? readText(payload) : undefined;
}

/**
 * Decodes an NDEF message of URI and text records. Returns undefined for other records, and for
 * bytes that are not exactly one message.
 */
export function decodeMessage(message: Buffer): readonly NdefRecord[] | undefined {
  const records: NdefRecord[] = [];
  let from = 0;
  while (from < message.length) {
    const raw = readRaw(message, from);
    const record = raw === undefined ? undefined : readRecord(raw);
    if (raw === undefined || record === undefined) return undefined;
    const isFirst = (raw.header & flag.begin) !== 0;
    const isLast = (raw.header & flag.end) !== 0;
    if (isFirst !== (from === 0) || isLast !== (raw.end === message.length)) return undefined;
    records.push(record);
    from = raw.end;
  }
  return records.length === 0 ? undefined : records;
}
