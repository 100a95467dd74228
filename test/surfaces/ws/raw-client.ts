import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';

export interface FrameParts {
  opcode: number;
  payload?: Buffer | string;
  fin?: boolean;
  rsv?: number;
  masked?: boolean;
  /** The announced length. Default: the length of the payload. */
  length?: bigint;
}

export const text = 1;
export const binary = 2;
export const continuation = 0;
export const closing = 8;
export const pinging = 9;
export const ponging = 10;

function lengthBytes(length: bigint, mask: number): Buffer {
  if (length < 126n) return Buffer.from([mask | Number(length)]);
  if (length < 65_536n)
    return Buffer.from([mask | 126, Number(length >> 8n), Number(length & 0xffn)]);
  const bytes = Buffer.alloc(9);
  bytes[0] = mask | 127;
  bytes.writeBigUInt64BE(length, 1);
  return bytes;
}

/** Encodes a frame of a client (RFC 6455 §5.2), optionally invalid. */
export function frame({
  opcode,
  payload = '',
  fin = true,
  rsv = 0,
  masked = true,
  length,
}: FrameParts): Buffer {
  const body = Buffer.from(payload);
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const content = masked ? Buffer.from(body.map((byte, at) => byte ^ mask[at % 4]!)) : body;
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  return Buffer.concat([
    Buffer.from([first]),
    lengthBytes(length ?? BigInt(body.length), masked ? 0x80 : 0),
    mask,
    content,
  ]);
}

/** The frame of a text. */
export const textFrame = (payload: string): Buffer => frame({ opcode: text, payload });

export interface ServerFrame {
  opcode: number;
  payload: Buffer;
}

/** Parses the complete frames at the start of the bytes; returns them and the remainder. */
function parse(bytes: Buffer): [ServerFrame[], Buffer] {
  const found: ServerFrame[] = [];
  let rest = bytes;
  for (;;) {
    if (rest.length < 2) return [found, rest];
    const short = rest[1]! & 0x7f;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (rest.length < head) return [found, rest];
    const length =
      short === 126
        ? rest.readUInt16BE(2)
        : short === 127
          ? Number(rest.readBigUInt64BE(2))
          : short;
    if (rest.length < head + length) return [found, rest];
    found.push({
      opcode: rest[0]! & 0x0f,
      payload: Buffer.from(rest.subarray(head, head + length)),
    });
    rest = rest.subarray(head + length);
  }
}

/** A plain TCP client that parses received frames. It closes with the test. */
export function tcp(port: number) {
  const socket = connect({ port, host: '127.0.0.1' });
  const state = {
    head: '',
    body: Buffer.alloc(0) as Buffer,
    received: Buffer.alloc(0) as Buffer,
    frames: [] as ServerFrame[],
    ended: false,
    isWebSocket: false,
  };
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => {
    state.ended = true;
  });
  socket.on('close', () => {
    state.ended = true;
  });
  socket.on('end', () => {
    state.ended = true;
  });
  socket.on('data', (chunk: Buffer) => {
    if (!state.isWebSocket) {
      state.received = Buffer.concat([state.received, chunk]);
      const at = state.received.indexOf('\r\n\r\n');
      if (state.head !== '' || at === -1) return;
      state.head = state.received.subarray(0, at).toString('latin1');
      if (!state.head.startsWith('HTTP/1.1 101')) return;
      state.isWebSocket = true;
      rest = state.received.subarray(at + 4);
    } else rest = Buffer.concat([rest, chunk]);
    const [frames, left] = parse(rest);
    state.frames.push(...frames);
    rest = left;
  });
  onTestFinished(() => void socket.destroy());
  const self = {
    socket,
    state,
    write: (...bytes: (Buffer | string)[]) =>
      socket.write(Buffer.concat(bytes.map((each) => Buffer.from(each as string)))),
    received: () => state.received.toString('latin1'),
    texts: () =>
      state.frames.filter(({ opcode }) => opcode === text).map(({ payload }) => payload.toString()),
    /** The received close code: 1005 for a frame without one, undefined without a close frame. */
    closeCode(): number | undefined {
      const found = state.frames.find(({ opcode }) => opcode === closing);
      return found === undefined
        ? undefined
        : found.payload.length < 2
          ? 1005
          : found.payload.readUInt16BE(0);
    },
    /** Resolves when the server has closed the connection. */
    ended: (timeout = 5000) => expect.poll(() => state.ended, { timeout, interval: 5 }).toBe(true),
  };
  return self;
}

export type Tcp = ReturnType<typeof tcp>;

export const handshakeOf = (
  port: number,
  path: string,
  headers: Record<string, string | undefined> = {},
): string => {
  const all: Record<string, string | undefined> = {
    Host: `127.0.0.1:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  };
  return [
    `GET ${path} HTTP/1.1`,
    ...Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
};

/** Opens a WebSocket over plain TCP. */
export async function raw(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<Tcp> {
  const client = tcp(port);
  client.write(handshakeOf(port, path, headers));
  await expect
    .poll(() => client.state.head, { timeout: 5000, interval: 5 })
    .toMatch(/^HTTP\/1.1 101 /);
  return client;
}

/** As `raw`, and sends the connect command. */
export async function rawConnected(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<Tcp> {
  const client = await raw(port, path, headers);
  client.write(textFrame('{"id":1,"connect":{}}'));
  await expect
    .poll(() => client.texts().join('\n'), { timeout: 5000, interval: 5 })
    .toContain('"connect"');
  return client;
}
