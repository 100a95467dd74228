import { describe, expect, test } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService();

describe('an invalid command closes the socket with 3501, and its message has no effect', () => {
  const before = '{"id":7,"rpc":{"method":"ping"}}';
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  test.each<[string, string]>([
    ['no JSON', 'hello'],
    ['half an object', '{"id":2,"rpc":'],
    ['a number', '1'],
    ['null', 'null'],
    ['an array', '[]'],
    ['an array of commands', `[${before}]`],
    ['a command without id', '{"rpc":{"method":"ping"}}'],
    ['id 0', '{"id":0,"rpc":{}}'],
    ['a negative id', '{"id":-1,"rpc":{}}'],
    ['half an id', '{"id":1.5,"rpc":{}}'],
    ['an id of 2³²', '{"id":4294967296,"rpc":{}}'],
    ['a huge id', `{"id":1${'0'.repeat(400)},"rpc":{}}`],
    ['an id as text', '{"id":"1","rpc":{}}'],
    ['an id without a command', '{"id":1}'],
    ['an unknown command', '{"id":1,"become_admin":{}}'],
    ['a second connect', '{"id":9,"connect":{}}'],
    ['30,000 levels alone', deep(30_000)],
  ])('%s', async (_name, message) => {
    const other = await ws.bystander();
    const client = await ws.connected('/ws/svc/', { headers: asAdmin });
    client.write(before, message);
    expect(await client.end()).toMatchObject({ code: 3501, reason: 'bad request' });
    if (!message.includes('connect')) expect(client.lines.some(({ id }) => id === 7)).toBe(false);
    await other.expectUnaffected();
  });

  test.each([1000, 2000, 3000, 5000, 8000, 12_000, 20_000, 30_000])(
    'data of %i levels is either published completely or refused',
    async (depth) => {
      const other = await ws.bystander();
      const client = await ws.connected('/ws/svc/', { headers: asAdmin });
      client.write(`{"id":2,"publish":{"channel":"test","data":${deep(depth)}}}`);
      await expect
        .poll(() => client.state.closed?.code ?? client.lines.find(({ id }) => id === 2))
        .toBeDefined();
      client.webSocket.terminate();
      await other.expectUnaffected();
    },
  );
});

describe('an odd but valid command', () => {
  test.each(['{"a":1}', '{"__proto__":{"id":1,"rpc":{"method":"ping"}}}'])(
    '%s is a pong, because unknown members are ignored',
    async (message) => {
      const client = await ws.connected('/ws/svc/', { headers: asAdmin });
      client.write(message, '{"id":90,"rpc":{"method":"ping"}}');
      await client.reply(90);
      expect(client.lines.filter((line) => 'rpc' in line)).toEqual([
        expect.objectContaining({ id: 90 }),
      ]);
      expect(client.state.closed).toBeUndefined();
    },
  );

  test('with names of the prototype is treated as plain data', async () => {
    const client = await ws.connected('/ws/svc/', { headers: asAdmin });
    await client.ask({ subscribe: { channel: 'test' } });
    client.write(
      '{"id":90,"publish":{"channel":"test","data":' +
        '{"__proto__":{"isAdmin":true},"constructor":{"prototype":1},"a":1}}}',
    );
    await client.reply(90);
    await expect
      .poll(() => client.frames.find((each) => each.includes('"pub"')))
      .toContain('"a":1');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(client.frames.find((each) => each.includes('"pub"'))).toContain(
      '"data":{"__proto__":{"isAdmin":true},"constructor":{"prototype":1},"a":1}',
    );
  });

  test('with odd names in connect positions connects', async () => {
    const client = ws.plain('/ws/svc/', { headers: asAdmin });
    await client.opened();
    client.write(
      '{"id":1,"connect":{"subs":{"__proto__":{"recover":true,"offset":1,"epoch":"x"},' +
        '"toString":{"recover":true}}}}',
    );
    expect(await client.reply(1)).toMatchObject({ connect: { ping: 25, pong: true } });
  });

  test('with a repeated id gets a reply each time', async () => {
    const client = await ws.connected('/ws/svc/');
    client.write('{"id":5,"rpc":{"method":"ping"}}', '{"id":5,"rpc":{"method":"whoami"}}');
    await expect
      .poll(() => client.lines.filter(({ id }) => id === 5))
      .toEqual([
        { id: 5, rpc: { data: 'pong' } },
        { id: 5, rpc: { data: { kind: 'anonymous' } } },
      ]);
  });

  test('may have unknown members, empty lines and carriage returns around it', async () => {
    const client = ws.plain('/ws/svc/');
    await client.connect({ name: 'js', version: '1', headers: { a: 'b' } });
    client.write(
      '',
      ' ',
      '{"id":5,"more":1,"rpc":{"method":"ping","more":[1]}}\r',
      '',
      '{}',
      '{"send":{"data":1}}',
      '{"id":6,"rpc":{"method":"ping"}}',
    );
    await client.reply(6);
    expect(client.lines.filter(({ id }) => id === 5)).toHaveLength(1);
  });

  test('gets its reply in the order of the commands', async () => {
    const client = await ws.connected('/ws/svc/', { headers: asAdmin });
    client.write(
      ...Array.from({ length: 100 }, (_, at) =>
        at % 3 === 0
          ? `{"id":${at + 10},"history":{"channel":"test"}}`
          : `{"id":${at + 10},"rpc":{"method":"ping"}}`,
      ),
    );
    await client.reply(109);
    expect(client.lines.map(({ id }) => id as number).filter((id) => id >= 10)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 10),
    );
  });
});

