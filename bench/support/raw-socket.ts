import { connect, type Socket } from 'node:net';
import { chrome } from './load.ts';

/**
 * A minimal WebSocket client, cheap enough to run thousands beside the measured server.
 */
export interface RawSocket {
  /** Sends a text message. */
  send: (text: string) => void;
  /** Ends the connection without a close frame. */
  destroy: () => void;
  isOpen: () => boolean;
}

export interface RawSocketOptions {
  port: number;
  path: string;
  /** The local loopback address. Default: 127.0.0.1. */
  from?: string | undefined;
  /** Called with the payload of every text message but pings, which are answered. */
  onMessage: (payload: Buffer) => void;
  /** Called once, with the code of the close frame if there was one. */
  onClose?: (code: number | undefined) => void;
}

/** A browser's headers: a server may keep them in memory as long as the socket. */
const handshake = (port: number, path: string) =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Pragma: no-cache',
    'Cache-Control: no-cache',
    `User-Agent: ${chrome}`,
    'Upgrade: websocket',
    `Origin: http://127.0.0.1:${port}`,
    'Sec-WebSocket-Version: 13',
    'Accept-Encoding: gzip, deflate, br, zstd',
    'Accept-Language: en-GB,en;q=0.9,de;q=0.8',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
    '',
    '',
  ].join('\r\n');

const connectTimeoutMs = 5000;

/**
 * Encodes a text message as a client's frame. The masking key is zero, which leaves the bytes
 * unchanged (RFC 6455 §5.3).
 */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x81, 0x80 | length])
      : Buffer.from([0x81, 0xfe, length >> 8, length & 0xff]);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

const pong = clientFrame('{}');
const [text, closing] = [1, 8];

/** Returns the lengths of the frame's head and payload; undefined while the head is incomplete. */
function measure(data: Buffer, at: number): { head: number; length: number } | undefined {
  const short = (data[at + 1] ?? 0) & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (data.length < at + head) return undefined;
  return {
    head,
    length:
      short < 126
        ? short
        : short === 126
          ? data.readUInt16BE(at + 2)
          : Number(data.readBigUInt64BE(at + 2)),
  };
}

/**
 * Creates a parser of a server's bytes. It calls `onFrame` with the opcode and payload of each
 * complete frame; the payload is valid only during the call.
 */
function createFrameReader(
  onFrame: (opcode: number, payload: Buffer) => void,
): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    const data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (data.length - at >= 2) {
      const frame = measure(data, at);
      if (frame === undefined || data.length - at < frame.head + frame.length) break;
      const begin = at + frame.head;
      at = begin + frame.length;
      onFrame((data[begin - frame.head] ?? 0) & 0x0f, data.subarray(begin, at));
    }
    rest = at < data.length ? data.subarray(at) : undefined;
  };
}

function serve(socket: Socket, { onMessage, onClose }: RawSocketOptions): (chunk: Buffer) => void {
  let code: number | undefined;
  socket.on('close', () => onClose?.(code));
  return createFrameReader((opcode, payload) => {
    if (opcode === closing) {
      code = payload.length >= 2 ? payload.readUInt16BE(0) : undefined;
      socket.end();
    } else if (opcode === text) {
      if (payload.length === 2 && payload.toString() === '{}') socket.write(pong);
      else onMessage(payload);
    }
  });
}

/** Opens a socket. Rejects when the handshake is refused, broken off or takes five seconds. */
export function openRaw(options: RawSocketOptions): Promise<RawSocket> {
  const { port, path, from } = options;
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    ...(from === undefined ? {} : { localAddress: from }),
  });
  return new Promise((resolve, reject) => {
    let head = '';
    const fail = (why: string): void => {
      reject(new Error(`no WebSocket: ${why}`));
      socket.destroy();
    };
    const onFailure = (): void => fail('the connection was broken off');
    const timer = setTimeout(() => fail('no answer'), connectTimeoutMs);
    const onHead = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      clearTimeout(timer);
      if (!head.startsWith('HTTP/1.1 101')) {
        fail(head.split('\r\n', 1).join(''));
        return;
      }
      socket.off('data', onHead).off('close', onFailure);
      const read = serve(socket, options);
      socket.on('data', read);
      resolve({
        send: (message) => void socket.write(clientFrame(message)),
        destroy: () => socket.destroy(),
        isOpen: () => !socket.destroyed,
      });
      if (head.length > end + 4) read(Buffer.from(head.slice(end + 4), 'latin1'));
    };
    socket.on('error', () => undefined);
    socket.on('close', onFailure).on('data', onHead);
    socket.on('close', () => clearTimeout(timer));
    socket.write(handshake(port, path));
  });
}

/**
 * Opens a socket, sends `hello` and resolves when a message contains `expectedReply`. All messages,
 * that one included, go to `onMessage`.
 */
export async function openAndGreet(
  options: RawSocketOptions,
  hello: string,
  expectedReply: string,
): Promise<RawSocket> {
  let greeted: () => void = () => undefined;
  let failed: (error: Error) => void = () => undefined;
  const greeting = new Promise<void>((resolve, reject) => {
    [greeted, failed] = [resolve, reject];
  });
  greeting.catch(() => undefined);
  let isGreeted = false;
  const socket = await openRaw({
    ...options,
    onMessage(payload) {
      if (!isGreeted && payload.includes(expectedReply)) {
        isGreeted = true;
        greeted();
      }
      options.onMessage(payload);
    },
    onClose(code) {
      failed(new Error(`closed with ${code ?? 'nothing'} before it was greeted`));
      options.onClose?.(code);
    },
  });
  socket.send(hello);
  await greeting;
  return socket;
}

/** Calls `open` `count` times, `concurrency` at a time. Returns the results. */
export async function openMany<T>(
  count: number,
  concurrency: number,
  open: (index: number) => Promise<T>,
): Promise<T[]> {
  const opened: T[] = [];
  for (let begin = 0; begin < count; begin += concurrency) {
    opened.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(concurrency, count - begin) }, (_, index) =>
          open(begin + index),
        ),
      )),
    );
  }
  return opened;
}
