import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorld, type World } from './fake-socket.ts';

const url = 'wss://service.example/ws/status/';
const hello = { client: 'c1', version: '1', ping: 25, pong: true };

let world: World;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  world = createWorld();
});
afterEach(() => vi.useRealTimers());

/** Begins to connect. */
async function connect(options: Partial<Parameters<World['connection']['connect']>[0]> = {}) {
  world.connection.connect({ url, ...options });
  await world.advance(0);
}

async function join(channel: string) {
  world.connection.add(channel);
  await world.advance(0);
}

/** Drops a socket, and waits until the next one is opened. */
async function reconnect(socket = world.socket()) {
  await socket.drop();
  await world.advance(1000);
}

/** Begins to connect, and opens the socket. */
async function connectOpen(options?: Parameters<typeof connect>[0]) {
  await connect(options);
  await world.socket().open();
  return world.socket();
}

/** Expects that the next socket is opened after `ms`, and not earlier. */
async function expectSocketAfter(ms: number) {
  const count = world.sockets.length;
  await world.advance(ms - 1);
  expect(world.sockets).toHaveLength(count);
  await world.advance(1);
  expect(world.sockets).toHaveLength(count + 1);
}

const disconnected = (code: number, reason: string, willReconnect = true) => [
  'disconnected',
  { code, reason, willReconnect },
];
const dropped = disconnected(1006, '');
const internal = { code: 100, message: 'internal', temporary: true };
const tooMany = { code: 111, message: 'too many requests', temporary: true };
const denied = { code: 103, message: 'permission denied' };
const expired = { code: 109, message: 'token expired' };
const takeTypes = () => world.take().map(([type]) => type);
/** Removes and returns the emitted events: the data of messages, and the types of others. */
const takeDataAndTypes = () =>
  world.take().map(([type, detail]) => ('data' in detail ? detail.data : type));
const numbered = (offsets: readonly number[]) =>
  offsets.map((offset) => ({ data: offset, offset }));

/**
 * Opens the newest socket and answers its connect and subscribe commands; channels resume at
 * `positions`, with nothing missed.
 */
async function serve(positions: Record<string, object> = {}, welcome: object = hello) {
  const socket = world.socket();
  await socket.open();
  const [first] = socket.commands();
  await socket.reply({ id: first?.id, connect: welcome });
  for (const { id, subscribe } of socket.commands()) {
    const { channel } = subscribe as { channel: string };
    await socket.reply({
      id,
      subscribe: { recoverable: true, epoch: 'e1', offset: 0, ...positions[channel] },
    });
  }
  return { socket, first };
}

async function connected(channels = ['status'], positions: Record<string, object> = {}) {
  await connect({ channels });
  const { socket } = await serve(positions);
  world.take();
  return socket;
}

const pub = (offset: number, data: unknown = offset, channel = 'status') => ({
  push: { channel, pub: { data, offset } },
});
const takeMessages = () =>
  world.take().flatMap(([type, detail]) => (type === 'message' ? [detail.data] : []));

const ownChannel = { ...hello, subs: { 'svc:u1': { recoverable: true, epoch: 'x', offset: 2 } } };

