import { createCipheriv } from 'node:crypto';

// An NTAG 424 DNA in software, written apart from the service's code: numbers in place of buffers.

type Cipher = (block: bigint) => bigint;

const mask = (1n << 128n) - 1n;
const toBlock = (value: bigint) => Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
const toNumber = (block: Uint8Array) => BigInt(`0x${Buffer.from(block).toString('hex') || '0'}`);

function aes(key: Uint8Array): Cipher {
  return (block) => {
    const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
    return toNumber(cipher.update(toBlock(block)));
  };
}

const double = (value: bigint) => ((value << 1n) & mask) ^ (value >> 127n === 1n ? 0x87n : 0n);

/** CMAC under any block cipher. */
function cmac(cipher: Cipher, message: Uint8Array): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < message.length; at += 16)
    chunks.push(Buffer.from(message.subarray(at, at + 16)));
  const last = chunks.pop() ?? Buffer.alloc(0);
  let subkey = double(cipher(0n));
  let final = last;
  if (last.length < 16) {
    subkey = double(subkey);
    final = Buffer.concat([last, Buffer.of(0x80), Buffer.alloc(15 - last.length)]);
  }
  let state = 0n;
  for (const chunk of chunks) state = cipher(state ^ toNumber(chunk));
  return toBlock(cipher(state ^ toNumber(final) ^ subkey));
}

const repeat = (byte: string) => BigInt(`0x${byte.repeat(16)}`);

function lrp(key: Uint8Array, updated: number): (hex: string) => bigint {
  const step = (from: bigint, text: string) => aes(toBlock(from))(repeat(text));
  const plaintexts: bigint[] = [];
  let secret = aes(key)(repeat('55'));
  for (let index = 0; index < 16; index += 1) {
    plaintexts.push(step(secret, 'aa'));
    secret = step(secret, '55');
  }
  let updating = aes(key)(repeat('aa'));
  for (let index = 0; index < updated; index += 1) updating = step(updating, '55');
  const start = step(updating, 'aa');
  return (hex) => {
    let state = start;
    for (const digit of hex)
      state = aes(toBlock(state))(plaintexts[Number.parseInt(digit, 16)] ?? 0n);
    return aes(toBlock(state))(0n);
  };
}

const lrpCipher = (key: Uint8Array): Cipher => {
  const evaluate = lrp(key, 0);
  return (block) => evaluate(block.toString(16).padStart(32, '0'));
};

function lrpEncrypt(key: Uint8Array, updated: number, counter: Uint8Array, data: Buffer): Buffer {
  const evaluate = lrp(key, updated);
  const width = counter.length * 2;
  let at = toNumber(counter);
  const blocks: Buffer[] = [];
  for (let from = 0; from < data.length; from += 16) {
    const cipher = aes(toBlock(evaluate(at.toString(16).padStart(width, '0').slice(-width))));
    blocks.push(toBlock(cipher(toNumber(data.subarray(from, from + 16)))));
    at += 1n;
  }
  return Buffer.concat(blocks);
}

export interface VirtualTag {
  uid: string;
  metaKey: Uint8Array;
  fileKey: Uint8Array;
  isLrp?: boolean;
  mirrors?: 'uid_and_counter' | 'uid' | 'counter';
  isPlain?: boolean;
  /** Encrypted, in whole blocks; or mirrored as it is with `isDataPlain`. */
  data?: string;
  isDataPlain?: boolean;
  macInput?: 'nothing' | 'file_data' | 'message';
  /** Joins everything in one parameter. */
  joined?: string;
  names?: Readonly<Record<string, string>>;
  /** The random bytes behind encrypted PICC data. */
  padding?: Uint8Array;
}

const upper = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();

function cbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer {
  return createCipheriv('aes-128-cbc', key, iv).setAutoPadding(false).update(data);
}

interface Parts {
  uid: Buffer;
  counter: Buffer;
}

