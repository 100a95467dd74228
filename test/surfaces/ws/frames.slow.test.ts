import { describe, expect, test } from 'vitest';
import {
  binary,
  closing,
  continuation,
  frame,
  type FrameParts,
  pinging,
  ponging,
  type Tcp,
  text,
  textFrame,
} from './raw-client.ts';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService();

const rpc = '{"id":2,"rpc":{"method":"ping"}}';
const isAnswered = (client: Tcp) =>
  expect
    .poll(() => client.texts().join('\n'), { timeout: 5000, interval: 5 })
    .toContain('{"id":2,"rpc":{"data":"pong"}}');

describe('frames that RFC 6455 allows are understood', () => {
  const [start, end] = [rpc.slice(0, 5), rpc.slice(5)];
  const begin = (payload = '') => ({ opcode: text, fin: false, payload });
  const goOn = (payload = '') => ({ opcode: continuation, fin: false, payload });
  const finish = (payload = '') => ({ opcode: continuation, payload });
  const ping = { opcode: pinging, payload: 'here' };
  const pong = { opcode: ponging, payload: 'x' };

  test.each<[string, FrameParts[]]>([
    ['a message in three frames', [begin(start), goOn(end.slice(0, 4)), finish(end.slice(4))]],
    ['a ping in the middle of a message', [begin(start), ping, finish(end)]],
    ['frames without content around it', [begin(), goOn(rpc), finish()]],
    ['a pong that nobody asked for', [pong, { opcode: text, payload: rpc }]],
  ])('%s', async (_name, frames) => {
    const other = await ws.bystander();
    const client = await ws.rawConnected('/ws/status/');
    client.write(...frames.map(frame));
    await isAnswered(client);
    client.socket.destroy();
    await other.expectUnaffected();
  });

  test('a message that arrives byte by byte', async () => {
    const client = await ws.rawConnected('/ws/status/');
    client.socket.setNoDelay(true);
    for (const byte of textFrame(rpc)) {
      client.socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await isAnswered(client);
  });

  test.each([0, 1, 125])(
    'a ping with %i bytes is answered with the same payload',
    async (length) => {
      const client = await ws.rawConnected('/ws/status/');
      client.write(frame({ opcode: pinging, payload: 'p'.repeat(length) }));
      await expect
        .poll(() =>
          client.state.frames.find(({ opcode }) => opcode === ponging)?.payload.toString(),
        )
        .toBe('p'.repeat(length));
    },
  );

  test('a character split over two frames is reassembled', async () => {
    const client = await ws.rawConnected('/ws/status/');
    const bytes = Buffer.from('{"id":2,"rpc":{"method":"ping","data":"€"}}');
    const at = bytes.indexOf(0xe2) + 1;
    client.write(
      frame({ opcode: text, fin: false, payload: bytes.subarray(0, at) }),
      frame({ opcode: continuation, payload: bytes.subarray(at) }),
    );
    await isAnswered(client);
  });

  test('a close frame is answered, and later messages are ignored', async () => {
    const client = await ws.rawConnected('/ws/status/');
    client.write(frame({ opcode: closing, payload: Buffer.from([3, 232]) }), textFrame(rpc));
    await client.ended();
    expect(client.closeCode()).toBe(1000);
    expect(client.texts().join()).not.toContain('pong"}');
  });
});

const code = (number: number, reason: Buffer | string = '') =>
  Buffer.concat([Buffer.from([number >> 8, number & 0xff]), Buffer.from(reason)]);

describe('frames that RFC 6455 forbids close the connection, not affecting other clients', () => {
  const split = (first: Buffer | string, second: FrameParts) => [
    { opcode: text, fin: false, payload: first },
    second,
  ];
  const more = (payload: Buffer | string) => ({ opcode: continuation, payload });
  const message = (payload: Buffer | string, others: Partial<FrameParts> = {}) => [
    { opcode: text, payload, ...others },
  ];
  const close = (payload: Buffer, others: Partial<FrameParts> = {}) => [
    { opcode: closing, payload, ...others },
  ];
  const pings = (others: Partial<FrameParts>) => [{ opcode: pinging, ...others }];
  const badCodes = [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535];
  const badOpcodes = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15];

  const cases: [string, number, FrameParts[]][] = [
    ['a continuation of nothing', 1002, [more(rpc)]],
    ['a new message inside another one', 1002, split('{"id"', { opcode: text, payload: rpc })],
    ['an unmasked frame', 1002, message(rpc, { masked: false })],
    ['an unmasked ping', 1002, pings({ masked: false })],
    ['a fragmented ping', 1002, pings({ fin: false, payload: 'x' })],
    ['a fragmented close', 1002, close(code(1000), { fin: false })],
    ['a ping of 126 bytes', 1002, pings({ payload: 'p'.repeat(126) })],
    ['a close of 126 bytes', 1002, close(code(1000, 'r'.repeat(124)))],
    ['a close with one byte', 1002, close(Buffer.from([3]))],
    ['a close with bad UTF-8', 1007, close(code(1000, Buffer.from([0xff, 0xfe])))],
    ...badCodes.map((number): [string, number, FrameParts[]] => [
      `a close with code ${number}`,
      1002,
      close(code(number)),
    ]),
    ...[1, 2, 4, 7].map((rsv): [string, number, FrameParts[]] => [
      `reserved bits ${rsv}`,
      1002,
      message(rpc, { rsv }),
    ]),
    ...badOpcodes.map((opcode): [string, number, FrameParts[]] => [
      `opcode ${opcode}`,
      1002,
      [{ opcode, payload: 'x' }],
    ]),
    ['bad UTF-8', 1007, message(Buffer.from([0x7b, 0xc3, 0x28, 0x7d]))],
    [
      'bad UTF-8 over two frames',
      1007,
      split(Buffer.from([0x7b, 0xe2]), more(Buffer.from([0x28, 0x7d]))),
    ],
    ['a surrogate as UTF-8', 1007, message(Buffer.from([0xed, 0xa0, 0x80]))],
    ['a character that never ends', 1007, message(Buffer.from([0xe2, 0x82]))],
    ['64 KiB and one byte', 1009, message(' '.repeat(65_537))],
    ['64 KiB and one byte in two frames', 1009, split(' '.repeat(65_536), more(' '))],
    ['a gibibyte that is announced', 1009, message('x', { length: 1n << 30n })],
    ['more than 2⁵³ bytes that are announced', 1009, message('x', { length: (1n << 63n) - 1n })],
    ['binary that is not JSON', 3501, [{ opcode: binary, payload: Buffer.from([8, 1]) }]],
    ['binary without content', 3501, [{ opcode: binary }]],
  ];
  test.each(cases)('%s', async (_name, expected, frames) => {
    const other = await ws.bystander();
    const client = await ws.rawConnected('/ws/status/');
    client.write(...frames.map(frame));
    await expect.poll(() => client.closeCode(), { timeout: 3000, interval: 5 }).toBe(expected);
    client.socket.end();
    await client.ended();
    expect(client.texts().join()).not.toContain('{"id":2,"rpc"');
    await other.expectUnaffected();
  });

  test('64 KiB is accepted', async () => {
    const client = await ws.rawConnected('/ws/status/');
    client.write(textFrame(rpc + ' '.repeat(65_536 - rpc.length)));
    await isAnswered(client);
  });

  test('an invalid frame before the first command', async () => {
    const other = await ws.bystander();
    for (const parts of [
      { opcode: text, payload: 'x', masked: false },
      { opcode: 5 },
      { opcode: text, payload: Buffer.from([0xff]) },
    ]) {
      const client = await ws.raw('/ws/svc/');
      client.write(frame(parts));
      await client.ended();
    }
    await other.expectUnaffected();
  });

  test('a connection reset in the middle of a frame', async () => {
    const other = await ws.bystander();
    for (let turn = 0; turn < 20; turn += 1) {
      const client = await ws.rawConnected('/ws/status/');
      client.write(textFrame(rpc).subarray(0, 9));
      client.socket.resetAndDestroy();
    }
    await other.expectUnaffected();
  });
});