describe('connecting', () => {
  it('connects, subscribes to all channels in one frame, and reports when done', async () => {
    await connect({ channels: ['status', 'test'] });
    const socket = world.socket();
    expect(socket.url).toBe(url);
    expect(world.connection.state()).toBe('connecting');
    await socket.open();
    expect(socket.commands()).toEqual([{ id: 1, connect: { name: 'svc-messages', subs: {} } }]);
    await socket.reply({ id: 1, connect: hello });
    expect(socket.frames).toHaveLength(2);
    expect(socket.commands()).toEqual([
      { id: 2, subscribe: { channel: 'status' } },
      { id: 3, subscribe: { channel: 'test' } },
    ]);
    await socket.reply({ id: 3, subscribe: {} });
    expect(world.emitted).toEqual([]);
    await socket.reply({ id: 2, subscribe: { recoverable: true, epoch: 'e', offset: 4 } });
    expect(world.take()).toEqual([['connected', { client: 'c1', recovered: {} }]]);
    expect(world.connection.state()).toBe('connected');
  });

  it('sends the token in the first command and nowhere else', async () => {
    const socket = await connectOpen({ token: 'secret' });
    const connectCommand = { name: 'svc-messages', token: 'secret', subs: {} };
    expect(socket.commands()).toEqual([{ id: 1, connect: connectCommand }]);
    expect(socket.url).not.toContain('secret');
  });

  it('gives up on an invalid address', async () => {
    world.connection.connect({ url: 'bad:' });
    await world.advance(60_000);
    expect(world.take()).toMatchObject([
      ['error', { code: 0 }],
      ['disconnected', { willReconnect: false }],
    ]);
    expect(world.sockets).toHaveLength(0);
    expect(world.connection.state()).toBe('closed');
  });

  it('closes a socket that does not answer within ten seconds', async () => {
    world.connection.connect({ url });
    await world.advance(9999);
    expect(world.socket().isClosed()).toBe(false);
    await world.advance(1);
    expect(world.socket().isClosed()).toBe(true);
    expect(world.take()).toEqual([disconnected(2, 'no ping')]);
  });

  it('subscribes while connected, and unsubscribes with the last user of a channel', async () => {
    const socket = await connected([]);
    world.connection.add('test');
    await join('test');
    expect(socket.commands()).toMatchObject([{ subscribe: { channel: 'test' } }]);
    world.connection.remove('test');
    await world.advance(0);
    expect(socket.commands()).toEqual([]);
    world.connection.remove('test');
    await world.advance(0);
    expect(socket.commands()).toMatchObject([{ unsubscribe: { channel: 'test' } }]);
    await socket.reply(pub(1, 'late', 'test'));
    expect(takeMessages()).toEqual([]);
  });
});

describe('a message', () => {
  it('is emitted once and in order, with several in a frame', async () => {
    const socket = await connected();
    await socket.reply(pub(1), pub(2), pub(2), pub(1), pub(3));
    expect(takeMessages()).toEqual([1, 2, 3]);
  });

  it('is emitted each time on a channel without offsets', async () => {
    const socket = await connected();
    const push = { channel: 'status', pub: { data: 'a' } };
    await socket.reply({ push }, { push });
    const message = ['message', { channel: 'status', data: 'a', offset: 0 }];
    expect(world.take()).toEqual([message, message]);
  });

  it('that was missed is emitted once after a drop, before `connected`', async () => {
    const socket = await connected(['status'], { status: { offset: 10 } });
    await socket.reply(pub(11));
    await socket.drop();
    expect(world.take()).toMatchObject([
      ['message', { data: 11 }],
      ['disconnected', { code: 1006, willReconnect: true }],
    ]);
    await world.advance(1000);
    const next = world.socket();
    await next.open();
    await next.reply({ id: next.commands()[0]?.id, connect: hello });
    const [resume] = next.commands();
    expect(resume).toMatchObject({
      subscribe: { channel: 'status', recover: true, offset: 11, epoch: 'e1' },
    });
    await next.reply(
      {
        id: resume?.id,
        subscribe: {
          recoverable: true,
          epoch: 'e1',
          offset: 13,
          was_recovering: true,
          recovered: true,
          publications: numbered([11, 12, 13]),
        },
      },
      pub(13),
      pub(14),
    );
    expect(
      world.take().map(([type, detail]) => ('data' in detail ? detail.data : [type, detail])),
    ).toEqual([12, 13, ['connected', { client: 'c1', recovered: { status: true } }], 14]);
  });

  it('whose listener closes the connection is the last until the next connect', async () => {
    const socket = await connected();
    world.listeners.push((type) => {
      if (type === 'message') world.connection.close();
    });
    await socket.reply(pub(1), pub(2));
    expect(world.take()).toEqual([
      ['message', { channel: 'status', data: 1, offset: 1 }],
      disconnected(0, 'closed', false),
    ]);
    const next = await connectOpen();
    await next.reply({ id: 1, connect: hello });
    expect(next.commands().at(-1)).toMatchObject({ subscribe: { recover: true, offset: 1 } });
  });

  it('whose listener closes the connection is the last, also among missed ones', async () => {
    const socket = await connected(['status'], { status: { offset: 10 } });
    await reconnect(socket);
    world.take();
    world.listeners.push((type, detail) => {
      if (type === 'message' && 'offset' in detail && detail.offset === 11)
        world.connection.close();
    });
    const recovered = { offset: 13, recovered: true, was_recovering: true };
    await serve({ status: { ...recovered, publications: numbered([11, 12, 13]) } });
    expect(takeTypes()).toEqual(['message', 'disconnected']);
    await connect();
    await serve({ status: { ...recovered, publications: numbered([12, 13]) } });
    expect(takeDataAndTypes()).toEqual([12, 13, 'connected']);
  });
});