describe('limits', () => {
  test('10,000 commands in one message are too large', async () => {
    const other = await ws.bystander();
    const client = await ws.connected('/ws/svc/');
    client.write(...Array.from({ length: 10_000 }, () => '{"send":{}}'));
    expect((await client.end()).code).toBe(1009);
    await other.expectUnaffected();
  });

  test('a hundred refused commands in one message close the socket with 3509', async () => {
    const other = await ws.bystander();
    const client = await ws.connected('/ws/svc/');
    client.write(...Array.from({ length: 290 }, (_, at) => `{"id":${at + 10},"rpc":{}}`));
    expect((await client.end()).code).toBe(3509);
    const answered = client.lines.filter(({ error }) => error !== undefined).length;
    expect(answered).toBe(100);
    await other.expectUnaffected();
  });

  test('too many commands in one message close the socket after at most 300', async () => {
    const other = await ws.bystander();
    const client = await ws.connected('/ws/svc/');
    client.write(
      ...Array.from({ length: 1700 }, (_, at) => `{"id":${at + 10},"rpc":{"method":"ping"}}`),
    );
    expect([3013, 3501]).toContain((await client.end()).code);
    expect(client.lines.filter(({ rpc }) => rpc !== undefined).length).toBeLessThanOrEqual(300);
    await other.expectUnaffected();
  });

  test('a flood of commands closes the socket with 3013', async () => {
    const other = await ws.bystander();
    const client = await ws.connected('/ws/svc/');
    const began = performance.now();
    for (let at = 0; at < 2000; at += 1) client.send({ rpc: { method: 'ping' } });
    expect((await client.end()).code).toBe(3013);
    const answered = client.lines.filter(({ rpc }) => rpc !== undefined).length;
    expect(answered).toBeGreaterThanOrEqual(299);
    // A burst of 300, and 100 more per second.
    expect(answered).toBeLessThanOrEqual(301 + Math.ceil((performance.now() - began) / 10));
    await other.expectUnaffected();
  });

  test('a client may subscribe to 128 channels, but not to one more', async () => {
    const client = await ws.connected('/ws/status/');
    const ids = Array.from({ length: 129 }, (_, at) =>
      client.send({ subscribe: { channel: `status:c${at}` } }),
    );
    const last = await client.reply(ids.at(-1)!);
    expect(last).toMatchObject({ error: { code: 106 } });
    expect(client.lines.filter(({ subscribe }) => subscribe !== undefined)).toHaveLength(128);
    expect(await client.ask({ unsubscribe: { channel: 'status:c0' } })).toMatchObject({
      unsubscribe: {},
    });
    expect(await client.ask({ subscribe: { channel: 'status:other' } })).toHaveProperty(
      'subscribe',
    );
  });

  test('a hundred refused commands close the socket with 3509', async () => {
    const client = await ws.connected('/ws/status/');
    for (let at = 0; at < 100; at += 1) client.send({ rpc: { method: 'no' } });
    expect((await client.end()).code).toBe(3509);
  });

  const publishing = (data: string) => `{"id":9,"publish":{"channel":"test","data":${data}}}`;
  const members = Array.from({ length: 5000 }, (_, at) => `"k${at}":0`);
  test.each<[string, string]>([
    ['many small values', publishing(`[${'[],'.repeat(20_000)}[]]`)],
    ['many members', publishing(`{${members.join(',')}}`)],
    ['many lines that are nothing', '{}\n'.repeat(21_000)],
    ['many commands that do nothing', '{"send":{}}\n'.repeat(5300)],
  ])('one message with %s is parsed in under 15 ms', async (_name, message) => {
    expect(message.length).toBeLessThanOrEqual(65_536);
    const { parseCommands } = await import('../../../src/surfaces/ws/commands/commands.ts');
    // CPU time of the best turn, because the machine may be busy with other work.
    const times = Array.from({ length: 8 }, () => {
      const began = process.cpuUsage();
      parseCommands(message);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(15);
  });
});