function piccData(tag: VirtualTag, { uid, counter }: Parts, flags: number): string {
  const padding = Buffer.from(tag.padding ?? Buffer.alloc(16));
  const plain = Buffer.concat([Buffer.of(flags), uid, counter, padding]).subarray(0, 16);
  if (tag.isLrp !== true) return upper(cbc(tag.metaKey, Buffer.alloc(16), plain));
  const random = padding.subarray(0, 8);
  return upper(random) + upper(lrpEncrypt(tag.metaKey, 0, random, plain));
}

const vector = (start: string, parts: Parts, end = '') => {
  const middle = start + upper(parts.uid) + upper(parts.counter);
  return Buffer.from(middle.padEnd(32 - end.length, '0') + end, 'hex');
};

function session(tag: VirtualTag, parts: Parts, counter: Buffer) {
  if (tag.isLrp === true) {
    const key = cmac(lrpCipher(tag.fileKey), vector('00010080', parts, '1ee1'));
    return {
      mac: (input: Buffer) => cmac(lrpCipher(key), input),
      encrypt: (data: Buffer) =>
        lrpEncrypt(key, 1, Buffer.concat([counter, Buffer.alloc(3)]), data),
    };
  }
  const enc = cmac(aes(tag.fileKey), vector('c33c00010080', parts));
  const mac = cmac(aes(tag.fileKey), vector('3cc300010080', parts));
  const iv = toBlock(aes(enc)(toNumber(Buffer.concat([counter, Buffer.alloc(13)]))));
  return {
    mac: (input: Buffer) => cmac(aes(mac), input),
    encrypt: (data: Buffer) => cbc(enc, iv, data),
  };
}

const truncate = (mac: Buffer) => upper(mac.filter((_, at) => at % 2 === 1));

/** The query that a tag writes into its URL when its counter has this value. */
export function tapQuery(tag: VirtualTag, count: number): string {
  const names = {
    picc_data: 'picc_data',
    uid: 'uid',
    counter: 'ctr',
    file_data: 'enc',
    mac: 'cmac',
  };
  const nameOf = { ...names, ...tag.names };
  const kind = tag.mirrors ?? 'uid_and_counter';
  const counter = Buffer.alloc(3);
  counter.writeUIntLE(count, 0, 3);
  const uid = kind === 'counter' ? Buffer.alloc(0) : Buffer.from(tag.uid, 'hex');
  const shown = kind === 'uid' ? Buffer.alloc(0) : counter;
  const parts = { uid, counter: shown };
  const flags = (uid.length > 0 ? 0x87 : 0) | (shown.length > 0 ? 0x40 : 0);
  const opened = session(tag, parts, counter);
  const fields: [string, string][] = [];
  if (tag.isPlain === true) {
    if (uid.length > 0) fields.push([nameOf.uid, upper(uid)]);
    if (shown.length > 0) fields.push([nameOf.counter, upper(Buffer.from(counter).reverse())]);
  } else fields.push([nameOf.picc_data, piccData(tag, parts, flags)]);
  const dataAt = fields.length;
  if (tag.data !== undefined)
    fields.push([
      nameOf.file_data,
      tag.isDataPlain === true ? tag.data : upper(opened.encrypt(Buffer.from(tag.data, 'latin1'))),
    ]);
  const covered = { nothing: fields.length, file_data: dataAt, message: 0 };
  const input = fields.slice(covered[tag.macInput ?? 'nothing']);
  const isCovering = input.length > 0;
  if (tag.joined !== undefined) {
    const text = input.map(([, value]) => value).join('');
    const all = fields.map(([, value]) => value).join('');
    return `${tag.joined}=${all}${truncate(opened.mac(Buffer.from(text)))}`;
  }
  const text = input.map(([name, value], at) => (at === 0 ? value : `${name}=${value}`)).join('&');
  const macText = isCovering ? `${text}&${nameOf.mac}=` : '';
  const query = fields.map(([name, value]) => `${name}=${value}`).join('&');
  return `${query}&${nameOf.mac}=${truncate(opened.mac(Buffer.from(macText)))}`;
}