describe('a channel', () => {
  it('that is left and rejoined at once ignores the answer to the first subscription', async () => {
    const socket = await connected([]);
    world.connection.add('test');
    world.connection.remove('test');
    await join('test');
    const [first, , second] = socket.commands();
    await socket.reply({ id: first?.id, error: denied });
    expect(world.take()).toEqual([]);
    await socket.reply({ id: second?.id, subscribe: {} }, pub(1, 'heard', 'test'));
    expect(takeMessages()).toEqual(['heard']);
  });

  it('that waits for a retry is subscribed to once after a drop', async () => {
    const socket = await connected(['status']);
    await join('test');
    await socket.refuse(tooMany);
    await socket.drop();
    world.connection.wake();
    await world.advance(0);
    const { socket: next } = await serve();
    await world.advance(3000);
    expect(next.commands()).toEqual([]);
    expect(next.frames.join().match(/"channel":"test"/g)).toHaveLength(1);
  });

  it('that was subscribed to starts over with a short backoff when refused later', async () => {
    const socket = await connected(['status']);
    world.connection.add('test');
    const refuse = async () => {
      await world.advance(0);
      await socket.refuse(internal);
    };
    await refuse();
    await world.advance(1000);
    await socket.reply(
      { id: socket.commands()[0]?.id, subscribe: {} },
      { push: { channel: 'test', unsubscribe: { code: 2500, reason: 'again' } } },
    );
    await refuse();
    await world.advance(1000);
    expect(socket.commands()).toHaveLength(1);
  });

  it('that the server has already subscribed to is delivered without an error', async () => {
    await connect();
    const { socket } = await serve({}, { ...hello, subs: { 'svc:u1': {} } });
    await join('svc:u1');
    await socket.reply(
      { id: socket.commands()[0]?.id, error: { code: 105, message: 'already subscribed' } },
      pub(1, 'mine', 'svc:u1'),
    );
    expect(takeTypes()).toEqual(['connected', 'message']);
  });

  it('that the server no longer subscribes to is forgotten', async () => {
    await connect();
    await (await serve({}, ownChannel)).socket.drop();
    await world.advance(1000);
    await (await serve()).socket.drop();
    await world.advance(1500);
    expect((await serve()).first?.connect).toEqual({ name: 'svc-messages', subs: {} });
  });
});

describe('a gap', () => {
  it('is emitted when missed messages are lost; the channel continues from there', async () => {
    const socket = await connected(['status'], { status: { offset: 10 } });
    await reconnect(socket);
    await serve({ status: { epoch: 'e2', offset: 3, was_recovering: true, recovered: false } });
    expect(world.take()).toEqual([
      dropped,
      ['gap', { channel: 'status' }],
      ['connected', { client: 'c1', recovered: { status: false } }],
    ]);
    await world.socket().reply(pub(3), pub(4));
    expect(takeMessages()).toEqual([4]);
    await world.socket().drop();
    await world.advance(20_000);
    await world.socket().open();
    await world.socket().reply({ id: 1, connect: hello });
    expect(world.socket().commands().at(-1)).toMatchObject({
      subscribe: { recover: true, offset: 4, epoch: 'e2' },
    });
  });

  it('is not emitted without history, nor at the first subscription', async () => {
    const socket = await connected(['live'], { live: { recoverable: false } });
    await reconnect(socket);
    const { socket: next } = await serve({ live: { recoverable: false } });
    expect(next.frames.join()).not.toContain('recover');
    expect(takeTypes()).toEqual(['disconnected', 'connected']);
  });
});

describe('reconnecting', () => {
  it('backs off from half a second to twenty, and reports the outage once', async () => {
    world.connection.connect({ url });
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      await world.advance(0);
      const count = world.sockets.length;
      const from = Date.now();
      await world.socket().drop();
      while (world.sockets.length === count) await world.advance(10);
      waits.push(Date.now() - from);
    }
    expect(waits).toEqual([1000, 1500, 2500, 4500, 8500, 16_500, 20_000, 20_000, 20_000]);
    expect(world.take()).toEqual([dropped]);
  });

  it('backs off after a long connection too, and reports each outage', async () => {
    const socket = await connected();
    await world.advance(30_000);
    await socket.drop();
    for (const wait of [1000, 1500, 2500]) {
      await expectSocketAfter(wait);
      if (wait < 2500) await world.socket().drop();
    }
    await (await serve({ status: { recovered: true } })).socket.drop();
    expect(takeTypes()).toEqual(['disconnected', 'connected', 'disconnected']);
  });

  it('starts over when the page connects again: with a short wait, and reported', async () => {
    const socket = await connected();
    await socket.drop(3500);
    for (let round = 0; round < 3; round += 1) {
      world.take();
      await connect();
      const count = world.sockets.length;
      await world.socket().drop();
      expect(world.take()).toMatchObject([['disconnected', { willReconnect: true }]]);
      await world.advance(1000);
      expect(world.sockets).toHaveLength(count + 1);
      await world.socket().drop();
    }
  });

  it('never waits less than half a second', async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    await (await connected()).drop();
    await expectSocketAfter(500);
  });

  it.each([
    [5000, 1500],
    [5001, 1000],
  ])('after a connection of %i ms waits %i ms at most', async (lasted, wait) => {
    await (await connected()).drop();
    await world.advance(1000);
    const { socket } = await serve();
    for (let at = 0; at < lasted; at += 1000) await world.advance(Math.min(1000, lasted - at));
    await socket.drop();
    await expectSocketAfter(wait);
  });

  it.each([1000, 1006, 1012, 3000, 3001, 3008, 3012, 3499, 4000, 4499, 5000])(
    'happens after code %i',
    async (code) => {
      const socket = await connected();
      await socket.drop(code, 'why');
      expect(world.take()).toEqual([disconnected(code, 'why')]);
      await world.advance(1000);
      expect(world.sockets).toHaveLength(2);
    },
  );

  it.each([3500, 3503, 3999, 4500, 4999])(
    'does not happen after code %i, until the page connects again',
    async (code) => {
      const socket = await connected();
      await socket.drop(code, 'why');
      expect(world.take()).toEqual([disconnected(code, 'why', false)]);
      world.connection.wake();
      await world.advance(120_000);
      expect(world.sockets).toHaveLength(1);
      expect(world.connection.state()).toBe('closed');
      await connect();
      expect(world.sockets).toHaveLength(2);
    },
  );

  it('happens at once when the page is woken, and only then', async () => {
    const socket = await connected();
    world.connection.wake();
    await world.advance(0);
    expect(world.sockets).toHaveLength(1);
    await socket.drop();
    world.connection.wake();
    world.connection.wake();
    await world.advance(0);
    expect(world.sockets).toHaveLength(2);
    await world.advance(5000);
    expect(world.sockets).toHaveLength(2);
  });

  it('does not happen after close, which is reported once', async () => {
    const socket = await connected();
    world.connection.close();
    world.connection.close();
    world.connection.drop('offline');
    world.connection.wake();
    await world.advance(120_000);
    expect(socket.isClosed()).toBe(true);
    expect(world.sockets).toHaveLength(1);
    expect(world.connection.state()).toBe('closed');
    expect(world.take()).toEqual([disconnected(0, 'closed', false)]);
  });
});

describe('pings', () => {
  it('are answered when the server requests it', async () => {
    const socket = await connected();
    const before = socket.frames.length;
    await socket.reply({});
    expect(socket.frames.slice(before)).toEqual(['{}']);
  });

  it('are not answered otherwise', async () => {
    await connect();
    const { socket } = await serve({}, { client: 'c', ping: 25 });
    await socket.reply({});
    expect(socket.frames).not.toContain('{}');
  });

  it('that are ten seconds overdue end the connection', async () => {
    const socket = await connected();
    await world.advance(34_999);
    await socket.reply({});
    await world.advance(34_999);
    expect(world.emitted).toEqual([]);
    await world.advance(1);
    expect(world.take()).toEqual([disconnected(2, 'no ping')]);
    expect(socket.isClosed()).toBe(true);
  });
});

describe('a refusal', () => {
  it('of a channel that is temporary is retried with backoff; the others continue', async () => {
    const socket = await connectOpen({ channels: ['test', 'status'] });
    await socket.reply({ id: 1, connect: hello });
    await socket.reply({ id: 2, error: tooMany }, { id: 3, subscribe: {} });
    expect(world.take()).toEqual([
      ['error', { channel: 'test', ...tooMany }],
      ['connected', { client: 'c1', recovered: {} }],
    ]);
    socket.commands();
    for (const wait of [1000, 1500, 2500]) {
      await world.advance(wait - 1);
      expect(socket.commands()).toEqual([]);
      await world.advance(1);
      const [{ id, subscribe } = { id: 0, subscribe: undefined }] = socket.commands();
      expect(subscribe).toEqual({ channel: 'test' });
      await socket.reply({ id, error: internal });
    }
    world.connection.remove('test');
  });

  it('of a channel that is final is reported and not retried', async () => {
    const socket = await connected(['status']);
    await join('secret');
    await socket.refuse(denied);
    expect(world.take()).toEqual([['error', { channel: 'secret', ...denied }]]);
    await reconnect(socket);
    const { socket: next } = await serve();
    expect(next.frames.join()).not.toContain('secret');
  });

  it('of an expired token asks the page for another', async () => {
    const tokens = ['old', 'new'];
    const getToken = vi.fn(async () => tokens.shift() ?? '');
    await connectOpen({ getToken });
    expect(world.socket().commands()).toMatchObject([{ connect: { token: 'old' } }]);
    await world.socket().reply({ id: 1, error: expired });
    await world.advance(1000);
    await world.socket().open();
    expect(world.socket().commands()).toMatchObject([{ connect: { token: 'new' } }]);
    expect(getToken).toHaveBeenCalledTimes(2);
  });

  it('of an expired token is final without getToken', async () => {
    await connectOpen({ token: 'old' });
    await world.socket().reply({ id: 1, error: expired });
    await world.advance(60_000);
    expect(world.take()).toEqual([['error', expired], disconnected(109, 'token expired', false)]);
    expect(world.sockets).toHaveLength(1);
  });

  it('by close code 3005 asks the page for another token', async () => {
    const getToken = vi.fn(() => 'next');
    await connect({ token: 'first', getToken });
    const { socket, first } = await serve();
    expect(first).toMatchObject({ connect: { token: 'first' } });
    expect(getToken).not.toHaveBeenCalled();
    await socket.drop(3005, 'expired');
    await world.advance(1000);
    expect((await serve()).first).toMatchObject({ connect: { token: 'next' } });
  });

  it('by getToken is retried', async () => {
    const getToken = vi
      .fn(() => 'token')
      .mockImplementationOnce(() => {
        throw new Error('no network');
      });
    await connect({ getToken });
    expect(world.take()).toEqual([
      ['error', { code: 0, message: 'Error: no network', temporary: true }],
      disconnected(1, 'no token'),
    ]);
    await world.advance(1000);
    expect(world.sockets).toHaveLength(1);
  });

  it('of malformed data ends the connection, which reconnects', async () => {
    const socket = await connected();
    await socket.reply({ id: 0, push: { channel: 'status', pub: null } });
    expect(world.take()).toEqual([]);
    await socket.reply(JSON.parse('null') as object);
    expect(world.take()).toEqual([disconnected(3, 'bad protocol')]);
    await world.advance(1000);
    expect(world.sockets).toHaveLength(2);
  });

  it('by a getToken that was superseded is not reported', async () => {
    const fail = (reject: (reason: Error) => void) => reject(new Error('late'));
    await connect({ getToken: () => new Promise((_, reject) => setTimeout(fail, 100, reject)) });
    world.connection.connect({ url, token: 'second' });
    await serve();
    await world.advance(5000);
    expect(world.sockets).toHaveLength(1);
    expect(takeTypes()).toEqual(['connected']);
  });

  it('a token of a superseded connect is ignored', async () => {
    await connect({ getToken: () => new Promise((resolve) => setTimeout(resolve, 100, 'first')) });
    world.connection.connect({ url, token: 'second' });
    await world.advance(100);
    expect(world.sockets).toHaveLength(1);
    expect((await serve()).first).toMatchObject({ connect: { token: 'second' } });
  });
});

describe('subscriptions by the server', () => {
  it('unsubscribe below 2500 ends the channel', async () => {
    const socket = await connected();
    await socket.reply(
      { push: { channel: 'status', unsubscribe: { code: 2001, reason: 'permission lost' } } },
      pub(1),
    );
    expect(world.take()).toEqual([
      ['error', { channel: 'status', code: 2001, message: 'permission lost' }],
    ]);
    expect(socket.commands()).toEqual([]);
  });

  it('unsubscribe from 2500 on subscribes again from the last position', async () => {
    const socket = await connected(['status'], { status: { offset: 7 } });
    await socket.reply({
      push: { channel: 'status', unsubscribe: { code: 2500, reason: 'insufficient state' } },
    });
    expect(socket.commands()).toMatchObject([
      { subscribe: { channel: 'status', recover: true, offset: 7, epoch: 'e1' } },
    ]);
  });

  it('server-side subscriptions are delivered, and resume after a drop', async () => {
    await connect();
    const { socket } = await serve({}, ownChannel);
    await socket.reply(pub(3, 'mine', 'svc:u1'));
    expect(takeMessages()).toEqual(['mine']);
    await reconnect(socket);
    const recovered = {
      ...ownChannel.subs['svc:u1'],
      offset: 4,
      recovered: true,
      was_recovering: true,
      publications: [{ data: 'missed', offset: 4 }],
    };
    const { first } = await serve({}, { ...hello, subs: { 'svc:u1': recovered } });
    expect(first).toMatchObject({
      connect: { subs: { 'svc:u1': { recover: true, epoch: 'x', offset: 3 } } },
    });
    expect(world.take()).toMatchObject([
      ['disconnected', {}],
      ['message', { data: 'missed' }],
      ['connected', { recovered: { 'svc:u1': true } }],
    ]);
  });
});
